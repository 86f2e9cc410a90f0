"""The robot and its jig on emulated chips: real MicroPython, wired pin to pin."""
