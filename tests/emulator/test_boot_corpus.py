"""What the fuzzed boot was started from (tests/fuzz/boot.py), on the emulated board."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from tests.fuzz import _corpus, boot

from . import people

CORPUS = {name.rpartition("-")[0]: given for name, given in _corpus.kept("boot")}
# What of it goes together in one flash, so that few boots try much; and what the log must have.
TOGETHER = {
    ("brackets", "adpcm-index", "temporary-folder", "foreign-pack", "commit-onto-a-folder"): (
        "settings: ",
        "voice pack xx",
        "next/commit cannot be carried out",
    ),
    ("folders-for-files", "commit-folder", "log-of-nonsense"): (
        "settings: cannot be",
        "next/commit was in an update's way",
    ),
    ("game-of-nonsense", "voice-is-a-file", "next-is-a-file", "apple-double"): (
        "no voice pack",
        "next was in an update's way",
    ),
}
_DRAWN = 24


def _flash(folder: Path, given: dict) -> dict[str, bytes]:
    """Return the files of a robot with the input laid over them. littlefs is made of files alone,
    so an empty folder gets one."""
    boot.lay(folder, given)
    files = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            files[name] = path.read_bytes()
        elif not any(path.iterdir()):
            files[name + "/empty"] = b""
    return {**files, **install.firmware(), "main.py": people.main_that_tells()}


def _starts(files: dict[str, bytes]) -> list[str]:
    """Switch such a robot on: it must speak or beep, and answer a button. Return its faults."""
    board = EmulatedBoard(files, console=True)
    board.power_on()
    board.until(lambda: board.amplifier.on, 8000, step_ms=20)
    pressed_ms = board.press("volume", 60)
    board.run(150)
    assert board.amplifier.first_sound_ms(pressed_ms) is not None
    told = people.trace(board)
    assert {"say", "tone"} & {entry["event"] for entry in told}
    return [entry["what"] for entry in told if entry["event"] == "fault"]


@pytest.mark.parametrize("names", TOGETHER)
def test_it_starts_and_names_what_is_wrong(image, names, tmp_path):
    given = {path: content for name in names for path, content in CORPUS[name].items()}
    faults = _starts(_flash(tmp_path, given))
    for part in TOGETHER[names]:
        assert any(part in line for line in faults), (part, faults)


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPUS)
def test_it_starts_from_all_of_the_corpus(image, name, tmp_path):
    _starts(_flash(tmp_path, CORPUS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(_DRAWN))
def test_it_starts_from_what_is_drawn(image, seed, tmp_path):
    _starts(_flash(tmp_path, boot.draw(random.Random(f"board {seed}"))))
