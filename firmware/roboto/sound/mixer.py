"""The utterance queue: clips, pauses and tones to chunks for the speaker.

Everything that changes loudness does so in one way: a gain that runs in a straight line. A part
fades in over its first 8 ms and out over its last, a cut and a new volume take one chunk. Parts
follow each other without a gap, wherever in a chunk one ends.
"""

from array import array

from roboto.sound import kernels
from roboto.sound.clip import Pause
from roboto.sound.tables import REED, SINE, codec_state
from roboto.sound.tones import TONES, VOLUMES

_CHUNK = 128  # samples, 8 ms
_READ_BYTES = 256  # serves four chunks at 16 kHz
_UNITY = 1024  # gains are q10
_GAIN_MAX = 32767
_MISSING = "missing"


def duration_ms(part, squeaky=False):
    """How long a part sounds. None stands for a part that could not be opened."""
    if part is None:
        return tone_ms(_MISSING)
    if isinstance(part, Pause):
        return part.ms
    return _samples_out(part, squeaky) // 16


def tone_ms(name):
    """How long a tone sounds."""
    return sum(chunks for _, _, chunks, _, _ in _SCORES[name]) * 8


def _samples_out(clip, squeaky):
    if squeaky:
        n = clip.n_samples // 10 * 8
    else:
        n = clip.n_samples & ~1
    return 2 * n if clip.rate_hz == 8000 else n


