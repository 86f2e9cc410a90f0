"""A voice pack that somebody gives to `roboto image`, `flash` and `voice check`.

An input is the bytes of a pack.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from host_tools.maker import packs
from host_tools.maker.errors import MakerError
from host_tools.voice import check

from . import REFUSED, TAKEN, boot

IN_CI = 120


def draw(rng: random.Random) -> bytes:
    """Return a pack with its head, its directory or its texts changed, mostly with the checksum
    put right again; or cut short, or something else."""
    if rng.random() < 0.1:
        return rng.choice((b"", b"RBVP", rng.randbytes(400), bytes(5000)))
    patches = []
    for _ in range(rng.randint(0, 3)):
        at = rng.choice((rng.randrange(32), rng.randrange(32, 4000), rng.randrange(1 << 16)))
        patches.append([at, rng.choice((b"\xff" * 4, b"\x00" * 4, rng.randbytes(2)))])
    data = boot.content_of(["pack", patches, rng.random() < 0.8])
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def one(given: bytes) -> str:
    """Look it through, as each of the three does; what is wrong is said in a line."""
    try:
        packs.check(given, "en.pack", "en")
    except MakerError as error:
        _is_a_line(str(error))
        refused = True
    else:
        refused = False
    with tempfile.NamedTemporaryFile(suffix=".pack", dir=boot._fast_folder()) as file:
        file.write(given)
        file.flush()
        try:
            check.measure(Path(file.name))
        except ValueError as error:
            _is_a_line(str(error))
            return REFUSED
    return REFUSED if refused else TAKEN


def _is_a_line(line: str) -> None:
    assert line and "\n" not in line and len(line) < 500, line
