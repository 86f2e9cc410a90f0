"""A robot's day under MicroPython on a computer: `micropython .../soak.py SOURCES FOLDER MINUTES
SEED`.

The same course as tests/fuzz/soak.py, among stand-ins for the chip's modules. SOURCES: the
firmware's folder, compiled or not; FOLDER: what is its flash. Prints a line each virtual hour with
what is in use of the heap, and at the end each complaint.
"""

import gc
import os
import sys

SOURCES, FOLDER, MINUTES, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
_HERE = os.getcwd()
sys.path.insert(0, SOURCES)
sys.path.append(_HERE)

import random  # noqa: E402

from tests.fuzz import _day  # noqa: E402
from tests.micropython.stand_ins import Quick, World, install  # noqa: E402

_PINS = {"record": 2, "replay": 3, "volume": 4, "win": 5, "mode": 6, "plate": 7, "try_me": 8}
_USB = 24
_HOUR_MS = 3600000
_WATCHDOG_MS = 8000
_ENOSPC = 28
_ENOUGH = 20  # complaints
# The tables never change, and are the largest thing made at import: they keep their place, as the
# buffer for recordings does, see room().
_STAY = ("roboto.board.still", "roboto.sound.tables")
_BUFFER_BYTES = 50000  # of anything so large the firmware has one


class Dormant(BaseException):
    """It has gone to sleep."""


class Reset(BaseException):
    """It has restarted itself."""


class End(BaseException):
    """The time is over."""


class Stand(_day.Table):
    """The surroundings, made of stand-ins."""

    def __init__(self):
        _day.Table.__init__(self, FOLDER + "/data")
        self.millivolts = 4500
        self.skipped_ms = 0
        self.fed_ms = None

    def now_ms(self):
        return World.now_ms

    def pin(self, control, closed):
        bit = 1 << _PINS[control]
        World.levels = World.levels & ~bit if closed else World.levels | bit

    def cable(self, present):
        bit = 1 << _USB
        World.levels = World.levels | bit if present else World.levels & ~bit

    def supply(self, millivolts):
        self.millivolts = millivolts

    def skip(self, ms):
        self.skipped_ms += ms


table = Stand()


class Adc:
    def __init__(self, pin):
        pass

    def read_u16(self):
        return table.millivolts * 65535 // 9900


class Watchdog:
    def __init__(self, timeout=0):
        self.feed()

    def feed(self):
        table.fed_ms = World.now_ms


class Written:
    """A file that is written to flash, which may be full."""

    def __init__(self, file):
        self._file = file

    def write(self, data):
        if table.full:
            raise OSError(_ENOSPC)
        table.operate()
        return self._file.write(data)

    def close(self):
        table.operate()
        self._file.close()


class Disk:
    """The robot's files."""

    def __init__(self):
        self.listdir, self.mkdir, self.rmdir = os.listdir, os.mkdir, os.rmdir
        self.stat, self.statvfs = os.stat, os.statvfs

    def open(self, path, mode="r"):
        if "w" not in mode:
            return open(path, mode)
        table.operate()
        return Written(open(path, mode))

    def remove(self, path):
        table.operate()
        os.remove(path)

    def rename(self, old, new):
        table.operate()
        os.rename(old, new)


def energy(src, n):
    """How loud it is: somebody speaks for 300 ms, and is silent as long."""
    if table.hearing == "nothing":
        return 0
    if table.hearing == "words":
        return 40
    return 1000000 if table.hearing == "noise" or World.now_ms // 300 % 2 else 900


