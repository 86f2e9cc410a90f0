"""Five buttons, the discard tray and the slide switch.

All contacts are polled once a loop step: their levels by one read of SIO's GPIO_IN, and a latch of every falling
edge since it was last cleared by two reads of IO_BANK0 INTR0 (GPIO 0 to 7; RP2040 data sheet, 2.19.6.1). The latches
work without any interrupt. They catch a press that comes and goes while the loop is held up by flash. They are read in
halves because a register value of 31 bits or more is an object on MicroPython's heap, and a scan must allocate nothing.

Debounce. A press counts at its first contact: a closed contact at a scan; or edges in two scans
running, which is how a short press looks when both scans fall into its bouncing; or an edge when
the loop came late. One lone edge between two scans is a spike from the wiring, and ignored. A
release counts when the contact has been open, without an edge, for RELEASE_MS.
"""

from machine import Pin, mem16, mem32

from . import pins

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


_GPIO_IN = const(0xD0000004)  # a bit a pin
_INTR0 = const(0x400140F0)  # GPIO 0 to 3; the upper half GPIO 4 to 7
_INTR0_UPPER = const(0x400140F2)
_FELL = const(0x4444)  # of half a register: falling edge latched
_ALL_EDGES = const(0xCCCCCCCC)
_RELEASE_MS = const(16)
_LATE_MS = const(13)  # longer between two scans than any step of the loop alone
_SWITCH_EVERY = const(16)  # scans between two looks at the slide switch

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
_PINS = (pins.RECORD, pins.REPLAY, pins.VOLUME, pins.WIN, pins.MODE, pins.PLATE)


class Inputs:
    def __init__(self):
        for gpio in _PINS:
            Pin(gpio, Pin.IN, Pin.PULL_UP)
        self._try_me = Pin(pins.TRY_ME, Pin.IN, Pin.PULL_UP)
        self._low = tuple(1 << gpio for gpio in _PINS)
        self._fell = tuple(
            4 << 4 * gpio if gpio < 4 else 2 << 4 * (gpio - 4) for gpio in _PINS
        )  # as _edges() has them
        self._presses = tuple((control, True) for control in CONTROLS)
        self._releases = tuple((control, False) for control in CONTROLS)
        self._contacts = 0
        for low in self._low:
            self._contacts |= low
        self._watched = 0
        for fell in self._fell:
            self._watched |= fell
        self._open_since = [None] * len(CONTROLS)
        self._fell_before = 0
        self._last_ms = 0
        self._scans = 0
        self._queue = []
        self.position = self._read_switch()
        self._position_before = self.position
        mem32[_INTR0] = _ALL_EDGES
        # What is held at boot, such as the tray that woke the robot, is no press.
        self._down = self._closed()  # contacts that count as pressed
        self._unsettled = self._down != 0

    def _closed(self):
        """The contacts that are closed now: a bit of self._low each."""
        return mem32[_GPIO_IN] & self._contacts ^ self._contacts

    def _edges(self):
        """The contacts that have closed since the latches were cleared: a bit of self._fell each."""
        return (mem16[_INTR0] & _FELL | (mem16[_INTR0_UPPER] & _FELL) >> 1) & self._watched

    def _read_switch(self):
        return "on" if self._try_me.value() else "try-me"

    def moved(self):
        """True when a scan would find something. Cheap: for waiting."""
        return self._closed() != self._down or self._edges() or self._unsettled

    def scan(self, now_ms):
        """Reads all contacts; what has happened is then given by take()."""
        self._scans += 1
        if self._scans >= _SWITCH_EVERY:
            self._scans = 0
            self._scan_switch()
        closed = self._closed()
        edges = self._edges()
        if edges:
            mem32[_INTR0] = _ALL_EDGES
        if closed != self._down or edges or self._unsettled:
            self._scan_contacts(closed, edges, now_ms)
        self._last_ms = now_ms

    def _scan_contacts(self, all_closed, edges, now_ms):
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
                unsettled = unsettled or not closed
                self._open_since[i] = None
            elif self._open_since[i] is None:
                self._open_since[i] = now_ms
                unsettled = True
            elif now_ms - self._open_since[i] >= _RELEASE_MS:
                down &= ~low
                self._queue.append(self._releases[i])
            else:
                unsettled = True
        self._fell_before = fell_now
        self._down = down
        self._unsettled = unsettled

    def _scan_switch(self):
        position = self._read_switch()
        if position != self._position_before:
            self._position_before = position  # believed at the second look
        elif position != self.position:
            self.position = position
            self._queue.append(("switch", position))

    def take(self):
        """The next (control, pressed) or ("switch", position), or None."""
        return self._queue.pop(0) if self._queue else None
