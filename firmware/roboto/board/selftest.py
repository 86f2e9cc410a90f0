"""The board's part of `roboto doctor`: each function looks at one part of the hardware and returns
a dict of plain values. What they mean is judged on the computer (host_tools/maker/checks.py),
which calls them over the raw REPL while the game is not running."""

import gc
import time
from array import array
from math import cos, pi, sin, sqrt

import machine
from machine import ADC, I2S, PWM, SPI, Pin, mem32

from ..sound.format import RATE_HZ
from . import pins
from .scratch import SCRATCH1, SLEPT

TONE_HZ = 1000
CONTACTS = {
    "record": pins.RECORD,
    "replay": pins.REPLAY,
    "volume": pins.VOLUME,
    "win": pins.WIN,
    "mode": pins.MODE,
    "plate": pins.PLATE,
    "try_me": pins.TRY_ME,
}
_BOUNCES_MS = 50
_WAKE_MS = 400  # an INMP441 takes 256 ms
_MEASURE_FRAMES = 800
_HIGHEST = 1 << 23  # of 24 bits


def contacts() -> dict[str, bool]:
    """Return which contacts are closed now."""
    return {name: not _pin(name).value() for name in CONTACTS}


def wait_for(name: str, timeout_ms: int) -> dict[str, list[str]]:
    """Wait for a button or the tray to be pressed, or the switch to be moved; return which
    contacts did so meanwhile. What was still held from before, and bounces when it is let go, did
    not."""
    before = contacts()
    started = time.ticks_ms()
    closed_ms = {contact: started for contact in CONTACTS}  # when it was last seen so
    changed = []
    while name not in changed and time.ticks_diff(time.ticks_ms(), started) < timeout_ms:
        time.sleep_ms(2)
        now = contacts()
        ms = time.ticks_ms()
        for contact in CONTACTS:
            pressed = now[contact] and not before[contact]
            if contact == "try_me":
                pressed = now[contact] != before[contact]
            elif now[contact]:
                closed_ms[contact] = ms
            elif time.ticks_diff(ms, closed_ms[contact]) > _BOUNCES_MS:
                before[contact] = False
            if pressed and contact not in changed:
                changed.append(contact)
    return {"changed": changed}


def _pin(name: str) -> Pin:
    return Pin(CONTACTS[name], Pin.IN, Pin.PULL_UP)


def led(name: str, on: bool) -> dict[str, bool]:
    """Light an LED, or put it out. name: record or talk."""
    if name == "talk" and on:
        PWM(Pin(pins.TALK_LED), freq=1000, duty_u16=50000)
    else:
        gpio = pins.TALK_LED if name == "talk" else pins.RECORD_LED
        Pin(gpio, Pin.OUT, value=1 if on else 0)
    time.sleep_ms(10)  # until whoever looks sees it
    return {"on": on}


def speaker(ms: int) -> dict[str, int]:
    """Play a tone of 1 kHz."""
    out = _Speaker()
    started = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), started) < ms:
        out.feed()
        time.sleep_ms(2)
    out.close()
    return {"ms": ms}


class _Speaker:
    """The amplifier, playing a tone."""

    def __init__(self) -> None:
        period = RATE_HZ // TONE_HZ
        self._chunk = (
            bytes(array("h", [int(12000 * sin(2 * pi * i / period)) for i in range(period)])) * 8
        )
        self._at = 0
        self._i2s = I2S(
            pins.AMP_I2S,
            sck=Pin(pins.AMP_SCK),
            ws=Pin(pins.AMP_WS),
            sd=Pin(pins.AMP_SD),
            mode=I2S.TX,
            bits=16,
            format=I2S.MONO,
            rate=RATE_HZ,
            ibuf=2048,
        )
        _never_wait(self._i2s, 4)
        self._amplifier = Pin(pins.AMP_SHUTDOWN, Pin.OUT, value=1)

    def feed(self) -> None:
        while True:
            rest = len(self._chunk) - self._at
            n = self._i2s.write(memoryview(self._chunk)[self._at :]) or 0
            self._at = (self._at + n) % len(self._chunk)
            if n < rest:
                return

    def close(self) -> None:
        self._amplifier.value(0)
        self._i2s.deinit()


class _Microphone:
    """The microphone, both slots of its frames: where it answers is part of the question."""

    def __init__(self) -> None:
        gc.collect()
        self._power = Pin(pins.MIC_POWER, Pin.OUT, value=1)
        self._i2s = I2S(
            pins.MIC_I2S,
            sck=Pin(pins.MIC_SCK),
            ws=Pin(pins.MIC_WS),
            sd=Pin(pins.MIC_SD),
            mode=I2S.RX,
            bits=32,
            format=I2S.STEREO,
            rate=RATE_HZ,
            ibuf=8192,
        )
        _never_wait(self._i2s, 1)
        self._words = array("i", bytes(4 * 256))

    def read(self) -> "tuple[array[int], int]":
        """Return (words, how many): left and right by turns."""
        return self._words, (self._i2s.readinto(self._words) or 0) >> 2

    def close(self) -> None:
        self._i2s.deinit()
        self._power.value(0)


def _never_wait(i2s: I2S, direction: int) -> None:
    import select

    poller = select.poll()
    poller.register(i2s, direction)
    poller.poll(0)
    poller.unregister(i2s)


