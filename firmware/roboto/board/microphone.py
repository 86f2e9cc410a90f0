"""The I2S microphone (ICS-43434 or INMP441), powered from a GPIO.

It takes up to 256 ms to wake (INMP441: 2**18 bit clocks), so it is kept warm wherever a recording
may begin. Flash cannot be written while I2S is open; meanwhile hold() keeps the bit clock going by
PWM, which needs no interrupts, so that the microphone does not fall asleep.
"""

from machine import PWM, Pin

from ..sound.format import RATE_HZ
from . import pins
from .i2s import Input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .guard import Guard

_SCK_HZ = RATE_HZ * 64


class Microphone:
    """`source`: gives its words, 24 bits left-justified: see Input.read()."""

    def __init__(self, guard: "Guard") -> None:
        self._guard = guard
        self._power = Pin(pins.MIC_POWER, Pin.OUT, value=0)
        self.source = Input(pins.MIC_I2S, pins.MIC_SCK, pins.MIC_SD, RATE_HZ)
        self._pwm: PWM | None = None

    def warm(self, on: bool) -> None:
        """Switch power and clocks on, or all off."""
        if on:
            self._power.value(1)
            self._stop_pwm()
            if not self.is_open:
                self._guard.open("microphone")
                self.source.open()
        else:
            self._close()
            self._stop_pwm()
            self._power.value(0)

    def hold(self) -> None:
        """Close I2S for flash to be written; the microphone stays awake. warm(True) ends it."""
        if self.is_open:
            self._close()
            self._pwm = PWM(Pin(pins.MIC_SCK), freq=_SCK_HZ, duty_u16=32768)

    @property
    def is_open(self) -> bool:
        return self.source.is_open

    def _close(self) -> None:
        if self.is_open:
            self.source.close()
            self._guard.close("microphone")

    def _stop_pwm(self) -> None:
        if self._pwm is not None:
            self._pwm.deinit()
            self._pwm = None
            # The stopped PWM holds the pin at any level; high, it would feed the microphone.
            Pin(pins.MIC_SCK, Pin.OUT, value=0)
