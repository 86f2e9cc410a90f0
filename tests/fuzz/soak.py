"""A robot that runs for hours among games, cables, cuts and noise: see _day.py.

An input is {"seed": what is done, "minutes": of virtual time}. Many hours in one run, with a line
each: `python -m tests.fuzz soak --hours 24`, and with --micropython in a board's heap.
"""

from __future__ import annotations

import functools
import gc
import os
import random
import shutil
import sys
import tempfile
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from roboto.unload import unload

from host_tools.desktop import kernels_quiet
from sim import firmware
from sim.costs import Costs
from sim.flash import Flash
from sim.machine import modules
from sim.machine.chip import TICKS_PERIOD, WATCHDOG, Chip, Dormant, Reset

from . import TAKEN, _day

IN_CI = 2
_MINUTES = 8
_HOUR_MS = 3_600_000
_VOLTS_TO_MICROVOLTS = 1000 // 3  # behind the divider of VSYS
_LOUD, _QUIET = 1 << 22, 3000  # peaks of 27 bits
_TWO_WORDS = b"\x00\xff\xff\xff\x00\x00\x00\x00"  # of a line that floats: -256 and 0


def draw(rng: Any) -> dict[str, int]:
    """Return some minutes."""
    return {"seed": rng.randrange(1 << 30), "minutes": _MINUTES}


def one(given: dict[str, int]) -> str:
    """Spend it with a robot; whatever it owes must have been done."""
    table = spend(given["seed"], given["minutes"] * 60_000)
    assert not table.complaints, "\n".join(table.complaints)
    assert table.said and table.boots
    return TAKEN


