"""The one way to import the firmware under CPython.

    firmware.make_importable()
    from roboto.sound.mixer import Mixer

What only a chip has (`machine`, the ticks of `time`) is handed in by whoever has it, see
standing_in().
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "firmware"
_PACKAGE = FOLDER / "roboto"


def make_importable() -> None:
    """Make the package `roboto` importable, as its folder on sys.path would, and nothing else.

    On sys.path the firmware's main.py and boot.py would be importable, too, as `main` and `boot`.
    Raises ImportError with one line when the firmware is not there, or when `roboto` is a package
    of somebody else's.
    """
    present = sys.modules.get("roboto")
    if present is None:
        spec = importlib.util.spec_from_file_location(
            "roboto", _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
        )
        if spec is None or spec.loader is None or not _PACKAGE.is_dir():
            raise ImportError(f"no firmware in {FOLDER}: use a checkout of the repository")
        package = importlib.util.module_from_spec(spec)
        sys.modules["roboto"] = package
        spec.loader.exec_module(package)
    elif not any(Path(path).resolve() == _PACKAGE for path in present.__path__):
        raise ImportError(f"another package is named roboto: {list(present.__path__)[0]}")


@contextmanager
def standing_in(modules: Mapping[str, Any]) -> Iterator[None]:
    """Let `modules` stand in for those of the same names while the firmware is imported.

    What is imported inside keeps them; afterwards sys.modules is as it was.
    """
    make_importable()
    replaced = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in replaced.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
