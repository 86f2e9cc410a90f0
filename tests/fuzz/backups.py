"""A backup that somebody unpacked and zipped again, changed, or made up: `clips push --restore`.

An input is the bytes of a ZIP.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import tempfile
import warnings
import zipfile
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.maker import backup
from host_tools.maker.errors import MakerError
from tests.host_tools.folder_board import FolderBoard

from . import LOST, REFUSED, TAKEN, boot

IN_CI = 150
_ROBOTS = re.compile(
    r"(main|boot)\.py|roboto/.+|adafruit_bus_device/.+|voice/[a-z-]+\.pack|"
    r"data/((nick)?name-\d|house_rule)\.clip|data/(settings|game|log-[01])"
)
_NAMES = (
    "data/", "voice/", "roboto/", "__MACOSX/._main.py", ".DS_Store", "data/.DS_Store", "Thumbs.db",
    "data/._name-0.clip", "../x", "/etc/passwd", "a/../../b", "C:\\x", "..\\x", "data//settings",
    "next/commit", "next/unfit", "next", "data", "voice", "main.py/x", "data/name-0.clip/x",
    "data/name-99.clip", "data/name-\u00b2.clip", "DATA/SETTINGS", "data/settings.tmp", "x" * 300,
    "roboto/app.mpy", "roboto/../main.py", "voice/xx.pack", "voice/en.pack", "\u00f1", "a\nb", "",
    ".", "data/settings ", "con", "roboto/board/flash.mpy", "notes.txt", "data/log-0", "main.py",
)  # fmt: skip
_CONTENTS = (
    b"", b"x", b"M\x06" + b"\x00" * 40, b"import roboto\n", b"((((" * 400, bytes(300_000),
    b"\xff" * 5000, b"RBF1", b"RBVP", b"{}", b"(" * 90_000,
)  # fmt: skip


@cache
def _robot() -> dict[str, bytes]:
    return {**boot.robot(), "main.py": b"import roboto.start\n", "roboto/app.mpy": b"M\x06app"}


def draw(rng: random.Random) -> bytes:
    """Return a robot's backup with entries added, taken away and changed; or its bytes changed."""
    file = io.BytesIO()
    entries: list[tuple[str, bytes]] = list(_robot().items())
    for _ in range(rng.choice((0, 1, 1, 3))):
        del entries[rng.randrange(len(entries))]
    for _ in range(rng.choice((0, 1, 2, 6))):
        name = rng.choice((*_NAMES, *(path for path, _ in entries)))
        entries.insert(rng.randint(0, len(entries)), (name, rng.choice(_CONTENTS)))
    if rng.random() < 0.05:
        entries += [(f"data/{n}", b"") for n in range(1500)]
    with zipfile.ZipFile(
        file, "w", rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
    ) as made:
        for name, data in entries:
            entry = zipfile.ZipInfo(name or "x", (1980, 1, 1, 0, 0, 0))
            entry.filename = name or "x"
            if rng.random() < 0.05:
                entry.external_attr = 0o120777 << 16  # a link
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a name that is there twice
                made.writestr(entry, data)
    zipped = bytearray(file.getvalue())
    if rng.random() < 0.4:
        for _ in range(rng.choice((1, 1, 4))):
            at = rng.choice(
                (rng.randrange(len(zipped)), max(0, len(zipped) - rng.randint(1, 900)))
            )
            zipped[at : at + rng.choice((0, 1, 4))] = rng.randbytes(rng.choice((0, 1, 4)))
        if rng.random() < 0.2:
            del zipped[rng.randrange(len(zipped)) :]
    return bytes(zipped)


class _Silent:
    def say(self, line: str) -> None:
        assert "\n" not in line

    def sending(self, n_bytes: int) -> Any:
        return nullcontext(lambda n: None)


def one(given: bytes) -> str:
    """Restore it onto a robot. It is refused in a line, with nothing changed; or the robot has
    then what a robot has, and starts."""
    root = Path(tempfile.mkdtemp(prefix="backup", dir=boot._fast_folder()))
    try:
        board = FolderBoard(root)
        board.put(_robot())
        try:
            saved = backup.read(given, "x.zip")
        except MakerError as error:
            line = str(error)
            assert line.startswith("x.zip: ") and "\n" not in line and len(line) < 400, line
            return REFUSED
        for line in saved.left_out:
            assert line.isprintable() and len(line) < 400, line
        backup.restore(board, saved, _Silent())
        there = board.files()
        assert board.boots(), "it does not start"
        assert all(_ROBOTS.fullmatch(path) for path in there), sorted(there)
        lost = [path for path, data in saved.files.items() if there.get(path) != data]
        return LOST if lost else TAKEN
    finally:
        shutil.rmtree(root, ignore_errors=True)
