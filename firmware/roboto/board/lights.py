"""The record LED, and the talk LEDs (mouth and eyes) that follow the loudness of the speech."""

from machine import PWM, Pin

from . import pins

_PWM_HZ = 1000


class Lights:
    def __init__(self) -> None:
        self._record = Pin(pins.RECORD_LED, Pin.OUT, value=0)
        self._talk = PWM(Pin(pins.TALK_LED), freq=_PWM_HZ, duty_u16=0)
        self._level = 0

    def record(self, on: bool) -> None:
        self._record.value(1 if on else 0)

    def talk(self, level: int) -> None:
        """Light mouth and eyes; level: 0 to 255."""
        if level != self._level:
            self._level = level
            self._talk.duty_u16(level * 257)
