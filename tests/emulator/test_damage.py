"""Flash that is damaged below its files, on the emulated board: see tests/fuzz/damage.py, which
tries many more without the chip."""

from __future__ import annotations

import random

import pytest

from host_tools.image import SECTOR_BYTES, make_filesystem
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from tests.fuzz import damage

from . import people

_DRAWN = 30


def _image() -> bytes:
    files = install.robot_files(**{"main.py": people.main_that_tells()})
    files.update({f"data/{name}": data for name, data in people.kept_game().items()})
    return make_filesystem(files)


def _blocks_with(image: bytes, part: bytes) -> list[int]:
    """The blocks of an image that hold some bytes."""
    n_blocks = len(image) // SECTOR_BYTES
    return [n for n in range(n_blocks) if part in image[n * SECTOR_BYTES :][:SECTOR_BYTES]]


def _switched_on(image: bytes) -> EmulatedBoard:
    board = EmulatedBoard(image, console=True)
    board.power_on()
    board.until(lambda: board.amplifier.on, 9000, step_ms=20)
    return board


def _prompts(board: EmulatedBoard) -> bool:
    return bytes(board.console).rstrip().endswith(b">>>")


def test_a_voice_pack_in_a_bad_block_leaves_tones_and_a_line_in_the_log(image):
    flash = _image()
    first = _blocks_with(flash, install.small_pack("en")[:64])[-1]
    board = _switched_on(damage.damaged(flash, [[first, "zero", 1]]))
    faults = [entry["what"] for entry in people.trace(board) if entry["event"] == "fault"]
    assert any(line.startswith("voice pack en") for line in faults), faults


def test_either_block_of_a_folder_may_go(image):
    """As `roboto image` lays them: what littlefs has to say of folders is there twice."""
    flash = _image()
    voice = _blocks_with(flash, b"en.pack")
    assert _blocks_with(flash, b"littlefs")[:2] == [0, 1] and len(voice) == 2
    board = _switched_on(damage.damaged(flash, [[1, "erased", 1], [voice[0], "noise", 1]]))
    assert not [entry for entry in people.trace(board) if entry["event"] == "fault"]


def test_without_a_file_system_there_is_a_prompt_for_roboto_flash(image):
    """MicroPython makes a new one before any code of the robot's runs."""
    flash = _image()
    board = EmulatedBoard(damage.damaged(flash, [[0, "noise", 1], [1, "noise", 2]]), usb=True)
    board.power_on()
    board.run(1500)
    board.send(b"\r\n")
    board.until(lambda: _prompts(board), 2000, step_ms=20)
    assert set(board.files()) <= {"boot.py", "main.py"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(_DRAWN))
def test_a_drawn_damage_leaves_a_voice_tones_or_a_prompt(image, seed):
    flash = _image()
    rng = random.Random(f"board {seed}")
    blank = b"\xff" * SECTOR_BYTES
    used = [
        n
        for n in range(len(flash) // SECTOR_BYTES)
        if flash[n * SECTOR_BYTES :][:SECTOR_BYTES] != blank
    ]
    damages = [
        [rng.choice(used), rng.choice(damage._HOWS), rng.randrange(1 << 20)]
        for _ in range(rng.choice((1, 2, 3)))
    ]
    _switched_on(damage.damaged(flash, damages))
