"""The modules `machine`, `time`, `gc` and `select` as the firmware sees them, bound to one chip at
a time."""

from __future__ import annotations

from typing import Any

from .chip import TICKS_PERIOD, Chip, Dormant, Paused, Reset
from .i2s import I2sBus

chip = Chip()


def use(new_chip: Chip) -> None:
    """Have the firmware run on this chip from now on. One at a time, as on a board."""
    global chip
    chip = new_chip


class Pin:
    IN, OUT = 0, 1
    PULL_UP, PULL_DOWN = 1, 2

    def __init__(
        self, gpio: Any, mode: int = -1, pull: int = -1, *, value: int | None = None
    ) -> None:
        self.gpio = gpio.gpio if isinstance(gpio, Pin) else gpio
        if mode != -1:
            chip.pwm_pins.discard(self.gpio)
        if mode == Pin.OUT:
            chip.drive(self.gpio, int(value or 0))
        elif mode == Pin.IN:
            chip.configure(self.gpio, pull == Pin.PULL_UP)

    def value(self, level: int | None = None) -> int | None:
        if level is None:
            return chip.level(self.gpio)
        chip.drive(self.gpio, int(bool(level)))
        return None

    __call__ = value


class PWM:
    """As in MicroPython for rp2: two pins share a slice and its frequency; deinit() stops the
    slice, and the pin stays with it, at whatever level, until it is made a Pin anew."""

    def __init__(self, pin: Pin, *, freq: int = 0, duty_u16: int = 0) -> None:
        self._gpio = pin.gpio
        self._slice = pin.gpio // 2 % 8
        chip.pwm_pins.add(self._gpio)
        chip.slice_hz[self._slice] = freq
        self._duty = duty_u16
        chip.slice_counts[self._slice] = True

    def duty_u16(self, duty: int | None = None) -> int | None:
        if duty is None:
            return self._duty
        self._duty = duty
        chip.slice_counts[self._slice] = True
        watcher = chip.watchers.get(self._gpio)
        if watcher:
            watcher(duty)
        return None

    def freq(self) -> int:
        return chip.slice_hz[self._slice]

    def deinit(self) -> None:
        chip.slice_counts[self._slice] = False


