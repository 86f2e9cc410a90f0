"""WAVs: those that people say, and the one of all that the loudspeaker plays."""

from __future__ import annotations

import io
import wave
from array import array
from pathlib import Path

from roboto.sound.format import RATE_HZ

from host_tools import wav
from host_tools.wav import BadWav

from .room import Tape

_RATES_HZ = (8000, 96_000)

__all__ = ["BadWav", "parse_wav", "read_wav", "wav_bytes", "wav_of"]


def read_wav(path: Path) -> array[int]:
    """Return the sound of a WAV file of 8 to 96 kHz as mono int16 samples at 16 kHz. Raises
    BadWav."""
    return wav.at_rate(wav.read(path, rates_hz=_RATES_HZ), RATE_HZ)


def parse_wav(data: bytes, name: str) -> array[int]:
    """Return the sound of a WAV file's bytes, as read_wav() does of a file's."""
    return wav.at_rate(wav.parse(data, name, _RATES_HZ), RATE_HZ)


def wav_of(tape: Tape, end_us: int) -> bytes:
    """Return a WAV of all that was heard until end_us: 16 kHz, 16 bit, mono."""
    return wav_bytes(tape.samples(0, end_us))


def wav_bytes(samples: bytes | bytearray) -> bytes:
    """Return a WAV of int16 samples at 16 kHz."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes(samples)
    return file.getvalue()
