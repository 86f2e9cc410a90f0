"""In the microphone's place: a PIO program answers the robot's bit clock and word select as an
ICS-43434 or an INMP441 does. 24 bits, the first one a clock after WS has fallen, changing as the
clock falls, and nothing driven in the rest of the frame.

The words come from a ring of 256 ms by DMA; what is not said is the noise of the part. As the
parts do it sends zeros while it starts: after its supply has come, or its clock has stood still.
"""

import time
from array import array

import micropython
import rp2
import uctypes
from machine import Pin

# The assembler below takes numbers only; tests/hardware compares them with the robot's.
SCK, WS, SD = 11, 12, 13
_BITS = 14
_WORDS = 1 << _BITS - 2
_SPEECH = 16384  # samples that wait to be said: one second
_AHEAD = _WORDS - 256  # filled before the DMA channel comes there
_SOON = 12  # the DMA channel and the FIFO have these already
_MANY = 0x3FFFFFFF  # words: a day without a pause
_PIO1_TXF0 = 0x50300010
_DREQ_PIO1_TX0 = 8
_STILL_MS = 3
# start-up in frames of 64 clocks, noise as the largest of evenly spread values: its RMS is what
# the data sheets give as noise floor, -91 and -87 dBFS
_KINDS = {"ICS-43434": (320, 409), "INMP441": (4096, 648), "none": (0, 0)}


# ruff: noqa: F821 - the assembler's own words
@rp2.asm_pio(
    out_init=rp2.PIO.IN_LOW,
    set_init=rp2.PIO.IN_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    fifo_join=rp2.PIO.JOIN_TX,
)
def answer():
    wait(1, gpio, 12)
    wait(0, gpio, 12)
    pull(block)
    set(x, 23)
    wait(1, gpio, 11)  # this bit still belongs to the word before
    wait(0, gpio, 11)
    set(pindirs, 1)
    label("bit")
    out(pins, 1)
    wait(1, gpio, 11)
    wait(0, gpio, 11)
    jmp(x_dec, "bit")
    set(pindirs, 0)


@micropython.viper
def _fill(ring: ptr32, speech: ptr16, state: ptr32):
    """state: where in the ring, how many words, where in speech, how many samples are left of it,
    largest noise, the generator's state, how many words of zeros come first."""
    at = int(state[0])
    n = int(state[1])
    source = int(state[2])
    left = int(state[3])
    noise = int(state[4])
    random = int(state[5])
    zeros = int(state[6])
    while n > 0:
        word = 0
        if zeros > 0:
            zeros -= 1
        else:
            random = random * 1664525 + 1013904223
            word = ((((random >> 16) & 0xFFFF) * (2 * noise + 1)) >> 16) - noise
            if left > 0:
                sample = int(speech[source])
                word += ((sample ^ 0x8000) - 0x8000) << 8
                source = (source + 1) & 16383
                left -= 1
        if word > 0x7FFFFF:
            word = 0x7FFFFF
        if word < -0x800000:
            word = -0x800000
        ring[at] = word << 8
        at = (at + 1) & 4095
        n -= 1
    state[0] = at
    state[2] = source
    state[3] = left
    state[5] = random
    state[6] = zeros


