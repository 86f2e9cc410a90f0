"""The inner loops of sound, in the fastest form that runs here.

All forms give the same bits. plain.py runs everywhere and is the text to read; viper.py is for
32-bit MicroPython with a native code emitter. A desktop may bring its own: see use().
Whoever calls a kernel does so through this module (kernels.decode), never by a copied name.
"""

import sys

from roboto.sound import plain

NAMES = ("decode", "encode", "ramp", "double", "squeeze", "tone", "clean", "energy", "silence",
         "copy")  # fmt: skip


def use(module):
    """Take the kernels of another module; those that it lacks stay as they are."""
    for name in NAMES:
        kernel = getattr(module, name, None)
        if kernel:
            globals()[name] = kernel


use(plain)
if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:
    try:
        from roboto.sound import viper

        use(viper)
    except (ImportError, SyntaxError, ValueError):
        pass  # this machine has no native code: plain it is
