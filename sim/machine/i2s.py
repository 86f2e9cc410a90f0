"""I2S as MicroPython's rp2 port has it: a ring of `ibuf` bytes between the firmware and the pins.

Only the mode without waiting is there (one poll puts an object into it): read and write do what
they can at once. A TX ring that runs empty plays zeros. A full RX ring drops what arrives. RX
holds 8 bytes a frame, whatever the format.
"""

from __future__ import annotations

from array import array
from typing import Any

from .chip import Chip

_RX_FRAME_BYTES = 8


class I2sBus:
    """State and timing of one I2S object; sim/machine/modules.py wraps it as machine.I2S."""

    def __init__(
        self, chip: Chip, number: int, tx: bool, bits: int, rate_hz: int, ibuf: int
    ) -> None:
        if number in chip.i2s:
            raise OSError(f"I2S {number} is open already")
        if tx and bits != 16 or not tx and bits != 32:
            raise ValueError("the robot plays 16-bit and records 32-bit samples")
        self.chip = chip
        self.number = number
        self.tx = tx
        self.rate_hz = rate_hz
        self.ibuf = ibuf
        self.polled = False
        self._ready = False  # open and polled
        self.underruns = 0
        self._opened_us = chip.now_us
        self._next_frame = 0  # TX: first frame not yet written; RX: first frame not yet read
        chip.i2s[number] = self

    @property
    def fill_bytes(self) -> int:
        """Return how much the ring holds: what is still to be played, or what nobody has read
        yet."""
        ahead = self._next_frame - self._frames_now()
        return 2 * max(0, ahead) if self.tx else min(self.ibuf, _RX_FRAME_BYTES * max(0, -ahead))

    def _frames_now(self) -> int:
        return (self.chip.now_us - self._opened_us) * self.rate_hz // 1_000_000

    def _check(self) -> None:
        if self.chip.i2s.get(self.number) is not self:
            raise OSError("I2S is closed")
        if not self.polled:
            raise AssertionError("I2S would wait here: poll it once first")
        self._ready = True

    def write(self, data: bytearray, offset: int = 0, length: int | None = None) -> int:
        """Takes as many bytes as the ring has room for."""
        if not self._ready:
            self._check()
        now = (self.chip.now_us - self._opened_us) * self.rate_hz // 1_000_000
        if now > self._next_frame:
            if self._next_frame:
                self.underruns += 1
            self._next_frame = now
        n = self.ibuf - 2 * (self._next_frame - now)
        if length is None:
            length = len(data) - offset
        if n > length:
            n = length
        if n < 2:
            return 0
        n &= ~1
        if self.chip.speaker is not None:
            start_us = self._opened_us + self._next_frame * 1_000_000 // self.rate_hz
            self.chip.speaker.play(start_us, bytes(data[offset : offset + n]))
        self._next_frame += n >> 1
        return n

    def skip(self, us: int) -> None:
        """Let time pass as if every frame that was played had been written anew, unheard."""
        self._next_frame += us * self.rate_hz // 1_000_000

    def readinto(self, buffer: Any) -> int:
        """Gives what has arrived, at most the buffer's size: an array or a memoryview of words of
        32 bits. Returns the bytes."""
        if not self._ready:
            self._check()
        now = self._frames_now()
        held = now - self._next_frame
        capacity = self.ibuf // _RX_FRAME_BYTES
        n = min(held, capacity, len(buffer))
        if n <= 0:
            return 0
        start_us = self._opened_us + self._next_frame * 1_000_000 // self.rate_hz
        words = self.chip.microphone.words(start_us, n) if self.chip.microphone else bytes(4 * n)
        buffer[:n] = array("i", words)
        self._next_frame += n
        if held > capacity:  # what did not fit was dropped; the oldest is kept
            self._next_frame = now - (capacity - n)
        return 4 * n

    def deinit(self) -> None:
        """Stops at once; what is still in a TX ring is lost."""
        self._ready = False
        if self.chip.i2s.get(self.number) is self:
            del self.chip.i2s[self.number]
            speaker = self.chip.speaker
            if self.tx and speaker is not None and hasattr(speaker, "stop"):
                speaker.stop(self.chip.now_us)
