"""People's voices made of numbers: vowels of a hummed pitch, in 16 kHz int16, and WAV files of
every usual kind."""

from __future__ import annotations

import struct
from array import array
from pathlib import Path

import numpy as np

RATE_HZ = 16000


def voice(
    seconds: float, pitch_hz: float = 150.0, level: float = 0.25, rate_hz: int = RATE_HZ
) -> np.ndarray:
    """Somebody speaks: a pulse of harmonics with syllables of a fifth of a second, float in -1
    ... 1."""
    n = round(seconds * rate_hz)
    t = np.arange(n) / rate_hz
    vibrato = 2 * np.pi * pitch_hz * t + 0.6 * np.sin(2 * np.pi * 5 * t)
    sound = np.zeros(n)
    for harmonic in range(1, 16):
        hz = harmonic * pitch_hz
        if hz > 0.45 * rate_hz:
            break
        formants = 1 / (1 + ((hz - 650) / 250) ** 2) + 0.5 / (1 + ((hz - 1700) / 400) ** 2)
        sound += (formants + 0.02) * np.sin(harmonic * vibrato)
    sound *= 0.65 + 0.35 * np.sin(2 * np.pi * 2.5 * t)
    edge = min(n // 2, rate_hz // 100)
    if edge:
        sound[:edge] *= np.linspace(0, 1, edge)
        sound[-edge:] *= np.linspace(1, 0, edge)
    return level * sound / max(1e-9, float(np.abs(sound).max()))


def said(sound: np.ndarray) -> array[int]:
    """What sim.audio.Room.say() takes."""
    return array("h", np.rint(sound * 32767).astype("<i2").tobytes())


def with_silence(sound: np.ndarray, before_s: float, after_s: float) -> np.ndarray:
    return np.concatenate(
        [np.zeros(round(before_s * RATE_HZ)), sound, np.zeros(round(after_s * RATE_HZ))]
    )


def write_wav(
    path: Path,
    sound: np.ndarray,
    rate_hz: int = RATE_HZ,
    kind: str = "16",
    channels: int = 1,
    before: bytes = b"",
    after: bytes = b"",
    extensible: bool = False,
) -> Path:
    """A WAV. kind: "8", "16", "24", "32", "f32" or "f64"; before, after: whole chunks around the
    data."""
    if channels > 1:
        sound = np.repeat(sound[:, None], channels, axis=1).reshape(-1)
    if kind == "8":
        data = np.clip(np.rint(sound * 127) + 128, 0, 255).astype("u1").tobytes()
    elif kind == "24":
        wide = np.rint(sound * 8388607).astype("<i4").tobytes()
        data = b"".join(wide[i : i + 3] for i in range(0, len(wide), 4))
    elif kind in ("f32", "f64"):
        data = sound.astype("<f4" if kind == "f32" else "<f8").tobytes()
    else:
        data = (
            np.rint(sound * (32767 if kind == "16" else 2147483647))
            .astype("<i2" if kind == "16" else "<i4")
            .tobytes()
        )
    bits = int(kind.lstrip("f"))
    code = 3 if kind.startswith("f") else 1
    frame = channels * bits // 8
    fields = struct.pack(
        "<HHIIHH", 0xFFFE if extensible else code, channels, rate_hz, rate_hz * frame, frame, bits
    )
    if extensible:
        guid = struct.pack("<H", code) + bytes.fromhex("000000001000800000aa00389b71")
        fields += struct.pack("<HHI", 22, bits, 0) + guid
    body = b"WAVE" + chunk(b"fmt ", fields) + before + chunk(b"data", data) + after
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return path


def chunk(name: bytes, data: bytes) -> bytes:
    """A RIFF chunk, padded to an even length."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)
