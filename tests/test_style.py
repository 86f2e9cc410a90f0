"""The text itself: ruff over everything, pyright over host and firmware, and the rooms' walls."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import need

ROOT = Path(__file__).resolve().parent.parent


def _run(*command: str) -> None:
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]


def test_ruff() -> None:
    need("ruff", "pip install ruff")
    _run(sys.executable, "-m", "ruff", "check", ".", "--output-format", "concise")


def test_ruff_would_format_nothing_anew() -> None:
    need("ruff", "pip install ruff")
    _run(sys.executable, "-m", "ruff", "format", "--check", "--quiet", ".")


def test_types_of_the_host() -> None:
    need("basedpyright", "pip install basedpyright")
    _run(*_PYRIGHT)


def test_types_of_the_firmware() -> None:
    """They are checked against MicroPython's stubs, which take the place of CPython's library."""
    _run(*_PYRIGHT, "--typeshedpath", _stubs(), "--project", "firmware")


def test_a_wrong_call_and_a_wrong_assignment_in_the_firmware_are_found(tmp_path: Path) -> None:
    copy = tmp_path / "firmware"
    shutil.copytree(ROOT / "firmware", copy, ignore=shutil.ignore_patterns("phrases", "*.pyc"))
    driver = copy / "roboto" / "board" / "lights.py"
    wrong = (
        "def wrong(lights: Lights) -> None:\n"
        "    Pin(9, Pin.OUT, valeu=1)\n"
        '    lights._level = "bright"\n'
    )
    driver.write_text(driver.read_text("utf-8") + "\n\n" + wrong, "utf-8")
    found = subprocess.run(
        [*_PYRIGHT, "--typeshedpath", _stubs(), "--project", str(copy), "--outputjson"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    lines = driver.read_text("utf-8").splitlines()
    faults = [
        (Path(fault["file"]).name, lines[fault["range"]["start"]["line"]].split()[0])
        for fault in json.loads(found.stdout)["generalDiagnostics"]
    ]
    assert set(faults) == {("lights.py", "Pin(9,"), ("lights.py", "lights._level")}, faults


_PYRIGHT = (
    *(sys.executable, "-m", "basedpyright", "--level", "error"),
    *("--pythonpath", sys.executable),
)


def _stubs() -> str:
    """Return the folder of MicroPython's stubs: pip lays them beside everything else."""
    need("basedpyright", "pip install basedpyright")
    folder = Path(sysconfig.get_path("purelib"))
    if not (folder / "machine.pyi").is_file():
        need("micropython-rp2-rpi_pico-stubs", "pip install micropython-rp2-rpi_pico-stubs")
    return str(folder)


