"""The W25Q on SPI0, where one is fitted."""

from adafruit_bus_device.spi_device import SPIDevice
from machine import SPI, Pin

from ..storage.w25q import W25Q
from . import pins
from .spi_bus import ChipSelect, SpiBus

_SPI_HZ = 20_000_000


def find() -> W25Q:
    """The chip as a block device. OSError when none answers."""
    Pin(pins.FLASH_MISO, Pin.IN, Pin.PULL_UP)  # so that nobody answers with ones
    spi = SPI(
        pins.FLASH_SPI,
        sck=Pin(pins.FLASH_SCK),
        mosi=Pin(pins.FLASH_MOSI),
        miso=Pin(pins.FLASH_MISO),
    )
    return W25Q(SPIDevice(SpiBus(spi), ChipSelect(Pin(pins.FLASH_CS)), baudrate=_SPI_HZ))
