"""The tools of a maker's computer. They import the firmware, which lies beside them."""

from .desktop import firmware

firmware.make_importable()
