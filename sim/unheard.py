"""A mixer for runs that nobody listens to: everything takes its time, and no sample is
computed."""

from __future__ import annotations

from typing import Any

from roboto.sound.format import CHUNK_SAMPLES, SAMPLES_PER_MS


def mixer_class(mixer_module: Any) -> type:
    """A subclass of the firmware's Mixer that only counts down the samples of an utterance."""

    class UnheardMixer(mixer_module.Mixer):  # type: ignore[misc, name-defined]
        def _begin(self, parts: Any, squeaky: Any) -> None:
            self.talking = True
            self._samples = 0
            for number, part in enumerate(parts):
                if part is None:
                    self.broken += 1
                    self.tone("missing")
                    self._samples += SAMPLES_PER_MS * mixer_module.tone_ms("missing")
                elif hasattr(part, "n_samples"):
                    raised = number < len(squeaky) and squeaky[number]
                    self._samples += mixer_module.samples_out(part, raised)
                else:
                    self._samples += SAMPLES_PER_MS * part.ms

        @property
        def chunks_ahead(self) -> int:
            """How many chunks are nothing but the middle of an utterance."""
            if not self.talking or self._tones or self._cutting:
                return 0
            return max(0, self._samples - 1) // CHUNK_SAMPLES

        def skip(self, chunks: int) -> None:
            """As so many calls of render(), at most chunks_ahead."""
            self._samples -= chunks * CHUNK_SAMPLES

        def render(self, out: bytearray) -> bool:
            playing = self.talking or self._tones > 0
            if self.talking:
                self._samples -= CHUNK_SAMPLES
                if self._samples <= 0 or self._cutting:
                    self._end()
                    if self._waiting:
                        waiting: Any = self._waiting
                        self._begin(waiting[0], waiting[1])
                        self._waiting = None
            if self._tones:
                for voice in self._voices:
                    if voice.chunks_left:
                        voice.chunks_left -= 1
                        if not voice.chunks_left:
                            self._tones -= 1
            return playing

    return UnheardMixer
