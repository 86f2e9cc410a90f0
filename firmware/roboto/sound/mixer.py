"""The utterance queue: clips, pauses and tones to chunks for the speaker.

Everything that changes loudness does so in one way: a gain that runs in a straight line. A part
fades in over its first 8 ms and out over its last, a cut and a new volume take one chunk. Parts
follow each other without a gap, wherever in a chunk one ends.
"""

from array import array

from . import adpcm, kernels
from .clip import Clip, Pause
from .format import CHUNK_SAMPLES, HALF_RATE_HZ, RATE_HZ, SAMPLES_PER_MS
from .tones import VOLUMES, Voice, tone_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..shapes import Buffer, Played, Source

    Make = Callable[[Buffer, int, int], bool]  # fills a buffer from a sample on with so many

_FADE = CHUNK_SAMPLES  # samples over which a clip fades in and out
_GRAIN = 16  # every part is a multiple of it: then all kernels get whole bytes and fives
_GAIN_MAX = 32767  # gains are q10
_MISSING = "missing"


def duration_ms(part: "Played", squeaky: bool = False) -> int:
    """Return how long a part sounds."""
    if part is None:
        return tone_ms(_MISSING)
    if isinstance(part, Pause):
        return part.ms
    return samples_out(part, squeaky) // SAMPLES_PER_MS


def samples_out(clip: Clip, squeaky: bool) -> int:
    """Return how many samples a clip sounds, a multiple of _GRAIN."""
    n = clip.n_samples * RATE_HZ // clip.rate_hz
    if squeaky:
        n = n * 4 // 5
    return n // _GRAIN * _GRAIN


