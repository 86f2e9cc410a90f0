"""`roboto flash`: only what changed, all of it or nothing, whenever the plug is pulled."""

import random
from pathlib import Path

import pytest

from host_tools.maker import flash as flashing
from host_tools.maker.errors import BoardError

from .folder_board import FolderBoard, Unplugged

DATA = {"data/name-0.clip": b"somebody's name", "data/settings": b"RBF1 settings"}


def version(number: int, pack_bytes: int = 9000) -> dict[str, bytes]:
    """A firmware: some files stay the same from version to version, some change, some come and "
    "go."""
    numbers = random.Random(number)
    return {
        "boot.py": b"",
        "main.py": b"version %d" % number,
        "roboto/switch_in.mpy": b"always the same",
        "roboto/app.mpy": numbers.randbytes(9000),
        "roboto/game/game.mpy": numbers.randbytes(700),
        f"roboto/only_in_{number}.mpy": b"x",
        "voice/es.pack": numbers.randbytes(pack_bytes),
    }


def update(board: FolderBoard, wanted: dict[str, bytes]) -> flashing.Plan:
    flashing.complete(board)
    todo = flashing.plan(board, wanted)
    flashing.flash(board, wanted, todo)
    return todo


def firmware_on(board: FolderBoard) -> dict[str, bytes]:
    """What would be started: without data/ and what is being prepared."""
    return {p: d for p, d in board.files().items() if not p.startswith(("data/", "next/"))}


def data_on(board: FolderBoard) -> dict[str, bytes]:
    return {p: d for p, d in board.files().items() if p.startswith("data/")}


