"""The jig as hands: a second Pico that presses, looks and listens. Its firmware is
tests/hil/jig/main.py."""

from __future__ import annotations

import base64
import wave
from pathlib import Path

import serial

from host_tools.maker.board import find, open_port
from host_tools.maker.errors import BoardError

RATE_HZ = 16000
_HELD_MS = 400
_TALK_LIT_PERCENT = 2


class JigHands:
    """See host_tools.maker.checks.Hands. folder: where its WAVs go."""

    def __init__(self, port: str, folder: Path) -> None:
        self._transport = open_port(find(port))
        self._port: serial.SerialBase = self._transport.serial
        self._folder = folder
        self._n_wavs = 0
        self.ask("release")

    def ask(self, command: str) -> list[str]:
        """A command's answer, as words. Raises BoardError."""
        self._port.write(command.encode() + b"\n")
        while True:
            line = self._port.readline().decode(errors="replace").strip()
            if line.startswith("ok"):
                return line.split()[1:]
            if line.startswith("error") or not line:
                raise BoardError(
                    f"the jig answers {line!r} to {command!r}: is tests/hil/jig/main.py on it?"
                )

    def press(self, control: str, what: str = "") -> None:
        self.ask(f"press {control} {_HELD_MS} 100")

    def sees(self, led: str, question: str = "") -> bool | None:
        record, talk = map(int, self.ask("leds"))
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
        self._port.write(f"wav {ms}\n".encode())
        data = b""
        while True:
            line = self._port.readline().strip()
            if line.startswith(b"ok"):
                return data
            if not line:
                raise BoardError("the jig stopped answering")
            if not line.startswith(b"wav"):  # its own echo
                data += base64.b64decode(line)

    def close(self) -> None:
        self.ask("release")
        self._transport.close()
