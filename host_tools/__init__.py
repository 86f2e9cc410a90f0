"""The tools of a maker's computer. They import the firmware, which lies beside them."""

from contextlib import suppress

from .desktop import firmware

with suppress(ImportError):  # places.py says in one line what is wrong
    firmware.make_importable()