def test_a_bare_board_gets_everything(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    sent: list[int] = []
    todo = flashing.plan(board, version(1))
    flashing.flash(board, version(1), todo, sent.append)
    assert firmware_on(board) == version(1)
    assert sum(sent) == sum(map(len, version(1).values()))
    assert board.boots()


def test_only_what_changed_is_sent(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put({**version(1), **DATA, "notes.txt": b"somebody's own"})
    todo = update(board, version(2))
    assert set(todo.send) == {
        "main.py",
        "roboto/app.mpy",
        "roboto/game/game.mpy",
        "roboto/only_in_2.mpy",
        "voice/es.pack",
    }
    assert todo.remove == ["roboto/only_in_1.mpy"]
    assert firmware_on(board) == {**version(2), "notes.txt": b"somebody's own"}
    assert data_on(board) == DATA


def test_nothing_changed_is_nothing_done(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put(version(1))
    before = board.operations
    assert update(board, version(1)).nothing
    assert board.operations == before


def test_a_file_of_the_same_size_is_told_apart(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put({**version(1), "roboto/game/game.mpy": b"!" * 700})
    assert update(board, version(1)).send == ["roboto/game/game.mpy"]


def _operations(
    tmp_path: Path, start: dict[str, bytes], wanted: dict[str, bytes], blocks: int, chip: int = 0
) -> int:
    board = FolderBoard(tmp_path / "counted", blocks, chip_blocks=chip)
    board.put(start)
    update(board, wanted)
    return board.operations


# Versions: onto a bare board; an update; an update whose voice pack does not fit beside the old
# one.
CASES = {
    "bare": ({}, version(1), 352),
    "update": ({**version(1), **DATA}, version(2), 352),
    "tight": ({**version(1, 80_000), **DATA}, version(2, 84_000), 48),
}


@pytest.mark.parametrize("case", CASES)
def test_the_plug_pulled_at_every_operation(case: str, tmp_path: Path) -> None:
    start, wanted, blocks = CASES[case]
    total = _operations(tmp_path, start, wanted, blocks)
    assert total >= 20
    old = {p: d for p, d in start.items() if not p.startswith("data/")}
    unfit = 0
    for point in range(total):
        board = FolderBoard(tmp_path / str(point), blocks, dies_at=point)
        board.put(start)
        with pytest.raises(Unplugged):
            update(board, wanted)
        board.dies_at = None
        if board.boots():
            assert firmware_on(board) in (old, wanted), f"half started at operation {point}"
        elif case != "bare":
            unfit += 1
            assert "next/unfit" in board.files()
        update(board, wanted)
        assert firmware_on(board) == wanted, f"not completed at operation {point}"
        assert board.boots()
        assert data_on(board) == {p: d for p, d in start.items() if p.startswith("data/")}
        assert not [p for p in board.files() if p.startswith("next/")]
    assert (unfit > 0) == (case == "tight")


def on_a_chip(files: dict[str, bytes]) -> dict[str, bytes]:
    """The places of a robot's files when it has an SPI flash."""
    return {"flash/" * p.startswith(("data/", "voice/")) + p: data for p, data in files.items()}


@pytest.mark.parametrize("packs", ["on the chip", "beside the firmware"])
def test_the_plug_pulled_with_an_spi_flash(packs: str, tmp_path: Path) -> None:
    """The voice is switched in with the firmware, though it lies in another file system; one that
    lies beside the firmware moves."""
    start = on_a_chip({**version(1), **DATA})
    if packs != "on the chip":
        start["voice/es.pack"] = start.pop("flash/voice/es.pack")
    wanted = version(2, 40_000)
    blocks, chip = 30, 64  # there is no room for the voice on the board's own flash
    total = _operations(tmp_path, start, wanted, blocks, chip)
    done = {**on_a_chip(wanted), **on_a_chip(DATA)}
    old = {p: d for p, d in start.items() if "data/" not in p}
    for point in range(total):
        board = FolderBoard(tmp_path / str(point), blocks, point, chip)
        board.put(start)
        with pytest.raises(Unplugged):
            update(board, wanted)
        board.dies_at = None
        assert board.boots()
        there = board.files()
        assert {p: d for p, d in there.items() if "data/" not in p and "next/" not in p} in (
            old,
            on_a_chip(wanted),
        ), f"half started at operation {point}"
        update(board, wanted)
        assert board.files() == done, f"not completed at operation {point}"
        assert board.boots()


def test_no_space_on_the_spi_flash_is_said(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path, chip_blocks=20)
    board.put(on_a_chip(version(1)))
    before = board.files()
    with pytest.raises(BoardError, match="no space: .* on the SPI flash"):
        update(board, version(2, 120_000))
    assert board.files() == before


def test_the_plug_pulled_while_switching_in_at_boot(tmp_path: Path) -> None:
    """The computer has committed and gone; the power fails again and again during the boots that
    follow."""
    start, wanted, blocks = CASES["update"]
    board = FolderBoard(tmp_path, blocks)
    board.put(start)
    todo = flashing.plan(board, wanted)

    def no_switch(*_: object, **__: object) -> str:
        raise Unplugged("unplugged")

    board.exec = no_switch  # type: ignore[method-assign]
    with pytest.raises(Unplugged):
        flashing.flash(board, wanted, todo)
    del board.exec
    boots = 0
    while True:
        boots += 1
        board.dies_at = board.operations + 1  # one step forward in each
        try:
            if board.boots():
                break
        except Unplugged:
            continue
    assert boots > 5
    assert firmware_on(board) == wanted


def test_a_damaged_commit_is_none(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put({**version(1), "next/commit": b'{"move": [["a'})
    assert board.boots()
    update(board, version(2))
    assert firmware_on(board) == version(2) and board.boots()


def test_what_lies_ready_is_not_sent_again(tmp_path: Path) -> None:
    wanted = version(1)
    board = FolderBoard(tmp_path, dies_at=8)
    with pytest.raises(Unplugged):
        update(board, wanted)
    board.dies_at = None
    todo = flashing.plan(board, wanted)
    assert todo.staged and todo.send
    assert sorted(todo.staged + todo.send) == sorted(wanted)


def test_no_space_is_said_before_anything_is_touched(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path, blocks=30)
    board.put({**version(1), **DATA})
    before = board.files()
    with pytest.raises(
        BoardError, match="no space: .* KB are needed.*nothing was changed"
    ) as error:
        update(board, version(2, 120_000))
    assert "\n" not in str(error.value)
    assert board.files() == before


def test_a_bad_cable_is_noticed(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put(version(1))
    write = board.write

    def garble(files, progress=None):
        write({path: data[:-1] + b"?" for path, data in files.items()}, progress)

    board.write = garble  # type: ignore[method-assign]
    with pytest.raises(BoardError, match="otherwise than it was sent"):
        update(board, version(2))
    assert firmware_on(board) == version(1)