def microphone() -> dict[str, dict | int | None]:
    """Return what a quiet room sounds like: for each slot the lowest and highest 24-bit sample,
    the mean, the noise around it (rms), and how many samples differ from the one before."""
    mic = _Microphone()
    woke_ms = _await_life(mic)
    slots = [_Slot(), _Slot()]
    end = time.ticks_add(time.ticks_ms(), 1000)
    while slots[0].n < _MEASURE_FRAMES and time.ticks_diff(end, time.ticks_ms()) > 0:
        words, n = mic.read()
        for i in range(n):
            slots[i & 1].take(words[i] >> 8)
        if not n:
            time.sleep_ms(1)
    mic.close()
    return {"woke_ms": woke_ms, "left": slots[0].told(), "right": slots[1].told()}


def _await_life(mic: _Microphone) -> int | None:
    """Read until the words vary; return how long that took in ms; None when they never did."""
    started = time.ticks_ms()
    first: list[int | None] = [None, None]
    while time.ticks_diff(time.ticks_ms(), started) < _WAKE_MS:
        words, n = mic.read()
        for i in range(2, n):  # the first frame may have begun before the microphone did
            slot = i & 1
            if first[slot] is None:
                first[slot] = words[i]
            elif words[i] != first[slot]:
                return time.ticks_diff(time.ticks_ms(), started)
        if not n:
            time.sleep_ms(1)
    return None


class _Slot:
    def __init__(self) -> None:
        self.n = self.changes = self.total = 0
        self.squares = 0.0
        self.low, self.high = _HIGHEST, -_HIGHEST
        self.last = 0

    def take(self, sample: int) -> None:
        if self.n:
            self.changes += sample != self.last
        self.last = sample
        self.n += 1
        self.total += sample
        self.squares += sample * 1.0 * sample
        if sample < self.low:
            self.low = sample
        if sample > self.high:
            self.high = sample

    def told(self) -> dict[str, int | float]:
        if not self.n:
            return {"n": 0}
        mean = self.total / self.n
        rms = sqrt(max(self.squares / self.n - mean * mean, 0.0))
        return {
            "n": self.n,
            "changes": self.changes,
            "low": self.low,
            "high": self.high,
            "mean": mean,
            "rms": rms,
        }


def loop() -> dict[str, float]:
    """Does the microphone hear the loudspeaker? How strong 1 kHz is in what it hears, with the
    tone and without, as 24-bit amplitudes."""
    mic = _Microphone()
    _await_life(mic)
    quiet = _strength(mic, None)
    out = _Speaker()
    started = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), started) < 60:  # until it has come out and across
        out.feed()
        mic.read()
        time.sleep_ms(1)
    loud = _strength(mic, out)
    out.close()
    mic.close()
    return {"quiet": quiet, "tone": loud}


def _strength(mic: _Microphone, out: _Speaker | None) -> float:
    """Goertzel's sum at 1 kHz over 50 ms of the left slot."""
    turn = 2 * cos(2 * pi * TONE_HZ / RATE_HZ)
    one = two = 0.0
    frames = 0
    end = time.ticks_add(time.ticks_ms(), 1000)
    while frames < _MEASURE_FRAMES and time.ticks_diff(end, time.ticks_ms()) > 0:
        words, n = mic.read()
        for i in range(0, n, 2):
            one, two = (words[i] >> 8) + turn * one - two, one
        frames += n >> 1
        if out:
            out.feed()
        if not n:
            time.sleep_ms(1)
    if not frames:
        return 0.0
    return 2 / frames * sqrt(max(one * one + two * two - turn * one * two, 0.0))


def spi_flash() -> dict[str, str | int | bool]:
    """Return the SPI flash's identity, after its last block was erased, written, read, and given
    back what it held."""
    from adafruit_bus_device.spi_device import SPIDevice

    from ..storage.w25q import W25Q
    from .spi_bus import ChipSelect, SpiBus

    bus = SpiBus(
        SPI(
            pins.FLASH_SPI,
            sck=Pin(pins.FLASH_SCK),
            mosi=Pin(pins.FLASH_MOSI),
            miso=Pin(pins.FLASH_MISO),
        )
    )
    try:
        flash = W25Q(SPIDevice(bus, ChipSelect(Pin(pins.FLASH_CS)), baudrate=10_000_000))
    except OSError as error:
        return {"error": str(error.args[-1])}
    block = flash.n_blocks - 1
    held, back = bytearray(4096), bytearray(256)
    flash.readblocks(block, held, 0)
    pattern = bytes((i * 37 + 11) & 255 for i in range(256))
    failed = flash.ioctl(6, block) or flash.writeblocks(block, pattern, 0)
    flash.readblocks(block, back, 0)
    same = back == pattern
    flash.ioctl(6, block)
    for byte in held:
        if byte != 255:
            flash.writeblocks(block, held, 0)
            break
    identity = flash.read_id()
    flash.sleep()
    return {
        "id": "%02x %02x %02x" % identity,
        "blocks": flash.n_blocks,
        "failed": bool(failed),
        "same": same,
    }


def power() -> dict[str, int | bool]:
    """Return the battery, at the board's VSYS, in mV, the mean of several; and whether USB is
    there."""
    adc = ADC(Pin(pins.BATTERY))
    total = 0
    for _ in range(16):
        total += adc.read_u16()
    return {
        "mv": total // 16 * 9900 // 65535,
        "usb": bool(Pin(pins.USB_PRESENT, Pin.IN).value()),
        "slept": mem32[SCRATCH1] == SLEPT,
    }


def speed() -> dict[str, int]:
    """See speed.py; the next start must be a fresh one."""
    from .speed import measured

    return measured()


def sleep() -> None:
    """Sleep until the tray is pressed, with USB plugged in or not. The board restarts then."""
    from .power import arm

    mem32[SCRATCH1] = SLEPT
    time.sleep_ms(50)  # for the answer to leave
    arm(pins.PLATE, 1)
    machine.deepsleep()
