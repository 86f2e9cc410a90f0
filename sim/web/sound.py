"""All that a robot plays while it is played live, in a file, and as a WAV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from roboto.sound.format import RATE_HZ

from ..live_sound import LiveTape

_WAV_BYTES_MAX = 0xFFFFFFFF - 64


class StreamedTape(LiveTape):
    """The loudspeaker's end: keeps all that it plays in a file, and passes it on while it happens.
    Memory stays small however long the session is."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = open(path, "wb", buffering=0)
        self._path = path
        self._runs: list[
            list[int]
        ] = []  # [first frame's place in time, frames], one after another in the file
        self._frames = 0

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
        super().play(start_us, data)

    def drop(self, frames: int) -> None:
        self._runs[-1][1] -= frames
        self._frames -= frames
        self._file.seek(2 * self._frames)
        if not self._runs[-1][1]:
            self._runs.pop()

    def wav(self, end_us: int) -> Iterator[bytes]:
        """Yield all that was heard from the beginning to end_us, as a WAV in pieces: 16 kHz, 16
        bit, mono."""
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
    """Return the header of a WAV with so many samples: 16 kHz, 16 bit, mono."""
    size = 2 * frames

    def number(value: int, n: int) -> bytes:
        return value.to_bytes(n, "little")

    return (
        b"RIFF" + number(size + 36, 4) + b"WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2)
        + number(RATE_HZ, 4) + number(2 * RATE_HZ, 4) + number(2, 2) + number(16, 2)
        + b"data" + number(size, 4)
    )  # fmt: skip
