"""W25Q SPI flash of up to 16 MB as a block device for littlefs.

    flash = W25Q(SPIDevice(bus, chip_select, baudrate=20_000_000))
    vfs.mount(vfs.VfsLfs2(flash, readsize=256, progsize=256, lookahead=128), "/flash")

It programs without erasing and erases only when littlefs says so: reading, changing and writing
back whole sectors would break littlefs's promise when the power is cut. Commands and times are
those of Winbond's W25Q128JV data sheet. Methods return 0, or the negative errno that littlefs
hands on; an exception would leave it half-way.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Buffer, Bytes, SpiDevice

_READ = 0x03
_PROGRAM = 0x02
_ERASE = 0x20
_WRITE_ENABLE = 0x06
_STATUS = 0x05
_ID = 0x9F
_SLEEP = 0xB9
_WAKE = 0xAB

_BUSY = 0x01
_ENABLED = 0x02

_PAGE_BYTES = 256
_BLOCK_BYTES = 4096
_PROGRAM_POLLS = 1000  # a poll takes at least 5 us; programming at most 3 ms
_ERASE_POLLS = 1000  # of 1 ms; an erase takes 45 ms, at most 400

_EIO = 5
_ENODEV = 19


class W25Q:
    """device: an adafruit_bus_device SPIDevice, mode 0, at most 20 MHz.

    Raises OSError when no such chip answers.
    """

    def __init__(self, device: "SpiDevice") -> None:
        self._device = device
        self._command = bytearray(4)
        self._one = bytearray(1)
        self.wake()
        maker, kind, size_log2 = self.read_id()
        if maker in (0x00, 0xFF) or not 16 <= size_log2 <= 24:
            raise OSError(
                _ENODEV,
                f"SPI flash answers {maker:02x} {kind:02x} {size_log2:02x}, not as a W25Q of "
                "up to 16 MB: check its power, cs, sck, mosi and miso",
            )
        self.n_blocks = (1 << size_log2) // _BLOCK_BYTES
        # A reset of the CPU may have come while the chip was erasing.
        if self._wait(_ERASE_POLLS, 0.001):
            raise OSError(_EIO, "SPI flash stays busy")

    def read_id(self) -> tuple[int, int, int]:
        """Return (maker, kind, log2 of the size in bytes); a W25Q128 is (0xEF, 0x40, 24)."""
        answer = bytearray(3)
        with self._device as spi:
            self._one[0] = _ID
            spi.write(self._one)
            spi.readinto(answer)
        return answer[0], answer[1], answer[2]

    def readblocks(self, block: int, buffer: "Buffer", offset: int = 0) -> int:
        with self._device as spi:
            spi.write(self._at(_READ, block, offset))
            spi.readinto(buffer)
        return 0

    def writeblocks(self, block: int, buffer: "Bytes", offset: int | None = None) -> int:
        """Program erased bytes; without an offset, erase the blocks first."""
        if offset is None:
            offset = 0
            for i in range((len(buffer) + _BLOCK_BYTES - 1) // _BLOCK_BYTES):
                if self._erase(block + i):
                    return -_EIO
        view = memoryview(buffer)
        start = 0
        while start < len(view):
            # The chip wraps within a page of 256 bytes.
            room = _PAGE_BYTES - (offset + start) % _PAGE_BYTES
            part = view[start : start + room]
            if not self._write_enable():
                return -_EIO
            with self._device as spi:
                spi.write(self._at(_PROGRAM, block, offset + start))
                spi.write(part)
            if self._wait(_PROGRAM_POLLS, 0):
                return -_EIO
            start += len(part)
        return 0

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self.n_blocks
        if operation == 5:
            return _BLOCK_BYTES
        if operation == 6:
            return self._erase(argument)
        return 0  # initialise, shut down, sync: nothing is held back

    def sleep(self) -> None:
        """Deep power-down: 1 uA instead of 10. Only wake() is heard then."""
        self._send(_SLEEP)

    def wake(self) -> None:
        self._send(_WAKE)
        time.sleep(0.0001)  # 3 us, and the chip listens

    def _erase(self, block: int) -> int:
        if not self._write_enable():
            return -_EIO
        with self._device as spi:
            spi.write(self._at(_ERASE, block, 0))
        return self._wait(_ERASE_POLLS, 0.001)

    def _at(self, command: int, block: int, offset: int) -> bytearray:
        """The command and its address; its buffer is used again and again."""
        address = block * _BLOCK_BYTES + offset
        self._command[0] = command
        self._command[1] = address >> 16
        self._command[2] = address >> 8 & 0xFF
        self._command[3] = address & 0xFF
        return self._command

    def _send(self, command: int) -> None:
        self._one[0] = command
        with self._device as spi:
            spi.write(self._one)

    def _status(self) -> int:
        self._one[0] = _STATUS
        with self._device as spi:
            spi.write(self._one)
            spi.readinto(self._one)
        return self._one[0]

    def _write_enable(self) -> bool:
        """False when the chip did not take it: absent, or asleep."""
        self._send(_WRITE_ENABLE)
        return self._status() & (_ENABLED | _BUSY) == _ENABLED

    def _wait(self, polls: int, pause_s: float) -> int:
        for _ in range(polls):
            if not self._status() & _BUSY:
                return 0
            if pause_s:
                time.sleep(pause_s)
        return -_EIO
