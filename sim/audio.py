"""Sound at the table: WAVs that people say, the room they say them in, and what the loudspeaker
plays."""

from __future__ import annotations

import functools
import random
import sys
import wave
from array import array
from pathlib import Path
from typing import Any

from roboto.sound.format import RATE_HZ

from host_tools.desktop.kernels_quiet import audioop

# A WAV's full scale arrives at -18 dBFS of the microphone's 24 bits, left-justified in 32:
# somebody who speaks up, close to the robot, and well below the microphone's limit.
_MIC_SHIFT = 13
_NOISE_PEAK = 12  # room silence, in steps of the 16-bit scale: about -75 dBFS
_NOISE_FRAMES = 4096


class BadWav(Exception):
    """The message says which file, what is wrong, and what would do."""


def read_wav(path: Path) -> array[int]:
    """Any usual WAV as mono int16 samples at 16 kHz.

    8 to 96 kHz; 8, 16, 24, 32 bit or float; mono or stereo; other chunks before or after the data.
    Raises BadWav.
    """
    want = "give a WAV of 8 to 96 kHz, PCM or float, mono or stereo"
    if not path.exists():
        raise BadWav(f"{path}: there is no such file")
    try:
        with open(path, "rb") as file:
            head = file.read(12)
        if not head:
            raise BadWav(f"{path}: the file is empty; {want}")
        if head[:4] not in (b"RIFF", b"RIFX", b"RF64") or head[8:12] != b"WAVE":
            raise BadWav(f"{path}: not a WAV file; {want}")
        _check_chunks(path, want)
        plain = _read_plain(path)
        if plain:
            return plain
    except OSError as error:
        raise BadWav(f"{path}: cannot be read ({error.strerror}); {want}") from None
    return _read_any(path, want)


def _read_plain(path: Path) -> array[int] | None:
    """The samples of a WAV that needs no conversion, without importing anything large."""
    try:
        with wave.open(str(path), "rb") as sound:
            form = (sound.getframerate(), sound.getsampwidth(), sound.getnchannels())
            if form == (RATE_HZ, 2, 1) and sys.byteorder == "little":
                return array("h", sound.readframes(sound.getnframes()))
    except (wave.Error, EOFError):
        pass
    return None


def _read_any(path: Path, want: str) -> array[int]:
    import numpy as np
    import soundfile
    import soxr

    try:
        with soundfile.SoundFile(str(path)) as sound:
            if sound.subtype not in ("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE"):
                raise BadWav(f"{path}: its codec {sound.subtype} is not read here; {want}")
            rate_hz = sound.samplerate
            channels = sound.channels
            samples = sound.read(dtype="float64", always_2d=True)
    except (OSError, RuntimeError) as error:  # LibsndfileError is a RuntimeError
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadWav(f"{path}: cannot be read ({reason}); {want}") from None
    if not 8000 <= rate_hz <= 96000:
        raise BadWav(f"{path}: {rate_hz} Hz; {want}")
    if channels > 2:
        raise BadWav(f"{path}: {channels} channels; {want}")
    if not len(samples):
        raise BadWav(f"{path}: it holds no sound; {want}")
    if not np.isfinite(samples).all():
        raise BadWav(f"{path}: it holds values that are no numbers; {want}")
    mono = samples.mean(axis=1)
    if rate_hz != RATE_HZ:
        mono = soxr.resample(mono, rate_hz, RATE_HZ)
    return array("h", (np.clip(np.rint(mono * 32768), -32768, 32767)).astype("<i2").tobytes())


