"""The loudspeaker and the microphone of a robot that is played live.

Both keep exactly what the firmware was given or gave, so that a session can be replayed bit for
bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from roboto.sound.format import RATE_HZ

from .room import Room, as_words, frames_begun

# A page's samples come in blocks and late. So much of a recording's beginning is silence, in which
# they gather.
_GATHER_FRAMES = 60 * RATE_HZ // 1000
_WAITING_FRAMES_MAX = 2 * RATE_HZ
_PIECES_MOST = 64


class LiveTape:
    """The loudspeaker's end: passes on all that it plays while it happens.

    `on_sound(pcm)`: int16 samples, a moment before they are heard; `on_drop(frames)`: the last so
    many of them are never heard after all.
    """

    on_sound: Callable[[bytes], None]
    on_drop: Callable[[int], None]

    def __init__(self) -> None:
        self._pieces: list[tuple[int, int]] = []  # (start_us, frames): what may be dropped

    def play(self, start_us: int, data: bytes) -> None:
        """Take int16 samples that are heard from start_us on."""
        self._pieces.append((start_us, len(data) // 2))
        if len(self._pieces) > _PIECES_MOST:
            del self._pieces[: _PIECES_MOST // 2]
        self.on_sound(data)

    def stop(self, now_us: int) -> None:
        """Drop what is still on its way: it is never heard."""
        dropped = 0
        while self._pieces:
            start_us, frames = self._pieces.pop()
            heard = min(frames, frames_begun(start_us, now_us))
            dropped += frames - heard
            if heard:
                self._pieces.append((start_us, heard))
                break
        if dropped:
            self.drop(dropped)
            self.on_drop(dropped)

    def drop(self, frames: int) -> None:
        """Forget the last so many; for whoever keeps them."""


class LiveRoom(Room):
    """The microphone's end: from the lighting of the record LED until it goes out, what the page
    sends.

    That is just what the people of a scenario do, who wait for the light: a take that is replayed
    in a scenario gives the firmware the same words.
    """

    def __init__(self, chip: Any, power_gpio: int) -> None:
        super().__init__(chip, power_gpio)
        self._waiting = array("h")
        self._open = False
        self._take = array("h")
        self.late_frames = 0  # gaps: the page's samples came too late

    def arrive(self, samples: array[int]) -> None:
        """Take what the page has sent."""
        if self._open and len(self._waiting) < _WAITING_FRAMES_MAX:
            self._waiting.extend(samples)

    def light(self, words: array[int] | None = None) -> None:
        """Begin a take: the record LED lights. `words`: all that is said, when it is known
        already."""
        self._waiting = array("h")
        self._waiting.extend(_silence(_GATHER_FRAMES) if words is None else words)
        self._take = array("h")
        self.say(self._chip.now_us, self._take)
        self.said[-1] = (self._chip.now_us, bytearray(), 0)
        self._open = True

    def dark(self) -> array[int]:
        """End the take, as the LED goes out, and return the samples that the firmware was
        given."""
        self._open = False
        return self._take

    @property
    def listening(self) -> bool:
        return self._open

    def words(self, start_us: int, n: int) -> bytes:
        if self._open:
            begun_us = self.said[-1][0]
            self._grow((start_us - begun_us) * RATE_HZ // 1_000_000 + n)
        return super().words(start_us, n)

    def _grow(self, frames: int) -> None:
        """The take is as long as what was asked of it so far."""
        more = frames - len(self._take)
        if more <= 0:
            return
        arrived = min(more, len(self._waiting))
        samples = self._waiting[:arrived]
        self._waiting = self._waiting[arrived:]
        samples.extend(_silence(more - arrived))
        self.late_frames += more - arrived
        self._take.extend(samples)
        begun_us, words, _ = self.said[-1]
        words += as_words(samples)
        self.said[-1] = (begun_us, words, len(self._take))


def _silence(frames: int) -> array[int]:
    return array("h", bytes(2 * frames))
