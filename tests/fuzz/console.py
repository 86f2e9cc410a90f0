"""What a computer may send to the robot on USB, at what pace, and whether it reads the answers.

An input is a list of doings: bytes are sent; a number lets so many milliseconds pass; "deaf" and
"reads" say whether the computer takes what it is sent; "out" and "in" are the cable; "event" is
something that happens at the table.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from roboto import console as firmware

from . import LOST, REFUSED, TAKEN

IN_CI = 3000

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
_COMMANDS = ("hello", "follow", "press", "release", "log", "battery", "seed")
_LOOP_MS = 8
_QUEUE_MOST = 3000 + 400  # bytes that may wait: the queue, or one answer alone


class Table:
    """A console with a computer, a board and a clock made of Python."""

    def __init__(self) -> None:
        self.ms = 0
        self.usb = True
        self.reads = True
        self.sent = bytearray()  # on its way to the robot
        self.received = bytearray()
        self.presses: list[tuple[str, bool]] = []
        self.handled: list[tuple] = []
        self.position = "on"
        self.console = firmware.Console(self)
        self.console.attach(
            SimpleNamespace(
                board=SimpleNamespace(
                    inputs=self,
                    power=SimpleNamespace(usb_present=lambda: self.usb, battery_mv=lambda: 4500),
                ),
                settings=SimpleNamespace(language="es"),
                log=SimpleNamespace(lines=lambda: ["5 low battery"]),
                handle=self.handled.append,
            )
        )

    # the wire, as the firmware sees it

    def read(self) -> int:
        return self.sent.pop(0) if self.sent else -1

    def write(self, byte: int) -> bool:
        if self.reads:
            self.received.append(byte)
        return self.reads

    # the buttons, as the firmware sees them

    def put(self, control: str, pressed: bool) -> None:
        if control not in CONTROLS:
            raise ValueError(control)
        self.presses.append((control, pressed))

    # the clock, as the firmware sees it

    def ticks_ms(self) -> int:
        return self.ms

    def ticks_add(self, ticks: int, ms: int) -> int:
        return ticks + ms

    def ticks_diff(self, one: int, other: int) -> int:
        return one - other

    def __enter__(self) -> Table:
        self._time, firmware.time = firmware.time, self
        return self

    def __exit__(self, *_: object) -> None:
        firmware.time = self._time

    def run(self, ms: int) -> None:
        """Let the robot's loop go on."""
        for _ in range(max(1, ms // _LOOP_MS)):
            self.ms += _LOOP_MS
            self.console.step()

    def settle(self) -> None:
        """Let it go on until all is read and sent."""
        while self.sent:
            self.run(_LOOP_MS)
        self.run(2000)

    def lines(self) -> list[dict[str, Any]]:
        """Return what the computer was told, and forget it."""
        text, self.received = bytes(self.received).decode(), bytearray()
        assert all(line.startswith("~") for line in text.splitlines()), text
        return [json.loads(line[1:]) for line in text.splitlines()]


def draw(rng: Any) -> list[Any]:
    """Return a course of doings."""
    return [_doing(rng) for _ in range(rng.randint(1, 30))]


def _doing(rng: Any) -> Any:
    kind = rng.random()
    if kind < 0.3:
        return _line(rng)
    if kind < 0.6:
        return rng.randbytes(rng.choice((1, 1, 2, 5, 40, 200)))
    if kind < 0.7:
        return bytes([rng.choice((0xC3, 0xFF, 0xE2, 0, 10, 13, 3, 4, 27, 127))])
    if kind < 0.85:
        return rng.choice((1, 8, 100, 600, 6000))
    return rng.choice(("deaf", "reads", "out", "in", "event", "event"))


def _line(rng: Any) -> bytes:
    words = [rng.choice(_COMMANDS)]
    for _ in range(rng.randint(0, 3)):
        words.append(rng.choice((*CONTROLS, "on", "off", "0", "-1", "20000", "9" * 70, "1e3", "")))
    line = rng.choice((" ", "  ", "\t")).join(words).encode()
    if rng.random() < 0.3:
        at = rng.randrange(len(line))
        line = line[:at] + rng.randbytes(1) + line[at:]
    return line + rng.choice((b"\n", b"\r\n", b"\r", b""))


def one(doings: list[Any]) -> str:
    """Do them at the robot's loop; then a computer that behaves must be answered, no key is held
    for ever, and little memory was taken."""
    with Table() as table:
        for doing in doings:
            _do(table, doing)
            waiting = sum(map(len, table.console._queue))
            assert waiting == table.console._queued <= _QUEUE_MOST
            assert len(table.console._held) <= len(CONTROLS)
        table.usb = True
        table.reads = True
        table.sent += b"\nfollow off\n"
        table.run(21_000)
        told = b"error" not in bytes(table.received)
        table.received = bytearray()
        table.sent += b"battery\n"
        table.settle()
        if table.lines() != [{"event": "battery", "mv": 4500}]:
            return LOST
        down = {control for control, pressed in table.presses if pressed}
        for control in down:
            last = [pressed for which, pressed in table.presses if which == control][-1]
            if last:
                return LOST
    return TAKEN if told else REFUSED


def _do(table: Table, doing: Any) -> None:
    if isinstance(doing, bytes):
        table.sent += doing
        table.run(_LOOP_MS)
    elif isinstance(doing, int):
        table.run(doing)
    elif doing == "event":
        table.console.notify("say", {"text": "¡" + "x" * 200, "players": [0, 1]})
        table.console.notify("state", {"state": "play"})
    elif doing in ("out", "in"):
        table.usb = doing == "in"
    else:
        table.reads = doing == "reads"
