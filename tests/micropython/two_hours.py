"""Two hours at the table in virtual time: micropython tests/micropython/two_hours.py PACK FOLDER

The whole firmware on stand-ins for the chip's modules: time passes when it sleeps, and the inner
loops of sound compute nothing. Prints after each game how many bytes of the heap are in use.
"""

import gc
import sys

sys.path.insert(0, "firmware")

HOURS = 2
_CARDS = 25
_GPIO_IN = 0xD0000004
_PINS = {"record": 2, "replay": 3, "volume": 4, "win": 5, "plate": 7}


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
    def nothing(*args):
        pass

    clean = double = squeeze = silence = copy = nothing


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


class Table:
    def __init__(self, pack, folder):
        from roboto.app import App
        from roboto.board import Board
        from roboto.sound import kernels
        from roboto.start import RECORDING_BYTES
        from roboto.storage.volume import Volume

        kernels.use(Quick)
        board = Board()
        self.state = None
        self.said = self.faults = 0
        volume = Volume(folder, board.guard)
        buffer = bytearray(RECORDING_BYTES)
        self.app = App(board, volume, {"en": pack}, buffer, 1, self.notify)

    def notify(self, event, fields):
        if event == "state":
            self.state = fields["state"]
        elif event == "say":
            self.said += 1
        elif event == "fault":
            self.faults += 1
            print("fault", fields["what"])

    def wait(self, ms):
        until_ms = World.now_ms + ms
        while World.now_ms < until_ms:
            self.app.step()
            self.app.rest()

    def quiet(self):
        app = self.app
        self.wait(100)
        while app.mixer.busy or app.speech.waiting or app.board.speaker.is_open or app.saver.busy:
            self.wait(50)

    def press(self, control, ms=100):
        World.levels ^= 1 << _PINS[control]
        self.wait(ms)
        World.levels ^= 1 << _PINS[control]
        self.quiet()

    def game(self):
        """House Rule, cards, a win, and back to the House Rule."""
        self.press("record", 3000)
        for card in range(_CARDS):
            self.press("plate")
            if self.state == "nickname":
                self.press("record", 1500)
            if card % 8 == 3:
                self.press("replay")
                self.press("volume")
            self.wait(8000)
        self.press("win")
        self.press("plate")
        assert self.state == "house_rule", self.state


def used_bytes():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()


def main(pack, folder):
    install()
    table = Table(pack, folder)
    table.quiet()
    for _ in range(4):
        table.press("record", 1300)
    table.press("plate")
    while World.now_ms < HOURS * 3600 * 1000:
        table.game()
        print("used", used_bytes(), "at", World.now_ms // 1000, "s")
    print("said", table.said, "faults", table.faults)


main(sys.argv[1], sys.argv[2])
