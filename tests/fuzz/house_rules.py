"""A family's file of House Rule ideas, and the cards that come of it."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from sim.paper import house_rules

from . import REFUSED, TAKEN

IN_CI = 300

_PRINTED = (house_rules.FILES / "es.txt").read_bytes()
_PIECES = (
    b"seated", b"standing", b"seated |", b"standing | ", b"|", b"||", b"#", b" # ", b"\n", b"\r\n",
    b"\r", b"\x0c", b"\x00", b"\xff", b"\xef\xbb\xbf", "\u2028".encode(), "\u00ad".encode(), b"\t",
    b"<script>", b"&amp;", b"{{robot}}", "¡Salta!".encode(), b"x" * 200, "汉".encode() * 60, b" ",
    b"seated | Clap three times.\n", b"seated | Clap.\n" * 200,
)  # fmt: skip


def draw(rng: random.Random) -> bytes:
    """Return a file of pieces, or the one that comes along with bytes changed."""
    if rng.random() < 0.3:
        data = bytearray(_PRINTED)
        for _ in range(rng.choice([1, 2, 10])):
            at = rng.randrange(len(data))
            data[at : at + rng.choice([0, 1, 40])] = rng.choice(_PIECES)
        return bytes(data)
    lines = [
        rng.choice([b"seated | ", b"standing|", b"# "])
        + b" ".join(rng.choice(_PIECES) for _ in range(rng.choice([1, 1, 2, 3])))
        for _ in range(rng.randrange(5))
    ]
    return rng.choice([b"\n", b"\r\n"]).join(lines)


def one(given: Any) -> str:
    """Read it and make the cards: one of each idea, and no mark-up but ours."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "ours.txt")
        file.write_bytes(given)
        try:
            ideas = house_rules.read(file)
        except house_rules.BadRules as error:
            assert len(str(error).splitlines()) == 1, str(error)
            return REFUSED
    pages = house_rules.cards("es", ideas)
    assert pages.count("<article") == len(ideas) + house_rules.BLANKS
    assert "<script" not in pages
    return TAKEN
