"""Whether anything moved at the contacts, for MicroPython's viper emitter; inputs.py has the same
in plain words."""

# ruff: noqa: F821 - the emitter knows these names

import micropython


@micropython.viper
def still(view: ptr32) -> bool:
    levels = ptr32(0xD00000 << 8)  # SIO; the second is GPIO_IN
    latches = ptr32(0x40014 << 12 | 0xF0)  # IO_BANK0 INTR0
    closed = levels[1] & view[0] ^ view[0]
    return closed == view[1] and (latches[0] & view[2]) == 0
