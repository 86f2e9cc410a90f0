"""The firmware's files on their way to the board."""

import ast
import gc
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from host_tools.maker import constants, firmware


def test_private_numbers_are_folded_and_nothing_else():
    source = (
        "_A = 3\n_B = _A * (2 + 1)\nC = 5\n_NAME = 'x'\n_AGAIN = 1\n_AGAIN = 2\n"
        "_LARGE = 1 << 30\n_LIST = [1]\n"
    )
    assert constants.fold(source) == (
        "_A = const(3)\n_B = const(9)\nC = 5\n_NAME = 'x'\n_AGAIN = 1\n_AGAIN = 2\n"
        "_LARGE = const(1073741824)\n_LIST = [1]\n"
    )


def test_numbers_of_other_modules_are_folded_too(tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "form.py").write_text("RATE = 16000\nHALF = RATE // 2\ndef f(): pass\n")
    (tmp_path / "room" / "pins.py").write_text("RED = 2\nBLUE = -3\n")
    source = (
        "from . import pins\nfrom .form import RATE, f\nfrom room.form import HALF as SLOW\n"
        "_TWICE = RATE * 2  # why\n"
        "def g(rate=RATE):\n    return f(rate, SLOW, é + RATE, pins.RED, pins.BLUE)\n"
    )
    assert constants.fold(source, "room/user.py", tmp_path) == (
        "pass\nfrom .form import f\npass\n"
        "_TWICE = const(32000)\n"
        "def g(rate=16000):\n    return f(rate, 8000, é + 16000, 2, (-3))\n"
    )


def test_what_is_for_type_checkers_is_left_out(tmp_path):
    source = (
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from typing import Any\n\n"
        "    from .form import RATE\ndef f(x: 'Any', y: int = 3) -> 'Any':\n    return x\n"
    )
    (tmp_path / "user.py").write_text(source)
    (tmp_path / "form.py").write_text(
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from .user import f\nRATE = 16000\n"
    )
    assert constants.fold(source, "user.py", tmp_path) == (
        "pass\npass\n\n\n\ndef f(x: 'Any', y: int = 3) -> 'Any':\n    return x\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        "from .form import RATE\ndef g(RATE):\n    return RATE\n",
        "from .form import RATE\nRATE += 1\n",
        "from .form import RATE\ng(f'{RATE} Hz')\n",
        "from .form import rate\n",
        "from .other import RATE\n",
    ],
)
def test_a_name_that_may_mean_something_else_is_left_alone(tmp_path, source):
    (tmp_path / "form.py").write_text("RATE = 16000\nrate = 3\n")
    assert constants.fold(source, "user.py", tmp_path) == source


def test_a_module_that_is_asked_for_more_than_its_numbers_stays(tmp_path):
    (tmp_path / "pins.py").write_text("RED = 2\n")
    source = "from . import pins\nf(pins.RED, getattr(pins, name))\n"
    folded = "from . import pins\nf(2, getattr(pins, name))\n"
    assert constants.fold(source, "user.py", tmp_path) == folded


def test_the_board_has_everything_that_its_modules_import():
    """A number that was folded into a module can no longer be imported from there, and a module
    of nothing but numbers is not on the board."""
    there = firmware.modules()
    assert "roboto/board/pins.mpy" not in there
    defined, wanted = {}, []
    for path in sorted(firmware.SOURCES.rglob("*.py")):
        name = path.relative_to(firmware.SOURCES).as_posix()
        tree = ast.parse(constants.fold(path.read_text(), name, firmware.SOURCES))
        stem = name.removesuffix(".py").removesuffix("/__init__")
        on_board = name in there or name.removesuffix("py") + "mpy" in there
        if on_board:
            defined[stem] = _names_of(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and on_board:
                folder = path.parents[node.level - 1] if node.level else firmware.SOURCES
                module = folder.joinpath(*(node.module or "").split("."))
                place = module.relative_to(firmware.SOURCES).as_posix()
                wanted += [(stem, place, alias.name) for alias in node.names]
    assert wanted
    for user, place, name in wanted:
        if place in defined:
            assert name in defined[place] or f"{place}/{name}" in defined, (user, place, name)
        else:
            assert not (firmware.SOURCES / place).with_suffix(".py").exists(), (user, place)


def _names_of(tree: ast.Module) -> set[str]:
    """What a module defines, wherever in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def test_threads_that_fold_do_not_disturb_each_other():
    """Python 3.11's ast forgets how deep it is when a collection lets another thread run."""
    source = (firmware.SOURCES / "roboto" / "sound" / "mixer.py").read_text()
    alone = constants.fold(source)

    def look(phase: str, info: dict) -> None:
        time.sleep(0)  # as any Python code here may: another thread's turn

    before = gc.get_threshold()
    gc.callbacks.append(look)
    gc.set_threshold(60)
    try:
        with ThreadPoolExecutor(3) as pool:
            assert set(pool.map(constants.fold, [source] * 12)) == {alone}
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(look)
