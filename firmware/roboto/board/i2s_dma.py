"""I2S by a PIO program and one DMA channel each, between the pins and a ring in RAM.

machine.I2S does the same with an interrupt a millisecond that copies every byte, and another copy
in read and write: a quarter of the CPU while recording, a twentieth while playing. Here sound is
made in the ring and taken from it, and nothing is copied. Nor does the DMA channel ever leave its
ring, whatever interrupts do.
"""

from array import array

from machine import Pin, Timer
from rp2 import DMA, StateMachine
from uctypes import addressof, bytearray_at

from ..sound.format import CHUNK_BYTES
from .i2s_pio import receive, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Sounding

    class _Dma(DMA):
        """A DMA channel with its registers, of which the stubs do not know."""

        read: int
        write: int


_RING_BITS = 11
_RING_BYTES = 1 << _RING_BITS  # 64 ms of sound; 32 ms of what the microphone sends
_CHUNK_BITS = 8
assert CHUNK_BYTES == 1 << _CHUNK_BITS
_CHUNKS = _RING_BYTES // CHUNK_BYTES
_ENOUGH_BYTES = 960  # 30 ms ahead: outlasts a garbage collection, and with one chunk more is 38
_MOST_BYTES = _ENOUGH_BYTES + CHUNK_BYTES
_HANG_MS = 250  # a loop that has not fed the ring for that long, or twice as long, hangs
_TAIL_CHUNKS = 5  # of zeros after the last sound: then it has been played
_WORDS = _RING_BYTES // 4
_LEAST_WORDS = 128  # worth a look: 8 ms
_PIO0 = 0x50200000
_PIO_STEP = 0x100000
_TX_FIFO0 = 0x10
_RX_FIFO0 = 0x20
_DREQ_STEP = 8  # of one PIO to the next: four TX, then four RX
_FOR_EVER = 0xFFFFFFFF  # transfers: three days


_memory: "list[array[int]]" = []


def _rings() -> "tuple[array[int], int, int]":
    """Return (words, outward, inward): an array, and where in it both rings begin, as addresses.
    Those must be multiples of their size for the DMA channels."""
    if not _memory:
        _memory.append(array("i", bytes(3 * _RING_BYTES - 16)))  # the heap gives multiples of 16
    words = _memory[0]
    first = addressof(words) + _RING_BYTES - 1 & -_RING_BYTES
    return words, first, first + _RING_BYTES


class _Bus:
    """One direction: a state machine, a DMA channel, and a ring.

    number: of the PIO, whose first state machine it takes. sck: WS is the pin after it.
    """

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int, ring: int) -> None:
        self.is_open = False
        self._sck = sck
        self._sd = sd
        self._rate_hz = rate_hz
        self._fifos = _PIO0 + _PIO_STEP * number
        self._dreqs = _DREQ_STEP * number
        self._sm = StateMachine(4 * number)
        self._dma: _Dma = DMA()  # pyright: ignore[reportAttributeAccessIssue] - see _Dma
        self._ring = ring

    def _start(self, read: int, write: int, ctrl: int) -> None:
        self._dma.config(read=read, write=write, count=_FOR_EVER, ctrl=ctrl, trigger=True)
        self._sm.active(1)
        self.is_open = True

    def close(self) -> None:
        """Stop at once; what is in the ring is lost."""
        if self.is_open:
            self.is_open = False
            self._sm.active(0)
            self._dma.active(0)
            for gpio in (self._sck, self._sck + 1):
                Pin(gpio, Pin.OUT, value=0)


class Output(_Bus):
    """16 kHz, 16 bit, the same in both slots."""

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int) -> None:
        _Bus.__init__(self, number, sck, sd, rate_hz, _rings()[1])
        self._chunks = tuple(
            bytearray_at(self._ring + at, CHUNK_BYTES) for at in range(0, _RING_BYTES, CHUNK_BYTES)
        )
        self._next = 0  # the chunk to be rendered next
        self.silent = 0  # chunks since the last sound
        self._fed = True  # since _look() looked
        self._timer = Timer(-1)

    def open(self) -> None:
        """Start clocks and DMA on a ring of zeros, so that the amplifier wakes without a click."""
        zeros = bytes(CHUNK_BYTES)
        for chunk in self._chunks:
            chunk[:] = zeros
        self._next = 1
        self.silent = 0
        self._sm.init(
            send,
            freq=self._rate_hz * 32 * 2,
            sideset_base=Pin(self._sck),
            out_base=Pin(self._sd),
        )
        ctrl = self._dma.pack_ctrl(
            size=1,  # a half word: the FIFO gets it in both halves of its word
            inc_write=False,
            ring_size=_RING_BITS,
            ring_sel=False,
            treq_sel=self._dreqs,
        )
        # the amplifier wakes while the rest of the first chunk passes: 6 ms
        self._start(self._ring + CHUNK_BYTES // 4, self._fifos + _TX_FIFO0, ctrl)
        self._fed = True
        self._timer.init(period=_HANG_MS, callback=self._look)

    def close(self) -> None:
        self._timer.deinit()
        _Bus.close(self)

    def _look(self, _: Timer) -> None:
        """Stop the clocks if the loop hangs: else what is in the ring would sound again and
        again until the watchdog bites."""
        if not self._fed:
            self._sm.active(0)
        self._fed = False

    def feed(self, mixer: "Sounding") -> bool:
        """Have the mixer render chunks while the ring has room; return False when all sound has
        left it. (A bound method, handed in, would be a new object at each call.)"""
        if not self._fed:
            self._sm.active(1)
            self._fed = True
        dma = self._dma
        number = self._next
        if (number << _CHUNK_BITS) - dma.read & _RING_BYTES - 1 > _MOST_BYTES:
            number = (dma.read >> _CHUNK_BITS) + 1 & _CHUNKS - 1  # too late: it has run past
        while (number << _CHUNK_BITS) - dma.read & _RING_BYTES - 1 < _ENOUGH_BYTES:
            if mixer.render(self._chunks[number]):
                self.silent = 0
            else:
                self.silent += 1
            number = number + 1 & _CHUNKS - 1
        self._next = number
        return self.silent < _TAIL_CHUNKS


class Input(_Bus):
    """Left slot, 32-bit words."""

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int) -> None:
        self.words, _, ring = _rings()
        _Bus.__init__(self, number, sck, sd, rate_hz, ring)
        self._first = self._ring - addressof(self.words) >> 2  # where in words the ring begins
        self._at = 0  # in the ring
        self.at = 0

    def open(self) -> None:
        """Start; what comes from now on is read."""
        self._at = 0
        self._sm.init(
            receive,
            freq=self._rate_hz * 64 * 2,
            sideset_base=Pin(self._sck),
            in_base=Pin(self._sd, Pin.IN),
        )
        ctrl = self._dma.pack_ctrl(
            inc_read=False,
            ring_size=_RING_BITS,
            ring_sel=True,
            treq_sel=self._dreqs + 4,
        )
        self._start(self._fifos + _RX_FIFO0, self._ring, ctrl)

    def read(self) -> int:
        """Return how many words have come: they lie in `words` from `at` on, for 32 ms. Call again
        until it returns 0; fewer than 128 words are left for the next time."""
        at = self._at
        end = self._dma.write >> 2 & _WORDS - 1
        if end < at:
            end = _WORDS
        elif end - at < _LEAST_WORDS:
            return 0
        self.at = self._first + at
        self._at = end & _WORDS - 1
        return end - at
