"""What `roboto doctor` looks at, part by part.

The looking is done on the board (firmware/roboto/board/selftest.py); judge.py judges it.
"""

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, Protocol

from rich.console import Console as Terminal
from rich.table import Table

from . import device_files, firmware
from .board import Board
from .door import clean, cleaned
from .errors import BoardError, MakerError, RemoteError
from .firmware import BUNDLE
from .judge import (
    CONTROLS,
    PRESS_TIMEOUT_MS,
    Finding,
    at,
    judge_battery,
    judge_cells,
    judge_firmware,
    judge_led,
    judge_loop,
    judge_microphone,
    judge_press,
    judge_sleep,
    judge_speaker,
    judge_speed,
    judge_spi_flash,
    judge_storage,
    judge_viper,
)

PARTS = (
    "firmware", "storage", "viper", "battery", "cells", "buttons", "leds", "microphone", "speaker",
    "loop", "spi flash", "speed", "sleep",
)  # fmt: skip
ASKED_FOR = tuple(CONTROLS)
BUTTONS = tuple(control for control in CONTROLS if control != "try_me")
_CELLS_LINE = re.compile(r"\d+ cells (\d{1,5}) mV$", re.ASCII)
_NEEDS_HANDS = ("leds", "speaker", "sleep")


class Hands(Protocol):
    """Somebody at the robot: a person, a second board, or the emulator's bench."""

    def press(self, control: str, what: str) -> None:
        """Press (or move) a control within the next seconds, and let go."""

    def sees(self, led: str, question: str) -> bool | None:
        """Is it lit? None: cannot tell."""

    def hears(self, question: str) -> bool | None:
        """Was there a tone? None: cannot tell."""

    def on_cells(self) -> bool | None:
        """Let the robot run on its cells until it has greeted, and plug it in again. None, False:
        it has none here, or nobody does so."""


