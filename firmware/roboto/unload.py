"""Modules that are needed once, at boot, give their room in the heap back."""

import sys


def unload(name: str) -> None:
    """Forget a module, if it was ever imported. CPython, whose heap is no matter, keeps it."""
    if sys.implementation.name != "micropython":
        return
    module = sys.modules.pop(name, None)
    package, _, child = name.rpartition(".")
    # The package may be a younger one, which was itself unloaded and knows no such child.
    if module is not None and hasattr(sys.modules.get(package), child):
        delattr(sys.modules[package], child)
