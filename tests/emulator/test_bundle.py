"""The firmware in one file on the emulated board: imported from there, and run where it lies."""

from __future__ import annotations

import pytest

from host_tools.maker.firmware import BUNDLE
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from tests.conftest import need

from .test_firmware import _boot

# Imports most of the firmware and says what that took: bytes of heap, and of its functions those
# whose bytecode lies in flash.
_IMPORT = """
import gc
from machine import mem32
from roboto import bundle
gc.collect()
before = gc.mem_free()
import roboto.app, roboto.board, roboto.storage.volume
gc.collect()
there = 0
every = 0
for part in (roboto.app.App, roboto.app.Speech, roboto.app.Mixer, roboto.app.Recordings):
    for name in dir(part):
        f = getattr(part, name)
        if type(f).__name__ in ("function", "generator"):
            every += 1
            there += mem32[id(f) + 12] >> 20 & 0xFF0 == 0x100
print(before - gc.mem_free(), there, every)
from roboto.sound import selftest
print(selftest.wrong())
"""
_RUN_IN_PLACE = "from roboto import bundle\nbundle.mounted.run_in_place()\n"
_ELSEWHERE = """
places = bundle.mounted._linker._places
for i in range(len(places.addresses)):
    places.addresses[i] += 4
"""


def _at_the_prompt(**keywords) -> EmulatedBoard:
    board = EmulatedBoard(
        {**install.firmware(), "main.py": b""}, console=True, flash_times=False, **keywords
    )
    board.power_on()
    board.run(400)
    return board


def _imported(before: str, **keywords) -> tuple[int, int, int]:
    """Bytes of heap that the firmware takes, how many of its functions lie in flash, of how
    many."""
    told = _at_the_prompt(**keywords).python(before + _IMPORT, 20_000).splitlines()
    assert told[1] == "[]", "each inner loop computes what it should"
    n_bytes, there, every = map(int, told[0].split())
    return n_bytes, there, every


@pytest.mark.parametrize("board", ["2 MB", "16 MB"])
def test_bytecode_runs_where_it_lies(image, board: str) -> None:
    keywords = {}
    if board == "16 MB":
        large = install.CACHE / "image-16M" / "firmware.uf2"
        how = "BOARD=WEACTSTUDIO tests/emulator/build_image.sh ~/.cache/roboto/image-16M"
        need("MicroPython for a board with 16 MB", how, found=large.is_file())
        keywords["image"] = large
    copied, there, every = _imported("", **keywords)
    assert there == 0 and every > 60
    in_place, there, _ = _imported(_RUN_IN_PLACE, **keywords)
    assert there > 0.9 * every, "but for those across the border of two blocks"
    print(f"heap of the modules: {copied} bytes copied, {in_place} run in place")
    assert in_place < copied - 12_000


def test_where_flash_holds_something_else_the_copy_stays_in_use(image) -> None:
    copied, _, _ = _imported("")
    in_place, there, _ = _imported(_RUN_IN_PLACE + _ELSEWHERE)
    assert there == 0
    assert in_place > copied - 2000


_STRANGE = """
from array import array
from uctypes import addressof
from roboto.relink import relink
rows = array("H", (0, 20, 1) * 40)
begins = array("I", (0, 4000, 8000))
places = array("I", (0x10000000, 0x10001000))
task = array("I", (addressof(begins), addressof(places), addressof(rows), 4))
raw = array("I", bytes(12))
code = array("I", (0x20000, 0, 0))
values = (0, 1, 2, 0x1FFFFFFF, 0x20000000, 0x20000001, 0x20041FFC, 0x20042000, 0x20100000,
          0x3FFFFFFF, 0x10000000, 0x50000000, addressof(code), addressof(values_of := code))
wrong = 0
for children in values:
    for bytecode in values:
        for first in (0x20000, 0, 0x20001):
            code[0], code[1], code[2] = first, bytecode, children
            function = array("I", (1, 2, children, bytecode))
            relink(addressof(function), task, raw)
            wrong += list(function) != [1, 2, children, bytecode]
print(wrong)
"""


def test_no_object_of_another_shape_is_changed_nor_followed_out_of_ram(image) -> None:
    strange = _STRANGE.replace("addressof(values_of := code)", "addressof(raw)")
    assert _at_the_prompt().python(strange, 20_000).strip() == "0"


def test_a_module_that_lies_in_flash_wins(image) -> None:
    files = {**install.robot_files(), "roboto/version.py": b'VERSION = "9.9.9"\n'}
    board = EmulatedBoard(files, console=True)
    _boot(board)
    assert board.amplifier.first_sound_ms() is not None
    version = board.python("from roboto.version import VERSION\nprint(VERSION)")
    assert version.strip() == "9.9.9"


@pytest.mark.parametrize("damage", ["cut short", "index", "folder"])
def test_a_damaged_bundle_is_one_line_and_a_prompt(image, damage: str) -> None:
    files = install.firmware()
    whole = files.pop(BUNDLE)
    if damage == "folder":
        files[BUNDLE + "/x"] = b""
    else:
        files[BUNDLE] = whole[:900] if damage == "cut short" else whole[:20] + b"?" + whole[21:]
    board = EmulatedBoard(files, console=True)
    board.power_on()
    board.run(1500)
    said = board.python("from roboto import bundle\nbundle.mount()").splitlines()
    assert len(said) == 1 and BUNDLE in said[0] and "roboto flash" in said[0]