class Person:
    """A person, asked on the terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def press(self, control: str, what: str) -> None:
        verb = "move" if control == "try_me" else "press"
        self._terminal.print(f"  {verb} {what} …")

    def sees(self, led: str, question: str) -> bool | None:
        return self._yes(question)

    def hears(self, question: str) -> bool | None:
        return self._yes(question)

    def on_cells(self) -> bool:
        self._terminal.print(
            "  slide the switch to off, pull the cable out, slide it to on, wait until it has "
            "greeted, and plug the cable in again"
        )
        return self._yes("has it greeted, and is the cable in?")

    def _yes(self, question: str) -> bool:
        return self._terminal.input(f"  {question} \\[Y/n] ").strip().lower() in ("", "y", "yes")


def examine(
    board: Board,
    hands: Hands | None,
    only: list[str] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Finding]:
    """Looks at each part in turn. hands: None checks what needs nobody. Raises MakerError,
    BoardError."""
    for part in only or ():
        if part not in PARTS:
            raise MakerError(f"no part {part!r}: there are {', '.join(PARTS)}")
    wanted = [part for part in PARTS if not only or part in only]
    alive = True
    for part in wanted:
        if hands is None and part in _NEEDS_HANDS:
            yield Finding(part, "skipped", "needs somebody at the robot: leave out --no-ask")
            continue
        if part == "loop" and not alive:
            yield Finding(part, "skipped", "needs a microphone that works")
            continue
        tell(f"{part} …")
        try:
            for finding in _LOOKS[part](board, hands):
                if part == "microphone" and finding.status == "fault":
                    alive = False
                yield finding
        except RemoteError as error:
            if error.kind != "ImportError":
                raise
            yield Finding(
                part,
                "fault",
                "no firmware that can test itself: run `roboto flash`",
                "no-firmware",
            )


def table(findings: list[Finding]) -> Table:
    """Return the findings as a table for people."""
    marks = {"good": "[green]good[/]", "warning": "[yellow]look[/]", "fault": "[red]FAULT[/]"}
    out = Table("part", "", "found")
    for finding in findings:
        out.add_row(finding.part, marks.get(finding.status, "[dim]skipped[/]"), finding.what)
    return out


_SLOT = {"n": 0, "changes": 0, "low": 0, "mean": 0.0, "rms": 0.0}
# What the functions of a selftest.py answer, by example.
_ANSWERS: dict[str, Any] = {
    "wrong": [""],
    "power": {"mv": 0, "slept": False},
    "contacts": {control: False for control in BUTTONS},
    "wait_for": {"changed": [""]},
    "led": {},
    "microphone": (
        {"woke_ms": None, "left": _SLOT, "right": _SLOT},
        {"woke_ms": None, "left": {"n": 0}, "right": {"n": 0}},
    ),
    "speaker": {},
    "loop": {"quiet": 0.0, "tone": 0.0},
    "speed": {"copied_us": 0, "in_place_us": 0},
    "spi_flash": ({"error": ""}, {"id": "", "blocks": 0, "failed": None, "same": None}),
}


def _ask(
    board: Board, call: str, timeout_s: float = 10.0, room: str = "board", person: bool = False
) -> Any:
    """What a function of a selftest.py says, run on the board and checked for its shape. person:
    it waits for one."""
    text = board.exec(
        f"import json\nfrom roboto.{room} import selftest\nprint(json.dumps(selftest.{call}))",
        timeout_s,
        counted=not person,
    )
    name = call.partition("(")[0]
    try:
        answer = cleaned(json.loads(text))
    except (ValueError, RecursionError):
        answer = None
    if not _is_like(answer, _ANSWERS[name]):
        raise board.nonsense(f"testing itself ({name})", text)
    return answer


def _is_like(value: object, example: object) -> bool:
    """Tell whether an answer has the example's types, and each field that it has. Where there
    are several examples one of them will do, and None is like everything."""
    if example is None:
        return True
    if isinstance(example, tuple):
        return any(_is_like(value, one) for one in example)
    if isinstance(example, dict):
        return isinstance(value, dict) and all(
            key in value and _is_like(value[key], part) for key, part in example.items()
        )
    if isinstance(example, list):
        return isinstance(value, list) and all(_is_like(item, example[0]) for item in value)
    if isinstance(example, bool) or isinstance(value, bool) or isinstance(example, str):
        return type(value) is type(example)
    return isinstance(value, int | float) and isfinite(value)


# ---- each part: look, then judge


def _firmware(board: Board, hands: Hands | None) -> Iterator[Finding]:
    wanted = firmware.collect()
    tree = board.tree()
    if "main.py" not in tree:
        yield Finding("firmware", "fault", "there is none: run `roboto flash`", "no-firmware")
        return
    if not any(path.endswith(".mpy") for path in tree):
        wanted = firmware.collect(compiled=False)
    elif tree.get(BUNDLE) != len(wanted.get(BUNDLE, b"")):
        in_ram = firmware.collect_in_ram()  # as `roboto flash --in-ram` sends it
        wanted = in_ram if tree.get(BUNDLE) == len(in_ram.get(BUNDLE, b"")) else wanted
    there = board.digests([path for path in wanted if tree.get(path) == len(wanted[path])])
    yield judge_firmware(wanted, tree, there, _version(board))
    paths = [path.lstrip("/") for path in tree]  # on the SPI flash, or beside the firmware
    packs = {path[6:-5] for path in paths if path.startswith("voice/") and path.endswith(".pack")}
    if packs:
        yield Finding("voice", "good", " ".join(sorted(packs)))
    else:
        yield Finding("voice", "fault", "no voice pack: run `roboto flash --lang es`", "no-voice")


def _version(board: Board) -> str:
    """What the robot says of its version; "" when it has none."""
    try:
        return clean(board.exec("from roboto.version import VERSION\nprint(VERSION)"), 20)
    except RemoteError:
        return ""


def _storage(board: Board, hands: Hands | None) -> Iterator[Finding]:
    room = board.room()
    yield judge_storage(room.free_bytes, room.blocks * room.block_bytes)
    if board.spi_flash:
        room = board.room("data/")
        yield judge_storage(room.free_bytes, room.blocks * room.block_bytes, " of the SPI flash")


def _viper(board: Board, hands: Hands | None) -> Iterator[Finding]:
    yield judge_viper(_ask(board, "wrong()", 60, room="sound"), str(board.identity))


def _battery(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "power()")
    yield judge_battery(seen["mv"])


def _cells(board: Board, hands: Hands | None) -> Iterator[Finding]:
    lines = device_files.log_lines(board)
    ran = False
    if hands is not None:
        board.restart()
        board.close()  # else the computer gives the port another name when it comes back
        ran = bool(hands.on_cells())
        board.reconnect(PRESS_TIMEOUT_MS / 1000)
        if ran:
            lines = _new_lines(lines, device_files.log_lines(board))
    yield judge_cells(_noted_mv(lines), ran)


def _new_lines(before: list[str], after: list[str]) -> list[str]:
    """Return what a log has gained; it may have lost its oldest lines meanwhile."""
    n = min(len(before), len(after))
    while before[len(before) - n :] != after[:n]:
        n -= 1
    return after[n:]


def _noted_mv(lines: list[str]) -> int | None:
    """Return what the cells gave when a log last told of them: "7 cells 4310 mV"."""
    found = [match for match in map(_CELLS_LINE.match, lines) if match]
    return int(found[-1][1]) if found else None


def _buttons(board: Board, hands: Hands | None) -> Iterator[Finding]:
    closed = _ask(board, "contacts()")
    stuck = []
    for control in BUTTONS:
        what, gpio = CONTROLS[control], at(control)
        if closed[control]:
            stuck.append(control)
            yield Finding(
                what,
                "fault",
                f"pressed, though nobody presses it: bridged, or {gpio} lies on ground",
                "tray-stuck" if control == "plate" else "button-stuck",
            )
    if hands is None:
        if not stuck:
            yield Finding("buttons", "good", "none is stuck; whether they work needs a finger")
        return
    for control in ASKED_FOR:
        if control in stuck:
            continue
        what = CONTROLS[control]
        hands.press(control, what)
        seen = _ask(board, f"wait_for({control!r}, {PRESS_TIMEOUT_MS})", 40, person=True)
        yield judge_press(control, what, at(control), seen["changed"])


def _leds(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    for led, what, gpio in (
        ("record", "the red light", at("record_led")),
        ("talk", "the eyes and the mouth", at("talk_led")),
    ):
        _ask(board, f"led({led!r}, True)")
        lit = hands.sees(led, f"is {what} lit?")
        _ask(board, f"led({led!r}, False)")
        dark = lit is None or not lit or not hands.sees(led, f"is {what} still lit?")
        yield judge_led(what, gpio, lit, dark)


def _microphone(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "microphone()", 60)
    if not (_is_like(seen["left"], _SLOT) and _is_like(seen["right"], _SLOT)):
        seen = {**seen, "left": {"n": 0}, "right": {"n": 0}}  # a slot without samples has no level
    yield judge_microphone(seen)


def _speaker(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    _ask(board, "speaker(600)", 60)
    yield judge_speaker(hands.hears("was there a tone?"))


def _loop(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "loop()", 60)
    yield judge_loop(seen["quiet"], seen["tone"])


def _spi_flash(board: Board, hands: Hands | None) -> Iterator[Finding]:
    yield judge_spi_flash(_ask(board, "spi_flash()", 30))


def _speed(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "speed()", 30)
    board.renew()  # what runs in flash must not outlive this
    yield judge_speed(seen["copied_us"], seen["in_place_us"])


def _sleep(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    board.start("from roboto.board import selftest\nselftest.sleep()")
    board.serial.clock.sleep(0.5)
    hands.press("plate", "the tray, to wake it")
    try:
        board.reconnect(PRESS_TIMEOUT_MS / 1000)
        yield judge_sleep(_ask(board, "power()")["slept"])
    except BoardError:
        yield judge_sleep(None)


_LOOKS: dict[str, Callable[[Board, Hands | None], Iterator[Finding]]] = {
    "firmware": _firmware,
    "storage": _storage,
    "viper": _viper,
    "battery": _battery,
    "cells": _cells,
    "buttons": _buttons,
    "leds": _leds,
    "microphone": _microphone,
    "speaker": _speaker,
    "loop": _loop,
    "spi flash": _spi_flash,
    "speed": _speed,
    "sleep": _sleep,
}
