"""The microcontroller: a virtual clock, pins with pull-ups, edge latches, and what is wired to it.

Time is virtual and costs nothing: it passes only when the firmware sleeps, or waits for flash. All
times are integer microseconds since the simulation began; they run on through power cuts, while
the firmware's ticks begin anew.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

POWER_ON, WATCHDOG = 1, 3  # causes of a reset

LEVEL_LOW, LEVEL_HIGH, EDGE_LOW, EDGE_HIGH = 1, 2, 4, 8

# The firmware's tick counter wraps at 2**30 ms. It begins close before that, so that every longer
# run wraps.
TICKS_PERIOD = 1 << 30
TICKS_AT_BOOT = TICKS_PERIOD - 45_000


FAR_US = 1 << 62


class PowerLost(BaseException):
    """The supply is gone in the middle of whatever the firmware did."""


class Dormant(BaseException):
    """The firmware has gone to sleep; only an armed pin wakes it."""


class Reset(BaseException):
    """The firmware has restarted itself, or the watchdog did."""


class Paused(BaseException):
    """Whoever runs the robot wants to have a look, in the middle of the firmware's rest."""


class Halt(BaseException):
    """The simulation has ended."""


class Chip:
    """One RP2040. The world outside sets inputs and schedules events; the firmware sleeps, and so
    time passes."""

    def __init__(self) -> None:
        self.now_us = 0
        self.next_us = FAR_US  # when the earliest scheduled event is due
        # A sleep in which nothing is due may last so long, with sound open and without; but never
        # beyond the time at which the firmware itself means to do something.
        self.stretch_us = 0
        self.idle_stretch_us = 0
        self.horizon_us = FAR_US
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._sequence = 0
        self.pressed = [False] * 30  # contacts to ground
        self.driven: list[int | None] = [None] * 30  # levels driven from outside
        self.watchers: dict[
            int, Callable[[int], None]
        ] = {}  # gpio -> told of each new output level
        self.microvolts: dict[int, int] = {29: 1_500_000, 24: 0}
        self.speaker: Any = None  # told of the samples: play(start_us, data)
        self.microphone: Any = None  # gives them: words(start_frame, n)
        self.flash_writes = 0
        self.running = False  # the firmware's code is at work: what it does costs time
        self.resting = False  # it waits between two steps: a sleep may end in Paused
        self.pause_us = FAR_US  # the sleep does so that ends then or later
        self.worked = False  # it has more to do in this step than to feed the loudspeaker
        self.watchdog_reason = 0  # why it last reset the chip: 1 not fed, 2 asked to
        self.power_on(wake=False)

    # ---- power

    def power_on(self, wake: bool, cause: int = 1) -> None:
        """Clear all that a reset clears."""
        self.booted_us = self.now_us
        self.reset_cause = cause
        if cause == POWER_ON:
            self.watchdog_reason = 0
        self.pull_up = [False] * 30
        self.output: list[int | None] = [None] * 30
        self.stop_clocks()
        self.intr = [0, 0, 0, 0]
        self.gpio_in = 0  # the levels, a bit a pin
        self.registers: dict[int, int] = {}
        self.i2s: dict[int, Any] = {}
        self.watchdog_us = 0
        for gpio in range(30):
            self._latch(gpio, edge=False)

    def power_off(self) -> None:
        """Make everything that was driven dark and silent; no clock runs from now on."""
        self.watchdog_us = 0
        for i2s in list(self.i2s.values()):
            i2s.deinit()
        for gpio in range(30):
            self.drive(gpio, None)
        self.stop_clocks()

    def stop_clocks(self) -> None:
        """Stop every slice of the PWM and every bus; no pin belongs to them."""
        self.slice_hz = [0] * 8
        self.slice_counts = [False] * 8
        self.pwm_pins: set[int] = set()
        self.bus_hz: dict[int, int] = {}  # clock pin of an open I2S -> its frequency

    def clock_hz(self, gpio: int) -> int:
        """Return how often in a second a pin goes up and down by itself; 0 when it stands."""
        if gpio in self.bus_hz:
            return self.bus_hz[gpio]
        at = gpio // 2 % 8
        return self.slice_hz[at] if gpio in self.pwm_pins and self.slice_counts[at] else 0

    # ---- time

    def at(self, when_us: int, action: Callable[[], None]) -> None:
        """Calls `action` when the clock reaches `when_us`."""
        self._sequence += 1
        heapq.heappush(self._events, (max(when_us, self.now_us), self._sequence, action))
        self.next_us = self._events[0][0]

    def advance_to(self, until_us: int) -> None:
        """Lets time pass; what was scheduled happens on the way, each at its own time."""
        while self.next_us <= until_us:
            when_us, _, action = heapq.heappop(self._events)
            self.next_us = self._events[0][0] if self._events else FAR_US
            self.now_us = max(self.now_us, when_us)
            action()
        self.now_us = max(self.now_us, until_us)

    def ticks_ms(self) -> int:
        return (TICKS_AT_BOOT + (self.now_us - self.booted_us) // 1000) % TICKS_PERIOD

    # ---- pins

    def level(self, gpio: int) -> int:
        """Return what a read of the pin gives."""
        if self.output[gpio] is not None:
            return int(self.output[gpio] or 0)
        if self.pressed[gpio]:
            return 0
        driven = self.driven[gpio]
        if driven is not None:
            return driven
        return 1 if self.pull_up[gpio] else 0

    def contact(self, gpio: int, closed: bool) -> None:
        """Close or open a contact to ground."""
        if closed != self.pressed[gpio]:
            self.pressed[gpio] = closed
            self.worked = True
            self._latch(gpio, edge=True)

    def drive(self, gpio: int, level: int | None) -> None:
        """Make a pin an output, as the firmware does, or let it go."""
        if level == self.output[gpio]:
            return
        was, self.output[gpio] = self.output[gpio], level
        self._latch(gpio, edge=False)
        watcher = self.watchers.get(gpio)
        if watcher and int(level or 0) != int(was or 0):
            watcher(int(level or 0))

    def configure(self, gpio: int, pull_up: bool) -> None:
        """Make a pin an input, as the firmware does."""
        self.pull_up[gpio] = pull_up
        self.drive(gpio, None)
        self._latch(gpio, edge=False)

    def _latch(self, gpio: int, edge: bool) -> None:
        level = self.level(gpio)
        shift = 4 * (gpio & 7)
        bits = self.intr[gpio >> 3] & ~(3 << shift)
        bits |= (LEVEL_HIGH if level else LEVEL_LOW) << shift
        if edge:
            bits |= (EDGE_HIGH if level else EDGE_LOW) << shift
        self.intr[gpio >> 3] = bits
        self.gpio_in = self.gpio_in & ~(1 << gpio) | level << gpio

    def wakes(self) -> bool:
        """Return whether a level that was armed for the dormant state is there."""
        for register in range(4):
            armed = self.registers.get(0x40014160 + 4 * register, 0)
            if armed & self.intr[register] & 0x33333333:
                return True
        return False
