"""What goes to the robot's amplifier: a PIO program takes the left word of each I2S frame, a DMA
channel lays it into a ring of 256 ms. It costs the CPU nothing, and loses nothing as long as
somebody takes what is there in that time."""

import array
import time

import micropython
import rp2
import uctypes
from machine import Pin

# The assembler below takes numbers only; tests/hardware compares them with the robot's.
SCK, WS, SD = 20, 21, 22
_BITS = 14
_SAMPLES = 1 << _BITS - 2
_MANY = 0x3FFFFFFF  # transfers: a day without a pause
_PIO0_RXF0 = 0x50200020
_DREQ_PIO0_RX0 = 4


# ruff: noqa: F821 - the assembler's own words
@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, fifo_join=rp2.PIO.JOIN_RX)
def left_words():
    """The left word of each I2S frame: 16 bits, sampled as the clock rises, a bit after WS has
    fallen."""
    wait(1, gpio, 21)
    wait(0, gpio, 21)
    wait(1, gpio, 20)  # this bit still belongs to the word before
    wait(0, gpio, 20)
    set(x, 15)
    label("bit")
    wait(1, gpio, 20)
    in_(pins, 1)
    wait(0, gpio, 20)
    jmp(x_dec, "bit")
    push(noblock)


@micropython.viper
def _low_halves(out: ptr16, words: ptr32, n: int):
    for i in range(n):
        out[i] = words[i]


class Ear:
    """taken: how many samples have been taken since the start."""

    def __init__(self):
        for gpio in (SCK, WS, SD):
            Pin(gpio, Pin.IN, Pin.PULL_DOWN)
        self._memory = bytearray(2 << _BITS)
        start = uctypes.addressof(self._memory)
        self._ring = start + (-start & (1 << _BITS) - 1)
        self.taken = 0
        self.lost = 0
        self._sm = rp2.StateMachine(0, left_words, freq=125_000_000, in_base=Pin(SD))
        self._dma = rp2.DMA()
        ctrl = self._dma.pack_ctrl(
            size=2, inc_read=False, ring_size=_BITS, ring_sel=True, treq_sel=_DREQ_PIO0_RX0
        )
        self._dma.config(read=_PIO0_RXF0, write=self._ring, count=_MANY, ctrl=ctrl, trigger=True)
        self._sm.active(1)

    def come(self):
        """How many samples have come since the start."""
        return _MANY - self._dma.count

    def stamp(self):
        """(ticks, count): so many had come at that time, to a sample: 62.5 us."""
        count = self.come()
        return time.ticks_us(), count

    def skip(self):
        """What has come so far is not wanted."""
        self.taken = self.come()

    def take(self, most):
        """The next samples, int16, at most so many, and perhaps none."""
        n = self.come() - self.taken
        if n > _SAMPLES:
            self.lost += n - _SAMPLES
            self.taken += n - _SAMPLES
            n = _SAMPLES
        at = self.taken & _SAMPLES - 1
        n = min(n, most, _SAMPLES - at)
        self.taken += n
        samples = array.array("h", bytes(2 * n))
        _low_halves(samples, self._ring + 4 * at, n)
        return samples
