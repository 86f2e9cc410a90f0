"""Whatever has a name of the update's or of the firmware's, but is a folder for a file or a file
for a folder: the tool gets past it by itself, and so does the boot, and both say so."""

from contextlib import AbstractContextManager, nullcontext

import pytest

from host_tools.maker import flash as flashing

from .littlefs_board import LittlefsBoard
from .test_flash import DATA, version

OLD, NEW = version(1, 3000), version(2, 3000)
FILES = (
    "next/commit", "next/commit.tmp", "next/then", "next/then+", "next/unfit", "next/refused",
    "next/main.py", "next/roboto+app.mpy", "next/voice+es.pack", "next/stranger",
    "main.py", "roboto/app.mpy", "roboto/only_in_1.mpy", "voice/es.pack",
    "data/settings.tmp",
)  # fmt: skip
FOLDERS = ("next", "roboto", "roboto/game", "voice")
KINDS = [(path, how) for path in FILES for how in ("folder", "full folder")]
KINDS += [(path, "file") for path in FOLDERS]
_LAY = """
import os
def lay(path, how):
    above = path.rpartition("/")[0]
    if above:
        folders(above + "/")
    try:
        if os.stat(above or "/")[0] & 0x4000 == 0:
            return
    except OSError:
        return
    sweep(path)
    if how == "file":
        open(path, "w").write("stray")
    else:
        os.mkdir(path)
        if how == "full folder":
            deep = path + "/more" * 12
            folders(deep + "/")
            open(deep + "/x", "w").write("x" * 900)
"""


def _laid(*kinds: tuple[str, str]) -> LittlefsBoard:
    board = LittlefsBoard({**OLD, **DATA})
    board.exec(_LAY + "".join(f"lay({path!r}, {how!r})\n" for path, how in kinds))
    return board


class _Tell:
    def say(self, line: str) -> None:
        assert "\n" not in line

    def sending(self, n_bytes: int) -> AbstractContextManager:
        return nullcontext(lambda n: None)


def _brought_up_to_date(board: LittlefsBoard) -> None:
    """`roboto flash` twice: what is wanted is there, what was recorded too, nothing is left."""
    wanted = flashing.Wanted(
        {path: data for path, data in NEW.items() if not path.startswith("voice/")},
        {"voice/es.pack": NEW["voice/es.pack"]},
        ["en"],
        force=True,
    )
    for _ in range(2):
        flashing.bring_up_to_date(board, wanted, _Tell())
    assert flashing.would_do(board, wanted) == [f"up to date: {len(NEW)} files"]
    assert board.boots()
    there = board.tree()
    assert {path: board.read(path) for path in there if path in NEW} == NEW
    assert board.read("data/name-0.clip") == DATA["data/name-0.clip"]
    assert not [path for path in there if path.startswith("next/")]


@pytest.mark.parametrize("path, how", KINDS)
def test_the_tool_alone_gets_past_it(path, how):
    with _laid((path, how)) as board:
        _brought_up_to_date(board)


@pytest.mark.parametrize("path, how", KINDS)
def test_the_boot_gets_past_it_and_the_tool_after_it(path, how):
    with _laid((path, how)) as board:
        voice = board.boots()
        assert voice or path in ("main.py", "next/unfit")
        assert board.boots() or path == "main.py"
        _brought_up_to_date(board)


@pytest.mark.parametrize("first", KINDS)
def test_two_of_them_at_once(first):
    others = [kind for kind in KINDS if kind[0] != first[0]]
    for second in others[KINDS.index(first) % 7 :: 7]:
        with _laid(first, second) as board:
            _brought_up_to_date(board)
