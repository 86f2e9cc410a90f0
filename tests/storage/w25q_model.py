"""A W25Q128 as its pins show it, behind an SPI bus and a chip select.

Commands: 9F id, 05 status, 06 write enable, 03 read, 02 page program, 20 sector erase,
B9 deep power-down, AB wake. A command takes effect when the chip is deselected. What the real
chip does not forgive, it does not forgive either: programming only clears bits and wraps within
its page, nothing is written without the write-enable latch, and while it is busy or asleep it
hears nothing but the status command or the waking.
"""

SECTOR_BYTES = 4096
PAGE_BYTES = 256
BUSY_READS = {0x02: 3, 0x20: 5}  # how often the status then says busy


class Chip:
    """The chip. The last byte of its identity is log2 of the size that the driver believes; tests
    that need no more memory than n_sectors keep to those."""

    def __init__(self, n_sectors=64, memory=None, identity=b"\xef\x40\x18"):
        self.memory = memory or bytearray(b"\xff" * (n_sectors * SECTOR_BYTES))
        self.identity = identity
        self.journal = []  # (address, data) of programs, (address, None) of erases
        self.enabled = False
        self.asleep = False
        self.busy_reads = 0
        self.stuck_busy = False
        self.n_commands = 0
        self._taken = None  # bytes since the chip was selected; None while it is not

    def select(self):
        self._taken = bytearray()
        self.n_commands += 1

    def deselect(self):
        taken, self._taken = self._taken, None
        if not taken:
            return
        command = taken[0]
        if self.asleep:
            self.asleep = command != 0xAB
            return
        if self._busy():
            return
        if command == 0x06:
            self.enabled = True
        elif command == 0xB9:
            self.asleep = True
        elif command in (0x02, 0x20) and self.enabled and len(taken) >= 4:
            address = int.from_bytes(taken[1:4], "big")
            if command == 0x20:
                address -= address % SECTOR_BYTES
                self.memory[address : address + SECTOR_BYTES] = b"\xff" * SECTOR_BYTES
                self.journal.append((address, None))
            else:
                self._program(address, taken[4:])
            self.enabled = False
            self.busy_reads = BUSY_READS[command]

    def take(self, data):
        assert self._taken is not None, "a byte is sent while the chip is not selected"
        self._taken += bytes(data)

    def give(self, buffer):
        """What the chip sends while the bus reads len(buffer) bytes."""
        assert self._taken is not None, "a byte is read while the chip is not selected"
        buffer[:] = b"\xff" * len(buffer)
        command = self._taken[0]
        if self.asleep:
            return
        if command == 0x05:
            busy = self._busy()
            self.busy_reads = max(0, self.busy_reads - 1)
            buffer[:] = bytes([busy | self.enabled << 1]) * len(buffer)
        elif self._busy():
            return
        elif command == 0x9F:
            buffer[:] = (self.identity * len(buffer))[: len(buffer)]
        elif command == 0x03:
            address = int.from_bytes(self._taken[1:4], "big")
            data = self.memory[address : address + len(buffer)]
            buffer[: len(data)] = data

    def _busy(self):
        return self.stuck_busy or self.busy_reads > 0

    def _program(self, address, data):
        page = address - address % PAGE_BYTES
        for i, byte in enumerate(data):
            self.memory[page + (address + i) % PAGE_BYTES] &= byte
        self.journal.append((address, bytes(data)))


class Bus:
    """The bus as SPIDevice wants it."""

    def __init__(self, chip):
        self._chip = chip
        self.locked = False
        self.settings = None

    def try_lock(self):
        assert not self.locked
        self.locked = True
        return True

    def unlock(self):
        self.locked = False

    def configure(self, baudrate, polarity, phase):
        assert self.locked
        self.settings = (baudrate, polarity, phase)

    def write(self, data):
        assert self.locked
        self._chip.take(data)

    def readinto(self, buffer):
        assert self.locked
        self._chip.give(buffer)


class Select:
    """The chip-select pin, active low."""

    def __init__(self, chip):
        self._chip = chip
        self._value = True

    def switch_to_output(self, value=False):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, level):
        if self._value and not level:
            self._chip.select()
        elif level and not self._value:
            self._chip.deselect()
        self._value = level
