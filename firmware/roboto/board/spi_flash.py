"""The W25Q on SPI0, where one is fitted."""

from machine import SPI, Pin

from . import pins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..storage.w25q import W25Q

_SPI_HZ = 20_000_000
_WAKE = 0xAB
_ID = 0x9F
_ENODEV = 19


def find() -> "W25Q":
    """Return the chip as a block device. Raise OSError when none answers, or another one."""
    Pin(pins.FLASH_MISO, Pin.IN, Pin.PULL_UP)  # so that nobody answers with ones
    spi = SPI(
        pins.FLASH_SPI,
        sck=Pin(pins.FLASH_SCK),
        mosi=Pin(pins.FLASH_MOSI),
        miso=Pin(pins.FLASH_MISO),
    )
    _ask(spi)

    from adafruit_bus_device.spi_device import SPIDevice

    from ..storage.w25q import W25Q
    from .spi_bus import ChipSelect, SpiBus

    return W25Q(SPIDevice(SpiBus(spi), ChipSelect(Pin(pins.FLASH_CS)), baudrate=_SPI_HZ))


def _ask(spi: SPI) -> None:
    """See that something answers before its driver is loaded: that takes 50 ms of a start, and
    most robots have no such chip. Raise OSError."""
    select = Pin(pins.FLASH_CS, Pin.OUT, value=1)
    answer = b""
    for command in (_WAKE, _ID):
        select.value(0)
        spi.write(bytes((command,)))
        answer = spi.read(3)
        select.value(1)
    if answer in (b"\x00\x00\x00", b"\xff\xff\xff"):
        raise OSError(_ENODEV, "SPI flash answers %02x %02x %02x" % tuple(answer))
