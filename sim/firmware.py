"""Imports the firmware, unchanged, with stand-ins for the modules that CPython lacks."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

from host_tools.desktop import firmware

from .machine import modules

_loaded: Any = None


def load() -> Any:
    """The firmware's modules as attributes: App, Board, volume, start."""
    global _loaded
    if _loaded is None:
        with firmware.standing_in(modules.modules()):
            for driver in ("flash", "guard", "inputs", "lights", "microphone", "power", "speaker"):
                importlib.import_module(f"roboto.board.{driver}")
            app = importlib.import_module("roboto.app")
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


def use_quick_kernels(listen: bool) -> None:
    """Let sound be computed by inner loops that are quick on a desktop.

    They are the process's own, as on a board, and all give the same bits: so robots that are
    heard and robots that are not may run side by side. Those that play need numpy, whose import
    alone would take a third of a run that nobody listens to.
    """
    if listen:
        from host_tools.desktop import kernels_fast

        kernels_fast.install()
    else:
        from host_tools.desktop import kernels_quiet

        load().kernels.use(kernels_quiet)