def _imports(path: Path) -> set[str]:
    """Return the packages that are imported when the module runs, not those of its types."""
    names = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not _is_for_checkers(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").split(".")[0])
    return names


def _is_for_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


FIRMWARE = sorted((ROOT / "firmware").rglob("*.py"))


def test_every_module_stays_in_its_room() -> None:
    """The table in docs/architecture.md says which room may import which."""
    walls = _walls()
    wrong = []
    seen: set[str] = set()
    for room in ("firmware", "hardware", "host_tools", "sim"):
        for path in sorted((ROOT / room).rglob("*.py")):
            module = path.relative_to(ROOT).with_suffix("").as_posix()
            own = _room_of(module, walls)
            seen.add(own)
            for target in _targets(path):
                if _room_of(target, walls) != own and not _is_in(target, walls[own]):
                    wrong.append(f"{module} imports {target}")
    assert not wrong
    assert seen == set(walls), "the table tells of rooms that are not there"


def test_a_module_that_leaves_its_room_is_noticed() -> None:
    walls = _walls()
    for module, target in (
        ("firmware/roboto/game/play", "firmware/roboto/sound/tones"),
        ("firmware/roboto/sound/mixer", "firmware/roboto/board/pins"),
        ("firmware/roboto/app", "host_tools/places"),
        ("host_tools/maker/flash", "sim/robot"),
        ("host_tools/desktop/firmware", "host_tools/maker/board"),
        ("hardware/board", "host_tools/places"),
        ("sim/robot", "tests/conftest"),
    ):
        own = _room_of(module, walls)
        assert not _is_in(target, (own, *walls[own])), (module, target)


def _walls() -> dict[str, tuple[str, ...]]:
    """Return what each room may import beside itself, as the page on architecture has it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_/]+)` \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) > 10
    return {room: tuple(re.findall(r"`([a-z_/]+)`", allowed)) for room, allowed in rows}


def _is_in(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(room + "/") for room in rooms)


def _room_of(module: str, walls: dict[str, tuple[str, ...]]) -> str:
    return max((room for room in walls if _is_in(module, (room,))), key=len, default=module)


def _targets(path: Path) -> set[str]:
    """Return the modules of this repository that a module imports when it runs, as paths."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not _is_for_checkers(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {_place(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            folder = _place(node.module) if not node.level else ""
            if node.level:
                folder = path.parents[node.level - 1].relative_to(ROOT).as_posix()
                folder += "/" + (node.module or "").replace(".", "/") if node.module else ""
            for alias in node.names:
                child = f"{folder}/{alias.name}"
                there = (ROOT / child).with_suffix(".py").is_file() or (ROOT / child).is_dir()
                found.add(child if there else folder)
    return {place for place in found if place.split("/")[0] in _ROOMS}


_ROOMS = ("firmware", "hardware", "host_tools", "sim", "tests")


def _place(module: str | None) -> str:
    path = (module or "").replace(".", "/")
    return "firmware/" + path if path.split("/")[0] == "roboto" else path


@pytest.mark.parametrize("path", FIRMWARE, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_only_the_drivers_know_the_machine(path: Path) -> None:
    """And the game is pure: it imports nothing that a computer might lack."""
    imports = _imports(path)
    room = path.relative_to(ROOT / "firmware").parts
    if "board" not in room and path.name not in ("boot.py", "selftest.py"):
        assert not imports & {"machine", "rp2"}
    if "game" in room:
        assert not imports - {"micropython"}


def test_no_firmware_file_is_too_long_to_read() -> None:
    for path in FIRMWARE:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 350, path


def test_every_module_says_what_it_is() -> None:
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True)
    for name in files.stdout.splitlines():
        text = (ROOT / name).read_text(encoding="utf-8")
        if text.strip() and not name.startswith(("firmware/main.py", "firmware/boot.py")):
            assert ast.get_docstring(ast.parse(text)), f"{name}: no docstring at its top"


# Words with which a docstring begins that has no verb in front, as far as a program can tell.
_NO_VERBS = set(
    """A About After All An And Any As At Both But By Each Every Everything For From He Here How If
    In It Its Never No Nobody Not Nothing Now Of On Once One Only Or Over She So Somebody Something
    Such That The Then There These They This Those To Until What Whatever When Where Whether Which
    While Who Whoever Whose Why With Without""".split()
)


def _begins_with_a_verb(said: str) -> bool:
    word = said.split()[0].rstrip(",;:.")
    return word.isalpha() and word.istitle() and word not in _NO_VERBS


@pytest.mark.parametrize("room", ["firmware", "sim", "host_tools", "hardware"])
def test_what_a_public_function_does_is_said_by_a_verb(room: str) -> None:
    wrong = []
    for path in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                said = ast.get_docstring(node)
                if said and not _begins_with_a_verb(said):
                    wrong.append(
                        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {said[:60]}"
                    )
    assert not wrong, "\n".join(wrong)


def test_the_rule_of_verbs_sees_a_docstring_without_one() -> None:
    for said in ("The mean.", "int16 samples.", "Whether it is.", "(words, n).", "CRC-32 of it."):
        assert not _begins_with_a_verb(said), said
    for said in ("Return the mean.", "Draw, and say it.", "Whirr."):
        assert _begins_with_a_verb(said), said


def test_every_link_in_the_docs_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target} is not there"
