"""Stand-ins for the MicroPython modules that CPython lacks, on a virtual clock.

`chip.Chip` is the microcontroller: its clock, its pins, the registers that the firmware reads.
`modules()` gives the modules `machine`, `time` and `select` that the firmware is imported with
(see sim/firmware.py).
"""