class SimTable(_day.Table):
    """The surroundings of a chip made of Python."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder / "data"))
        self.loaded = firmware.load()
        self.loaded.kernels.use(kernels_quiet)
        self.chip = Chip()
        self.chip.microphone = self
        self.flash = Flash(self.chip, self.loaded.volume.Files(), Costs())
        self.flash.on_change = self._changes
        self.supply(4500)
        self.cable(False)

    def now_ms(self) -> int:
        return self.chip.now_us // 1000

    def pin(self, control: str, closed: bool) -> None:
        self.chip.contact(getattr(self.loaded.pins, control.upper()), closed)

    def cable(self, present: bool) -> None:
        gpio = self.loaded.pins.USB_PRESENT
        if self.chip.driven[gpio] != int(present):
            self.chip.driven[gpio] = int(present)
            self.chip._latch(gpio, edge=True)

    def supply(self, millivolts: int) -> None:
        self.chip.microvolts[self.loaded.pins.BATTERY] = millivolts * _VOLTS_TO_MICROVOLTS

    def skip(self, ms: int) -> None:
        self.chip.booted_us -= ms * 1000

    def _changes(self) -> None:
        self.flash.full = self.full
        self.operate()

    def words(self, start_us: int, n: int) -> bytes:
        """What the microphone sends: n words of 32 bits."""
        if self.hearing == "nothing":
            return bytes(4 * n)
        if self.hearing == "words":
            return (_TWO_WORDS * n)[: 4 * n]
        loud = self.hearing == "noise" or start_us // 300_000 % 2
        at = start_us % 8192
        return (_noise(_LOUD if loud else _QUIET)[4 * at :] * 2)[: 4 * n]


@functools.cache
def _noise(peak: int) -> bytes:
    """Return noise as microphone words."""
    dice = random.Random(peak)
    return array("i", [dice.randint(-peak, peak) << 5 for _ in range(16384)]).tobytes()


def spend(
    seed: int, ms: int, told: Callable[[str], None] | None = None, folder: Path | None = None
) -> _day.Table:
    """Run a robot for so many virtual milliseconds; told() gets a line an hour."""
    from . import boot

    home = Path(tempfile.mkdtemp(prefix="soak", dir=folder or boot._fast_folder()))
    before = os.getcwd()
    try:
        (home / "data").mkdir()
        (home / "voice").mkdir()
        (home / "voice/en.pack").write_bytes(boot._pack())
        os.chdir(home)
        table = SimTable(home)
        _Run(table, random.Random(seed), ms, told).live()
        return table
    finally:
        os.chdir(before)
        shutil.rmtree(home, ignore_errors=True)


class _Run:
    def __init__(
        self,
        table: SimTable,
        rng: random.Random,
        ms: int,
        told: Callable[[str], None] | None,
    ) -> None:
        self.table, self.ms, self.told = table, ms, told
        self.doings = _day.Day(rng, table).doings()
        self.chip = table.chip
        self.asleep = self.over = False
        self.cause = 1
        self.hours = 0
        self.console: Any = None

    def live(self) -> None:
        table, chip = self.table, self.chip
        modules.use(chip)
        begin, volume = table.loaded.start, table.loaded.volume
        stand_ins = modules.modules()
        from roboto import console

        kept = begin.time, begin.gc, begin._wrong, begin._console, volume.Files, console.time
        stand_ins["time"].ticks_add = lambda ticks, ms: (ticks + ms) % TICKS_PERIOD
        console.time = begin.time = stand_ins["time"]
        begin.gc, begin._wrong = stand_ins["gc"], lambda: None
        begin._console = self._plugged
        volume.Files = lambda: table.flash
        self._next()
        chip.at((self.hours + 1) * _HOUR_MS * 1000, self._hour)
        try:
            while table.now_ms() < self.ms:
                if not table.powered or self.asleep and not chip.wakes():
                    self.asleep = self.asleep and table.powered
                    chip.advance_to(min(chip.next_us, self.ms * 1000))
                else:
                    self._on()
        finally:
            self.over = True
            begin.time, begin.gc, begin._wrong, begin._console, volume.Files, console.time = kept
            chip.running = False

    def _on(self) -> None:
        table, chip = self.table, self.chip
        chip.power_on(wake=self.asleep, cause=self.cause)
        self.asleep = False
        self.console = None
        unload("roboto.switch_in")
        table.begins()
        chip.running = table.flash.charging = True
        self.cause = 1
        try:
            from roboto import switch_in

            switch_in.ready()
            table.loaded.start.run(self._told, seed=table.boots)
            table.complain("the loop ended")
        except _day.Off:
            pass
        except _End:
            pass
        except Dormant:
            self.asleep = True
            table.sleeps += 1
        except Reset:
            self.cause = WATCHDOG
            if chip.watchdog_reason == 1:
                table.complain("the watchdog bit")
        except Exception as error:
            table.complain(f"out of the loop: {type(error).__name__} {error}")
            table.ends()
            chip.advance_to(chip.now_us + 1_000_000)
            self.cause = WATCHDOG
        finally:
            table.ends()
            chip.running = table.flash.charging = False
            chip.power_off()

    def _told(self, event: str, fields: dict[str, Any]) -> None:
        self.table.told(event, fields)
        if self.console is not None:
            self.console.notify(event, fields)

    def _plugged(self) -> Any:
        from roboto.console import Console

        self.console = Console(self.table)
        return self.console

    def _next(self) -> None:
        """Plan what is done next."""
        if self.over:
            return
        wait_ms, act = next(self.doings)

        def due() -> None:
            self._next()
            if self.table.now_ms() >= self.ms and self.table.running:
                raise _End
            act()

        self.chip.at(self.chip.now_us + wait_ms * 1000, due)

    def _hour(self) -> None:
        self.hours += 1
        self.chip.at((self.hours + 1) * _HOUR_MS * 1000, self._hour)
        sizes = {p.name: p.stat().st_size for p in Path("data").iterdir() if p.is_file()}
        log = self.table.account(sizes)
        if self.told:
            gc.collect()
            self.told(line(self.table, self.hours, len(gc.get_objects()), log, sizes))


class _End(BaseException):
    """The time is over."""


def line(table: _day.Table, hours: int, held: int, log: int, sizes: dict[str, int]) -> str:
    """Return what there is to tell after an hour."""
    return (
        f"{hours:>3} h: {table.boots} starts, {table.sleeps} sleeps, {table.presses} presses, "
        f"slowest {table.slowest_ms} ms, said {table.said}, {held} objects, log {log}, "
        f"{len(sizes)} files {sum(sizes.values()) // 1024} KB, {len(table.complaints)} complaints"
    )


def run_hours(hours: int, seed: int) -> int:
    """Soak for hours in one go, with a line each; return how much was not as it must be."""
    table = spend(seed, hours * _HOUR_MS, told=lambda told: print(told, flush=True))
    for kind, n in sorted(table.faults.items(), key=lambda item: -item[1]):
        print(f"{n:>6} {kind}")
    for told in table.complaints:
        print(told, file=sys.stderr)
    return len(table.complaints)


def run_hours_under_micropython(hours: int, seed: int) -> int:
    """Soak in a board's heap, with a line an hour; return how much was not as it must be."""
    from tests.micropython import soaking

    with tempfile.TemporaryDirectory() as folder:
        return soaking.run(Path(folder), hours * 60, seed).returncode
