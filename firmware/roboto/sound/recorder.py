"""From microphone words to a clip: offset off, gain, ADPCM on the fly, then trim and loudness.

While words come in, each frame of 20 ms leaves behind its loudness and the decoder's state at its
start, so that finish() never looks at a sample again: it picks the frames that hold sound, and
the clip begins with the state that was noted there.
"""

from array import array

from . import kernels
from .clip import Clip, RamBlob
from .format import HALF_RATE_HZ, RATE_HZ, SAMPLES_PER_MS
from .tables import codec_state

# 24 bit to 16 with +18 dB: an I2S microphone hears speech that much below its full scale
MICROPHONE_SHIFT = 5

_FRAME_MS = 20
_HALF_MS = _FRAME_MS // 2
_FRAME = _FRAME_MS * SAMPLES_PER_MS  # samples as they come
_BEFORE = 14  # samples of before that kernels.halve looks back at
_END = _BEFORE + _FRAME
_MIN_FRAMES = 15  # 0.3 s: less is a slip of the finger
_OFFSET_MAX = 1 << 29  # a quarter of full scale, in units of a word; more is no offset

# kernels.energy sums squares / 256 of samples that its filter leaves 6.07 dB lower than the
# K weighting would. A frame whose mean square is m, full scale being 1, so has the energy
# m * 317 * 32768^2 / 256 / 10^0.607: the filter takes its first 3 samples to begin with.
_WEIGHED = _FRAME - 3
_FULL = 328_630_000  # energy of a frame with m = 1
_SILENCE = _FULL // 100_000  # -50 dB
# A microphone's own noise, -90 dBFS (ICS-43434: 64 dBA below 94 dB SPL at -26 dBFS), gives every
# fourth frame some energy; a line that floats gives none.
_FAINTEST = 1
# BS.1770: loudness = -0.691 + 10 log10(m). -16 LUFS is m = 10^(-15.309 / 10).
_TARGET = _FULL * 29451 // 1_000_000
_GATE = _FULL * 1173 // 10_000_000_000  # -70 LUFS
_GAIN_MAX_Q12 = 129_530  # +30 dB


def _offset_of(total: int, n: int) -> int:
    """Return the mean of n words >> 12 that sum up to total, as a word, kept within what is an
    offset."""
    mean = (total << 3) // n  # 9 more bits are to come: in this order it stays a small int
    most = _OFFSET_MAX >> 9
    # min() and max() would take three times as long
    return (most if mean > most else -most if mean < -most else mean) << 9


def bytes_for(ms: int, rate_hz: int) -> int:
    """Return how many bytes a recording takes."""
    return ms * rate_hz // 2000


def rate_for(limit_ms: int, room_bytes: int, names_hz: int = RATE_HZ) -> int:
    """Return the samples a second: 16000 where room is left for one more at 8000, else 8000 at
    once. So who speaks right after another need not wait until that one is saved. And 8000 where
    names_hz says so: the voice pack is made for a small flash."""
    both_fit = bytes_for(limit_ms, RATE_HZ + HALF_RATE_HZ) <= room_bytes
    return RATE_HZ if both_fit and names_hz > HALF_RATE_HZ else HALF_RATE_HZ


def alive(words: "array[int]", n: int, at: int = 0) -> bool:
    """Return whether n words from `at` on look like a microphone. One that is dead, or still
    warming up, gives the same word again and again."""
    for i in range(at + 1, at + n):
        if words[i] != words[at]:
            return True
    return False


