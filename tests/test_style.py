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


@pytest.mark.parametrize("path", FIRMWARE, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_the_firmware_stays_in_its_room(path: Path) -> None:
    """It imports nothing of the other rooms; only board/ knows the machine; game/ is pure."""
    imports = _imports(path)
    assert not imports & {"sim", "host_tools", "hardware", "tests"}
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


def test_every_link_in_the_docs_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target} is not there"
