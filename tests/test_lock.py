"""The locks: complete, hashed, in step with pyproject.toml, and of no one's machine."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests import lock

PYPROJECT = tomllib.loads((lock.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUN = dict(lock.blocks(lock.RUN.read_text(encoding="utf-8")))
TEST = dict(lock.blocks(lock.TEST.read_text(encoding="utf-8")))
LEFT_OUT = {lock.key(line) for line in PYPROJECT["tool"]["uv"]["override-dependencies"]}


def _requirement(block: str) -> Requirement:
    return Requirement(block.splitlines()[0].removesuffix("\\").strip())


def _machines() -> list[dict[str, str]]:
    """Every machine that the project is for, as markers see it."""
    machines = []
    for system, platform, architectures in (
        ("Linux", "linux", ("x86_64", "aarch64")),
        ("Darwin", "darwin", ("x86_64", "arm64")),
        ("Windows", "win32", ("AMD64",)),
    ):
        for architecture in architectures:
            for python in ("3.11", "3.12", "3.13"):
                machines.append(
                    {
                        "platform_system": system,
                        "sys_platform": platform,
                        "platform_machine": architecture,
                        "python_version": python,
                        "python_full_version": python + ".0",
                        "os_name": "nt" if platform == "win32" else "posix",
                        "implementation_name": "cpython",
                        "platform_python_implementation": "CPython",
                        "extra": "",
                    }
                )
    return machines


def _goes_on(marker: Marker | None, machine: dict[str, str]) -> bool:
    return marker is None or marker.evaluate(machine)


@pytest.mark.parametrize("path", [lock.RUN, lock.TEST], ids=lambda path: path.name)
def test_every_line_is_a_version_with_hashes_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = lock.blocks(text)
    lines = [line for line in text.splitlines() if line[:1] not in ("#", "") and line[:3] != "-r "]
    assert len(lines) == sum(len(block.splitlines()) for _, block in found)
    for name, block in found:
        _, *hashes = [line.strip(" \\") for line in block.splitlines()]
        assert hashes, name
        for digest in hashes:
            assert re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", digest), (name, digest)
    assert "://" not in text and "file:" not in text
    assert [name for name, _ in found] == sorted({name for name, _ in found})


def test_no_package_is_in_both() -> None:
    assert RUN and TEST and not RUN.keys() & TEST.keys()


def test_what_the_project_asks_for_is_locked_for_every_machine() -> None:
    project = PYPROJECT["project"]
    runs, tests = project["dependencies"], project["optional-dependencies"]["test"]
    for asked, locked in ((runs, RUN), (tests, TEST)):
        for line in asked:
            wish = Requirement(line)
            have = _requirement(locked[lock.key(wish.name)])
            (version,) = have.specifier
            assert wish.specifier.contains(version.version), line
            for machine in _machines():
                if _goes_on(wish.marker, machine):
                    assert _goes_on(have.marker, machine), (line, machine)


@pytest.mark.parametrize("of", ["run", "test"])
def test_what_the_packages_ask_for_is_locked_too(of: str) -> None:
    """pip adds nothing to the locks; so whatever an installed package asks for must be there, but
    for what is left out on purpose."""
    within = RUN if of == "run" else RUN | TEST
    looked_at = 0
    for name, block in (RUN if of == "run" else TEST).items():
        have = _requirement(block)
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another machine, or only the tests need it
        (version,) = have.specifier
        if installed.version != version.version:
            continue  # this environment is not the lock's: its needs say nothing
        looked_at += 1
        for line in installed.requires or ():
            need = Requirement(line)
            key = lock.key(need.name)
            for machine in _machines():
                if not _goes_on(need.marker, machine) or not _goes_on(have.marker, machine):
                    continue
                if key in LEFT_OUT:
                    assert key not in within
                    continue
                assert key in within, f"{name} wants {line} on {machine['platform_system']}"
                assert _goes_on(_requirement(within[key]).marker, machine), (name, line, machine)
                (version,) = _requirement(within[key]).specifier
                assert need.specifier.contains(version.version), f"{name} wants {line}"
    assert looked_at > 20


def test_what_nothing_uses_does_not_come_along() -> None:
    for name in ("adafruit-blinka", "pyftdi", "pyusb", "sysv-ipc", "binho-host-adapter"):
        assert name not in RUN and name not in TEST
    assert "adafruit-circuitpython-busdevice" in RUN


def test_the_text_of_a_lock_is_taken_apart() -> None:
    text = "# head\na-b==1 ; x == 'y' \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\nc==2\n"
    assert lock.blocks(text) == [
        ("a-b", "a-b==1 ; x == 'y' \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n"),
        ("c", "c==2\n"),
    ]
    assert lock.key("Py_nanoTTS[x]>=1 ; y") == "py-nanotts"
