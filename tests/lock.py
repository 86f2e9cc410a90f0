"""Writes requirements.lock and requirements-test.lock anew: what pyproject.toml asks for, at the
versions pip finds.

    python tests/lock.py

Some packages have no wheel on some machines; what steps in there is told in docs/architecture.md
("Machines").
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_HEAD = "# Written by tests/lock.py from pyproject.toml: edit that, then run `make lock`.\n"


def _markers(requirements: list[str]) -> dict[str, str]:
    """Package -> the machines that it is for."""
    markers = {}
    for requirement in requirements:
        name, _, marker = requirement.partition(";")
        if marker:
            markers[_key(name)] = marker.strip()
    return markers


def _key(name: str) -> str:
    return (
        name.strip()
        .split("[")[0]
        .split("=")[0]
        .split("<")[0]
        .split(">")[0]
        .lower()
        .replace("_", "-")
    )


def _freeze(requirements: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", *requirements], check=True)
        frozen = subprocess.run(
            [python, "-m", "pip", "freeze", "--all"], check=True, capture_output=True, text=True
        )
    left_out = ("pip==", "setuptools==", "wheel==")
    return [line for line in frozen.stdout.splitlines() if not line.lower().startswith(left_out)]


def _lines(frozen: list[str], markers: dict[str, str]) -> list[str]:
    out = []
    for line in frozen:
        marker = markers.get(_key(line))
        out.append(f"{line} ; {marker}" if marker else line)
    return out


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runs, tests = project["dependencies"], project["optional-dependencies"]["test"]
    elsewhere = [r for r in runs + tests if "python_version >= '3.13'" in r]
    markers = _markers(runs + tests)
    print("resolving what runs need", flush=True)
    run_lock = _freeze(runs)
    print("resolving what tests need", flush=True)
    both = _freeze(runs + tests)
    run_lines = _lines(run_lock, markers) + elsewhere
    test_lines = _lines([line for line in both if line not in run_lock], markers)
    (ROOT / "requirements.lock").write_text(_HEAD + "\n".join(run_lines) + "\n")
    (ROOT / "requirements-test.lock").write_text(
        _HEAD + "-r requirements.lock\n" + "\n".join(test_lines) + "\n"
    )


if __name__ == "__main__":
    main()
