"""Scenario files, as people mistype them and strangers forge them: read, or refused in a line."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from sim.scenario import BadScenario, read

from . import REFUSED, TAKEN

IN_CI = 1500

_KEYS = (
    "after", "after_quiet", "wait", "hold", "press", "down", "up", "switch", "power", "set",
    "for", "mic", "times", "every", "lang", "seed", "step_by_step", "step", "hodl",
)  # fmt: skip
_VALUES = (
    "0", "1", "1.5", "-1", "nan", "inf", "1e400", "9" * 5000, "0x" + "f" * 5000, "true", '"plate"',
    '"record"', '"on"', '"cut"', '"a.wav"', '"\\u0000"', '"' + "x" * 5000 + '"', "[]", "[1, 2]",
    "{}", "{ gentle = true }", "{ gentle = 3 }", "{ sleep_s = 1e9 }", "{ language = 5 }",
    "2024-01-01", "'''\n\n'''", "[" * 5000, "[" * 2000 + "]" * 2000,
    "{a = " * 900 + "1" + "}" * 900,
)  # fmt: skip
_TELLING = 1500  # letters that a line may have, with the file's name


def draw(rng: Any) -> bytes:
    """Return a file of some steps, with up to three accidents."""
    lines = [_line(rng) for _ in range(rng.randint(0, 2))]
    for _ in range(rng.randint(0, 4)):
        lines.append("[[step]]")
        if rng.random() < 0.6:
            control = rng.choice(("record", "plate", "mode"))
            lines += [f"after = {rng.random():.2f}", f"press = {json.dumps(control)}"]
        lines += [_line(rng) for _ in range(rng.randint(0, 2))]
    data = bytearray(rng.choice(("\n", "\r\n")).join(lines).encode())
    if rng.random() < 0.2:
        data[:0] = rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\0"))
    for _ in range(rng.randint(0, 3) if rng.random() < 0.5 else 0):
        at = rng.randrange(len(data) + 1)
        if rng.random() < 0.5:
            del data[at : at + rng.randint(1, 9)]
        else:
            data[at:at] = rng.randbytes(rng.randint(1, 3))
    return bytes(data)


def _line(rng: Any) -> str:
    return f"{rng.choice(_KEYS)} = {rng.choice(_VALUES)}"


def one(given: bytes) -> str:
    """Read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "party.toml"
        path.write_bytes(given)
        try:
            read(path)
        except BadScenario as error:
            line = str(error)
            assert len(line.splitlines()) == 1 and len(line) < _TELLING, line
            assert path.name in line and line.isprintable(), line
            return REFUSED
    return TAKEN