class Mouth:
    """supply: the pin by which the robot feeds its microphone. left: samples still to be said.
    late: how often the DMA channel was faster than who fills its ring."""

    def __init__(self, supply):
        self._supply = supply
        self._sck = Pin(SCK, Pin.IN, Pin.PULL_DOWN)
        Pin(WS, Pin.IN, Pin.PULL_DOWN)
        self._silent()
        self._memory = bytearray(2 << _BITS)
        start = uctypes.addressof(self._memory)
        self._base = start + (-start & (1 << _BITS) - 1)
        self._speech = bytearray(2 * _SPEECH)
        self._put = 0  # where in there the next sample goes
        self._waiting = 0  # samples that wait for go()
        self._state = array("i", (0, 0, 0, 0, 0, 1, 0))
        self._filled = 0  # words since the start, that is, up to where the ring is filled
        self._fed = False
        self.late = 0
        self._sm = rp2.StateMachine(4)
        self._dma = rp2.DMA()
        self._moved = 0
        self._moved_ms = time.ticks_ms()
        self._fresh = False
        self.be("ICS-43434", None)

    def _silent(self):
        Pin(SD, Pin.IN)

    @property
    def left(self):
        return self._waiting + self._state[3]

    def be(self, kind, noise):
        """Which part it is, and how it hisses."""
        self._start_frames, quiet = _KINDS[kind]
        self._state[4] = quiet if noise is None else min(max(noise, 0), 32000)
        self._kind = kind
        self._stop()

    def take(self, data):
        """Samples to be said; returns for how many more there is room. Raises ValueError."""
        n = len(data) // 2
        if n > _SPEECH - self.left:
            raise ValueError("no room")
        at = self._put
        first = min(n, _SPEECH - at)
        self._speech[2 * at : 2 * (at + first)] = data[: 2 * first]
        self._speech[: 2 * (n - first)] = data[2 * first : 2 * n]
        self._put = (at + n) & _SPEECH - 1
        if self._state[3] or self._going:
            self._state[3] += n
        else:
            self._waiting += n
        self.keep()
        return _SPEECH - self.left

    _going = False

    def go(self):
        """Say what waits, from the next frame on, and what comes after it as long as it comes in
        time."""
        self._going = True
        if self._fed:  # what is filled already was silence
            self._filled = max(self._sent() + _SOON, 0)
            self._state[0] = self._filled & _WORDS - 1
        self._state[3] += self._waiting
        self._waiting = 0
        self.keep()

    def mute(self):
        """Say nothing more."""
        self._going = False
        self._state[3] = self._waiting = 0
        self._state[2] = self._put
        if self._fed:
            self._filled = self._sent() + _SOON
            self._state[0] = self._filled & _WORDS - 1
            self.keep()

    def _sent(self):
        return _MANY - self._dma.count

    def _stop(self):
        self._fed = False
        self._sm.active(0)
        self._dma.active(0)
        self._silent()

    def _start(self):
        """The supply has come, or the clock after it stood still: zeros first."""
        state = self._state
        state[0] = 0
        state[1] = _AHEAD
        state[6] = self._start_frames
        _fill(self._base, self._speech, state)
        self._filled = _AHEAD
        self._sm.init(answer, freq=125_000_000, out_base=Pin(SD), set_base=Pin(SD))
        ctrl = self._dma.pack_ctrl(
            size=2, inc_write=False, ring_size=_BITS, ring_sel=False, treq_sel=_DREQ_PIO1_TX0
        )
        self._dma.config(read=self._base, write=_PIO1_TXF0, count=_MANY, ctrl=ctrl, trigger=True)
        self._sm.active(1)
        self._fed = self._fresh = True
        self._moved = self._sent()

    def keep(self):
        """Called again and again, at least every 200 ms."""
        powered = self._supply.value() and self._kind != "none"
        if not self._fed:
            if powered:
                self._start()
            return
        if not powered:
            self._stop()
            return
        sent = self._sent()
        if sent != self._moved:
            self._moved = sent
            self._moved_ms = time.ticks_ms()
            self._fresh = self._fresh and sent <= 16
        elif not self._fresh and time.ticks_diff(time.ticks_ms(), self._moved_ms) > _STILL_MS:
            if not self._clocked():
                self._stop()
                self._start()
                return
            self._moved_ms = time.ticks_ms()
        state = self._state
        if sent > self._filled:
            if state[3]:
                self.late += 1
            self._filled = sent + _SOON
            state[0] = self._filled & _WORDS - 1
        # While somebody speaks no more is filled than has come: words that are late are counted.
        n = sent + _AHEAD - self._filled
        if self._going:
            if not state[3]:
                self._going = False
            else:
                n = min(n, state[3])
        if n > 0:
            state[1] = n
            _fill(self._base, self._speech, state)
            self._filled += n

    def _clocked(self):
        """Whether the bit clock moves. The robot keeps it going, alone, while it writes flash."""
        level = self._sck.value
        seen = 0
        for _ in range(40):
            seen |= 1 << level()
        return seen == 3
