"""machine.SPI and machine.Pin in the shape that adafruit_bus_device's SPIDevice expects.

    bus = SpiBus(SPI(0, sck=Pin(18), mosi=Pin(19), miso=Pin(16)))
    device = SPIDevice(bus, ChipSelect(Pin(17)), baudrate=20_000_000)

Both are handed in, so that this file imports nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from machine import Pin

    from ..shapes import Buffer, Bytes, Spi

    _Part = TypeVar("_Part", bound=Bytes)


class SpiBus:
    """spi: an object with init, write and readinto as machine.SPI has them."""

    def __init__(self, spi: "Spi") -> None:
        self._spi = spi
        self._locked = False
        self._set_up: tuple[int, int, int, int] | None = None

    def try_lock(self) -> bool:
        if self._locked:
            return False
        self._locked = True
        return True

    def unlock(self) -> None:
        self._locked = False

    def configure(
        self, baudrate: int = 100000, polarity: int = 0, phase: int = 0, bits: int = 8
    ) -> None:
        """Asked for before every transaction; passed on only when it changes something."""
        wanted = (baudrate, polarity, phase, bits)
        if wanted != self._set_up:
            self._spi.init(baudrate=baudrate, polarity=polarity, phase=phase, bits=bits)
            self._set_up = wanted

    def write(self, buffer: "Bytes", start: int = 0, end: int | None = None) -> None:
        self._spi.write(_part(buffer, start, end))

    def readinto(
        self, buffer: "Buffer", start: int = 0, end: int | None = None, write_value: int = 0
    ) -> None:
        self._spi.readinto(_part(buffer, start, end), write_value)


class ChipSelect:
    """pin: an object with init, value and OUT as machine.Pin has them."""

    def __init__(self, pin: "Pin") -> None:
        self._pin = pin

    def switch_to_output(self, value: bool = False) -> None:
        self._pin.init(self._pin.OUT, value=int(value))

    @property
    def value(self) -> bool:
        return bool(self._pin.value())

    @value.setter
    def value(self, level: bool) -> None:
        self._pin.value(int(level))


def _part(buffer: "_Part", start: int, end: int | None) -> "_Part | memoryview":
    """The buffer itself where all of it is meant: no new object then."""
    if start == 0 and end is None:
        return buffer
    return memoryview(buffer)[start:end]
