"""Five buttons, the discard tray and the slide switch.

All contacts are polled every 8 ms: their levels in SIO's GPIO_IN, and a latch of every falling
edge since it was last cleared in IO_BANK0 INTR0 (GPIO 0 to 7; RP2040 data sheet, 2.19.6.1). The
latches work without any interrupt. They catch a press that comes and goes while the loop is held
up by flash. As a rule nothing has moved; seeing that is left to still(). Here the latches are read
in halves because a register value of 31 bits or more is an object on MicroPython's heap, and a
scan must allocate nothing.

Debounce. A press counts at its first contact: a closed contact at a scan; or edges in two scans
running, which is how a short press looks when both scans fall into its bouncing; or an edge when
the loop came late. One lone edge between two scans is a spike from the wiring, and ignored. A
release counts when the contact has been open, without an edge, for RELEASE_MS.
"""

import sys
from array import array

from machine import PWRON_RESET, Pin, mem16, mem32, reset_cause

from . import pins

if sys.implementation.name == "micropython":
    # viper takes an array as ptr32
    from .still import still  # pyright: ignore[reportAssignmentType]
else:

    def still(view: "array[int]") -> bool:
        """Return whether the contacts are as expected, and none has closed since. view: the bits
        of all contacts, those expected to be closed, and the latches of their falling edges."""
        return (
            mem32[_GPIO_IN] & view[0] ^ view[0] == view[1]
            and not (mem16[_INTR0] | mem16[_INTR0_UPPER] << 16) & view[2]
        )


_GPIO_IN = 0xD0000004  # a bit a pin
_INTR0 = 0x400140F0  # GPIO 0 to 3; the upper half GPIO 4 to 7
_INTR0_UPPER = 0x400140F2
_FELL = 0x4444  # of half a register: falling edge latched
_ALL_EDGES = 0xCCCCCCCC
_RELEASE_MS = 16
_LATE_MS = 13  # longer between two scans than any step of the loop alone
_SWITCH_MS = 30  # the slide switch is believed when it has stood still for so long

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
_PINS = (pins.RECORD, pins.REPLAY, pins.VOLUME, pins.WIN, pins.MODE, pins.PLATE)
assert max(_PINS) < 8, "a button must be GPIO 0 to 7: the latches of other pins are not read"


