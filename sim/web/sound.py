"""The loudspeaker and the microphone of a robot that is played live.

Both keep exactly what the firmware was given or gave, so that a session can be replayed bit for
bit.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from roboto.sound.format import RATE_HZ

from ..room import Room, as_words, frames_begun

# A page's samples come in blocks and late. So much of a recording's beginning is silence, in which
# they gather.
_GATHER_FRAMES = 60 * RATE_HZ // 1000
_WAITING_FRAMES_MAX = 2 * RATE_HZ
_WAV_BYTES_MAX = 0xFFFFFFFF - 64


class StreamedTape:
    """The loudspeaker's end: keeps all that it plays in a file, and passes it on while it happens.

    `on_sound(pcm)`: int16 samples, a moment before they are heard; `on_drop(frames)`: the last so
    many of them are never heard after all. Memory stays small however long the session is.
    """

    def __init__(
        self, path: Path, on_sound: Callable[[bytes], None], on_drop: Callable[[int], None]
    ) -> None:
        self._file = open(path, "wb", buffering=0)
        self._path = path
        self._on_sound = on_sound
        self._on_drop = on_drop
        self._runs: list[
            list[int]
        ] = []  # [first frame's place in time, frames], one after another in the file
        self._frames = 0
        self._pieces: deque[tuple[int, int]] = deque(
            maxlen=64
        )  # (start_us, frames): what may be dropped

    def play(self, start_us: int, data: bytes) -> None:
        frames = len(data) // 2
        at = (start_us * RATE_HZ + 500_000) // 1_000_000
        if self._runs and at == sum(self._runs[-1]):
            self._runs[-1][1] += frames
        else:
            self._runs.append([at, frames])
            self._pieces.clear()
        self._file.write(data)
        self._frames += frames
        self._pieces.append((start_us, frames))
        self._on_sound(data)

    def stop(self, now_us: int) -> None:
        """What is still on its way is never heard."""
        dropped = 0
        while self._pieces:
            start_us, frames = self._pieces.pop()
            heard = min(frames, frames_begun(start_us, now_us))
            dropped += frames - heard
            if heard:
                self._pieces.append((start_us, heard))
                break
        if dropped:
            self._runs[-1][1] -= dropped
            self._frames -= dropped
            self._file.seek(2 * self._frames)
            if not self._runs[-1][1]:
                self._runs.pop()
            self._on_drop(dropped)

    def wav(self, end_us: int) -> Iterator[bytes]:
        """All that was heard from the beginning to end_us, as a WAV in pieces: 16 kHz, 16 bit,
        mono."""
        runs = [tuple(run) for run in self._runs]
        total = min(end_us * RATE_HZ // 1_000_000, _WAV_BYTES_MAX // 2)
        yield wav_header(total)
        at = 0
        with open(self._path, "rb") as file:
            for start, frames in runs:
                start = max(start, at)
                for data in _zeros(min(start, total) - at):
                    yield data
                data = file.read(2 * frames)[: 2 * max(0, total - start)]
                yield data
                at = min(start, total) + len(data) // 2
        for data in _zeros(total - at):
            yield data

    def close(self) -> None:
        self._file.close()


def _zeros(frames: int) -> Iterator[bytes]:
    while frames > 0:
        take = min(frames, RATE_HZ)
        yield bytes(2 * take)
        frames -= take


def wav_header(frames: int) -> bytes:
    """Of a WAV with so many samples: 16 kHz, 16 bit, mono."""
    size = 2 * frames

    def number(value: int, n: int) -> bytes:
        return value.to_bytes(n, "little")

    return (
        b"RIFF" + number(size + 36, 4) + b"WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2)
        + number(RATE_HZ, 4) + number(2 * RATE_HZ, 4) + number(2, 2) + number(16, 2)
        + b"data" + number(size, 4)
    )  # fmt: skip


class LiveRoom(Room):
    """The microphone's end: from the lighting of the record LED until it goes out, what the page
    sends.

    That is just what the people of a scenario do, who wait for the light: a take that is replayed
    in a scenario gives the firmware the same words.
    """

    def __init__(self, chip: Any, power_gpio: int) -> None:
        super().__init__(chip, power_gpio)
        self._waiting: deque[int] = deque()
        self._open = False
        self._take = array("h")
        self.late_frames = 0  # gaps: the page's samples came too late

    def arrive(self, samples: array[int]) -> None:
        """The page has sent these."""
        if self._open and len(self._waiting) < _WAITING_FRAMES_MAX:
            self._waiting.extend(samples)

    def light(self, words: array[int] | None = None) -> None:
        """The record LED lights: a take begins. `words`: all that is said, when it is known
        already."""
        self._waiting.clear()
        self._take = array("h")
        if words is not None:
            self._waiting.extend(words)
        else:
            self._waiting.extend([0] * _GATHER_FRAMES)
        self.say(self._chip.now_us, self._take)
        self.said[-1] = (self._chip.now_us, bytearray(), 0)
        self._open = True

    def dark(self) -> array[int]:
        """It goes out: the samples that the firmware was given."""
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
        samples = array("h", (self._waiting.popleft() for _ in range(arrived)))
        samples.extend([0] * (more - arrived))
        self.late_frames += more - arrived
        self._take.extend(samples)
        begun_us, words, _ = self.said[-1]
        words += as_words(samples)
        self.said[-1] = (begun_us, words, len(self._take))
