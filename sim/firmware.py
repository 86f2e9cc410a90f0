"""Imports the firmware, unchanged, with stand-ins for the modules that the interpreter lacks."""

from __future__ import annotations

import sys
from typing import Any

from .machine import modules

_MICROPYTHON = sys.implementation.name == "micropython"
_DRIVERS = ("flash", "guard", "inputs", "lights", "microphone", "power", "speaker")
_loaded: Any = None


def load() -> Any:
    """Return the firmware's modules as attributes: App, Board, volume, start."""
    global _loaded
    if _loaded is None:
        stand_ins = modules.modules()
        if _MICROPYTHON:
            stand_ins["roboto.board.still"] = modules.Module(still=modules.still)
        replaced = {name: sys.modules.get(name) for name in stand_ins}
        sys.modules.update(stand_ins)
        try:
            for driver in _DRIVERS:
                _module(f"roboto.board.{driver}")
            app = _module("roboto.app")
        finally:
            for name, module in replaced.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module
        _loaded = modules.Module(
            App=app.App,
            Board=_module("roboto.board").Board,
            start=_module("roboto.start"),
            pins=_module("roboto.board.pins"),
            volume=_module("roboto.storage.volume"),
            kernels=_module("roboto.sound.kernels"),
            mixer=_module("roboto.sound.mixer"),
        )
    return _loaded


def _module(name: str) -> Any:
    __import__(name)
    return sys.modules[name]


def use_quick_kernels(listen: bool) -> None:
    """Let sound be computed by inner loops that are quick on a desktop.

    They are the process's own, as on a board, and all give the same bits: so robots that are
    heard and robots that are not may run side by side. Those that play need numpy, whose import
    alone would take a third of a run that nobody listens to. MicroPython has chosen its own.
    """
    if _MICROPYTHON:
        return
    if listen:
        from host_tools.desktop import kernels_fast

        kernels_fast.install()
    else:
        from host_tools.desktop import kernels_quiet

        load().kernels.use(kernels_quiet)
