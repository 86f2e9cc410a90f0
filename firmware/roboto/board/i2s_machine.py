"""I2S by MicroPython's own driver, which every port has."""

import select
from array import array

from machine import I2S, Pin

from ..sound.format import CHUNK_BYTES, CHUNK_SAMPLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ..shapes import Buffer, Sounding

    class _I2S(Protocol):
        """machine.I2S with all that a stream's write() takes, of which the stubs do not know."""

        def write(self, __buffer: Buffer, __at: int, __n_bytes: int) -> int: ...
        def readinto(self, __buffer: "array[int]") -> int: ...
        def deinit(self) -> None: ...


_OUT_RING_BYTES = 1024  # 32 ms
_IN_RING_BYTES = 8192  # 8 a frame, whatever the format: 64 ms
_IN_WORDS = CHUNK_SAMPLES
# Chunks of zeros after the last sound: ring and DMA buffers. The driver's ring keeps its last 127
# bytes or fewer, which would click at the next opening; so they are zeros, too.
_TAIL_CHUNKS = 8


class _Bus:
    _i2s: "_I2S"  # only while it is open

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int) -> None:
        self._number = number
        self._sck = sck
        self._sd = sd
        self._rate_hz = rate_hz
        self.is_open = False

    def _start(self, mode: int, direction: int, bits: int, ring_bytes: int) -> None:
        self._i2s = I2S(  # pyright: ignore[reportAttributeAccessIssue] - see _I2S
            self._number,
            sck=Pin(self._sck),
            ws=Pin(self._sck + 1),
            sd=Pin(self._sd),
            mode=mode,
            bits=bits,
            format=I2S.MONO,
            rate=self._rate_hz,
            ibuf=ring_bytes,
        )
        # One poll puts it into the mode in which it reads or writes what it can, and never waits.
        poller = select.poll()
        poller.register(self._i2s, direction)
        poller.poll(0)
        poller.unregister(self._i2s)
        self.is_open = True

    def close(self) -> None:
        """Stop at once; what is in the ring is lost."""
        if self.is_open:
            self.is_open = False
            self._i2s.deinit()


class Output(_Bus):
    """16 kHz, 16 bit."""

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int) -> None:
        _Bus.__init__(self, number, sck, sd, rate_hz)
        self._chunk = bytearray(CHUNK_BYTES)
        self._at = 0  # of the chunk, what is in the ring
        self.silent = 0  # chunks since the last sound

    def open(self) -> None:
        """Start with a chunk of zeros."""
        self._start(I2S.TX, select.POLLOUT, 16, _OUT_RING_BYTES)
        self._chunk[:] = bytes(CHUNK_BYTES)
        self._at = self.silent = 0

    def feed(self, mixer: "Sounding") -> bool:
        """Have the mixer render chunks while the ring has room; return False when all sound has
        left it. (A bound method, handed in, would be a new object at each call.)"""
        chunk = self._chunk
        while self.silent < _TAIL_CHUNKS:
            self._at += self._i2s.write(chunk, self._at, CHUNK_BYTES - self._at) or 0
            if self._at < CHUNK_BYTES:
                break
            if mixer.render(chunk):
                self.silent = 0
            else:
                self.silent += 1
            self._at = 0
        return self.silent < _TAIL_CHUNKS


class Input(_Bus):
    """Left slot, 32-bit words."""

    def __init__(self, number: int, sck: int, sd: int, rate_hz: int) -> None:
        _Bus.__init__(self, number, sck, sd, rate_hz)
        self.words = array("i", bytes(4 * _IN_WORDS))
        self.at = 0

    def open(self) -> None:
        """Start; what comes from now on is read."""
        self._start(I2S.RX, select.POLLIN, 32, _IN_RING_BYTES)

    def read(self) -> int:
        """Return how many words have come: they lie in `words` from `at` on, until the next read.
        Call again until it returns 0."""
        return (self._i2s.readinto(self.words) or 0) >> 2
