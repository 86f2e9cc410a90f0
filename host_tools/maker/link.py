"""The computer's end of the line protocol of firmware/roboto/console.py, on a port where the robot
runs.

An exchange (a command and its answer) has a deadline. A talk, what the robot tells unasked, goes
on for as long as somebody wants to hear it, but only with a robot: whoever prints lines of its own
or talks without a pause is noticed.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from . import board
from .door import Door, cleaned
from .errors import BoardError, Gone, Late, Stranger, TooMuch

_LINE_BYTES = 64 * 1024  # the log's answer is the longest
_STRANGE_LINES = 20  # in a row: a traceback and a restart are fewer
_BUSY_BYTES = 128 * 1024  # in one second: ten times as much as USB brings of a robot's events
_NAP_S = 0.005
_ANSWER_S = 3.0
_STILL_THERE_S = 30.0  # after so long a silence it is asked whether it is


def _text(value: object) -> bool:
    return isinstance(value, str)


def _text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _count(value: object) -> bool:
    return type(value) is int and value >= 0


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# The fields that somebody here relies on. What else an event brings is shown as it is.
_FIELDS: dict[str, dict[str, Callable[[object], bool]]] = {
    "hello": {"state": _text_or_none, "language": _text, "said": _count, "last": _text_or_none},
    "say": {"text": _text},
    "fault": {"what": _text},
    "error": {"what": _text},
    "log": {"lines": _texts},
}


class Link:
    """Sends commands and reads events. Methods raise BoardError."""

    def __init__(self, port: Any) -> None:
        self._door = port if hasattr(port, "exchange") else Door(port)
        self._come = b""
        self._strange = 0  # lines in a row that were no events
        self._second_began = self._door.clock.now()
        self._in_second = 0
        self._door.end_session()

    @property
    def clock(self) -> Any:
        """Return the clock by which waiting is measured."""
        return self._door.clock

    def send(self, command: str) -> None:
        """Send a command, and wait for no answer."""
        self._door.write(command.encode() + b"\n")

    def talk(self) -> Iterator[dict[str, Any] | None]:
        """Yield what the robot tells for as long as it is a robot that is there, and None whenever
        it tells nothing."""
        clock = self._door.clock
        quiet_since, asked = clock.now(), False
        while True:
            event = self.take()
            if event:
                quiet_since, asked = clock.now(), False
                yield event
                continue
            yield None
            silent_s = clock.now() - quiet_since
            if not asked and silent_s > _STILL_THERE_S:
                self.send("battery")
                asked = True
            elif asked and silent_s > _STILL_THERE_S + _ANSWER_S * board.PATIENCE:
                raise BoardError(_NO_ANSWER)
            clock.sleep(_NAP_S)

    def events(self, timeout_s: float | None) -> Iterator[dict[str, Any]]:
        """Yield what the robot tells, until nothing has come for so long; None: for ever."""
        quiet_since = self._door.clock.now()
        for event in self.talk():
            now = self._door.clock.now()
            if event:
                quiet_since = now
                yield event
            elif timeout_s is not None and now - quiet_since > timeout_s:
                return

    def take(self) -> dict[str, Any] | None:
        """Return the next event, if it is there. Raise BoardError when what comes is no
        robot's."""
        if b"\n" not in self._come:
            self._come += self._measured(self._door.read_available())
        while b"\n" in self._come:
            line, _, self._come = self._come.partition(b"\n")
            event = _parse(line)
            if event:
                self._strange = 0
                return event
            self._strange += 1
            if self._strange > _STRANGE_LINES:
                raise self._no_robot("prints lines of its own")
        if len(self._come) > _LINE_BYTES:
            raise self._no_robot("talks without a pause")
        return None

    def _measured(self, come: bytes) -> bytes:
        now = self._door.clock.now()
        if now - self._second_began >= 1:
            self._second_began, self._in_second = now, 0
        self._in_second += len(come)
        if self._in_second > _BUSY_BYTES:
            raise self._no_robot("talks without a pause")
        return come

    def _no_robot(self, what: str) -> Stranger:
        return Stranger(
            f"{self._door.name} {what}, as no robot does: choose another with --port, or see "
            "`roboto doctor`"
        )

    def ask(self, command: str, timeout_s: float = _ANSWER_S) -> dict[str, Any]:
        """Send a command and return its answer; other events meanwhile are dropped. Raise
        BoardError with the robot's words when it refuses."""
        name = command.split()[0]
        timeout_s *= board.PATIENCE
        end_s = self._door.clock.now() + timeout_s
        self.send(command)
        try:
            with self._door.exchange(f"answering {name}", timeout_s, 4 * _LINE_BYTES):
                for event in self.events(timeout_s):
                    if event["event"] == name:
                        return event
                    if event["event"] == "error":
                        raise BoardError(f"the robot says: {event['what']}")
                    if self._door.clock.now() > end_s:
                        break
        except Late:
            pass
        raise BoardError(_NO_ANSWER)

    def wait_for_greeting(self, timeout_s: float = 15.0) -> str:
        """Return what the robot said first after a restart. Raise BoardError when it says
        nothing."""
        clock = self._door.clock
        end_s = clock.now() + timeout_s * board.PATIENCE
        while clock.now() < end_s:
            self._strange = 0  # what MicroPython prints while it restarts
            try:
                answer = self.ask("hello", 1.0)
            except (Gone, TooMuch, Stranger):
                raise
            except BoardError:
                clock.sleep(_NAP_S)
                continue
            if answer["said"] and answer["last"]:
                return answer["last"]
            clock.sleep(0.1)
        raise BoardError(
            f"the robot did not greet within {timeout_s:.0f} s: see `roboto log` for what stopped "
            "it"
        )


_NO_ANSWER = (
    "the robot does not answer: has it the firmware (`roboto flash`), and is it on? "
    "(`roboto doctor`)"
)


def _parse(line: bytes) -> dict[str, Any] | None:
    """Return an event, cleaned; None for what is none, or has not the fields it must have."""
    if not line.startswith(b"~") or len(line) > _LINE_BYTES:
        return None
    try:
        event = cleaned(json.loads(line[1:].decode(errors="replace")))
    except (ValueError, RecursionError):
        return None  # its other half was printed before we came
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return None
    wanted = _FIELDS.get(event["event"], {})
    if not all(fits(event.get(field)) for field, fits in wanted.items()):
        return None
    return event
