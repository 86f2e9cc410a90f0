"""WAV files, as accidents, recorders and strangers leave them, at every door that takes one."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import Any

from host_tools import wav
from host_tools.maker import clips
from host_tools.maker.errors import MakerError
from host_tools.voice import engines
from sim.scenario import BadScenario, read
from tests.spec.voices import chunk, said, voice

from . import REFUSED, TAKEN

IN_CI = 400

_SOUND = said(voice(0.4)).tobytes()
_FORMS = [
    struct.pack("<HHIIHH", code, channels, rate_hz, rate_hz * frame, frame, bits)
    for code, channels, rate_hz, frame, bits in (
        (1, 1, 16000, 2, 16), (1, 2, 44100, 4, 16), (1, 1, 8000, 1, 8), (1, 1, 48000, 3, 24),
        (3, 1, 16000, 4, 32), (3, 2, 96000, 16, 64), (0xFFFE, 1, 16000, 4, 20), (6, 1, 8000, 1, 8),
    )
]  # fmt: skip
_EXTENSIBLE = struct.pack("<HHIH", 22, 16, 0, 1) + bytes(14)
_EXTREMES = (0, 1, 2, 3, 255, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFF00, 1 << 20)
_PIECES = (b"data", b"fmt ", b"LIST\xff\xff\xff\x7f", bytes(5), b"RIFF", b"rbto\x04\0\0\0RC\1\2")


def draw(rng: Any) -> bytes:
    """Return a WAV with up to five accidents: cut, bytes and fields changed, pieces put in or
    taken out, chunks in any order."""
    chunks = [chunk(b"fmt ", rng.choice(_FORMS) + rng.choice((b"", bytes(2), _EXTENSIBLE)))]
    for _ in range(rng.randint(0, 2)):
        chunks.append(
            chunk(rng.choice((b"LIST", b"bext", b"rbto")), rng.randbytes(rng.randrange(40)))
        )
    chunks.append(chunk(b"data", _SOUND))
    if rng.random() < 0.1:
        rng.shuffle(chunks)
    body = b"WAVE" + b"".join(chunks)
    data = bytearray(rng.choice((b"RIFF",) * 6 + (b"RIFX", b"RF64")))
    data += struct.pack("<I", rng.choice((len(body), len(body), 0, 0xFFFFFFFF, 36))) + body
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(min(len(data), 80) or 1)
        what = rng.randrange(6)
        if what == 0 and rng.random() < 0.3:
            del data[rng.randrange(len(data) + 1) :]
        elif what == 1 and at < len(data):
            data[at] = rng.randrange(256)
        elif what == 2:
            data[at // 4 * 4 : at // 4 * 4 + 4] = struct.pack("<I", rng.choice(_EXTREMES))
        elif what == 3:
            data[at:at] = rng.choice(_PIECES)
        elif what == 4:
            data[at : at + 2] = struct.pack("<H", rng.choice((0, 1, 3, 8, 12, 31, 64, 65534)))
        elif what == 5 and rng.random() < 0.3:
            begin = rng.randrange(len(data) + 1)
            del data[begin : begin + rng.randrange(40)]
    return bytes(data)


def one(given: bytes) -> str:
    """Take it through each door."""
    with tempfile.TemporaryDirectory() as folder:
        told: list[str] = []
        doors(Path(folder), given, told)
    return REFUSED if told[2] else TAKEN


def doors(folder: Path, data: bytes | None, told: list[str]) -> None:
    """Note what each door says of a WAV: "" when it takes it. None: it lies there already."""
    path = folder / "house_rule.announce.wav"
    if data is not None:
        path.write_bytes(data)
    (folder / "s.toml").write_text(f'[[step]]\nafter = 1\nhold = "record"\nmic = "{path.name}"\n')
    for kind, door in (
        (BadScenario, lambda: read(folder / "s.toml")),
        (engines.EngineError, lambda: engines.read_wav(path, str(path))),
        (wav.BadWav, lambda: wav.read(path)),
        (MakerError, lambda: data is None or clips.from_wav("house_rule", data, str(path))),
    ):
        try:
            door()
            told.append("")
        except kind as error:
            told.append(str(error))
    for line in told:
        assert len(line.splitlines()) <= 1
        assert not line or path.name in line