class Inputs:
    def __init__(self) -> None:
        for gpio in _PINS:
            Pin(gpio, Pin.IN, Pin.PULL_UP)
        Pin(pins.TRY_ME, Pin.IN, Pin.PULL_UP)
        self._low = tuple(1 << gpio for gpio in _PINS)
        self._fell = tuple(
            4 << 4 * gpio if gpio < 4 else 2 << 4 * (gpio - 4) for gpio in _PINS
        )  # as _edges() has them
        self._presses = tuple((control, True) for control in CONTROLS)
        self._releases = tuple((control, False) for control in CONTROLS)
        self._contacts = 0
        for low in self._low:
            self._contacts |= low
        self._switch = 1 << pins.TRY_ME
        self._contacts |= self._switch
        self._watched = 0
        for fell in self._fell:
            self._watched |= fell
        self._open_since: list[int | None] = [None] * len(CONTROLS)
        self._fell_before = 0
        self._last_ms = 0
        self._queue: list[tuple[str, bool | str]] = []
        self._switch_since: int | None = None
        mem32[_INTR0] = _ALL_EDGES
        # What is held at boot, such as the tray that woke the robot, is no press.
        self._down = self._closed()  # contacts that count as pressed; the switch in try-me
        latches = 0
        for gpio in _PINS:
            latches |= 4 << 4 * gpio
        self._view = array("i", (self._contacts, 0, latches))  # see still()
        self._settle(self._down & ~self._switch != 0)
        self.position = "try-me" if self._down & self._switch else "on"

    def _closed(self) -> int:
        """Return the contacts that are closed now: a bit of self._low each."""
        return mem32[_GPIO_IN] & self._contacts ^ self._contacts

    def _edges(self) -> int:
        """Return the contacts that have closed since the latches were cleared: a bit of
        self._fell each."""
        return (mem16[_INTR0] & _FELL | (mem16[_INTR0_UPPER] & _FELL) >> 1) & self._watched

    def _settle(self, unsettled: bool) -> None:
        """Note whether the next scan must look closely even if nothing moves."""
        self.unsettled = unsettled
        self._view[1] = -1 if unsettled else self._down  # -1: no levels are as expected

    def moved(self) -> bool:
        """Return whether a scan would find something. Cheap: for waiting."""
        return not still(self._view)

    def looked(self, now_ms: int) -> None:
        """Note that moved() was False at now_ms, so that scan() does not take the loop for
        late."""
        self._last_ms = now_ms

    def scan(self, now_ms: int) -> bool:
        """Read all contacts; return whether anything has happened, which take() then gives."""
        if not still(self._view):
            edges = self._edges()
            closed = self._closed()
            if edges:
                mem32[_INTR0] = _ALL_EDGES
            self._scan_contacts(closed, edges, now_ms)
        self._last_ms = now_ms
        return bool(self._queue)

    def _scan_contacts(self, all_closed: int, edges: int, now_ms: int) -> None:
        late = now_ms - self._last_ms > _LATE_MS
        down = self._down
        fell_now = 0
        unsettled = False
        for i in range(len(CONTROLS)):
            low = self._low[i]
            closed = all_closed & low
            fell = edges & self._fell[i]
            if fell:
                fell_now |= low
            if not down & low:
                if closed or fell and (late or self._fell_before & low):
                    down |= low
                    self._open_since[i] = None
                    self._queue.append(self._presses[i])
                    unsettled = unsettled or not closed
                elif fell:
                    unsettled = True
            elif closed or fell:
                since = self._open_since[i]
                if closed and late and since is not None and now_ms - since >= _RELEASE_MS:
                    # it was open when last looked at, and has had time to come to rest
                    self._queue.append(self._releases[i])
                    self._queue.append(self._presses[i])
                unsettled = unsettled or not closed
                self._open_since[i] = None
            else:
                since = self._open_since[i]
                if since is None:
                    self._open_since[i] = now_ms
                    unsettled = True
                elif now_ms - since >= _RELEASE_MS:
                    down &= ~low
                    self._queue.append(self._releases[i])
                else:
                    unsettled = True
        self._fell_before = fell_now
        self._down = down
        unsettled = self._scan_switch(all_closed, now_ms) or unsettled
        self._settle(unsettled)

    def _scan_switch(self, all_closed: int, now_ms: int) -> bool:
        """Look at the slide switch; return True while it is on its way."""
        if not (all_closed ^ self._down) & self._switch:
            self._switch_since = None
            return False
        if self._switch_since is None:
            self._switch_since = now_ms
        if now_ms - self._switch_since < _SWITCH_MS:
            return True
        self._switch_since = None
        self._down ^= self._switch
        self.position = "try-me" if self._down & self._switch else "on"
        self._queue.append(("switch", self.position))
        return False

    def held(self, control: str) -> bool:
        """Return whether a control counts as pressed now."""
        return bool(self._down & self._low[CONTROLS.index(control)])

    def held_at_power_on(self, control: str) -> bool:
        """Return whether a control is pressed since power came, asked right after. A restart is no
        power-on: whoever wakes the robot with a finger on a button means the button."""
        return reset_cause() == PWRON_RESET and self.held(control)

    def take(self) -> tuple[str, bool | str] | None:
        """Return the next (control, pressed) or ("switch", position), or None."""
        return self._queue.pop(0) if self._queue else None

    def put(self, control: str, pressed: bool) -> None:
        """Queue a press or a release by wire, as if a finger had done it."""
        i = CONTROLS.index(control)
        self._queue.append(self._presses[i] if pressed else self._releases[i])
