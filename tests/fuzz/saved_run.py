"""The file in which a run of the table is kept: what it holds is added up and believed."""

from __future__ import annotations

import copy
import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from sim.table import runner
from sim.table.save_file import SaveFile
from sim.table.settings import RunError, Settings

from . import LOST, REFUSED, TAKEN

IN_CI = 300

_SETTINGS = Settings(games=12, players=(4,), rules=("classic", "compact"), scoring="pairs", seed=3)
_ODD = (
    None, True, [], {}, "", "x", -1, 0, 1, 2, 1.5, 10**6, 10**12, 10**300, "\ud800", [0, 10**12],
    [-3, 4], [4, 4], {"x": 1}, {"counts": {}, "spreads": {}},
)  # fmt: skip


@cache
def _whole() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.json")
        runner.run(_SETTINGS, save=file, part_size=4)
        return file.read_bytes().splitlines(keepends=True)


def draw(rng: random.Random) -> bytes:
    """Return a kept run with values changed, or with bytes changed, lost or put in."""
    lines = list(_whole())
    at = rng.randrange(1, len(lines))
    chance = rng.random()
    if chance < 0.6:
        part = json.loads(lines[at])
        _change(part, rng)
        lines[at] = json.dumps(part).encode() + b"\n"
    elif chance < 0.7:
        lines.insert(at, rng.choice([lines[-1], b"\n", b"{}\n", b"[" * 3000 + b"\n", b"\xff\n"]))
    elif chance < 0.8:
        del lines[rng.randrange(len(lines))]
    else:
        data = bytearray(b"".join(lines))
        for _ in range(rng.choice([1, 1, 3, 20])):
            where = rng.randrange(len(data))
            data[where : where + rng.choice([0, 1, 1, 9, 999])] = bytes(
                rng.randrange(256) for _ in range(rng.randrange(3))
            )
        return bytes(data[: rng.choice([len(data), rng.randrange(len(data) + 1)])])
    return b"".join(lines)


def _change(part: Any, rng: random.Random) -> None:
    """Change one value somewhere inside."""
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = rng.choice(keys)
        inner = part[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
            break
        part = inner
    if isinstance(part, dict) and rng.random() < 0.2:
        part[rng.choice(["x", "", "9" * 40, "-1", "won/9"])] = part.pop(key)
    elif type(inner) is int and rng.random() < 0.3:
        part[key] = inner + rng.choice([1, -1, 1000])
    else:
        part[key] = copy.deepcopy(rng.choice(_ODD))


def one(given: Any) -> str:
    """Take the run up. What is refused must stay as it was; what is taken has to add up."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.json")
        file.write_bytes(given)
        try:
            saved = SaveFile(file, _SETTINGS)
        except RunError as error:
            assert "\n" not in str(error) and len(str(error)) < 600, str(error)
            return REFUSED if file.read_bytes() == given else LOST
        saved.add(0, 1, {})  # it is still a file that can be written on
    assert saved.done <= set(range(12))
    for tally in saved.tallies.values():
        assert all(n >= 0 for n in tally.counts.values())
        assert tally.counts["games"] == sum(tally.spreads["turns"].values())
    return TAKEN
