"""Imports the firmware, unchanged, with stand-ins for the modules that CPython lacks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from .machine import modules

FOLDER = Path(__file__).resolve().parent.parent / "firmware"

_loaded: Any = None


def load() -> Any:
    """The firmware's modules as attributes: App, Board, volume, start."""
    global _loaded
    if _loaded is None:
        if str(FOLDER) not in sys.path:
            sys.path.insert(0, str(FOLDER))
        stand_ins = modules.modules()
        replaced: dict[str, ModuleType | None] = {
            name: sys.modules.get(name) for name in stand_ins
        }
        sys.modules.update(stand_ins)
        try:
            for driver in ("flash", "guard", "inputs", "lights", "microphone", "power", "speaker"):
                importlib.import_module(f"roboto.board.{driver}")
            app = importlib.import_module("roboto.app")
        finally:
            for name, module in replaced.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module
        _loaded = SimpleNamespace(
            App=app.App,
            Board=importlib.import_module("roboto.board").Board,
            start=importlib.import_module("roboto.start"),
            pins=importlib.import_module("roboto.board.pins"),
            volume=importlib.import_module("roboto.storage.volume"),
            kernels=importlib.import_module("roboto.sound.kernels"),
            mixer=importlib.import_module("roboto.sound.mixer"),
        )
    return _loaded
