"""The raw REPL of a board, by mpremote, behind the door.

This is the only module that knows mpremote, whose Python interface is announced to change (its
version is pinned in pyproject.toml). Its own waits are per character and without end where a
board talks on; here all of them go through the Door, which ends them.
"""

import contextlib
import io
import struct
from typing import Any

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from .door import Door, clean
from .errors import BoardError, Late, Nonsense

_TRIES = 3
_NAP_S = 0.002
_END_OF_TEXT = b"\x04"


class Repl(SerialTransport):
    """mpremote's transport over a port that is open already."""

    def __init__(self, door: Door, device: str, patience: float = 1.0) -> None:
        self.in_raw_repl = False
        self.use_raw_paste = True
        self.mounted = False
        self.is_pty = False
        self.device_name = device
        self.serial: Any = door
        self._patience = patience

    def read_until(
        self,
        min_num_bytes: int,
        ending: bytes,
        timeout: float | None = 10,
        data_consumer: Any = None,
        timeout_overall: float | None = None,
    ) -> bytes:
        """Return what comes up to an ending, or what came in the time; both times in seconds of a
        real board."""
        door, data = self.serial, bytearray()
        limits = [t for t in (timeout, timeout_overall) if t is not None]
        end_s = door.clock.now() + min(limits, default=10.0) * self._patience
        while not data.endswith(ending):
            if door.in_waiting:
                data += door.read(1)
            elif door.clock.now() >= end_s:
                break
            else:
                door.clock.sleep(_NAP_S)
        return bytes(data)

    def enter(self) -> None:
        """Get into the raw REPL after a soft reset; what runs is interrupted. Raise BoardError."""
        why = ""
        with self.serial.exchange("getting its attention", 15 * self._patience):
            for _ in range(_TRIES):
                try:
                    # Twice: the first may be swallowed by code that was about to end anyway.
                    self.serial.write(b"\r\x03\x03")
                    self.serial.clock.sleep(0.05)
                    with contextlib.redirect_stdout(io.StringIO()):  # it prints what came
                        self.enter_raw_repl(True, 4)  # pyright: ignore[reportArgumentType]
                    return
                except TransportError as error:
                    why = clean(str(error))
                except Late:
                    break
        raise BoardError(
            f"{self.device_name} does not answer as a MicroPython board"
            f"{f' ({why})' if why else ''}: unplug it, switch the robot off, hold the red button "
            "while plugging it in, and try again"
        )

    def leave(self) -> None:
        """Go back to the friendly REPL and start what is on the board."""
        with self.serial.exchange("restarting it", 5 * self._patience):
            self.exit_raw_repl()
            self.read_until(1, b">>> ", timeout=2)
            self.serial.write(_END_OF_TEXT)

    def send(self, code: str) -> None:
        """Have the board run code, and read no answer. Raise BoardError."""
        try:
            self.exec_raw_no_follow(code)
        except (TransportError, struct.error, IndexError, ZeroDivisionError) as error:
            raise Nonsense(
                f"{self.device_name} does not follow the raw REPL ({clean(str(error))}): unplug "
                "the board, plug it in and run this again"
            ) from error

    def answer(self) -> tuple[str, str]:
        """Return what the code printed, and its traceback, "" when there was none."""
        return self._text(), self._text()

    def _text(self) -> str:
        data = bytearray()
        while (byte := self.serial.read(1)) != _END_OF_TEXT:
            data += byte
        return data.decode(errors="replace").replace("\r\n", "\n")
