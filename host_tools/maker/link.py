"""The computer's end of the line protocol of firmware/roboto/console.py, on a port where the robot
runs."""

import json
import time
from collections.abc import Iterator
from typing import Any

from . import board
from .errors import BoardError


class Link:
    """Sends commands and reads events. Methods raise BoardError."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self._text = b""

    def send(self, command: str) -> None:
        try:
            self._port.write(command.encode() + b"\n")
        except OSError as error:
            raise self._lost(error) from error

    def events(self, timeout_s: float | None) -> Iterator[dict]:
        """What the robot tells, until nothing has come for so long; None: for ever."""
        quiet_since = time.monotonic()
        while True:
            try:
                self._text += self._port.read(self._port.in_waiting or 0)
            except OSError as error:
                raise self._lost(error) from error
            line, end, rest = self._text.partition(b"\n")
            if end:
                self._text = rest
                quiet_since = time.monotonic()
                event = _parse(line)
                if event:
                    yield event
            elif timeout_s is not None and time.monotonic() - quiet_since > timeout_s:
                return
            else:
                time.sleep(0.005)

    def ask(self, command: str, timeout_s: float = 3.0) -> dict:
        """Sends a command and returns its answer; other events meanwhile are dropped.
        Raises BoardError with the robot's words when it refuses."""
        self.send(command)
        name = command.split()[0]
        end = time.monotonic() + timeout_s * board.PATIENCE
        for event in self.events(timeout_s * board.PATIENCE):
            if event["event"] == name:
                return event
            if event["event"] == "error":
                raise BoardError(f"the robot says: {event['what']}")
            if time.monotonic() > end:
                break
        raise BoardError(
            "the robot does not answer: has it the firmware (`roboto flash`), and is it on? "
            "(`roboto doctor`)"
        )

    def wait_for_greeting(self, timeout_s: float = 15.0) -> str:
        """After a restart: what the robot said first. Raises BoardError when it says nothing."""
        end = time.monotonic() + timeout_s * board.PATIENCE
        while time.monotonic() < end:
            try:
                answer = self.ask("hello", 1.0)
            except BoardError:
                continue
            if answer["said"]:
                return answer["last"]
            time.sleep(0.1)
        raise BoardError(
            f"the robot did not greet within {timeout_s:.0f} s: see `roboto log` for what stopped "
            "it"
        )

    def _lost(self, error: object) -> BoardError:
        return BoardError(f"the board went away ({error}): plug it in again")


def _parse(line: bytes) -> dict | None:
    if not line.startswith(b"~"):
        return None
    try:
        event = json.loads(line[1:])
    except ValueError:
        return None  # its other half was printed before we came
    return event if isinstance(event, dict) and "event" in event else None
