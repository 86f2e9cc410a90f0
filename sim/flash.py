"""What flash costs: time in which the CPU stands still, and a heap if sound is open meanwhile.

The firmware's files are ordinary files here. Their writes are given the times of a W25Q flash, as
counted under littlefs, and are refused loudly while an I2S object is open, where the device would
have overwritten its heap.
"""

from __future__ import annotations

from typing import Any

from .machine import modules

_SECTOR_BYTES = 4096
_PAGE_BYTES = 256
_ERASE_US = 45_000  # a sector
_PROGRAM_US = 700  # a page


class FlashFault(BaseException):
    """The firmware wrote to flash while sound was open."""


def _pass(us: int) -> None:
    chip = modules.chip
    if not chip.running:
        return
    if chip.i2s:
        raise FlashFault(
            f"flash written while I2S {sorted(chip.i2s)} is open: on the device the heap is gone"
        )
    chip.flash_writes += 1
    chip.advance_to(chip.now_us + us)


def _begun(n_bytes: int, unit: int) -> int:
    return (n_bytes + unit - 1) // unit


class _WrittenFile:
    """A file open for writing: an erase for each sector that it begins, a program for each
    page."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._bytes = 0

    def write(self, data: Any) -> int:
        begun = self._bytes
        self._bytes += len(data)
        sectors = _begun(self._bytes, _SECTOR_BYTES) - _begun(begun, _SECTOR_BYTES)
        pages = _begun(self._bytes, _PAGE_BYTES) - _begun(begun, _PAGE_BYTES)
        if sectors or pages:
            _pass(sectors * _ERASE_US + pages * _PROGRAM_US)
        return self._file.write(data)

    def close(self) -> None:
        _pass(2 * _PROGRAM_US)
        self._file.close()


class CostlyFiles:
    """A robot's file system, handed to its Volume: as `files`, but what writes takes time."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self.listdir = files.listdir
        self.mkdir = files.mkdir
        self.statvfs = files.statvfs

    def open(self, path: str, mode: str = "r") -> Any:
        file = self._files.open(path, mode)
        return _WrittenFile(file) if "w" in mode else file

    def rename(self, old: str, new: str) -> None:
        _pass(2 * _PROGRAM_US)
        self._files.rename(old, new)

    def remove(self, path: str) -> None:
        _pass(2 * _PROGRAM_US)
        self._files.remove(path)