class Recorder:
    """Records into a buffer; finish() hands out what was said as a Clip over that buffer.

    buffer: bytearray; see bytes_for(). longest_ms: no recording is to be longer; each second of it
    takes 350 bytes of heap. shift: see MICROPHONE_SHIFT.
    full: the limit, or the buffer's end, is reached.
    """

    def __init__(self, buffer: bytearray, longest_ms: int, shift: int = MICROPHONE_SHIFT) -> None:
        self._buffer = buffer
        frames = longest_ms // _FRAME_MS
        self._energies = array("i", bytes(4 * frames))
        self._predictors = array("h", bytes(2 * frames))
        self._indexes = bytearray(frames)
        self._frame = bytearray(2 * (_BEFORE + _FRAME))  # samples of before, then the frame
        self._new = memoryview(self._frame)[2 * _BEFORE :]  # the frame alone
        self._half = bytearray(_FRAME)  # the frame at half its rate
        self._rate_hz = RATE_HZ
        self._codec = codec_state()
        self._clean = array("i", (0, 0, 0, 0, _BEFORE, shift))  # see kernels.clean
        self._settled = False  # whether the microphone's offset is known
        self.full = True
        self.faint = False  # the last recording was fainter than a microphone's own noise
        self._n_frames = self._n_frames_max = 0
        self._start_byte = 0

    @property
    def heard_ms(self) -> int:
        """Return how much has been recorded so far."""
        return self._n_frames * _FRAME_MS + (self._clean[4] - _BEFORE) // SAMPLES_PER_MS

    def start(
        self,
        limit_ms: int,
        rate_hz: int = RATE_HZ,
        start_byte: int = 0,
        end_byte: int | None = None,
    ) -> None:
        """Begin a recording of at most limit_ms in this part of the buffer; less where the room is
        too small. rate_hz: 16000 or 8000, see rate_for()."""
        start_byte += start_byte & 1
        room = (len(self._buffer) if end_byte is None else end_byte) - start_byte
        self._rate_hz = rate_hz
        room_frames = max(room, 0) // bytes_for(_FRAME_MS, rate_hz)
        self._n_frames_max = min(room_frames, limit_ms // _FRAME_MS, len(self._indexes))
        self._start_byte = start_byte
        self._n_frames = 0
        self._codec[0] = self._codec[1] = 0
        self._codec[3] = start_byte
        self._clean[1] = self._clean[2] = 0
        self._clean[4] = _BEFORE
        kernels.silence(self._frame, 0, _BEFORE)
        self.full = self._n_frames_max == 0

    def feed(self, words: "array[int]", n: int, at: int = 0) -> None:
        """Take n words (array('i'), 24 bit left-justified) from `at` on. What is past the limit is
        dropped."""
        if not self._settled and n:
            self._settle(words, n, at)
        # each name more in here would cost a frame on the heap at each call, see architecture.md
        self._clean[3] = at
        while n and not self.full:
            k = min(n, _END - self._clean[4])
            kernels.clean(words, self._frame, k, self._clean)
            n -= k
            if self._clean[4] == _END:
                self._end_frame()

    def _settle(self, words: "array[int]", n: int, at: int) -> None:
        """First guess of the offset: the mean of the first words ever heard."""
        total = 0
        for i in range(at, at + n):
            total += words[i] >> 12
        self._clean[0] = _offset_of(total, n)
        self._settled = True

    def _end_frame(self) -> None:
        number = self._n_frames
        codec = self._codec
        self._predictors[number] = codec[0]
        self._indexes[number] = codec[1]
        frame = self._frame
        if self._rate_hz == RATE_HZ:
            codec[2] = _BEFORE
            kernels.encode(frame, self._buffer, _FRAME, codec)
        else:
            codec[2] = 0
            kernels.halve(frame, _FRAME, self._half, 0)
            kernels.encode(self._half, self._buffer, _FRAME >> 1, codec)
        self._energies[number] = kernels.energy(self._new, _WEIGHED)  # which spoils the frame
        self._n_frames = number + 1
        self.full = number + 1 == self._n_frames_max
        # the offset moves an eighth of the way to this frame's mean, all along the next frame
        clean = self._clean
        clean[1] = ((_offset_of(clean[2], _FRAME) - clean[0]) >> 3) // _FRAME
        clean[2] = 0
        clean[4] = _BEFORE

    def finish(self) -> tuple[str, Clip | None]:
        """End the recording: ("stored", clip), ("too_short", None) or ("silent", None)."""
        self.full = True
        self.faint = False
        energies = self._energies
        n_frames = self._n_frames
        threshold = self._threshold()
        first = 0
        while first < n_frames - 1 and not (
            energies[first] > threshold and energies[first + 1] > threshold
        ):
            first += 1
        if first >= n_frames - 1:
            loudest = 0
            for i in range(n_frames):
                loudest = max(loudest, energies[i])
            self.faint = loudest < _FAINTEST
            return "silent", None
        end = n_frames
        while not (energies[end - 1] > threshold and energies[end - 2] > threshold):
            end -= 1
        if end - first < _MIN_FRAMES:
            return "too_short", None
        start, stop = self._halves(first, end)
        gain_q12 = _gain_q12(_loudness(energies, start >> 1, stop + 1 >> 1))
        rate_hz = self._rate_hz
        codec = self._codec_at(start)
        clip = Clip(
            RamBlob(self._buffer),
            self._start_byte + bytes_for(start * _HALF_MS, rate_hz),
            (stop - start) * _HALF_MS * rate_hz // 1000,
            rate_hz,
            codec[0],
            codec[1],
            gain_q12,
        )
        return "stored", clip

    def _halves(self, first: int, end: int) -> tuple[int, int]:
        """Return where to cut, in half frames: 20 to 30 ms before the sound and after it.

        The first consonant is quiet, so some of what is before is kept; but no more, since all
        that is before and after a name adds up to the gap between it and its neighbours. A frame
        with less than half the next one's energy has its sound in the later half.
        """
        energies = self._energies
        late = 2 * energies[first] < energies[first + 1]
        early = 2 * energies[end - 1] < energies[end - 2]
        start = max(2 * first - (1 if late else 2), 0)
        return start, min(2 * end + (1 if early else 2), 2 * self._n_frames)

    def _codec_at(self, half: int) -> "array[int]":
        """Return the decoder's state at a half frame; for that of a later half, decode the
        earlier one into the frame's buffer."""
        number = half >> 1
        codec = self._codec
        codec[0] = self._predictors[number]
        codec[1] = self._indexes[number]
        if half & 1:
            rate_hz = self._rate_hz
            codec[2] = self._start_byte + bytes_for(number * _FRAME_MS, rate_hz)
            codec[3] = 0
            kernels.decode(self._buffer, self._frame, _HALF_MS * rate_hz // 1000, codec)
        return codec

    def _threshold(self) -> int:
        """Return the energy above which a frame is sound and not what lies behind it."""
        energies = self._energies
        loudest = 0
        quietest = before = energies[0]
        for i in range(1, self._n_frames):
            energy = energies[i]
            loudest = max(loudest, min(before, energy))
            quietest = min(quietest, (before + energy) >> 1)
            before = energy
        # 35 dB below the loudest is silence; so is what is within 6 dB of constant noise, unless
        # there is no silence in the recording and its quietest is speech too
        return max(_SILENCE, loudest // 3162, min(quietest * 4, loudest // 16))


def _loudness(energies: "array[int]", first: int, end: int) -> int:
    """Return the mean energy of the frames first..end - 1, gated as BS.1770 does: 0.4 s, every
    0.1 s."""
    tenths = []  # sums over 0.1 s
    for i in range(first, end - 4, 5):
        tenths.append(
            energies[i] + energies[i + 1] + energies[i + 2] + energies[i + 3] + energies[i + 4]
        )
    if len(tenths) < 4:
        return sum(energies[i] for i in range(first, end)) // (end - first)
    blocks = [
        (tenths[i] + tenths[i + 1] + tenths[i + 2] + tenths[i + 3]) // 20
        for i in range(len(tenths) - 3)
    ]
    gate = _mean_above(_GATE, blocks) // 10  # -10 dB
    return _mean_above(gate, blocks)


def _mean_above(gate: int, blocks: list[int]) -> int:
    total = n = 0
    for block in blocks:
        if block > gate:
            total += block
            n += 1
    return total // n if n else 0


def _gain_q12(energy: int) -> int:
    """Gain that brings a mean energy to the target: sqrt(target / energy), in integers only."""
    if not energy:
        return _GAIN_MAX_Q12
    square = (_TARGET << 24) // energy
    root = _GAIN_MAX_Q12
    if square >= root * root:
        return root
    while root * root > square:  # Newton
        root = (root + square // root) >> 1
    return root