class Run:
    def __init__(self):
        self.doings = _day.Day(random, table).doings()
        self.hour_ms = _HOUR_MS
        self.console = None
        self.buffer = None
        self.wait()

    def wait(self):
        wait_ms, self.act = next(self.doings)
        self.due_ms = World.now_ms + wait_ms

    def pass_until(self, until_ms):
        """Let time pass, and on the way happen what is planned."""
        while self.due_ms <= until_ms:
            World.now_ms = max(World.now_ms, self.due_ms)
            act = self.act
            self.wait()
            act()
        World.now_ms = max(World.now_ms, until_ms)

    def sleep_ms(self, ms):
        self.pass_until(World.now_ms + ms)
        if table.fed_ms is not None and World.now_ms - table.fed_ms > _WATCHDOG_MS:
            table.complain("the watchdog bit")
            raise Reset
        if World.now_ms >= self.hour_ms:
            self.hour_ms += _HOUR_MS
            self.tell()
        if World.now_ms >= MINUTES * 60000:
            raise End

    def tell(self):
        sizes = {name: os.stat("data/" + name)[6] for name in os.listdir("data")}
        log = table.account(sizes)
        print(
            "%d h: %d starts, %d sleeps, %d presses, slowest %d ms, said %d, used %d, log %d, "
            "%d files %d KB, %d complaints"
            % (
                World.now_ms // _HOUR_MS, table.boots, table.sleeps, table.presses,
                table.slowest_ms, table.said, used_bytes(), log, len(sizes),
                sum(sizes.values()) // 1024, len(table.complaints),
            )
        )  # fmt: skip

    def told(self, event, fields):
        table.told(event, fields)
        if self.console is not None:
            self.console.notify(event, fields)

    def plugged(self):
        from roboto.console import Console

        self.console = Console(table)
        return self.console

    def live(self):
        """Until the time is over."""
        asleep = False
        while World.now_ms < MINUTES * 60000 and len(table.complaints) < _ENOUGH:
            if not table.powered or asleep and not wakes():
                asleep = asleep and table.powered
                self.pass_until(self.due_ms)
                continue
            asleep = False
            self.console = None
            table.begins()
            try:
                self.start()
                table.complain("the loop ended")
            except Dormant:
                asleep = True
                table.sleeps += 1
            except (_day.Off, Reset):
                pass
            except End:
                break
            except Exception as error:
                table.ends()
                sys.print_exception(error)
                table.complain("out of the loop: %s %s" % (type(error).__name__, error))
                self.pass_until(World.now_ms + 1000)
            table.ends()
            table.fed_ms = None
            gc.collect()

    def start(self):
        for name in [n for n in sys.modules if n == "roboto" or n.startswith("roboto.")]:
            if name not in _STAY:
                del sys.modules[name]  # as a restart does
        gc.collect()
        from roboto import start as begin
        from roboto import switch_in
        from roboto.sound import kernels
        from roboto.storage import volume

        kernels.use(Quick)
        begin._wrong = lambda: None
        begin.bytearray = self.room
        begin._console = self.plugged
        volume.Files = Disk
        switch_in.ready()
        begin.run(self.told, seed=table.boots)

    def room(self, n):
        """Return n bytes. The buffer for recordings keeps its place: a robot that restarts finds
        its heap empty, but here names and stand-ins that outlive a start lie scattered over it."""
        if n < _BUFFER_BYTES:
            return bytearray(n)
        if self.buffer is None:
            self.buffer = bytearray(n)
        return self.buffer


def wakes():
    levels = World.levels
    return not levels >> _PINS["plate"] & 1 or levels >> _USB & 1


def used_bytes():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()


def dormant():
    raise Dormant


def reset():
    raise Reset


def main():
    random.seed(SEED)
    install()
    machine = sys.modules["machine"]
    machine.deepsleep, machine.reset, machine.ADC, machine.WDT = dormant, reset, Adc, Watchdog
    Quick.energy = energy
    os.chdir(FOLDER)
    run = Run()
    clock = type(sys.modules["time"])
    clock.sleep_ms = lambda self, ms: run.sleep_ms(ms)
    clock.ticks_ms = lambda self: World.now_ms + table.skipped_ms & 0x3FFFFFFF
    clock.ticks_add = lambda self, ticks, ms: ticks + ms & 0x3FFFFFFF
    run.live()
    run.tell()
    for kind in table.faults:
        print("fault", table.faults[kind], kind)
    for told in table.complaints:
        print("complaint", told)
    print("said", table.said, "complaints", len(table.complaints))
    sys.exit(1 if table.complaints else 0)


main()
