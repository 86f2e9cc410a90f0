"""The firmware on a desktop: one way to import it, and imports that change nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Imports modules one after another and tells what each changed that others would notice.
WATCHED = """
import json, os, signal, sys, warnings

sys.path.insert(0, os.getcwd())
from host_tools.desktop import firmware

firmware.make_importable()
from roboto.sound import kernels


def state():
    stand_ins = {name: id(sys.modules.get(name)) for name in ("machine", "select", "rp2")}
    return {
        "kernels": [id(getattr(kernels, name)) for name in kernels.NAMES],
        "sys.path": list(sys.path),
        "stand-ins": stand_ins,
        "time": hasattr(sys.modules.get("time"), "ticks_ms"),
        "gc": hasattr(sys.modules.get("gc"), "threshold"),
        "warnings": len(warnings.filters),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "interrupt": str(signal.getsignal(signal.SIGINT)),
    }


import select  # what a library imports first is no change of ours
import asyncio, aiohttp.web, numpy, scipy.io.wavfile, scipy.signal, soxr  # and what libraries do

told = []
for name in json.load(sys.stdin):
    before = state()
    __import__(name)
    after = state()
    told += [f"{name}: {key}" for key in before if before[key] != after[key]]
    if name.startswith("host_tools") and "sim" in sys.modules:
        told.append(f"{name}: imports the simulator")
        break
print(json.dumps(told))
"""
RUN_ON_A_BOARD_OR_AT_ONCE = ("__main__", "host_tools.maker.remote")


def _modules(room: str) -> list[str]:
    paths = sorted((ROOT / room).rglob("*.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    names = [name.removesuffix(".__init__") for name in names]
    return [name for name in names if not name.endswith(RUN_ON_A_BOARD_OR_AT_ONCE)]


def _python(code: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("rooms", [("host_tools",), ("host_tools", "sim")], ids="+".join)
def test_an_import_changes_nothing_for_the_whole_process(rooms):
    """Neither the firmware's kernels nor where modules are looked for; and no tool imports the
    simulator."""
    names = [name for room in rooms for name in _modules(room)]
    assert len(names) > 30
    assert json.loads(_python(WATCHED, json.dumps(names))) == []


def test_only_the_package_becomes_importable():
    """The firmware's main.py and boot.py stay out of reach of a tool that has a main, too."""
    code = """
import importlib.util
from host_tools.desktop import firmware
firmware.make_importable()
firmware.make_importable()
import roboto.game.game, roboto.sound.mixer
print(roboto.__path__ == [str(firmware.FOLDER / "roboto")])
print(importlib.util.find_spec("boot"), importlib.util.find_spec("main"))
"""
    assert _python(code).split() == ["True", "None", "None"]


def test_another_package_of_that_name_is_told(tmp_path):
    (tmp_path / "roboto").mkdir()
    (tmp_path / "roboto" / "__init__.py").write_text("")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import roboto
from host_tools.desktop import firmware
try:
    firmware.make_importable()
except ImportError as error:
    print(error)
"""
    told = _python(code)
    assert len(told.splitlines()) == 1 and str(tmp_path) in told


def test_stand_ins_are_there_only_while_the_firmware_is_imported():
    code = """
import sys, types, time
from host_tools.desktop import firmware
clock = types.ModuleType("time")
try:
    with firmware.standing_in({"time": clock, "machine": types.ModuleType("machine")}):
        import time as seen
        raise ValueError
except ValueError:
    pass
print(seen is clock, sys.modules["time"] is time, "machine" in sys.modules)
"""
    assert _python(code).split() == ["True", "True", "False"]
