"""Writes requirements.lock and requirements-test.lock anew, from pyproject.toml.

    python tests/lock.py [--keep]

Both are complete and hold the hashes of every file of each package, for Python 3.11 and newer on
Linux, macOS and Windows: so pip installs them with --require-hashes --no-deps, whichever the
machine is. uv resolves them; what [tool.uv] overrides stays out. With --keep a package that is
still asked for keeps its version.

Some packages have no wheel on some machines; what steps in there is told in docs/architecture.md
("Machines").
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN, TEST = ROOT / "requirements.lock", ROOT / "requirements-test.lock"
_HEAD = "# Written by tests/lock.py from pyproject.toml: edit that, then run `make lock`.\n"
_OPTIONS = (
    "--universal", "--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header",
    "--fork-strategy", "fewest",  # one version of a package for every Python, where there is one
)  # fmt: skip
_BLOCK = re.compile(r"^(?P<name>[A-Za-z0-9_.-]+)==(?:.*\\\n)*.*\n", re.MULTILINE)


def key(name: str) -> str:
    """Return the name of a package as all its spellings have it: "py-nanotts"."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[=<>!~;]", name.strip())[0]).lower()


def blocks(lock: str) -> list[tuple[str, str]]:
    """Return what a lock asks for, in its order: (name, its lines with all hashes)."""
    return [(key(match["name"]), match[0]) for match in _BLOCK.finditer(lock)]


def _uv(folder: Path) -> str:
    """Return the command uv, which is put into the folder when this machine has none."""
    if there := shutil.which("uv"):
        return there
    venv.create(folder / "uv", with_pip=True)
    programs = folder / "uv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(programs / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "uv"], check=True)
    return str(programs / "uv")


def _resolve(uv: str, folder: Path, known: str, *options: str) -> str:
    """Return the lock of pyproject.toml; what `known` has keeps its version."""
    out = folder / "out.lock"
    out.write_text(known, encoding="utf-8")
    command = [uv, "pip", "compile", "-q", *_OPTIONS, *options, "pyproject.toml", "-o", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return out.read_text(encoding="utf-8")


def main() -> None:
    """Write both locks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = (
        "".join(p.read_text(encoding="utf-8") for p in (RUN, TEST)) if "--keep" in sys.argv else ""
    )
    known = "".join(block for _, block in blocks(known))
    python = ("--python-version", project["requires-python"].removeprefix(">="))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        uv = _uv(folder)
        print("resolving what tests need, and what runs need of it", flush=True)
        both = _resolve(uv, folder, known, *python, "--extra", "test")
        runs = {name for name, _ in blocks(_resolve(uv, folder, both, *python))}
    found = blocks(both)
    RUN.write_text(_HEAD + "".join(lines for name, lines in found if name in runs), "utf-8")
    rest = "".join(lines for name, lines in found if name not in runs)
    TEST.write_text(_HEAD + "-r requirements.lock\n" + rest, "utf-8")


if __name__ == "__main__":
    main()
