"""A UF2 that somebody has: cut short, changed, for another chip, or made up. `roboto image`.

An input is the bytes of a UF2.
"""

from __future__ import annotations

import random
import struct
from functools import cache

from host_tools.image import ImageError, merge, read_stock
from tests.host_tools.test_image import a_stock_uf2

from . import REFUSED, TAKEN

IN_CI = 60
_BLOCK = 512
_WORDS = (0, 1, 255, 256, 476, 0x2000, 0xFFFFFFFF, 0x10000000, 0x100FFF00, 0x7FFFFFFF, 0xE48BFF57)


@cache
def _stock() -> bytes:
    return a_stock_uf2()


def draw(rng: random.Random) -> bytes:
    """Return a stock UF2 with blocks changed, lost, doubled or in another order; or its bytes."""
    blocks = [bytearray(_stock()[at : at + _BLOCK]) for at in range(0, len(_stock()), _BLOCK)]
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(blocks))
        kind = rng.random()
        if kind < 0.5:
            struct.pack_into("<I", blocks[at], 4 * rng.randrange(8), rng.choice(_WORDS))
        elif kind < 0.6:
            struct.pack_into("<I", blocks[at], 508, rng.getrandbits(32))
        elif kind < 0.7:
            del blocks[at]
        elif kind < 0.8:
            blocks.insert(at, blocks[at])
        elif kind < 0.9:
            where = 32 + rng.randrange(476)
            blocks[at][where : where + 4] = rng.randbytes(4)
        else:  # where the binary info says what is what
            blocks[1 + rng.randrange(3)][32 + rng.randrange(250)] = rng.randrange(256)
    data = b"".join(blocks)
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def one(given: bytes) -> str:
    """Make an image of it, or refuse it in a line."""
    try:
        merge(read_stock(given), {"main.py": b"x"})
    except ImageError as error:
        line = str(error)
        assert line.isprintable() and len(line) < 400, line
        return REFUSED
    return TAKEN
