"""The simulator's lower layer stands on little, so that it may run where CPython does not."""

import ast
from pathlib import Path

import pytest

SIM = Path(__file__).resolve().parents[2] / "sim"

# What each file of the lower layer may import at most, beside types and what sound is made of: no
# numpy, no threads, no paths and no clock of the wall; and of the simulator only what is in this
# layer, too.
LOWER = {
    "machine/chip.py": {"heapq"},
    "machine/i2s.py": {"array", ".chip"},
    "machine/modules.py": {".chip", ".i2s"},
    "costs.py": set(),
    "flash.py": {".costs", ".machine.chip"},
    "room.py": {"array", "roboto.game.rng"},
    "trace.py": {"json"},
    "unheard.py": set(),
    "deeds.py": set(),
    "pace.py": set(),
    "live_sound.py": {"array", ".room"},
    "live.py": {
        "array",
        ".deeds",
        ".firmware",
        ".live_sound",
        ".pace",
        ".robot",
        ".trace",
        "roboto.storage.settings",
    },
    "robot.py": {
        ".costs",
        ".firmware",
        ".flash",
        ".machine.chip",
        ".machine.modules",
        ".room",
        ".trace",
        ".unheard",
        "roboto.game.games",
        "roboto.storage.pack",
        "roboto.storage.settings",
        "roboto.storage.silent_pack",
    },
}
ALLOWED_TO_ALL = {"__future__", "typing", "collections.abc", "roboto.sound.format"}


def _imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            if module == "." or module.endswith(".machine"):
                names |= {f"{module.rstrip('.')}.{alias.name}" for alias in node.names}
            else:
                names.add(module)
    return names


@pytest.mark.parametrize("file", LOWER)
def test_the_lower_layer_imports_no_more_than_it_needs(file: str) -> None:
    assert _imports(SIM / file) - ALLOWED_TO_ALL == LOWER[file]


@pytest.mark.parametrize("file", [*LOWER, "firmware.py"])
def test_nothing_private_of_the_firmware_is_touched(file: str) -> None:
    """An attribute that begins with an underscore is asked only of oneself."""
    for node in ast.walk(ast.parse((SIM / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            if node.attr.endswith("__"):
                continue
            of = node.value
            own = isinstance(of, ast.Name) and of.id in ("self", "stream")
            assert own, f"{file}:{node.lineno}: .{node.attr}"
