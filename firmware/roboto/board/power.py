"""Battery, USB, watchdog, sleep.

Sleep is the RP2040's dormant state: the crystal stops, and a level on a pin starts it again.
MicroPython's lightsleep() is not woken by pins here, so the wake-up is armed in the registers
(IO_BANK0 DORMANT_WAKE_INTE), and deepsleep() is called, which ends in a clean restart.
"""

import time

import machine
from machine import ADC, WDT, Pin, mem32

from . import pins
from .scratch import OFFER_GAME, SCRATCH0

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .flash import Flash

_INTR0 = 0x400140F0  # raw edges, one register for eight pins
_DORMANT_WAKE_INTE0 = 0x40014160
_WATCHDOG_REASON = 0x40058008  # 1: it was not fed in time, 2: asked for by the firmware
_BITTEN = 1
_WATCHDOG_DISABLE = 0x4005B000  # writes of CTRL that clear bits
_ENABLE = 1 << 30
_LEVEL_LOW = 1
_LEVEL_HIGH = 2
_WINDOW_MS = 3000  # after boot, in which a computer can always get in
_WATCHDOG_MS = 8000
# At VSYS, behind D1: 3.1 V is 1.12 V a cell, and some hours are left. At 2.6 V, 0.95 V a cell,
# they are empty: the amplifier wants 2.5 V, and soon the Pico's converter, which makes 3.3 V of
# 1.8 V and more, might be left without cells in the middle of a write.
WARN_MV = 3100
REFUSE_MV = 2600


class Power:
    def __init__(self, flash: "Flash | None" = None) -> None:
        self._flash = flash
        self._usb = Pin(pins.USB_PRESENT, Pin.IN)
        self._adc = ADC(Pin(pins.BATTERY))
        self._booted_ms = time.ticks_ms()
        self._watchdog: WDT | None = None
        # Sleep and restart() come back through the watchdog too, but as something asked for.
        self.woke_by_watchdog = bool(mem32[_WATCHDOG_REASON] & _BITTEN)
        self.interrupted = mem32[SCRATCH0] == OFFER_GAME
        mem32[SCRATCH0] = 0

    def usb_present(self) -> bool:
        return bool(self._usb.value())

    def battery_mv(self) -> int:
        """Return VSYS in millivolts."""
        return self._adc.read_u16() * 9900 // 65535

    def low_battery(self) -> int:
        """Return how low the cells are: 0 good, 1 people should know, 2 nothing may be written;
        -1 while USB feeds the robot, since then VSYS tells nothing of them."""
        if self.usb_present():
            return -1
        mv = self.battery_mv()
        return (mv < WARN_MV) + (mv < REFUSE_MV)

    def start_watchdog(self) -> None:
        """Start the watchdog: from now on feed() is due at least every 8 s, with USB plugged in as
        well."""
        self._watchdog = WDT(timeout=_WATCHDOG_MS)

    def stop_watchdog(self) -> None:
        """Stop it, as MicroPython cannot: a computer that interrupts the loop takes its time."""
        self._watchdog = None
        mem32[_WATCHDOG_DISABLE] = _ENABLE

    def feed(self) -> None:
        if self._watchdog is not None:
            self._watchdog.feed()

    def may_sleep(self) -> bool:
        """Return whether nothing speaks against sleep. With USB plugged in the dormant state would
        cut the computer off, and a board fresh from boot stays awake for three seconds, so that
        one can get in."""
        return (
            not self.usb_present()
            and time.ticks_diff(time.ticks_ms(), self._booted_ms) > _WINDOW_MS
        )

    def sleep(self) -> None:
        """Sleep until the tray is pressed, the slide switch is moved or USB is plugged in. Do not
        return: the firmware restarts.

        The tray must be up: a level wakes it.
        """
        if self._flash:
            self._flash.sleep()
        stands = Pin(pins.TRY_ME, Pin.IN, Pin.PULL_UP).value()
        arm(pins.PLATE, _LEVEL_LOW)
        arm(pins.TRY_ME, _LEVEL_LOW if stands else _LEVEL_HIGH)
        arm(pins.USB_PRESENT, _LEVEL_HIGH)
        machine.deepsleep()

    def restart(self) -> None:
        """Starts anew, as at power-on. Does not return."""
        machine.reset()


def arm(gpio: int, level: int) -> None:
    """Lets a level on a pin (1 low, 2 high) end the dormant state."""
    shift = 4 * (gpio & 7)
    register = 4 * (gpio >> 3)
    mem32[_INTR0 + register] = 0xC << shift  # forget latched edges
    mem32[_DORMANT_WAKE_INTE0 + register] |= level << shift
