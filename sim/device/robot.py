"""A robot on a board, while a scenario is played: its trace, and the way to its contacts.

What the firmware does comes over its console (firmware/roboto/console.py), with the time of the
robot's own clock; what can be seen at its pins comes from the hands.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import Any, Protocol

from host_tools.maker import board as boards
from host_tools.maker.errors import BoardError, Gone
from host_tools.maker.link import Link

from ..trace import Trace

# What answers a command is no event of the game.
_ANSWERS = ("hello", "follow", "press", "release", "log", "battery", "seed")
_NAP_S = 0.001
_BOOT_S = 20.0
_SEEDS_APART = 1_000_003  # from one start to the next, as in the simulator


class Hands(Protocol):
    """Whoever presses, speaks and looks. Times in seconds of the robot's clock."""

    presses: str  # how: "pins", "jig", "wire"
    microphone: str | None  # the way of what is said: "pins", "jig"; None: there is none
    link: Link | None  # the console, for who presses by it
    sees_light: bool
    has_switch: bool
    has_power: bool
    hears: str | None

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a contact."""
        ...

    def say(self, samples: array[int]) -> None:
        """Say int16 samples at 16 kHz, beginning now."""
        ...

    def switch(self, position: str) -> None:
        """Move the slide switch to "on" or "try-me"."""
        ...

    def power(self, on: bool) -> None:
        """Cut the supply, or give it back."""
        ...

    def light(self) -> list[tuple[float, bool]]:
        """Return when the record LED went on or off since this was last asked."""
        ...

    def sound(self, start_s: float, end_s: float) -> bytes:
        """Return what the loudspeaker played, int16 at 16 kHz."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class Robot:
    """`reopen()` returns the console of a robot that has just been switched on."""

    def __init__(self, hands: Hands, clock: Any, reopen: Callable[[], Link], seed: int) -> None:
        self.hands = hands
        self.trace = Trace()
        self.heard = b""  # all that the loudspeaker played, once the scenario is over
        self.lit = False
        self.asleep = False
        self.talking = False
        self.silent_since_ms = 0.0
        self._clock = clock
        self._reopen = reopen
        self._seed = seed
        self._starts = 0
        self._origin_s = clock.now()
        self._link: Link | None = None
        self._dropping = False  # what is told before the game has begun
        self._ahead_ms = math.inf  # how far our clock is ahead of the robot's
        self._position = "off"
        self._battery_in = True
        from roboto.sound.tones import tone_ms

        self._tone_ms: Callable[[str], int] = tone_ms

    # ---- time

    @property
    def ms(self) -> float:
        """Milliseconds since the scenario began."""
        return 1000 * (self._clock.now() - self._origin_s)

    def wait(self, until_ms: float, or_when: Callable[[], object] | None = None) -> None:
        """Let time pass and note what happens, up to a moment, or until or_when() holds."""
        while True:
            self._look()
            event = self._link.take() if self._link else None
            if event:
                self._told(event)
                continue
            if or_when and or_when():
                return
            left_s = (until_ms - self.ms) / 1000
            if left_s <= 1e-6:
                return
            self._clock.sleep(min(left_s, _NAP_S))

    # ---- the world's hand

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a button's or the tray's contact."""
        self.hands.contact(control, closed)
        if closed and self.asleep and control == "plate":
            self._wake()

    def switch(self, position: str) -> None:
        """Move the slide switch; "off" cuts the supply."""
        before, self._position = self._position, position
        if position == before:
            return
        if position != "off":
            self.hands.switch(position)
        self._supply(before != "off" and self._battery_in)
        if self.asleep:
            self._wake()

    def battery(self, present: bool) -> None:
        """Take the battery out, or put it back."""
        before, self._battery_in = self._battery_in, present
        self._supply(before and self._position != "off")

    def note(self, event: str, **fields: Any) -> None:
        """Put an event of the world, such as a press, into the trace."""
        self._add(self.ms, event, fields)

    # ---- its beginning and end

    def begin(self, position: str) -> None:
        """Start the scenario: the robot, switched on, starts its game with the seed."""
        self._position = position
        hands = self.hands
        if position == "off":
            self._origin_s = self._clock.now()
        else:
            hands.power(True)
            self._start(first=True)
        ways = {"presses": hands.presses, "microphone": hands.microphone, "hears": hands.hears}
        self.trace.events.insert(0, {"t": 0, "event": "bench", **ways})

    def _start(self, first: bool = False) -> None:
        """Wait for the console of a robot that was switched on, and have it start with the
        seed."""
        self.asleep = self.lit = self.talking = False
        self._link = self._reopen()
        self.hands.link = self._link
        seed = self._seed + _SEEDS_APART * self._starts
        self._starts += 1
        self._link.ask("follow on")
        self._link.send(f"seed {seed}")
        self._dropping = True
        end_ms = self.ms + 1000 * _BOOT_S * boards.PATIENCE
        while self._dropping:
            event = self._link.take()
            if event and event["event"] == "error":
                raise BoardError(
                    f"the robot takes no seed ({event['what']}): its firmware is older than this "
                    "program: run `roboto flash`"
                )
            if event and event["event"] == "state":
                self._dropping = False
                if first:
                    self._origin_s = self._clock.now()
                self._ahead_ms = math.inf
                self.hands.light()  # what was seen before is none of the scenario's
                self._told(event)
            elif self.ms > end_ms:
                raise BoardError("the robot does not start its game: see `roboto log`")
            elif not event:
                self._clock.sleep(_NAP_S)

    def _supply(self, powered: bool) -> None:
        now = self._battery_in and self._position != "off"
        if now == powered:
            return
        self.hands.power(now)
        if now:
            self.note("power", on=True)
            self._start()
            return
        self._link = None
        self._hush(cut=True, ms=self.ms)
        self.note("power", on=False)
        self.asleep = self.lit = False

    def _wake(self) -> None:
        self.note("wake")
        self._link = None
        self._start()

    def sound(self) -> bytes:
        """Return all that the loudspeaker played."""
        return self.hands.sound(self._origin_s, self._clock.now())

    def lines(self) -> str:
        """Return the trace, in the order of its times."""
        self.trace.events.sort(key=lambda event: event["t"])
        return self.trace.lines()

    # ---- what can be seen and heard

    def _add(self, ms: float, event: str, fields: dict[str, Any]) -> None:
        self.trace.add(max(0, round(ms)), event, fields)

    def _look(self) -> None:
        for when_s, on in self.hands.light():
            if on != self.lit:
                self.lit = on
                ms = 1000 * (when_s - self._origin_s)
                self._add(ms, "led", {"led": "record", "on": on})

    def _told(self, event: dict[str, Any]) -> None:
        """The firmware has said what it does."""
        fields = dict(event)
        what = fields.pop("event")
        if what in _ANSWERS:
            return
        if what == "error":
            raise BoardError(f"the robot says: {event['what']}")
        now = self._happened_ms(fields.pop("t", None))
        if what == "say":
            self.talking = True
            self._add(now, what, fields)
            self._add(now, "led", {"led": "talk", "on": True})
        elif what == "quiet":
            self._hush(bool(fields.get("cut")), now)
        else:
            if what == "tone":
                end_ms = now + self._tone_ms(fields["tone"])
                self.silent_since_ms = max(self.silent_since_ms, end_ms)
            self._add(now, what, fields)
            if what == "state" and fields["state"] == "asleep":
                self.asleep = True
                self._add(now, "sleep", {})

    def _happened_ms(self, robots_ms: int | None) -> float:
        """Return when something happened that the robot has told by its own clock (None: now). Its
        lines take their time on the wire, a long one 100 ms: the quickest shows how the clocks
        stand to each other."""
        if robots_ms is None:
            return self.ms
        self._ahead_ms = min(self._ahead_ms, self.ms - robots_ms)
        return robots_ms + self._ahead_ms

    def _hush(self, cut: bool, ms: float) -> None:
        if self.talking:
            self.talking = False
            self.silent_since_ms = max(self.silent_since_ms, ms)
            self._add(ms, "quiet", {"cut": cut})
            self._add(ms, "led", {"led": "talk", "on": False})


def greeted(link: Link, clock: Any, limit_s: float = _BOOT_S) -> Link:
    """Return a console as soon as the robot answers on it. Raise BoardError when it does not."""
    end_s = clock.now() + limit_s * boards.PATIENCE
    while True:
        try:
            link.ask("hello", 0.5)
            return link
        except Gone:
            raise
        except BoardError:
            if clock.now() > end_s:
                raise
