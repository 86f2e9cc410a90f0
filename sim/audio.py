"""WAVs: those that people say, and the one of all that the loudspeaker plays."""

from __future__ import annotations

import sys
import wave
from array import array
from pathlib import Path
from typing import Any

from roboto.sound.format import RATE_HZ

from .room import Tape


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


def write_wav(tape: Tape, path: Path, end_us: int) -> None:
    """Write all that was heard until end_us as a WAV: 16 kHz, 16 bit, mono."""
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes(tape.samples(0, end_us))
