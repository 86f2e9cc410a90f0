"""A mixer for runs that nobody listens to: everything takes its time, and no sample is
computed."""

from __future__ import annotations

from typing import Any

from roboto.sound.format import CHUNK_MS, CHUNK_SAMPLES, SAMPLES_PER_MS

_VOICES = 3  # tones at a time


class UnheardMixer:
    """Do for the app what the firmware's Mixer does, but for the sound.

    The app and its speech ask a mixer for `talking`, `level`, `broken`, `busy`, say(), cut(),
    tone(), set_volume() and render(): this is all that the two have in common. `sound` is the
    module roboto.sound.mixer, which knows how long everything sounds.
    """

    def __init__(self, sound: Any) -> None:
        self.talking = False
        self.level = 0
        self.broken = 0
        self._sound = sound
        self._left = 0  # samples of the utterance to come
        self._missing: list[int] = []  # how many are left when a missing part begins, last first
        self._tones = [0] * _VOICES  # chunks to come of each tone
        self._cutting = False
        self._waiting: Any = None  # an utterance that starts when the present one has faded

    @property
    def busy(self) -> bool:
        """Return whether there is anything to play."""
        return self.talking or any(self._tones)

    def say(self, parts: Any, squeaky: Any = ()) -> None:
        """Take the time of these parts, from the next chunk on; what is being said ends in one."""
        if self.talking:
            self._cutting = True
            self._waiting = parts, squeaky
        else:
            self._begin(parts, squeaky)

    def cut(self) -> None:
        """End the utterance with the next chunk."""
        if self.talking:
            self._cutting = True
            self._waiting = None

    def drop(self) -> None:
        """Forget all that plays or waits, at once."""
        self.talking = self._cutting = False
        self._waiting = None
        self._left = 0
        self._missing = []
        self._tones = [0] * _VOICES

    def tone(self, name: str) -> None:
        """Take the time of a tone, in the place of the one that would end first when all play."""
        voice = self._tones.index(min(self._tones))
        self._tones[voice] = self._sound.tone_ms(name) // CHUNK_MS

    def set_volume(self, level: int) -> None:
        """Change nothing: nobody hears it."""

    def render(self, out: bytearray) -> bool:
        """Let one chunk's time pass. Return False when there was nothing to play; `out` stays."""
        playing = self._left > 0 if self.talking else any(self._tones)
        if self.talking:
            self._left -= CHUNK_SAMPLES
            while self._missing and self._missing[-1] > self._left:
                self._missing.pop()
                self.broken += 1
                self.tone("missing")
            if self._left <= 0 or self._cutting:
                waiting = self._waiting
                self.talking = self._cutting = False
                self._waiting = None
                if waiting:
                    self._begin(*waiting)
        self._tones = [max(0, chunks - 1) for chunks in self._tones]
        return playing

    # ---- for whoever lets time pass in larger strides

    @property
    def chunks_ahead(self) -> int:
        """Return how many chunks are nothing but the middle of an utterance."""
        if not self.talking or self._cutting or any(self._tones):
            return 0
        next_event = self._missing[-1] if self._missing else 1
        return max(0, self._left - next_event) // CHUNK_SAMPLES

    def skip(self, chunks: int) -> None:
        """Let as much pass as so many calls of render() would, at most chunks_ahead."""
        self._left -= chunks * CHUNK_SAMPLES

    def _begin(self, parts: Any, squeaky: Any) -> None:
        sound = self._sound
        ends = []  # how much was said when a missing part begins
        total = 0
        for number, part in enumerate(parts):
            if part is None:
                ends.append(total)
                total += SAMPLES_PER_MS * sound.tone_ms("missing")
            elif hasattr(part, "n_samples"):
                total += sound.samples_out(part, number < len(squeaky) and squeaky[number])
            else:
                total += SAMPLES_PER_MS * part.ms
        self.talking = True
        self._left = total
        self._missing = [total - end for end in reversed(ends)]
