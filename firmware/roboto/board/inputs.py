"""Five buttons, the discard tray and the slide switch.

All contacts are polled once a loop step, by one read of one register: IO_BANK0 INTR0 holds, for
GPIO 0 to 7, the present level and a latch of every falling edge since the latch was last cleared
(RP2040 data sheet, 2.19.6.1). The latches work without any interrupt. They catch a press that
comes and goes while the loop is held up by flash.

Debounce. A press counts at its first contact: a closed contact at a scan; or edges in two scans
running, which is how a short press looks when both scans fall into its bouncing; or an edge when
the loop came late. One lone edge between two scans is a spike from the wiring, and ignored. A
release counts when the contact has been open, without an edge, for RELEASE_MS.
"""

from machine import Pin, mem32

from . import pins

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


_INTR0 = const(0x400140F0)
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
        self._low = tuple(1 << 4 * gpio for gpio in _PINS)  # INTR0: level low
        self._fell = tuple(4 << 4 * gpio for gpio in _PINS)  # INTR0: edge low
        self._presses = tuple((control, True) for control in CONTROLS)
        self._releases = tuple((control, False) for control in CONTROLS)
        self._edges = 0
        for fell in self._fell:
            self._edges |= fell
        self._watched = self._edges
        for low in self._low:
            self._watched |= low
        self._down = 0  # bits of self._low: contacts that count as pressed
        self._open_since = [None] * len(CONTROLS)
        self._fell_before = 0
        self._unsettled = False
        self._last_ms = 0
        self._scans = 0
        self._queue = []
        self.position = self._read_switch()
        self._position_before = self.position
        mem32[_INTR0] = self._edges
        # What is held at boot, such as the tray that woke the robot, is no press.
        self._down = mem32[_INTR0] & self._watched & ~self._edges
        self._calm = self._down
        self._unsettled = self._down != 0

    def _read_switch(self):
        return "on" if self._try_me.value() else "try-me"

    def moved(self):
        """True when a scan would find something. Cheap: for waiting."""
        return mem32[_INTR0] & self._watched != self._calm or self._unsettled

    def scan(self, now_ms):
        """Reads all contacts; what has happened is then given by take()."""
        self._scans += 1
        if self._scans >= _SWITCH_EVERY:
            self._scans = 0
            self._scan_switch()
        raw = mem32[_INTR0] & self._watched
        if raw != self._calm or self._unsettled:
            self._scan_contacts(raw, now_ms)
        self._last_ms = now_ms

    def _scan_contacts(self, raw, now_ms):
        if raw & self._edges:
            mem32[_INTR0] = raw & self._edges
        late = now_ms - self._last_ms > _LATE_MS
        down = self._down
        fell_now = 0
        unsettled = False
        for i in range(len(CONTROLS)):
            low = self._low[i]
            closed = raw & low
            fell = raw & self._fell[i]
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
        self._calm = down
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