def _check_chunks(path: Path, want: str) -> None:
    """A file that was cut short is refused: libsndfile would play what is left."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        big = file.read(4) == b"RIFX"
        order: Any = "big" if big else "little"
        file.seek(12)
        seen_format = False
        while True:
            head = file.read(8)
            if len(head) < 8:
                raise BadWav(f"{path}: cut short, its sound is missing; {want}")
            length = int.from_bytes(head[4:], order)
            if head[:4] == b"fmt ":
                seen_format = True
            if head[:4] == b"data":
                if not seen_format:
                    raise BadWav(f"{path}: its data comes before its format; {want}")
                if file.tell() + length > size and length < 0xFFFFFF00:
                    raise BadWav(
                        f"{path}: cut short: {size - file.tell()} of {length} bytes of sound; "
                        f"{want}"
                    )
                return
            file.seek(length + (length & 1), 1)


@functools.cache
def _noise() -> bytes:
    """Two rounds of a quiet room, as microphone words."""
    dice = random.Random(1)
    values = array(
        "i", (dice.randint(-_NOISE_PEAK << 8, _NOISE_PEAK << 8) << 5 for _ in range(_NOISE_FRAMES))
    )
    return values.tobytes() * 2


class Room:
    """The microphone's end: what people say, over a little noise. Silent until the microphone has
    woken."""

    def __init__(self, chip: Any, power_gpio: int, sck_gpio: int, startup_ms: int = 5) -> None:
        self._chip = chip
        self._sck = sck_gpio
        self._startup_us = startup_ms * 1000
        self._awake_us: int | None = None
        self.said: list[tuple[int, bytes | bytearray, int]] = []  # (start_us, words, frames)
        self._noise = _noise()
        chip.watchers[power_gpio] = self._power
        self.alive = True

    def _power(self, level: int) -> None:
        self._awake_us = self._chip.now_us + self._startup_us if level else None

    def say(self, start_us: int, samples: array[int]) -> None:
        """Somebody says this, from start_us on."""
        words = self.as_words(samples)
        self.said = [
            entry
            for entry in self.said
            if entry[0] + entry[2] * 62.5 > self._chip.now_us - 1_000_000
        ]
        self.said.append((start_us, words, len(samples)))

    @staticmethod
    def as_words(samples: array[int]) -> bytes:
        """int16 samples as the microphone gives them: int32, 24 bits left-justified."""
        wide = audioop.lin2lin(samples, 2, 4)  # 16 bits higher
        return audioop.mul(wide, 4, 1 / (1 << 16 - _MIC_SHIFT))

    def hush(self, now_us: int) -> None:
        """Whoever speaks stops."""
        cut = []
        for start_us, words, frames in self.said:
            frames = min(frames, max(0, (now_us - start_us) * RATE_HZ // 1_000_000))
            cut.append((start_us, words[: 4 * frames], frames))
        self.said = cut

    def words(self, start_us: int, n: int) -> bytes:
        """n frames from start_us on: int32, 24 bits left-justified."""
        if not self.alive or self._awake_us is None or start_us < self._awake_us:
            return bytes(4 * n)
        at = start_us * RATE_HZ // 1_000_000
        for said_us, words, frames in self.said:
            first = (start_us - said_us) * RATE_HZ // 1_000_000
            if -n < first < frames:
                before = max(0, -first)
                part = words[4 * max(0, first) : 4 * (first + n)]
                return (
                    self._silence(at, before)
                    + part
                    + self._silence(at, n - before - len(part) // 4)
                )
        return self._silence(at, n)

    def _silence(self, at: int, n: int) -> bytes:
        data = b""
        while n > 0:
            first = at % _NOISE_FRAMES
            take = min(n, _NOISE_FRAMES)
            data += self._noise[4 * first : 4 * (first + take)]
            n -= take
        return data


def frames_begun(start_us: int, now_us: int) -> int:
    """How many frames of a piece that starts at start_us have begun before now_us."""
    return max(0, -(-(now_us - start_us) * RATE_HZ // 1_000_000))


class Tape:
    """The loudspeaker's end: everything it plays, at its place in time."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, bytes]] = []

    def play(self, start_us: int, data: bytes) -> None:
        self._pieces.append((start_us, data))

    def stop(self, now_us: int) -> None:
        """What is still on its way is never heard."""
        while self._pieces and self._pieces[-1][0] >= now_us:
            self._pieces.pop()
        if self._pieces:
            start_us, data = self._pieces[-1]
            self._pieces[-1] = (start_us, data[: 2 * frames_begun(start_us, now_us)])

    def samples(self, origin_us: int, end_us: int) -> bytearray:
        """int16 samples from origin_us to end_us, silence where nothing was played."""
        total = max(0, (end_us - origin_us) * RATE_HZ // 1_000_000)
        out = bytearray(2 * total)
        for start_us, data in self._pieces:
            # rounded, so that pieces of one stream stay seamless
            at = 2 * (((start_us - origin_us) * RATE_HZ + 500_000) // 1_000_000)
            if at < 0:
                data, at = data[-at:], 0
            data = data[: max(0, len(out) - at)]
            out[at : at + len(data)] = data
        return out

    def write(self, path: Path, origin_us: int, end_us: int) -> None:
        """A WAV of all that was heard: 16 kHz, 16 bit, mono."""
        with wave.open(str(path), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE_HZ)
            out.writeframes(self.samples(origin_us, end_us))
