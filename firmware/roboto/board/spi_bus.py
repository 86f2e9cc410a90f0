"""machine.SPI and machine.Pin in the shape that adafruit_bus_device's SPIDevice expects.

    bus = SpiBus(SPI(0, sck=Pin(18), mosi=Pin(19), miso=Pin(16)))
    device = SPIDevice(bus, ChipSelect(Pin(17)), baudrate=20_000_000)

Both are handed in, so that this file imports nothing.
"""


class SpiBus:
    """spi: an object with init, write and readinto as machine.SPI has them."""

    def __init__(self, spi):
        self._spi = spi
        self._locked = False
        self._set_up = None

    def try_lock(self):
        if self._locked:
            return False
        self._locked = True
        return True

    def unlock(self):
        self._locked = False

    def configure(self, baudrate=100000, polarity=0, phase=0, bits=8):
        """Asked for before every transaction; passed on only when it changes something."""
        wanted = (baudrate, polarity, phase, bits)
        if wanted != self._set_up:
            self._spi.init(baudrate=baudrate, polarity=polarity, phase=phase, bits=bits)
            self._set_up = wanted

    def write(self, buffer, start=0, end=None):
        self._spi.write(_part(buffer, start, end))

    def readinto(self, buffer, start=0, end=None, write_value=0):
        self._spi.readinto(_part(buffer, start, end), write_value)


class ChipSelect:
    """pin: an object with init, value and OUT as machine.Pin has them."""

    def __init__(self, pin):
        self._pin = pin

    def switch_to_output(self, value=False):
        self._pin.init(self._pin.OUT, value=int(value))

    @property
    def value(self):
        return bool(self._pin.value())

    @value.setter
    def value(self, level):
        self._pin.value(int(level))


def _part(buffer, start, end):
    """The buffer itself where all of it is meant: no new object then."""
    if start == 0 and end is None:
        return buffer
    return memoryview(buffer)[start:end]
