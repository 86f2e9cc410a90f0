"""The inner loops of sound, in the fastest form that runs here.

All forms give the same bits. plain.py runs everywhere and is the text to read; on the RP2040
thumb.py and thumb_record.py (assembler) take the place of what runs all the time, viper.py of the
rest. A desktop may
bring its own: see use().
Whoever calls a kernel does so through this module (kernels.decode), never by a copied name.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plain import (  # noqa: F401 - what use() puts in their place has their types
        clean,
        copy,
        decode,
        double,
        encode,
        energy,
        halve,
        place,
        ramp,
        silence,
        squeeze,
        tone,
    )


NAMES = (
    "decode",
    "encode",
    "ramp",
    "double",
    "halve",
    "squeeze",
    "tone",
    "clean",
    "energy",
    "silence",
    "copy",
    "place",
)


def use(module: object) -> None:
    """Take the kernels of another module; those that it lacks stay as they are."""
    for name in NAMES:
        kernel = getattr(module, name, None)
        if kernel:
            globals()[name] = kernel


def _use_fastest() -> None:
    if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:
        # viper's ints have 32 bits only there. Where the emitters are missing, or a .mpy was made
        # for another machine, the import fails, and plain it is
        try:
            from . import thumb, thumb_record, viper

            use(viper)
            use(thumb)
            use(thumb_record)
            return
        except (ImportError, SyntaxError, ValueError):
            pass
    from . import plain

    use(plain)


_use_fastest()