class Mixer:
    """Renders one utterance at a time, with up to three tones over it.

    talking: from say() until the last sample of the utterance is rendered or faded.
    level: 0..255, loudness of the speech in the last chunk, before the volume.
    broken: parts that could not be read so far; the tone "missing" took their place.
    """

    def __init__(self, volume: int = 2) -> None:
        self.talking = False
        self.level = 0
        self.broken = 0
        self._volume = self._volume_end = VOLUMES[volume - 1]
        self._voices = (Voice(), Voice(), Voice())
        self._tones = 0  # voices that play
        # an utterance that starts when the present one has faded
        self._waiting: tuple[Sequence[Played], Sequence[bool]] | None = None
        self._cutting = False
        # the utterance
        self._parts: Sequence[Played] = ()
        self._squeaky: Sequence[bool] = ()
        self._number = 0  # of the next part
        # the part
        self._clip: Clip | None = None  # None in a pause
        self._left = 0  # samples to come
        self._past = 0  # samples of it already played, counted up to _FADE
        self._pause = 0  # samples of silence to come after it
        self._gain = 0
        self._easy = 0  # how many of the next chunks need no fade, tone or new part
        # what decodes the clip, one a codec, with its take(): bound once, for that needs heap
        decoder: Source = adpcm.Decoder()
        self._adpcm = (decoder, decoder.take)
        self._mdct: tuple[Source, Make] | None = None
        self._source, self._take = self._adpcm
        # what makes of it what is heard; at a clip's own rate and height nothing stands between
        self._makers = (self._make_double, self._make_squeaky, self._make_both)
        self._make: Make = self._take
        # on the way to what is heard: 7 or 3 samples of before, then new ones
        self._slow = bytearray(2 * (7 + 80))
        self._wide = bytearray(2 * (3 + 160))
        self._ramp = array("i", (0, 0, 0))  # see kernels.ramp

    @property
    def busy(self) -> bool:
        """Return whether there is anything to play."""
        return self.talking or self._tones > 0

    def say(self, parts: "Sequence[Played]", squeaky: "Sequence[bool]" = ()) -> None:
        """Play parts (Clip, Pause, or None for one that could not be opened) as one utterance.

        squeaky: parallel flags; a squeaky clip sounds 1.25 times as high and as fast. Starts with
        the next chunk; what is being said fades out first, in one chunk.
        """
        if self.talking:
            self._cutting = True
            self._waiting = (parts, squeaky)
            self._easy = 0
        else:
            self._begin(parts, squeaky)

    def cut(self) -> None:
        """Fade the speech out within one chunk and drop the rest."""
        if self.talking:
            self._cutting = True
            self._waiting = None
            self._easy = 0

    def drop(self) -> None:
        """Forget all that plays or waits, at once: something in it raised."""
        self._waiting = None
        self._end()
        self._easy = self._tones = 0
        for voice in self._voices:
            voice.chunks_left = 0

    def tone(self, name: str) -> None:
        """Mix a tone over whatever plays, from the next chunk's first sample on."""
        voice = self._voices[0]
        for other in self._voices:
            if other.chunks_left < voice.chunks_left:
                voice = other
        if not voice.chunks_left:
            self._tones += 1
        voice.start(name)
        self._easy = 0

    def set_volume(self, level: int) -> None:
        """Set the volume, 1..3; the next chunk runs over to it."""
        self._volume_end = VOLUMES[level - 1]
        self._easy = 0

    def render(self, out: "Buffer") -> bool:
        """Fill out (256 bytes). Return False when there was nothing to play; it is zeros then."""
        if self._easy:
            # most of all chunks; _mix() would do the same, in more time
            if self._make(out, 0, CHUNK_SAMPLES):
                self._easy -= 1
                self._left -= CHUNK_SAMPLES
                level = kernels.ramp(out, CHUNK_SAMPLES, self._ramp) * self._gain >> 16
                self.level = level if level < 255 else 255
                return True
            self._easy = 0
        return self._mix(out)

    def _mix(self, out: "Buffer") -> bool:
        """Render speech, silence and tones."""
        at = 0
        if self.talking:
            at = self._speak(out)
        else:
            self._volume = self._volume_end
        if at < CHUNK_SAMPLES:
            kernels.silence(out, at, CHUNK_SAMPLES - at)
        if not self._tones:
            return at > 0
        for voice in self._voices:
            if voice.chunks_left:
                voice.mix(out, self._volume_end)
                if not voice.chunks_left:
                    self._tones -= 1
        return True

    def _speak(self, out: "Buffer") -> int:
        """Render speech into out; returns how many samples there were."""
        volume = self._volume
        volume_end = 0 if self._cutting else self._volume_end
        ramp = self._ramp
        at = 0
        level = 0
        while at < CHUNK_SAMPLES:
            left = self._left
            if not left:
                if not self._next_part():
                    break
                continue
            n = min(CHUNK_SAMPLES - at, left)
            if self._clip:
                gain = self._fade() * (volume + (volume_end - volume) * at // CHUNK_SAMPLES) >> 10
                if not self._make(out, at, n) and not self._break_off(out, at, n):
                    continue
                self._left -= n
                self._past = min(self._past + n, _FADE)
                at += n
                gain_end = (
                    self._fade() * (volume + (volume_end - volume) * at // CHUNK_SAMPLES) >> 10
                )
                ramp[0] = gain << 15
                ramp[1] = (gain_end - gain << 15) // n
                ramp[2] = at - n
                level = max(level, kernels.ramp(out, n, ramp))
            else:
                kernels.silence(out, at, n)
                self._left = left - n
                at += n
        self.level = min(level * self._gain >> 16, 255)
        self._volume = self._volume_end
        if self._cutting:
            self._end()
            if self._waiting:
                self._begin(self._waiting[0], self._waiting[1])
                self._waiting = None
        elif not self._left and not self._pause and self._number == len(self._parts):
            self._end()
        elif self._clip and self._past == _FADE and not self._tones:
            self._easy = max((self._left // CHUNK_SAMPLES) - 1, 0)
            ramp[0] = self._gain * self._volume >> 10 << 15
            ramp[1] = ramp[2] = 0
        return at

    def _fade(self) -> int:
        """Return the clip's gain here: up over its first 8 ms, down over its last."""
        return self._gain * min(self._past, self._left, _FADE) // _FADE

    def _begin(self, parts: "Sequence[Played]", squeaky: "Sequence[bool]") -> None:
        self._parts = parts
        self._squeaky = squeaky
        self._number = 0
        self.talking = True

    def _end(self) -> None:
        self.talking = self._cutting = False
        self.level = 0
        self._parts = ()
        self._clip = None
        self._number = self._left = self._pause = 0

    def _next_part(self) -> bool:
        """Begin the next part. Return False at the end of the utterance."""
        self._clip = None
        if self._pause:
            self._left = self._pause
            self._pause = 0
            return True
        number = self._number
        if number == len(self._parts):
            return False
        self._number = number + 1
        part = self._parts[number]
        if isinstance(part, Pause):
            self._left = part.ms * SAMPLES_PER_MS
            return True
        try:
            squeaky = number < len(self._squeaky) and bool(self._squeaky[number])
            if part is None:
                raise ValueError
            self._source, self._take = self._mdct_source() if part.mdct_bytes else self._adpcm
            self._source.begin(part)
            self._gain = min(part.gain_q12 >> 2, _GAIN_MAX)
            self._left = samples_out(part, squeaky)
        except Exception:  # whatever it is, the game goes on
            self._missing()
            return True
        self._clip = part
        maker = (part.rate_hz == HALF_RATE_HZ) + 2 * squeaky
        self._make = self._makers[maker - 1] if maker else self._take
        self._past = 0
        kernels.silence(self._slow, 0, 7)
        kernels.silence(self._wide, 0, 3)
        return True

    def _mdct_source(self) -> "tuple[Source, Make]":
        if self._mdct is None:
            from . import mdct  # only a robot with packs of that kind has it in memory

            decoder = mdct.decoder()
            self._mdct = (decoder, decoder.take)
        return self._mdct

    def _missing(self) -> None:
        """Note a part that cannot be read; a tone takes its place, from where it broke off."""
        self.broken += 1
        self._left = 0
        self._pause = tone_ms(_MISSING) * SAMPLES_PER_MS
        self.tone(_MISSING)

    def _break_off(self, out: "Buffer", at: int, n: int) -> bool:
        """End the clip with n samples at the height of its last one, to fade; else it would click.

        False when none of it was heard yet.
        """
        self._missing()
        if not self._past:
            return False
        if self._make is self._take:
            low = self._source.last & 255
            high = self._source.last >> 8 & 255
        elif self._make is self._makers[0]:
            low, high = self._slow[6], self._slow[7]  # where double() stopped
        else:
            low, high = self._wide[0], self._wide[1]  # where squeeze() did
        for i in range(2 * at, 2 * (at + n), 2):
            out[i] = low
            out[i + 1] = high
        self._left = n
        return True

    def _make_double(self, out: "Buffer", at: int, n: int) -> bool:
        if not self._take(self._slow, 7, n >> 1):
            return False
        kernels.double(self._slow, n >> 1, out, at)
        return True

    def _make_squeaky(self, out: "Buffer", at: int, n: int) -> bool:
        if not self._take(self._wide, 3, n * 5 >> 2):
            return False
        kernels.squeeze(self._wide, n * 5 >> 2, out, at)
        return True

    def _make_both(self, out: "Buffer", at: int, n: int) -> bool:
        if not self._take(self._slow, 7, n * 5 >> 3):
            return False
        kernels.double(self._slow, n * 5 >> 3, self._wide, 3)
        kernels.squeeze(self._wide, n * 5 >> 2, out, at)
        return True
