"""One version: firmware/roboto/version.py. Whoever tells it reads it there."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from roboto.version import VERSION

from host_tools.maker import checks
from sim.robot import Robot

ROOT = Path(__file__).resolve().parent.parent


def test_it_is_written_down_once() -> None:
    """pyproject.toml and everything that runs read it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"] and "version" in project["project"]["dynamic"]
    files = [
        path for room in ("firmware", "sim", "host_tools") for path in (ROOT / room).rglob("*")
    ]
    for path in files:
        if path.name != "version.py" and path.suffix in (".py", ".js", ".html", ".toml"):
            assert VERSION not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("module", ["host_tools", "sim"])
def test_the_commands_tell_it(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"roboto {VERSION}\n", "")


def test_doctor_tells_it() -> None:
    files = {"main.py": b"pass"}
    digests = {"main.py": hashlib.sha256(b"pass").hexdigest()}
    assert VERSION in checks.judge_firmware(files, {"main.py": 4}, digests).what
    assert VERSION in checks.judge_firmware(files, {"main.py": 4}, {}).what


def test_the_log_begins_with_it(tmp_path: Path) -> None:
    robot = Robot({}, tmp_path, 0, False, "en")
    robot.switch("on", quietly=True)
    robot.run_until(1_000_000)
    assert robot.app.log.lines()[0] == f"0 roboto {VERSION}"
