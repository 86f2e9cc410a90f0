"""The one door to a board: whatever comes through it is bounded, checked and cleaned.

Nothing here trusts the board. Each exchange has a deadline and a byte limit, so that a board that
is silent, slow, endless or talks without a pause ends a command in one line. All exchanges of a
session together may take BUDGET_S and the time that the bytes which really moved take at
SLOWEST_BYTES_A_S; so a command ends, however a board spreads its delays. Time comes from a clock
that is handed in.
"""

import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import Gone, Late, TooMuch

BUDGET_S = 120.0
SLOWEST_BYTES_A_S = 8 * 1024
ANSWER_BYTES = 256 * 1024  # the most that any answer takes, files apart
_ANSWER_S = 10.0
_NAP_S = 0.001
_LONG_NAP_S = 0.01  # once nothing has come for so long that more cannot matter
_TELL_CHARACTERS = 300  # of what a board says in one line on the terminal


class Clock:
    """The time of this computer; tests hand in one of their own."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Door:
    """A serial port with a deadline and a byte limit. Methods raise Gone, Late, TooMuch.

    It serves as mpremote's port, too, hence inWaiting(), rts and dtr.
    """

    def __init__(self, port: Any, name: str = "the port", clock: Clock | None = None) -> None:
        self.port, self.name = port, name
        self.clock = clock or Clock()
        self._come = bytearray()
        self._what = "a question"
        self._asked_s = 0.0
        self._end_s: float | None = None  # None: between exchanges
        self._bytes_left = 0
        self._budget_s: float | None = None
        self._spent_s = 0.0
        self._moved_bytes = 0

    # ---- limits

    def begin_session(self, patience: float = 1.0) -> None:
        """Count from now on what all exchanges take together. patience: how many times slower than
        a real board this one may be."""
        self._budget_s, self._patience = BUDGET_S * patience, patience
        self._spent_s, self._moved_bytes = 0.0, 0

    def end_session(self) -> None:
        """Count no longer: what follows is a talk that goes on for as long as somebody wants."""
        self._budget_s = None

    @contextmanager
    def exchange(
        self, what: str, seconds: float, most_bytes: int = ANSWER_BYTES, counted: bool = True
    ) -> Iterator[None]:
        """Limit what happens inside to so many seconds and bytes read; what names it for people.
        Within another exchange that one's limits hold. counted: False where the board waits for a
        person."""
        if self._end_s is not None:
            yield
            return
        began_s = self.clock.now()
        if self._budget_s is not None and counted:
            moving_s = self._moved_bytes * self._patience / SLOWEST_BYTES_A_S
            seconds = min(seconds, max(0.0, self._budget_s + moving_s - self._spent_s))
        self._what, self._asked_s, self._end_s = what, seconds, began_s + seconds
        self._bytes_left = most_bytes
        try:
            yield
        finally:
            self._end_s = None
            if counted:
                self._spent_s += self.clock.now() - began_s

    def check(self) -> None:
        """Raise Late when the present exchange has had its time."""
        if self._end_s is not None and self.clock.now() >= self._end_s:
            raise Late(
                f"{self.name}: {self._what}: no end of it in {self._asked_s:.0f} s: unplug the "
                "board, plug it in and run this again"
            )

    # ---- bytes

    @property
    def in_waiting(self) -> int:
        """Return how many bytes can be read at once."""
        self.check()
        if not self._come:
            self._fetch()
        return len(self._come)

    def inWaiting(self) -> int:
        """Return in_waiting."""
        return self.in_waiting

    def read(self, n: int = 1) -> bytes:
        """Return n bytes, as soon as they are there."""
        with self.exchange("reading", _ANSWER_S):
            naps = 0
            while len(self._come) < n:
                self.check()
                if not self._fetch():
                    naps += 1
                    self.clock.sleep(_NAP_S if naps < 50 else _LONG_NAP_S)
        data = bytes(self._come[:n])
        del self._come[:n]
        return data

    def read_available(self) -> bytes:
        """Return what is there, perhaps nothing."""
        self.check()
        self._fetch()
        data = bytes(self._come)
        self._come.clear()
        return data

    def _fetch(self) -> int:
        """Take in what the port has; return how many bytes."""
        try:
            waiting = self.port.in_waiting
            data = self.port.read(waiting) if waiting else b""
        except OSError as error:
            raise self.gone(error) from error
        self._come += data
        self._moved_bytes += len(data)
        if self._end_s is not None and data:
            self._bytes_left -= len(data)
            if self._bytes_left < 0:
                raise TooMuch(
                    f"{self.name}: {self._what}: it talks without end, as no robot does: unplug "
                    "it, switch it off, hold the red button while plugging it in, and try again"
                )
        return len(data)

    def write(self, data: bytes) -> int:
        """Send bytes."""
        self.check()
        try:
            self.port.write(data)
        except OSError as error:
            raise self.gone(error) from error
        self._moved_bytes += len(data)
        self.check()
        return len(data)

    def gone(self, error: object = None) -> Gone:
        """Make the error for a port that broke off."""
        why = getattr(error, "strerror", None) or ""
        why = f" ({clean(why)})" if why else ""
        return Gone(
            f"the board on {self.name} went away{why}: plug it in again and run the same command "
            "once more; nothing is lost"
        )

    def close(self) -> None:
        """Let the port go."""
        self.port.close()

    @property
    def rts(self) -> bool:
        return self.port.rts

    @rts.setter
    def rts(self, on: bool) -> None:
        self.port.rts = on

    @property
    def dtr(self) -> bool:
        return self.port.dtr

    @dtr.setter
    def dtr(self, on: bool) -> None:
        self.port.dtr = on


# ---- words


def clean(text: str, most: int = _TELL_CHARACTERS) -> str:
    """Return what a board says as one line that is safe on a terminal: no control character, no
    escape sequence, nothing that turns the direction of writing, no half of a character."""
    shown = text[:most] + ("…" if len(text) > most else "")
    return "".join(
        " " if c in "\t\r\n" else c if _harmless(c) else f"\\x{ord(c):02x}" for c in shown
    ).strip()


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def cleaned(value: Any) -> Any:
    """Return a value of JSON with every text in it cleaned."""
    if isinstance(value, str):
        return clean(value, 4096)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(str(key)): cleaned(item) for key, item in value.items()}
    return value
