"""The SPI flash driver on a model of the chip, through the real SPIDevice."""

from roboto.board.spi_bus import ChipSelect, SpiBus
from roboto.storage.w25q import W25Q

from tests.portable import raises
from tests.storage import adafruit
from tests.storage.flash import Mounted
from tests.storage.test_volume import finish
from tests.storage.w25q_model import Bus, Chip, Select


def driver(chip):
    return W25Q(adafruit.SPIDevice(Bus(chip), Select(chip), baudrate=20_000_000))


def test_finds_the_chip():
    flash = driver(Chip())
    assert flash.read_id() == (0xEF, 0x40, 0x18)
    assert flash.ioctl(4, 0) == 4096
    assert flash.ioctl(5, 0) == 4096
    assert driver(Chip(identity=b"\xef\x40\x15")).ioctl(4, 0) == 512


def test_no_chip_or_a_wrong_one_is_said_in_one_line():
    for identity in (b"\xff\xff\xff", b"\x00\x00\x00", b"\xef\x40\x19", b"\xef\x40\x00"):
        line = str(raises(OSError, driver, Chip(identity=identity)))
        assert "SPI flash answers" in line and "\n" not in line


def test_reads_and_programs_over_page_borders():
    chip = Chip()
    flash = driver(chip)
    data = bytes(i * 11 & 255 for i in range(700))
    assert flash.ioctl(6, 2) == 0
    assert flash.writeblocks(2, data, 100) == 0
    assert chip.memory[2 * 4096 + 100 : 2 * 4096 + 800] == data
    assert chip.memory[2 * 4096 : 2 * 4096 + 100] == b"\xff" * 100
    buffer = bytearray(700)
    assert flash.readblocks(2, buffer, 100) == 0
    assert buffer == data
    assert [len(d) for _, d in chip.journal if d] == [156, 256, 256, 32]


def test_programs_without_erasing_unless_whole_blocks_are_written():
    chip = Chip()
    flash = driver(chip)
    flash.writeblocks(0, b"\xf0", 0)
    flash.writeblocks(0, b"\x3c", 0)
    assert chip.memory[0] == 0x30
    assert all(data for _, data in chip.journal)
    flash.writeblocks(0, b"\xaa" * 8192)
    assert chip.memory[:8192] == b"\xaa" * 8192
    assert sum(data is None for _, data in chip.journal) == 2


def test_asleep_it_hears_only_the_waking():
    chip = Chip()
    flash = driver(chip)
    flash.writeblocks(0, b"\x12", 0)
    flash.sleep()
    assert chip.asleep
    assert flash.writeblocks(0, b"\x00", 0) == -5
    assert flash.ioctl(6, 0) == -5
    assert chip.memory[0] == 0x12
    flash.wake()
    buffer = bytearray(1)
    flash.readblocks(0, buffer)
    assert buffer[0] == 0x12
    # A restart of the CPU finds it asleep.
    flash.sleep()
    assert driver(chip).read_id() == (0xEF, 0x40, 0x18)


def test_a_chip_that_stays_busy_is_an_error_not_a_hang():
    chip = Chip()
    flash = driver(chip)
    chip.stuck_busy = True
    assert flash.writeblocks(0, b"\x00", 0) == -5
    assert flash.ioctl(6, 0) == -5


def test_littlefs_keeps_files_over_remounts():
    chip = Chip(n_sectors=64, identity=b"\xef\x40\x12")  # 256 KB
    data = bytes(i * 13 & 255 for i in range(24000))
    with Mounted(driver(chip), blank=True) as volume:
        finish(volume.replace("name-0", [data]))
    with Mounted(driver(Chip(memory=bytearray(chip.memory), identity=chip.identity))) as volume:
        assert volume.read("name-0") == data


def test_the_bus_over_machine_spi():
    """SpiBus and ChipSelect hand on what SPIDevice asks, and set up the bus once."""
    calls = []

    class Spi:
        def init(self, **options):
            calls.append(("init", options["baudrate"], options["polarity"], options["phase"]))

        def write(self, data):
            calls.append(("write", bytes(data)))

        def readinto(self, buffer, value):
            calls.append(("read", len(buffer), value))

    class Pin:
        OUT = 1

        def init(self, mode, value):
            calls.append(("pin", mode, value))

        def value(self, *level):
            calls.append(("cs",) + level)

    bus = SpiBus(Spi())
    device = adafruit.SPIDevice(bus, ChipSelect(Pin()), baudrate=20_000_000)
    for _ in range(2):
        with device as spi:
            assert spi is bus and not bus.try_lock()
            spi.write(b"abc")
            spi.write(b"abc", start=1, end=2)
            spi.readinto(bytearray(4))
    turn = [("cs", 0), ("write", b"abc"), ("write", b"b"), ("read", 4, 0), ("cs", 1)]
    assert calls == [("pin", 1, 1), ("init", 20_000_000, 0, 0)] + turn + turn
    assert bus.try_lock()
