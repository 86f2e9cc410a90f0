"""The I2S amplifier (MAX98357A): opened for a queue of sound, fed without allocating, closed
without a click.

Order on opening: clocks with zeros, amplifier on, more zeros while it wakes, sound. On closing:
zeros until the last sound has left the ring, amplifier off, clocks off.
"""

from machine import Pin

from ..sound.format import RATE_HZ
from . import pins
from .i2s import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Sounding
    from .guard import Guard

LATENCY_MS = 38  # at most, from the mixer to the amplifier: a full ring


class Speaker:
    """step() is called in every loop step; everything else follows from what the mixer has to
    play."""

    def __init__(self, guard: "Guard") -> None:
        self._guard = guard
        self._amplifier = Pin(pins.AMP_SHUTDOWN, Pin.OUT, value=0)
        self._out = Output(pins.AMP_I2S, pins.AMP_SCK, pins.AMP_SD, RATE_HZ)
        self.is_open = False

    @property
    def silent(self) -> bool:
        """Return whether the last chunk rendered was silence: nothing audible is left to queue."""
        return self._out.silent > 0

    def step(self, mixer: "Sounding") -> None:
        """Feed the ring as far as there is room; open and close as needed."""
        if not self.is_open:
            if not mixer.busy:
                return
            self._guard.open("speaker")
            self._out.open()
            self._amplifier.value(1)
            self.is_open = True
        if not self._out.feed(mixer):
            self.close()

    def close(self) -> None:
        """Stop at once; what is in the ring is lost."""
        if self.is_open:
            self.is_open = False
            self._amplifier.value(0)
            self._out.close()
            self._guard.close("speaker")