class ADC:
    def __init__(self, pin: Pin) -> None:
        self._gpio = pin.gpio

    def read_u16(self) -> int:
        return min(65535, chip.microvolts.get(self._gpio, 0) * 65535 // 3_300_000)


class I2S:
    RX, TX = 0, 1
    MONO, STEREO = 0, 1

    def __init__(
        self,
        number: int,
        *,
        sck: Pin,
        ws: Pin,
        sd: Pin,
        mode: int,
        bits: int,
        format: int,
        rate: int,
        ibuf: int,
    ) -> None:
        if ws.gpio != sck.gpio + 1:
            raise ValueError("invalid ws (must be sck+1)")
        if format != I2S.MONO:
            raise ValueError("the robot is mono")
        self._sck = sck.gpio
        chip.bus_hz[sck.gpio] = rate * 64
        self._bus = I2sBus(chip, number, mode == I2S.TX, bits, rate, ibuf)
        self.write = self._bus.write
        self.readinto = self._bus.readinto

    def deinit(self) -> None:
        self._bus.deinit()
        chip.bus_hz.pop(self._sck, None)


class WDT:
    """Bites when the firmware has not fed it for `timeout` milliseconds of virtual time."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        if timeout > 8388:
            raise ValueError("timeout exceeds 8388")
        self._timeout_us = timeout * 1000
        self._chip = chip
        self.feed()
        chip.at(chip.watchdog_us, self._look)

    def feed(self) -> None:
        self._chip.watchdog_us = self._chip.now_us + self._timeout_us

    def _look(self) -> None:
        if self._chip is not chip or not chip.watchdog_us:  # the board was reset since
            return
        if chip.now_us >= chip.watchdog_us:
            chip.watchdog_reason = 1
            raise Reset(WDT_RESET)
        chip.at(chip.watchdog_us, self._look)


class Mem32:
    """The registers that the firmware touches: pin levels, pin interrupts (raw), the enables of
    the dormant state, why the watchdog bit."""

    def __getitem__(self, address: int) -> int:
        if 0x400140F0 <= address <= 0x400140FC:
            return chip.intr[(address - 0x400140F0) >> 2]
        if address == 0xD0000004:
            return chip.gpio_in
        if address == 0x40058008:
            return chip.watchdog_reason
        return chip.registers.get(address, 0)

    def __setitem__(self, address: int, value: int) -> None:
        if 0x400140F0 <= address <= 0x400140FC:
            chip.intr[(address - 0x400140F0) >> 2] &= ~(
                value & 0xCCCCCCCC
            )  # writing 1 clears edges
        else:
            chip.registers[address] = value


class Mem16:
    """Halves of the same registers."""

    def __getitem__(self, address: int) -> int:
        return _mem32[address & ~3] >> 8 * (address & 2) & 0xFFFF


_mem32 = Mem32()


PWRON_RESET, WDT_RESET = 1, 3


def _deepsleep() -> None:
    raise Dormant


def _reset() -> None:
    chip.watchdog_reason = 2
    raise Reset(WDT_RESET)  # as on rp2, where machine.reset() goes through the watchdog


class Module:
    """Names, as a module has them; either interpreter imports it from sys.modules."""

    def __init__(self, **contents: Any) -> None:
        for name in contents:
            setattr(self, name, contents[name])


def still(view: Any) -> bool:
    """Answer as the firmware's still() does where it is compiled for the board."""
    return chip.gpio_in & view[0] ^ view[0] == view[1] and not chip.intr[0] & view[2]


def sleep_ms(ms: int) -> None:
    now_us = chip.now_us
    until_us = now_us + ms * 1000
    if chip.stretch_us:
        far_us = now_us + (chip.stretch_us if chip.i2s else chip.idle_stretch_us)
        far_us = min(far_us, chip.horizon_us)
        if far_us >= chip.next_us:  # up to the last step before it
            far_us = now_us + (chip.next_us - 1 - now_us) // (ms * 1000) * ms * 1000
        if far_us > until_us:
            until_us = far_us
    if until_us < chip.next_us:
        chip.now_us = until_us
    else:
        chip.advance_to(until_us)
        if chip.resting and chip.now_us >= chip.pause_us:
            raise Paused


def _ticks_diff(later: int, earlier: int) -> int:
    half = TICKS_PERIOD // 2
    return (later - earlier + half) % TICKS_PERIOD - half


class _Poll:
    def __init__(self) -> None:
        self._streams: list[I2S] = []

    def register(self, stream: I2S, flags: int) -> None:
        self._streams.append(stream)

    def unregister(self, stream: I2S) -> None:
        self._streams.remove(stream)

    def poll(self, timeout_ms: int = 0) -> list[tuple[I2S, int]]:
        for stream in self._streams:
            stream._bus.polled = True
        return []


def modules() -> dict[str, Any]:
    """Return the stand-ins by the names under which the firmware imports them."""
    return {
        "machine": Module(
            Pin=Pin,
            PWM=PWM,
            ADC=ADC,
            I2S=I2S,
            WDT=WDT,
            mem32=_mem32,
            mem16=Mem16(),
            deepsleep=_deepsleep,
            reset=_reset,
            reset_cause=lambda: chip.reset_cause,
            PWRON_RESET=PWRON_RESET,
            WDT_RESET=WDT_RESET,
        ),  # fmt: skip
        "time": Module(
            sleep_ms=sleep_ms,
            ticks_ms=lambda: chip.ticks_ms(),
            ticks_diff=_ticks_diff,
            ticks_us=lambda: chip.now_us % TICKS_PERIOD,
        ),  # fmt: skip
        # CPython counts references: there is nothing to collect, and looking for it takes long
        # here.
        "gc": Module(collect=lambda: 0, threshold=lambda *_: None),
        "select": Module(poll=_Poll, POLLIN=1, POLLOUT=4),
    }
