"""The folder of `--flash` is the robot's own: marked, locked, and nobody else's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from sim import flash_folder
from sim.flash import MARKER
from sim.web.session import Takes, scenario_zip

from .test_doors import BRIEF, ROOT, refused, sim

FOREIGN = {
    "a letter": ("letter.txt", b"Dear Ana"),
    "a clip of somebody else": ("holiday.clip", b"RIFF"),
    "a temporary": ("thesis.tmp", b"the only copy"),
    "a game": ("game", b"#!/bin/sh"),
    "hidden": (".bashrc", b"export A=1"),
    "nothing in it": ("empty", b""),
}


def listing(folder: Path) -> list[tuple[str, bytes | None]]:
    return sorted(
        (str(p.relative_to(folder)), p.read_bytes() if p.is_file() else None)
        for p in folder.rglob("*")
    )


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """The flash of a robot that was switched on once."""
    (tmp_path / "brief.toml").write_text(BRIEF)
    folder = tmp_path / "robot"
    assert sim("run", tmp_path / "brief.toml", "--flash", folder).returncode == 0
    assert (folder / "settings").is_file() and (folder / MARKER).is_file()
    return folder


def run(folder: Path | str, scenario: Path) -> subprocess.CompletedProcess[str]:
    return sim("run", scenario, "--flash", folder)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_folder_is_refused_and_stays_as_it_is(name: str, tmp_path: Path) -> None:
    (tmp_path / "brief.toml").write_text(BRIEF)
    home = tmp_path / "home"
    (home / "photos").mkdir(parents=True)
    file, data = FOREIGN[name]
    (home / file).write_bytes(data)
    before = listing(home)
    line = refused(run(home, tmp_path / "brief.toml"), "not a robot's flash")
    assert str(home) in line
    (home / "photos").rmdir()
    refused(run(home, tmp_path / "brief.toml"), "not a robot's flash")
    if hasattr(os, "symlink"):
        (tmp_path / "link").symlink_to(home)
        refused(run(tmp_path / "link", tmp_path / "brief.toml"), "not a robot's flash")
    (home / "photos").mkdir()
    assert listing(home) == before


def test_a_home_that_is_named_by_its_sign(tmp_path: Path) -> None:
    (tmp_path / "brief.toml").write_text(BRIEF)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".profile").write_text("")
    env = {"HOME": str(home), "USERPROFILE": str(home)}
    refused(sim("run", tmp_path / "brief.toml", "--flash", "~", env=env), "not a robot's flash")
    assert [p.name for p in home.iterdir()] == [".profile"] and not (ROOT / "~").exists()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "brief.toml").write_text(BRIEF)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / ".DS_Store").write_bytes(b"\0")
    assert run(tmp_path / "new", tmp_path / "brief.toml").returncode == 0


def test_an_older_robots_folder_is_taken(robot: Path, tmp_path: Path) -> None:
    """It has no marker yet, perhaps a temporary that a power cut left, perhaps damage."""
    (robot / MARKER).unlink()
    (robot / "name-0.clip.tmp").write_bytes(b"RB")
    (robot / "game").write_bytes(b"damaged")
    (robot / "log-0").write_bytes((robot / "settings").read_bytes())
    assert run(robot, tmp_path / "brief.toml").returncode == 0
    assert (robot / MARKER).is_file() and not (robot / "name-0.clip.tmp").exists()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_no_link_is_followed(robot: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"the owner's own")
    for name in ("settings", "name-0.clip", MARKER, "notes"):
        copy = tmp_path / f"copy {name}"
        shutil.copytree(robot, copy)
        (copy / name).unlink(missing_ok=True)
        (copy / name).symlink_to(secret)
        refused(run(copy, tmp_path / "brief.toml"), "link")
        assert name not in flash_folder.own_files(copy)
    assert secret.read_bytes() == b"the owner's own"


def test_a_session_brings_only_what_is_the_robots(robot: Path, tmp_path: Path) -> None:
    its = sorted({path.name for path in robot.iterdir()} - {MARKER})
    for name in ("notes.txt", ".hidden", "a b"):
        (robot / name).write_text("the owner's own")
    (robot / "huge").write_bytes(bytes(2 << 20))
    (robot / "folder").mkdir()
    own = flash_folder.own_files(robot)
    assert sorted(own) == its and "settings" in its
    archive = zipfile.ZipFile(
        BytesIO(scenario_zip([], Takes(tmp_path), 1000, "es", 1, False, own))
    )
    assert sorted(archive.namelist()) == [
        *(f"session/flash/{name}" for name in sorted([MARKER, *its])),
        "session/session.toml",
    ]


HOLD = """
import sys, time
from pathlib import Path
from sim.flash_folder import taken
with taken(Path(sys.argv[1])):
    print("taken", flush=True)
    time.sleep(60)
"""


def test_two_simulators_do_not_share_a_robot(robot: Path, tmp_path: Path) -> None:
    """The second is refused; after a crash of the first nothing stands in the way."""
    first = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(robot)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout and first.stdout.readline() == "taken\n"
        refused(run(robot, tmp_path / "brief.toml"), "another simulator")
        first.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    finally:
        first.kill()
        first.wait()
    assert run(robot, tmp_path / "brief.toml").returncode == 0


def test_the_robot_does_not_see_the_marker(robot: Path) -> None:
    from roboto.storage.volume import Files

    from sim.costs import Costs
    from sim.flash import Flash
    from sim.machine.chip import Chip

    assert MARKER not in Flash(Chip(), Files(), Costs()).listdir(str(robot))
