"""Where voice packs and recordings lie: on the SPI flash where one is fitted, else on the board's.

A board with 4, 8 or 16 MB needs nothing here: its MicroPython has the larger file system. The W25Q
is an option for a plain Pico, found at boot by its answer. It is littlefs too, so that a power cut
leaves old or new there as well.
"""

import os

from ..unload import unload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from vfs import AbstractBlockDev, VfsLfs2

    from ..storage.w25q import W25Q

_MOUNT = "/flash"
_VOICE = "voice"
_DATA = "data"
_MARK = b"littlefs"
_MARK_AT = 8  # bytes: after a block's revision and the entry's tag (littlefs SPEC.md)
_LOOKS = 10
_DRIVER = (
    "roboto.board.spi_flash",
    "roboto.board.spi_bus",
    "roboto.storage.w25q",
    "adafruit_bus_device.spi_device",
    "adafruit_bus_device",
)


class Flash:
    """voice, data: folders. chip: the W25Q, or None. note: a line for the log if it fails.

    make: a chip that holds no file system gets one, and what a computer has left to be done there
    is done. Else nothing is written; nor ever to a chip whose file system cannot be read: a loose
    wire must not cost what was recorded.
    """

    def __init__(self, make: bool = True) -> None:
        self.chip: W25Q | None = None
        self.note: str | None = None
        self.voice = _VOICE
        self.data = _DATA
        self._find(make)

    def _find(self, make: bool) -> None:
        try:
            import vfs  # noqa: F401 - a desktop has none

            from .spi_flash import find

            chip = find()
        except Exception:  # none is fitted, or its driver is not whole
            for name in _DRIVER:
                unload(name)
            return
        try:
            self._mount(chip, make)
            if make:
                from ..switch_in import THEN, finish

                finish(THEN)
            names = os.listdir(_MOUNT)
        except Exception as error:  # whatever lies on it: the robot has another
            self.note = f"SPI flash: {error}"
            return
        self.chip = chip
        self.data = _MOUNT + "/" + _DATA
        if _VOICE in names:
            self.voice = _MOUNT + "/" + _VOICE

    def _mount(self, chip: "W25Q", make: bool) -> None:
        from vfs import VfsLfs2, mount

        # It has the methods, and the stubs want the class.
        device: AbstractBlockDev = chip  # pyright: ignore[reportAssignmentType]
        try:
            filesystem = _littlefs(device)
        except OSError:
            if not make or _in_use(chip):
                raise
            VfsLfs2.mkfs(device, readsize=256, progsize=256, lookahead=128)  # new, or not ours
            filesystem = _littlefs(device)
        mount(filesystem, _MOUNT)

    def sleep(self) -> None:
        """Send the SPI flash into its deep power-down; a restart wakes it."""
        if self.chip is not None:
            self.chip.sleep()


def _in_use(chip: "W25Q") -> bool:
    """Whether the chip ever was given a file system: then one of its first two blocks has
    littlefs's mark. A bad contact may hide it at times."""
    mark = bytearray(len(_MARK))
    for _ in range(_LOOKS):
        for block in (0, 1):
            chip.readblocks(block, mark, _MARK_AT)
            if mark == _MARK:
                return True
    return False


def _littlefs(chip: "AbstractBlockDev") -> "VfsLfs2":
    from vfs import VfsLfs2

    return VfsLfs2(chip, readsize=256, progsize=256, lookahead=128)
