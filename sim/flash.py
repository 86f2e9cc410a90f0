"""The robot's flash: ordinary files, at the price of flash.

What is written takes the time of a W25Q flash, as counted under littlefs, in which the CPU stands
still. It is refused loudly while an I2S object is open, where the device would have overwritten
its heap. What is read takes the time that costs.py says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .costs import Costs
from .machine.chip import Chip

_SECTOR_BYTES = 4096
_PAGE_BYTES = 256
_ERASE_US = 45_000  # a sector
_PROGRAM_US = 700  # a page
_COMMIT_US = 2 * _PROGRAM_US  # littlefs notes a change of its folder
_ENOENT, _ENOSPC = 2, 28  # as the board has them
_NO_SUCH = "there is no such file"
MARKER = ".roboto-flash"  # says in the desktop's folder whose it is; the robot does not see it


class FlashFault(BaseException):
    """The firmware wrote to flash while sound was open."""


class Flash:
    """One robot's file system, which its Volume is handed as `files`.

    `files` is what really holds them. `full`: nothing more can be written. `on_change()` is called
    before each operation that changes what is there: a power cut then would leave it as it is.
    `charging`: reads take time, too.
    """

    def __init__(self, chip: Chip, files: Any, costs: Costs) -> None:
        self.full = False
        self.charging = False
        self.on_change: Callable[[], None] = _nothing
        self._chip = chip
        self._files = files
        self._costs = costs
        self.mkdir = files.mkdir
        self.rmdir = files.rmdir
        self.stat = files.stat
        self.statvfs = files.statvfs
        try:
            files.stat(_NO_SUCH)
            self._our_enoent = _ENOENT
        except OSError as error:
            self._our_enoent = error.errno  # WebAssembly counts otherwise

    def listdir(self, path: str) -> list[str]:
        """Return the names of what lies in a folder."""
        return [name for name in self._files.listdir(path) if name != MARKER]

    def open(self, path: str, mode: str = "r") -> Any:
        """Open a file; one that is written costs an erase a sector and a program a page."""
        try:
            file = self._files.open(path, mode)
        except OSError as error:
            raise self._as_on_the_board(error) from None
        return _WrittenFile(self, file) if "w" in mode else _ReadFile(self, file)

    def rename(self, old: str, new: str) -> None:
        """Give a file the name of another, which it replaces."""
        self.spend(_COMMIT_US)
        try:
            self._files.rename(old, new)
        except OSError as error:
            raise self._as_on_the_board(error) from None

    def remove(self, path: str) -> None:
        """Delete a file."""
        self.spend(_COMMIT_US)
        try:
            self._files.remove(path)
        except OSError as error:
            raise self._as_on_the_board(error) from None

    def _as_on_the_board(self, error: OSError) -> OSError:
        """Return the error with the number that it has on the board."""
        if error.errno == self._our_enoent != _ENOENT:
            return OSError(_ENOENT)
        return error

    def spend(self, us: int) -> None:
        """Let the time of a change pass. Raises FlashFault while sound is open."""
        self.on_change()
        chip = self._chip
        if not chip.running:
            return
        if chip.i2s:
            raise FlashFault(
                f"flash written while I2S {sorted(chip.i2s)} is open: on the device the heap is "
                "gone"
            )
        chip.flash_writes += 1
        chip.advance_to(chip.now_us + us)

    def charge(self, n_bytes: int) -> None:
        """Let the time of a read pass."""
        if self.charging:
            costs = self._costs
            chip = self._chip
            chip.worked = True
            chip.advance_to(chip.now_us + costs.read_us + n_bytes * costs.read_kb_us // 1024)


class _ReadFile:
    """A file that is open for reading."""

    def __init__(self, flash: Flash, file: Any) -> None:
        self._flash = flash
        self._file = file
        self.seek = file.seek
        self.close = file.close

    def read(self, n: int = -1) -> bytes:
        data = self._file.read(n)
        self._flash.charge(len(data))
        return data

    def readinto(self, buffer: Any) -> int:
        n = self._file.readinto(buffer)
        self._flash.charge(n or 0)
        return n


class _WrittenFile:
    """A file that is open for writing."""

    def __init__(self, flash: Flash, file: Any) -> None:
        self._flash = flash
        self._file = file
        self._bytes = 0

    def write(self, data: Any) -> int:
        if self._flash.full:
            raise OSError(_ENOSPC, "no space left")
        begun = self._bytes
        self._bytes += len(data)
        sectors = _begun(self._bytes, _SECTOR_BYTES) - _begun(begun, _SECTOR_BYTES)
        pages = _begun(self._bytes, _PAGE_BYTES) - _begun(begun, _PAGE_BYTES)
        if sectors or pages:
            self._flash.spend(sectors * _ERASE_US + pages * _PROGRAM_US)
        return self._file.write(data)

    def close(self) -> None:
        self._flash.spend(_COMMIT_US)
        self._file.close()


def _nothing() -> None:
    """Do nothing: nobody wants to know."""


def _begun(n_bytes: int, unit: int) -> int:
    return (n_bytes + unit - 1) // unit
