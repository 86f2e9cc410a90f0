"""The I2S microphone (ICS-43434 or INMP441), powered from a GPIO.

It takes up to 256 ms to wake (INMP441: 2**18 bit clocks), so it is kept warm wherever a recording
may begin. Flash cannot be written while I2S is open; meanwhile hold() keeps the bit clock going by
PWM, which needs no interrupts, so that the microphone does not fall asleep.
"""

import select

from machine import I2S, PWM, Pin

from . import pins
from .speaker import poll_once

RATE_HZ = 16000
_RING_BYTES = 8192  # 8 bytes a frame: 64 ms
_SCK_HZ = RATE_HZ * 64


class Microphone:
    def __init__(self, guard):
        self._guard = guard
        self._power = Pin(pins.MIC_POWER, Pin.OUT, value=0)
        self._i2s = None
        self._pwm = None

    def warm(self, on):
        """Power and clocks on, or all off."""
        if on:
            self._power.value(1)
            self._stop_pwm()
            self._open()
        else:
            self._close()
            self._stop_pwm()
            self._power.value(0)

    def hold(self):
        """Closes I2S for flash to be written; the microphone stays awake. warm(True) ends it."""
        if self._i2s is not None:
            self._close()
            self._pwm = PWM(Pin(pins.MIC_SCK), freq=_SCK_HZ, duty_u16=32768)

    def read(self, words):
        """Fills `words` (a buffer of int32, 24 bits left-justified) with what has arrived; returns
        how many words."""
        if self._i2s is None:
            return 0
        return (self._i2s.readinto(words) or 0) >> 2

    @property
    def is_open(self):
        return self._i2s is not None

    def _open(self):
        if self._i2s is None:
            self._guard.open("microphone")
            self._i2s = I2S(
                pins.MIC_I2S,
                sck=Pin(pins.MIC_SCK),
                ws=Pin(pins.MIC_WS),
                sd=Pin(pins.MIC_SD),
                mode=I2S.RX,
                bits=32,
                format=I2S.MONO,
                rate=RATE_HZ,
                ibuf=_RING_BYTES,
            )
            poll_once(self._i2s, select.POLLIN)

    def _close(self):
        if self._i2s is not None:
            self._i2s.deinit()
            self._i2s = None
            self._guard.close("microphone")

    def _stop_pwm(self):
        if self._pwm is not None:
            self._pwm.deinit()
            self._pwm = None
