"""What flash costs: time in which the CPU stands still, and a heap if sound is open meanwhile.

The firmware's files are ordinary files here. Their writes are given the times of a W25Q flash, as
counted under littlefs, and are refused loudly while an I2S object is open, where the device would
have overwritten its heap.
"""

from __future__ import annotations

import builtins
import os
from types import SimpleNamespace
from typing import Any

from .machine import modules

_ERASE_US = 45_000  # a sector of 4096 bytes
_PROGRAM_US = 700  # a page of 256 bytes


class FlashFault(BaseException):
    """The firmware wrote to flash while sound was open."""


def _pass(us: int) -> None:
    chip = modules.chip
    if chip.i2s:
        raise FlashFault(
            f"flash written while I2S {sorted(chip.i2s)} is open: on the device the heap is gone"
        )
    chip.flash_writes += 1
    chip.advance_to(chip.now_us + us)


class _WrittenFile:
    """A file open for writing: a bite of up to 4096 bytes is one erase and its pages."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, data: Any) -> int:
        _pass(_ERASE_US + (len(data) + 255) // 256 * _PROGRAM_US)
        return self._file.write(data)

    def close(self) -> None:
        _pass(2 * _PROGRAM_US)
        self._file.close()


def _open(path: str, mode: str = "r") -> Any:
    file = builtins.open(path, mode)
    return _WrittenFile(file) if "w" in mode else file


def _rename(old: str, new: str) -> None:
    _pass(2 * _PROGRAM_US)
    os.replace(old, new)


def _remove(path: str) -> None:
    _pass(2 * _PROGRAM_US)
    os.remove(path)


def install(volume_module: Any) -> None:
    """Puts the costs under the one module of the firmware that writes files."""
    volume_module.open = _open
    volume_module._rename = _rename
    names = {
        name: getattr(os, name)
        for name in ("listdir", "mkdir", "statvfs", "stat")
        if hasattr(os, name)
    }
    volume_module.os = SimpleNamespace(remove=_remove, **names)
