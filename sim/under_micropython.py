"""What MicroPython lacks of the names that the simulator's lower layer imports.

Import this first where MicroPython runs that layer. Annotations are never evaluated there, so
those that serve types alone need only be there.
"""

import sys


class _Names:
    """Stand in for a module."""

    def __init__(self, names):
        for name in names.split():
            setattr(self, name, None)


if sys.implementation.name == "micropython":
    modules: "dict" = sys.modules
    modules["__future__"] = _Names("annotations")
    modules["typing"] = _Names("Any")
    modules["collections.abc"] = _Names("Callable Mapping")
