"""The robot's buttons as letters, for `roboto console`."""

import os
import threading
from collections.abc import Callable, Iterator
from math import isfinite
from queue import Empty, Queue
from typing import Any, TextIO

from . import board
from .errors import BoardError
from .link import Link

HELP = """r red (record)  g green (say again)  y yellow (volume)  b blue (win)  w white (mode)
t the tray. A letter and Enter presses it; with seconds it is held: r 2.5. ? this text, q quits."""
_CONTROLS = {
    "r": "record",
    "g": "replay",
    "y": "volume",
    "b": "win",
    "w": "mode",
    "t": "plate",
}
_LONGEST_S = 20
_ANSWERS = ("press", "follow", "battery", "hello")  # to what we asked: nobody wants to read them
_ANSWER_S = 3.0


def command(line: str) -> str | None:
    """Return the line protocol's command for what was typed; None for nothing. Raise ValueError,
    in one line."""
    words = line.split()
    if not words:
        return None
    control = _CONTROLS.get(words[0], words[0])
    if control not in _CONTROLS.values():
        raise ValueError(f"no button {words[0]}: ? shows them")
    try:
        seconds = float(words[1]) if len(words) > 1 else 0.1
    except ValueError:
        raise ValueError(f"{words[1]}: how many seconds?") from None
    if not isfinite(seconds) or not 0 < seconds <= _LONGEST_S:
        raise ValueError(f"{words[1]}: how many seconds? At most {_LONGEST_S}")
    return f"press {control} {max(1, round(seconds * 1000))}"


def run(link: Link, lines: TextIO, tell: Callable[[dict[str, Any]], None]) -> None:
    """Press what the lines say and tell what happens, until q or their end. Raise BoardError."""
    hello = link.ask("hello")
    print(HELP, flush=True)
    tell({"event": "state", "state": hello["state"], "language": hello["language"]})
    link.ask("follow on")
    typed: Queue[str | None] = Queue()
    threading.Thread(target=_read_lines, args=(lines, typed), daemon=True).start()
    try:
        _talk(link, typed, tell)
    except KeyboardInterrupt:
        pass
    link.send("follow off")


def _talk(link: Link, typed: "Queue[str | None]", tell: Callable[[dict[str, Any]], None]) -> None:
    due_s: float | None = None  # when what was pressed must have been answered
    ending = False
    for event in link.talk():
        if event and event["event"] in ("press", "error"):
            due_s = None
        if event and event["event"] not in _ANSWERS:
            tell(event)
        now = link.clock.now()
        if due_s is not None and now > due_s:
            raise BoardError("the robot answers no more: see `roboto doctor`")
        if due_s is None and ending:
            return
        try:
            line = None if ending else typed.get_nowait()
        except Empty:
            continue
        wanted = _wanted(line)
        if line is None or line == "q":
            ending = True
        elif wanted:
            link.send(wanted)
            due_s = now + _ANSWER_S * board.PATIENCE


def _wanted(line: str | None) -> str | None:
    if line == "?":
        print(HELP, flush=True)
    elif line and line != "q":
        try:
            return command(line)
        except ValueError as error:
            print(error, flush=True)
    return None


def _read_lines(lines: TextIO, typed: "Queue[str | None]") -> None:
    """Put each line that is typed, stripped, and None at their end. It waits beside the talk, so
    that a board that goes away is told at once."""
    for line in _raw_lines(lines):
        typed.put(line.strip())
    typed.put(None)


def _raw_lines(lines: TextIO) -> Iterator[str]:
    try:
        descriptor = lines.fileno()
    except (OSError, ValueError):  # not a real file
        yield from lines
        return
    # Not through the file's buffer: its lock, held by a thread that waits, keeps Python from
    # ending.
    rest = b""
    while data := os.read(descriptor, 1024):
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")
