"""The room: what the microphone hears in it, and what the loudspeaker plays into it."""

from __future__ import annotations

from array import array
from typing import Any

from roboto.game.rng import Rng
from roboto.sound.format import RATE_HZ

# A WAV's full scale arrives at -18 dBFS of the microphone's 24 bits, left-justified in 32:
# somebody who speaks up, close to the robot, and well below the microphone's limit.
_MIC_SHIFT = 13
_NOISE_PEAK = 12  # room silence, in steps of the 16-bit scale: about -75 dBFS
_NOISE_FRAMES = 4096
_ECHO_PEAK = 6000  # of the robot's own tones, in steps of the 16-bit scale
_noise = b""


def _quiet_room() -> bytes:
    """Return two rounds of a quiet room, as microphone words; it is always the same."""
    global _noise
    if not _noise:
        dice = Rng(1)
        peak = _NOISE_PEAK << 8
        words = [(dice.below(2 * peak + 1) - peak) << 5 for _ in range(_NOISE_FRAMES)]
        _noise = bytes(array("i", words)) * 2
    return _noise


class Room:
    """The microphone's end: what people say, over a little noise. Silent until the microphone has
    woken."""

    def __init__(self, chip: Any, power_gpio: int, startup_ms: int = 5) -> None:
        self._chip = chip
        self._startup_us = startup_ms * 1000
        self._awake_us: int | None = None
        self.said: list[tuple[int, bytes | bytearray, int]] = []  # (start_us, words, frames)
        self._noise = _quiet_room()
        chip.watchers[power_gpio] = self._power
        self.alive = True
        self.mute = False  # the robot's own sound does not reach it

    def _power(self, level: int) -> None:
        self._awake_us = self._chip.now_us + self._startup_us if level else None

    def say(self, start_us: int, samples: array[int]) -> None:
        """Let somebody say int16 samples from start_us on."""
        words = as_words(samples)
        self.said = [
            entry
            for entry in self.said
            if entry[0] + entry[2] * 125 // 2 > self._chip.now_us - 1_000_000
        ]
        self.said.append((start_us, words, len(samples)))

    def hear(self, start_us: int, ms: int) -> None:
        """Let the loudspeaker be heard for so long: as a plain tone, since all that counts is that
        it is louder than the room. Unless its amplifier is `mute`."""
        if not self.mute:
            n = ms * RATE_HZ // 1000
            self.say(start_us, array("h", [_ECHO_PEAK * (-1) ** (i // 8 & 1) for i in range(n)]))

    def hush(self, now_us: int) -> None:
        """Let whoever speaks stop."""
        cut = []
        for start_us, words, frames in self.said:
            frames = min(frames, max(0, (now_us - start_us) * RATE_HZ // 1_000_000))
            cut.append((start_us, words[: 4 * frames], frames))
        self.said = cut

    def words(self, start_us: int, n: int) -> bytes:
        """Return n frames from start_us on: int32, 24 bits left-justified."""
        if not self.alive or self._awake_us is None or start_us < self._awake_us:
            return bytes(4 * n)
        at = start_us * RATE_HZ // 1_000_000
        for said_us, words, frames in self.said:
            first = (start_us - said_us) * RATE_HZ // 1_000_000
            if -n < first < frames:
                before = max(0, -first)
                part = words[4 * max(0, first) : 4 * (first + n)]
                return (
                    self._silence(at, before)
                    + part
                    + self._silence(at, n - before - len(part) // 4)
                )
        return self._silence(at, n)

    def _silence(self, at: int, n: int) -> bytes:
        data = b""
        while n > 0:
            first = at % _NOISE_FRAMES
            take = min(n, _NOISE_FRAMES)
            data += self._noise[4 * first : 4 * (first + take)]
            n -= take
        return data


def as_words(samples: array[int]) -> bytes:
    """Return int16 samples as the microphone gives them: int32, 24 bits left-justified."""
    return bytes(array("i", [sample << _MIC_SHIFT for sample in samples]))


def frames_begun(start_us: int, now_us: int) -> int:
    """Return how many frames of a piece that starts at start_us have begun before now_us."""
    return max(0, -(-(now_us - start_us) * RATE_HZ // 1_000_000))


class Tape:
    """The loudspeaker's end: everything it plays, at its place in time."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, bytes]] = []

    def play(self, start_us: int, data: bytes) -> None:
        """Keep int16 samples that are heard from start_us on."""
        self._pieces.append((start_us, data))

    def stop(self, now_us: int) -> None:
        """Drop what is still on its way: it is never heard."""
        while self._pieces and self._pieces[-1][0] >= now_us:
            self._pieces.pop()
        if self._pieces:
            start_us, data = self._pieces[-1]
            self._pieces[-1] = (start_us, data[: 2 * frames_begun(start_us, now_us)])

    def samples(self, origin_us: int, end_us: int) -> bytearray:
        """Return int16 samples from origin_us to end_us, silence where nothing was played."""
        total = max(0, (end_us - origin_us) * RATE_HZ // 1_000_000)
        out = bytearray(2 * total)
        for start_us, data in self._pieces:
            # rounded, so that pieces of one stream stay seamless
            at = 2 * (((start_us - origin_us) * RATE_HZ + 500_000) // 1_000_000)
            if at < 0:
                data, at = data[-at:], 0
            data = data[: max(0, len(out) - at)]
            out[at : at + len(data)] = data
        return out
