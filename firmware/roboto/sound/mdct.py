"""A clip of the speech codec, from its bytes to samples; docs/voice.md tells the format.

A frame of 256 samples is made when it is wanted. The mixer loads this module with the first clip
of its kind.
"""

import sys
from array import array

from . import kernels, mdct_tables
from .format import MDCT_FRAME_BYTES_MOST, MDCT_FRAME_SAMPLES, RATE_HZ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from ..shapes import Blob, Buffer, Bytes, Source
    from .clip import Clip

    Bins: TypeAlias = "Callable[[Bytes, array[int], Buffer, array[int]], None]"
    Samples: TypeAlias = "Callable[[array[int], array[int], Buffer, array[int]], None]"

_AT_HAND_BYTES = 512  # twice MDCT_FRAME_BYTES_MOST: half of them are new with each reading
_MEMORY_BYTES = 48 + MDCT_FRAME_SAMPLES


class Decoder:
    """Plays one clip at a time, from its beginning on.

    last: where it stands when a clip breaks off: the last sample that it gave.
    """

    def __init__(self) -> None:
        self.last = 0
        self._blob: Blob | None = None
        self._read_at = 0  # where in the blob the bytes at hand come from
        self._left_bytes = 0  # of the clip, from there on
        self._bytes = bytearray(_AT_HAND_BYTES)
        self._work = array("i", bytes(4 * 2 * MDCT_FRAME_SAMPLES))
        self._before = array("i", bytes(4 * (MDCT_FRAME_SAMPLES // 2)))
        self._memory = bytearray(_MEMORY_BYTES)
        self._frame = bytearray(2 * MDCT_FRAME_SAMPLES)
        self._place = array("i", (0, 0))  # see kernels.place
        self._state = state()
        self._bins, self._samples = _fastest()

    def begin(self, clip: "Clip") -> None:
        """Take up a clip. Raise ValueError when it cannot be one."""
        if clip.rate_hz != RATE_HZ:
            raise ValueError
        self._blob = clip.blob
        self._read_at = clip.start_byte
        self._left_bytes = clip.mdct_bytes & -2
        self.last = 0
        # the coder's number, the place in the bytes at hand, their end, the noise's number
        self._state[0] = self._state[1] = self._state[2] = 0
        self._state[3] = 1
        kernels.silence(self._memory, 0, _MEMORY_BYTES // 2)
        self._place[0] = -1  # before the first frame, which gives no samples

    def take(self, out: "Buffer", at: int, n: int) -> bool:
        """Put the next n samples into out from sample `at` on. Return False when the clip breaks
        off; what was put there then is of no use."""
        place = self._place
        place[1] = at
        if place[0] < 0:
            if not self._next_frame():
                return False
            kernels.silence(self._frame, 0, MDCT_FRAME_SAMPLES)  # the first one gives none
        start = place[0]
        while n:
            if place[0] == MDCT_FRAME_SAMPLES:
                low, high = self._frame[2 * start - 2], self._frame[2 * start - 1]
                if not self._next_frame():
                    self.last = ((low | high << 8) ^ 0x8000) - 0x8000
                    place[0] = start
                    return False
            some = min(n, MDCT_FRAME_SAMPLES - place[0])
            kernels.place(self._frame, out, some, place)
            n -= some
        return True

    def _next_frame(self) -> bool:
        state = self._state
        if state[2] - state[1] < MDCT_FRAME_BYTES_MOST and state[2] < self._left_bytes:
            if not self._read():
                return False
        self._bins(self._bytes, self._work, self._memory, state)
        self._samples(self._work, self._before, self._frame, state)
        self._place[0] = MDCT_FRAME_SAMPLES if self._place[0] < 0 else 0
        return True

    def _read(self) -> bool:
        """Have bytes at hand from where the coder stands."""
        state = self._state
        self._read_at += state[1]
        self._left_bytes -= state[1]
        wanted = min(self._left_bytes, _AT_HAND_BYTES)
        try:
            n = self._blob.read_at(self._read_at, self._bytes) if self._blob else 0
        except Exception:  # a file system may raise anything
            n = 0
        state[1] = 0
        state[2] = wanted
        if n < wanted:
            state[2] = 0
        return n >= wanted


def _fastest() -> "tuple[Bins, Samples]":
    """Return the two inner loops in the fastest form that runs here, as in kernels.py."""
    if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:
        try:
            from . import thumb_bins, thumb_mdct

            return thumb_bins.bins, thumb_mdct.samples
        except (ImportError, SyntaxError, ValueError):
            pass
    from . import mdct_plain

    return mdct_plain.bins, mdct_plain.samples


def state() -> "array[int]":
    """Return a state for the two kernels: the coder's number, byte to go on with, end of the
    bytes, the noise's number; for assembler also where the tables lie, and ten numbers to work
    with."""
    numbers = array("I", (0, 0, 0, 1))
    if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:
        from uctypes import addressof

        numbers.extend(array("I", (addressof(table) for table in mdct_tables.IN_ORDER)))
        numbers.extend(array("I", bytes(4 * 10)))
    return numbers


_Chosen = Decoder


def use(kind: "type[Source]") -> None:
    """Let clips be decoded by another class from now on: a desktop has a quick one."""
    global _Chosen
    _Chosen = kind


def decoder() -> "Source":
    """Return a decoder of the kind in use."""
    return _Chosen()