def _score(notes):
    """Notes for playing: (wave, pitch in 65536ths of a period, chunks, start, end in q15)."""
    waves = {"sine": SINE, "reed": REED}
    return tuple(
        (waves[wave], hz * 4096 // 1000, ms // 8, start * 32767 // 100, end * 32767 // 100)
        for wave, hz, ms, start, end in notes
    )


_SCORES = {name: _score(notes) for name, notes in TONES.items()}


_MISSING_SAMPLES = tone_ms(_MISSING) * 16


class _Voice:
    """One tone being played. chunks_left is 0 when it is free."""

    def __init__(self):
        self.chunks_left = 0
        self._phase = 0
        self._gain = 0

    def start(self, score):
        self._score = score
        self._note = 0
        self._place = 0
        self._phase = 0
        self._gain = 0
        chunks = 0
        for note in score:
            chunks += note[2]
        self.chunks_left = chunks

    def mix(self, out, volume):
        """Add the next chunk to out."""
        wave, pitch, chunks, start, end = self._score[self._note]
        self._place += 1
        place = self._place
        if place == chunks:
            target = 0
            self._note += 1
            self._place = 0
        else:
            target = start + (end - start) * (place - 1) // (chunks - 1)
            target = target * volume >> 10
        gain = self._gain
        if gain or target:
            step = (target - gain << 15) // _CHUNK
            self._phase = kernels.tone(wave, self._phase, pitch, out, _CHUNK, gain << 15, step)
        self._gain = target
        self.chunks_left -= 1


class Mixer:
    """Renders one utterance at a time, with up to three tones over it.

    talking: from say() until the last sample of the utterance is rendered or faded.
    level: 0..255, loudness of the speech in the last chunk, before the volume.
    broken: parts that could not be read so far; the tone "missing" took their place.
    """

    def __init__(self, volume=2):
        self.talking = False
        self.level = 0
        self.broken = 0
        self._volume = self._volume_end = VOLUMES[volume - 1]
        self._voices = (_Voice(), _Voice(), _Voice())
        self._tones = 0  # voices that play
        self._waiting = None  # an utterance that starts when the present one has faded
        self._cutting = False
        # the utterance
        self._parts = ()
        self._squeaky = ()
        self._number = 0  # of the next part
        # the part
        self._clip = None
        self._left = 0  # samples of the clip not decoded yet
        self._pause = 0  # samples of a pause not rendered yet
        self._full = _CHUNK  # samples of the clip that make a block
        self._double = self._squeeze = False
        self._gain = _UNITY
        self._codec = codec_state()
        self._read_at = 0
        self._bytes = bytearray(_READ_BYTES)
        self._bytes_end = 0  # of those in _bytes; _codec[2] is the first not decoded yet
        # the block: up to 128 samples of the part, ready but for the gain
        self._block = bytearray(2 * _CHUNK)
        self._block_at = self._block_end = 0
        self._fade = self._fade_end = 0  # gain at its start and end
        self._quiet = False
        self._ramp = array("i", (0, 0, 0, 0))  # see kernels.ramp
        # on the way to a block: 5 or 3 samples of before, then new ones
        self._slow = bytearray(2 * (5 + 80))
        self._wide = bytearray(2 * (3 + 160))

    @property
    def busy(self):
        """Whether there is anything to play."""
        return self.talking or self._tones > 0

    def say(self, parts, squeaky=()):
        """Play parts (Clip, Pause, or None for one that could not be opened) as one utterance.

        squeaky: parallel flags; a squeaky clip sounds 1.25 times as high and as fast. Starts with
        the next chunk; what is being said fades out first, in one chunk.
        """
        if self.talking:
            self._cutting = True
            self._waiting = (parts, squeaky)
        else:
            self._begin(parts, squeaky)

    def cut(self):
        """Fade the speech out within one chunk and drop the rest."""
        if self.talking:
            self._cutting = True
            self._waiting = None

    def tone(self, name):
        """Mix a tone over whatever plays, from the next chunk's first sample on."""
        voice = self._voices[0]
        for other in self._voices:
            if other.chunks_left < voice.chunks_left:
                voice = other
        if not voice.chunks_left:
            self._tones += 1
        voice.start(_SCORES[name])

    def set_volume(self, level):
        """1..3; the next chunk runs over to it."""
        self._volume_end = VOLUMES[level - 1]

    def render(self, out):
        """Fill out (256 bytes). False when there was nothing to play; out is zeros then."""
        at = 0
        if self.talking:
            at = self._speak(out)
        else:
            self._volume = self._volume_end
        if not self._tones:
            if at == _CHUNK:
                return True
            kernels.silence(out, at, _CHUNK - at)
            return at > 0
        if at < _CHUNK:
            kernels.silence(out, at, _CHUNK - at)
        for voice in self._voices:
            if voice.chunks_left:
                voice.mix(out, self._volume_end)
                if not voice.chunks_left:
                    self._tones -= 1
        return True

    def _speak(self, out):
        """Render speech into out; returns how many samples there were."""
        volume = self._volume
        volume_end = 0 if self._cutting else self._volume_end
        at = 0
        level = 0
        while at < _CHUNK:
            start = self._block_at
            n = self._block_end - start
            if not n:
                if not self._next_block():
                    break
                start = 0
                n = self._block_end
            n = min(n, _CHUNK - at)
            if self._quiet:
                kernels.silence(out, at, n)
            else:
                fade = self._fade
                ramp = self._ramp
                if fade == self._fade_end and volume == volume_end:
                    ramp[0] = fade * volume >> 10 << 15
                    ramp[1] = 0
                else:
                    self._slope(start, at, n, volume, volume_end)
                ramp[2] = start
                ramp[3] = at
                peak = kernels.ramp(self._block, out, n, ramp)
                level = max(level, peak)
            self._block_at = start + n
            at += n
        level = level * self._gain >> 16
        self.level = min(255, level)
        self._volume = self._volume_end
        if self._cutting:
            self._end()
            if self._waiting:
                self._begin(self._waiting[0], self._waiting[1])
                self._waiting = None
        elif (
            self._block_at == self._block_end
            and not self._left
            and not self._pause
            and self._number == len(self._parts)
        ):
            self._end()
        return at

    def _slope(self, start, at, n, volume, volume_end):
        """Gain and step for n samples from `start` of the block, `at` of the chunk, into _ramp."""
        length = self._block_end
        fade = self._fade
        slope = self._fade_end - fade
        rise = volume_end - volume
        first = (fade + slope * start // length) * (volume + rise * at // _CHUNK) >> 10
        start += n
        at += n
        last = (fade + slope * start // length) * (volume + rise * at // _CHUNK) >> 10
        self._ramp[0] = first << 15
        self._ramp[1] = (last - first << 15) // n

    def _begin(self, parts, squeaky):
        self._parts = parts
        self._squeaky = squeaky
        self._number = 0
        self.talking = True

    def _end(self):
        self.talking = self._cutting = False
        self.level = 0
        self._parts = ()
        self._clip = None
        self._number = self._left = self._pause = 0
        self._block_at = self._block_end = 0

    def _next_block(self):
        """Make the next block ready. False at the end of the utterance."""
        self._block_at = self._block_end = 0
        while True:
            if self._left:
                if self._decode_block():
                    return True
                self._fail()
            if self._block_end:
                return True
            if self._pause:
                n = min(_CHUNK, self._pause)
                self._pause -= n
                self._block_end = n
                self._quiet = True
                return True
            if self._number == len(self._parts):
                return False
            self._open(self._parts[self._number])
            self._number += 1

    def _open(self, part):
        """Begin a part: sets _left or _pause."""
        if isinstance(part, Pause):
            self._pause = part.ms * 16
            return
        number = self._number
        try:
            squeaky = number < len(self._squeaky) and bool(self._squeaky[number])
            grain = 10 if squeaky else 2
            left = part.n_samples // grain * grain
            doubled = part.rate_hz == 8000
            if not 0 <= part.index <= 88 or part.rate_hz not in (8000, 16000):
                raise ValueError
            self._codec[0] = part.predictor
            self._codec[1] = part.index
            self._read_at = part.start_byte
            gain = part.gain_q12 >> 2
        except Exception:  # whatever it is, the game goes on
            self._fail()
            return
        self._clip = part
        self._left = left
        self._double = doubled
        self._squeeze = squeaky
        self._full = (160 if squeaky else 128) >> (1 if doubled else 0)
        self._gain = min(_GAIN_MAX, gain)
        self._codec[2] = self._bytes_end = 0
        self._fade_end = 0
        kernels.silence(self._slow, 0, 5)
        kernels.silence(self._wide, 0, 3)

    def _fail(self):
        """The part at hand cannot be read: a tone in its place, from where it broke off."""
        self.broken += 1
        self._left = 0
        if self._fade_end and not self._quiet and self._clip:
            # hold the last sample and let it fade, else it would click
            low = self._codec[0] & 255
            high = self._codec[0] >> 8 & 255
            block = self._block
            for i in range(0, 2 * _CHUNK, 2):
                block[i] = low
                block[i + 1] = high
            self._fade = self._fade_end
            self._fade_end = 0
            self._block_end = _CHUNK
        self._clip = None
        self.tone(_MISSING)
        self._pause = _MISSING_SAMPLES

    def _decode_block(self):
        """Decode, and resample, up to 128 samples. False when the clip breaks off."""
        n = self._full
        left = self._left
        fade_end = self._gain
        if left < n + n:  # the last two blocks: the fade out, over 64 to 191 samples
            if left <= n:
                n = left
                fade_end = 0
            elif left - n < n >> 1:
                fade_end = fade_end * (left - n) // left
        if self._double:
            if not self._decode(n, self._slow, 5):
                return False
            made = 2 * n
            if self._squeeze:
                kernels.double(self._slow, n, self._wide, 3)
            else:
                kernels.double(self._slow, n, self._block, 0)
        else:
            made = n
            if self._squeeze:
                if not self._decode(n, self._wide, 3):
                    return False
            elif not self._decode(n, self._block, 0):
                return False
        if self._squeeze:
            kernels.squeeze(self._wide, made, self._block)
            made = made // 5 * 4
        self._left = left - n
        self._fade = self._fade_end
        self._fade_end = fade_end
        self._block_end = made
        self._quiet = False
        return True

    def _decode(self, n, dst, to):
        """Decode n samples, reading on when the bytes at hand run out."""
        codec = self._codec
        codec[3] = to
        while True:
            at_hand = 2 * (self._bytes_end - codec[2])
            if at_hand >= n:
                kernels.decode(self._bytes, dst, n, codec)
                return True
            if at_hand:
                kernels.decode(self._bytes, dst, at_hand, codec)
                n -= at_hand
            if not self._read():
                return False

    def _read(self):
        try:
            n = self._clip.blob.read_at(self._read_at, self._bytes)
        except Exception:  # a file system may raise anything
            return False
        self._read_at += n
        self._codec[2] = 0
        self._bytes_end = n
        return n > 0
