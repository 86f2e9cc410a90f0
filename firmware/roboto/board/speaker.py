"""The I2S amplifier (MAX98357A): opened for a queue of sound, fed without allocating, closed
without a click.

Order on opening: clocks with zeros, amplifier on, more zeros while it wakes, sound. On closing:
zeros until the last sound has left the ring and the DMA buffers, amplifier off, clocks off.
MicroPython's ring keeps its last 127 bytes or fewer, which would click at the next opening; the
zeros take care of that too.
"""

import select

from machine import I2S, Pin

from . import pins

RATE_HZ = 16000
CHUNK_BYTES = 256  # 8 ms
RING_BYTES = 1024  # 32 ms: more than a gc and a loop step together, less than a finger notices
LATENCY_MS = 36  # from a full ring's end to the amplifier: ring and DMA buffers
_LEAD_BYTES = 256  # zeros while the amplifier wakes
_TAIL_BYTES = RING_BYTES + 1024
_SILENCE = bytes(CHUNK_BYTES)


class Speaker:
    """step() is called in every loop step; everything else follows from what the mixer has to
    play."""

    def __init__(self, guard):
        self._guard = guard
        self._amplifier = Pin(pins.AMP_SHUTDOWN, Pin.OUT, value=0)
        self._i2s = None
        self._chunk = bytearray(CHUNK_BYTES)
        self._at = 0
        self._silent_bytes = 0

    @property
    def is_open(self):
        return self._i2s is not None

    @property
    def silent(self):
        """Whether what it was given last were the zeros after all sound."""
        return self._silent_bytes > 0

    def step(self, mixer):
        """Feeds the ring as far as there is room. Opens and closes as needed."""
        if self._i2s is None:
            if not mixer.busy:
                return
            self._open()
        chunk = self._chunk
        while True:
            if self._at == CHUNK_BYTES:
                if mixer.render(chunk):
                    self._silent_bytes = 0
                elif self._silent_bytes >= _TAIL_BYTES:
                    self.close()
                    return
                else:
                    self._silent_bytes += CHUNK_BYTES
                self._at = 0
            self._at += self._i2s.write(chunk, self._at, CHUNK_BYTES - self._at) or 0
            if self._at < CHUNK_BYTES:
                return

    def _open(self):
        self._guard.open("speaker")
        self._i2s = I2S(
            pins.AMP_I2S,
            sck=Pin(pins.AMP_SCK),
            ws=Pin(pins.AMP_WS),
            sd=Pin(pins.AMP_SD),
            mode=I2S.TX,
            bits=16,
            format=I2S.MONO,
            rate=RATE_HZ,
            ibuf=RING_BYTES,
        )
        poll_once(self._i2s, select.POLLOUT)
        self._amplifier.value(1)
        self._chunk[:] = _SILENCE
        self._at = CHUNK_BYTES - _LEAD_BYTES
        self._silent_bytes = 0

    def close(self):
        """At once; what is in the ring is lost."""
        if self._i2s is not None:
            self._amplifier.value(0)
            self._i2s.deinit()
            self._i2s = None
            self._at = CHUNK_BYTES
            self._guard.close("speaker")


def poll_once(i2s, direction):
    """Puts an I2S object into the mode in which it reads or writes what it can, and never waits.

    `direction`: select.POLLIN or POLLOUT, whichever it does; asked for the other it raises
    OSError.
    """
    poller = select.poll()
    poller.register(i2s, direction)
    poller.poll(0)
    poller.unregister(i2s)
