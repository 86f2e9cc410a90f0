"""The jig as hands for `roboto doctor`'s checks: a second Pico that presses, looks and listens.
Its firmware is tests/hil/jig."""

from __future__ import annotations

import wave
from pathlib import Path

from host_tools.maker.board import find, open_port
from sim.device.jig import RATE_HZ, Jig

_HELD_MS = 400
_TALK_LIT_PERCENT = 2


class JigHands:
    """See host_tools.maker.checks.Hands. folder: where its WAVs go."""

    def __init__(self, port: str, folder: Path) -> None:
        door = open_port(find(port)).serial
        self.jig = Jig(door, door.clock, port)
        self._clock = door.clock
        self._folder = folder
        self._n_wavs = 0

    def press(self, control: str, what: str = "") -> None:
        self.jig.ask(f"press {control} {_HELD_MS} 100")

    def sees(self, led: str, question: str = "") -> bool | None:
        record, talk = map(int, self.jig.ask("leds"))
        return record > 50 if led == "record" else talk > _TALK_LIT_PERCENT

    def hears(self, question: str = "", ms: int = 500) -> bool | None:
        """Whether something comes over the I2S lines now; the samples are kept as a WAV."""
        samples = self.listen(ms)
        self._n_wavs += 1
        with wave.open(str(self._folder / f"heard-{self._n_wavs}.wav"), "wb") as out:
            out.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
            out.writeframes(samples)
        return any(samples)

    def on_cells(self) -> bool:
        return False  # the jig feeds the robot by its cable

    def listen(self, ms: int) -> bytes:
        """int16 samples, 16 kHz, off the amplifier's I2S lines."""
        self.jig.ask("listen on")
        start_s = self._clock.now()
        while self._clock.now() < start_s + ms / 1000:
            self.jig.look()
            self._clock.sleep(0.005)
        self.jig.ask("listen off")
        return self.jig.heard.between(start_s, start_s + ms / 1000)

    def close(self) -> None:
        self.jig.close()
