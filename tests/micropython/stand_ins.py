"""Stand-ins for the chip's modules under MicroPython on a computer: time passes when the firmware
sleeps, and the inner loops of sound compute nothing."""

import sys

_GPIO_IN = 0xD0000004


class World:
    """The clock, and the fingers at the contacts."""

    now_ms = 0
    levels = (1 << 30) - 1 & ~(1 << 24)  # all contacts open, no USB


class Time:
    """In place of the module."""

    def ticks_ms(self):
        return World.now_ms & 0x3FFFFFFF

    def ticks_diff(self, later, earlier):
        return (later - earlier + 0x20000000) % 0x40000000 - 0x20000000

    def sleep_ms(self, ms):
        World.now_ms += ms


class Pin:
    IN = OUT = PULL_UP = 1

    def __init__(self, gpio, mode=0, pull=0, value=0):
        self._gpio = gpio

    def value(self, level=None):
        return World.levels >> self._gpio & 1 if level is None else None


class Anything:
    """A part whose doings nobody sees."""

    def __init__(self, *args, **kwargs):
        pass

    def duty_u16(self, duty):
        pass

    def deinit(self):
        pass

    def feed(self):
        pass

    def read_u16(self):
        return 30000


class I2S:
    """A ring that runs empty, or fills up, as time passes."""

    TX = MONO = 0
    RX = 1

    def __init__(self, number, mode, ibuf, **pins):
        self._size = ibuf
        self._bytes_a_ms = 32 if mode == I2S.TX else 128
        self._since_ms = World.now_ms
        self._held = 0

    def _pass(self):
        moved = (World.now_ms - self._since_ms) * self._bytes_a_ms
        self._since_ms = World.now_ms
        return moved

    def write(self, buffer, at, n):
        self._held = max(0, self._held - self._pass())
        n = min(n, self._size - 1 - self._held)
        self._held += n
        return n

    def readinto(self, words):
        self._held = min(self._size, self._held + self._pass())
        n = min(len(words), self._held // 8)
        self._held -= 8 * n
        words[0] = n  # not the same for ever: it lives
        return 4 * n

    def deinit(self):
        pass


class Registers:
    def __getitem__(self, address):
        return World.levels if address == _GPIO_IN else 0

    def __setitem__(self, address, value):
        pass


class Polled:
    """select's poll() for our I2S."""

    def register(self, stream, flags=0):
        pass

    unregister = register

    def poll(self, timeout_ms):
        return []


class Quick:
    """Kernels that only keep count."""

    @staticmethod
    def decode(src, dst, n, state):
        state[2] += n >> 1

    @staticmethod
    def encode(src, dst, n, state):
        state[3] += n >> 1

    @staticmethod
    def ramp(samples, n, state):
        return 9000

    @staticmethod
    def tone(wave, phase, pitch, dst, n, gain, step):
        return phase

    @staticmethod
    def energy(src, n):
        return 1000000

    @staticmethod
    def clean(words, dst, n, state):
        state[3] += n
        state[4] += n

    @staticmethod
    def nothing(*args):
        pass

    double = squeeze = silence = copy = nothing


def still(view):
    return World.levels & view[0] ^ view[0] == view[1]


def install():
    """Puts the stand-ins where the firmware looks for the chip."""
    import select

    modules = {
        "machine": {
            "Pin": Pin,
            "PWM": Anything,
            "ADC": Anything,
            "WDT": Anything,
            "I2S": I2S,
            "PWRON_RESET": 1,
            "reset_cause": lambda: 1,
            "mem16": Registers(),
            "mem32": Registers(),
        },
        "time": {},  # see Time
        "select": {"poll": Polled, "POLLIN": select.POLLIN, "POLLOUT": select.POLLOUT},
        "roboto.board.still": {"still": still},
        "vfs": {},
    }
    for name, contents in modules.items():
        module = type(name, (), contents)
        sys.modules[name] = Time() if name == "time" else module
