"""What `roboto doctor` looks at, and what it makes of what it sees.

The looking is done on the board (firmware/roboto/board/selftest.py); here it is judged. A judge is
a plain function from what was measured to findings, so that every fault can be tested without a
board.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console as Terminal
from rich.table import Table

from host_tools.places import VERSION

from . import firmware, flash
from .board import Board
from .errors import BoardError, MakerError

PARTS = (
    "firmware", "storage", "viper", "battery", "buttons", "leds", "microphone", "speaker", "loop",
    "spi flash", "sleep",
)  # fmt: skip
_NEEDS_HANDS = ("leds", "speaker", "sleep")
_CONTROLS = (
    ("record", "the red button", "GP2"),
    ("replay", "the green button", "GP3"),
    ("volume", "the yellow button", "GP4"),
    ("win", "the blue button", "GP5"),
    ("mode", "the white button", "GP6"),
    ("plate", "the tray", "GP7"),
    ("try_me", "the slide switch", "GP8"),
)
_PRESS_TIMEOUT_MS = 20_000
_FULL_SCALE = 1 << 23
_LOW_BATTERY_MV = 3300
_LEAST_FREE_BYTES = 32 * 1024


@dataclass(frozen=True)
class Finding:
    """What was found about one part. status: good, warning, fault or skipped; name: of the fault,
    for scripts."""

    part: str
    status: str
    what: str
    name: str = ""


class Hands(Protocol):
    """Somebody at the robot: a person, a second board, or the emulator's bench."""

    def press(self, control: str, what: str) -> None:
        """Press (or move) a control within the next seconds, and let go."""

    def sees(self, led: str, question: str) -> bool | None:
        """Is it lit? None: cannot tell."""

    def hears(self, question: str) -> bool | None:
        """Was there a tone? None: cannot tell."""


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
        except BoardError as error:
            if "ImportError" in str(error):
                yield Finding(
                    part,
                    "fault",
                    "no firmware that can test itself: run `roboto flash`",
                    "no-firmware",
                )
            else:
                raise


def table(findings: list[Finding]) -> Table:
    """For people."""
    marks = {"good": "[green]good[/]", "warning": "[yellow]look[/]", "fault": "[red]FAULT[/]"}
    out = Table("part", "", "found")
    for finding in findings:
        out.add_row(finding.part, marks.get(finding.status, "[dim]skipped[/]"), finding.what)
    return out


def _ask(board: Board, call: str, timeout_s: float = 10.0, room: str = "board") -> Any:
    """A function of a selftest.py, run on the board."""
    text = board.exec(
        f"import json\nfrom roboto.{room} import selftest\nprint(json.dumps(selftest.{call}))",
        timeout_s,
    )
    return json.loads(text)


# ---- each part: look, then judge


def _firmware(board: Board, hands: Hands | None) -> Iterator[Finding]:
    wanted = firmware.collect()
    tree = board.tree()
    if "main.py" not in tree:
        yield Finding("firmware", "fault", "there is none: run `roboto flash`", "no-firmware")
        return
    if not any(path.endswith(".mpy") for path in tree):
        wanted = firmware.collect(compiled=False)
    there = board.digests([path for path in wanted if tree.get(path) == len(wanted[path])])
    yield judge_firmware(wanted, tree, there)
    paths = [path.lstrip("/") for path in tree]  # on the SPI flash, or beside the firmware
    packs = {path[6:-5] for path in paths if path.startswith("voice/") and path.endswith(".pack")}
    if packs:
        yield Finding("voice", "good", " ".join(sorted(packs)))
    else:
        yield Finding("voice", "fault", "no voice pack: run `roboto flash --lang es`", "no-voice")


def judge_firmware(
    wanted: dict[str, bytes], tree: dict[str, int], digests: dict[str, str]
) -> Finding:
    import hashlib

    other = [
        path
        for path, data in wanted.items()
        if digests.get(path) != hashlib.sha256(data).hexdigest()
    ]
    if flash.UNFIT in tree or flash.COMMIT in tree:
        return Finding(
            "firmware",
            "fault",
            "an update was interrupted: run `roboto flash` again",
            "half-flashed",
        )
    if other:
        return Finding(
            "firmware",
            "fault",
            f"old: {len(other)} of {len(wanted)} files are not those of {VERSION} "
            f"({other[0]} …): run `roboto flash`",
            "old-firmware",
        )
    return Finding("firmware", "good", f"{VERSION}, {len(wanted)} files")


def _storage(board: Board, hands: Hands | None) -> Iterator[Finding]:
    room = board.room()
    yield judge_storage(room.free_bytes, room.blocks * room.block_bytes)
    if board.apart:
        room = board.room("data/")
        yield judge_storage(room.free_bytes, room.blocks * room.block_bytes, " of the SPI flash")


def judge_storage(free_bytes: int, all_bytes: int, where: str = "") -> Finding:
    text = f"{free_bytes // 1024} KB free of {all_bytes // 1024}{where}"
    if free_bytes < _LEAST_FREE_BYTES:
        return Finding(
            "storage",
            "fault",
            f"full: {text}: `roboto clips wipe`, or flash fewer languages",
            "flash-full",
        )
    return Finding("storage", "good", text)


def _viper(board: Board, hands: Hands | None) -> Iterator[Finding]:
    yield judge_viper(_ask(board, "wrong()", 60, room="sound"), str(board.identity))


def judge_viper(wrong: list[str], identity: str) -> Finding:
    if wrong:
        return Finding(
            "viper",
            "fault",
            f"{identity} computes {', '.join(wrong)} wrongly: a MicroPython with a fault "
            "of its compiler: take "
            "1.28 or newer, and flash again",
            "viper-fault",
        )
    return Finding("viper", "good", "fast sound code computes the same as the plain one")


def _battery(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "power()")
    yield judge_battery(seen["mv"])


def judge_battery(mv: int) -> Finding:
    if mv < 1000:
        return Finding(
            "battery", "fault", f"{mv} mV cannot be: the board lives; is GP29 used for something "
            "else?",
            "battery-sense",
        )  # fmt: skip
    if mv < _LOW_BATTERY_MV:
        return Finding(
            "battery", "fault", f"low: {mv / 1000:.2f} V at VSYS: three fresh cells", "battery-low"
        )
    return Finding("battery", "good", f"{mv / 1000:.2f} V at VSYS")


def _buttons(board: Board, hands: Hands | None) -> Iterator[Finding]:
    closed = _ask(board, "contacts()")
    stuck = []
    for control, what, gpio in _CONTROLS[:-1]:
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
    for control, what, gpio in _CONTROLS:
        if control in stuck:
            continue
        hands.press(control, what)
        seen = _ask(board, f"wait_for({control!r}, {_PRESS_TIMEOUT_MS})", 40)
        yield judge_press(control, what, gpio, seen["changed"])


def judge_press(control: str, what: str, gpio: str, changed: list[str]) -> Finding:
    others = [other for other in changed if other != control]
    names = {name: (thing, pin) for name, thing, pin in _CONTROLS}
    if control not in changed:
        if others:
            thing, pin = names[others[0]]
            return Finding(
                what,
                "fault",
                f"answers as {thing}: its wire is at {pin}, it belongs at {gpio}",
                "swapped",
            )
        kind = {"plate": "tray-open", "try_me": "switch-open"}.get(control, "button-open")
        return Finding(
            what,
            "fault",
            f"nothing came in {_PRESS_TIMEOUT_MS // 1000} s: is its wire at {gpio}, its other "
            "side at ground?",
            kind,
        )
    if others:
        return Finding(
            what,
            "fault",
            f"closes {names[others[0]][0]}, too: {gpio} and {names[others[0]][1]} touch",
            "bridged",
        )
    return Finding(what, "good", "comes through")


def _leds(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    for led, what, gpio in (
        ("record", "the red light", "GP9"),
        ("talk", "the eyes and the mouth", "GP10"),
    ):
        _ask(board, f"led({led!r}, True)")
        lit = hands.sees(led, f"is {what} lit?")
        _ask(board, f"led({led!r}, False)")
        dark = lit is None or not lit or not hands.sees(led, f"is {what} still lit?")
        yield judge_led(what, gpio, lit, dark)


def judge_led(what: str, gpio: str, lit: bool | None, dark: bool) -> Finding:
    if lit is None:
        return Finding(what, "skipped", "nobody could look")
    if not lit:
        return Finding(
            what,
            "fault",
            f"stays dark: which way round is the LED, and is its resistor at {gpio}?",
            "led-dark",
        )
    if not dark:
        return Finding(what, "fault", f"stays lit: is it at {gpio}, or at 3.3 V?", "led-lit")
    return Finding(what, "good", "lights and goes out")


def _microphone(board: Board, hands: Hands | None) -> Iterator[Finding]:
    yield judge_microphone(_ask(board, "microphone()", 60))


def judge_microphone(seen: dict) -> Finding:
    """seen: as selftest.microphone() gives it. Samples are 24 bits, full scale 2**23."""
    left, right = seen["left"], seen["right"]
    if not left["n"]:
        return Finding("microphone", "fault", "no samples at all: I2S does not start", "i2s-dead")

    def silent(slot: dict) -> bool:
        return slot["changes"] == 0

    def level(slot: dict) -> str:
        from math import log10

        return f"{20 * log10(max(slot['rms'], 1e-3) / _FULL_SCALE):.0f} dBFS"

    if silent(left) and not silent(right):
        return Finding(
            "microphone",
            "fault",
            "speaks in the right channel: tie its L/R (SEL) pin to ground",
            "microphone-other-channel",
        )
    if silent(left):
        stuck = {0: "zeros", -1: "ones"}.get(left["low"], f"always {left['low']}")
        return Finding(
            "microphone",
            "fault",
            f"only {stuck} come: is its VDD at GP15, ground at ground, SCK GP11, WS GP12, SD "
            "GP13?",
            "microphone-unpowered",
        )
    if left["rms"] > _FULL_SCALE / 4:
        return Finding(
            "microphone",
            "fault",
            f"noise at {level(left)} in a quiet room: SD (GP13) floats, or SCK and WS are swapped",
            "microphone-noise",
        )
    if left["rms"] < 32:
        return Finding(
            "microphone",
            "fault",
            f"very quiet ({level(left)}): its port is covered (the foil on it?), or it is damaged",
            "microphone-quiet",
        )
    if abs(left["mean"]) > _FULL_SCALE / 4:
        return Finding(
            "microphone",
            "warning",
            f"a large offset ({left['mean'] / _FULL_SCALE:.2f} of full scale)",
            "offset",
        )
    return Finding(
        "microphone", "good", f"awake after {seen['woke_ms']} ms, noise floor {level(left)}"
    )


def _speaker(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    _ask(board, "speaker(600)", 60)
    yield judge_speaker(hands.hears("was there a tone?"))


def judge_speaker(heard: bool | None) -> Finding:
    if heard is None:
        return Finding("speaker", "skipped", "nobody could listen; see loop")
    if not heard:
        return Finding(
            "speaker",
            "fault",
            "no tone: is the amplifier's VIN at 5 V or VSYS, SD at GP14, BCLK GP20, LRC GP21, DIN "
            "GP22?",
            "amplifier-silent",
        )
    return Finding("speaker", "good", "a tone was heard")


def _loop(board: Board, hands: Hands | None) -> Iterator[Finding]:
    seen = _ask(board, "loop()", 60)
    yield judge_loop(seen["quiet"], seen["tone"])


def judge_loop(quiet: float, tone: float) -> Finding:
    """Amplitudes of 1 kHz at the microphone, 24 bits, without and with the tone."""
    if tone < 4 * quiet or tone < 200:
        return Finding(
            "loop",
            "fault",
            "the microphone does not hear the loudspeaker: amplifier silent? VIN at VSYS, SD at "
            "GP14, BCLK GP20, LRC "
            "GP21, DIN GP22, both wires of the loudspeaker",
            "amplifier-silent",
        )
    return Finding(
        "loop",
        "good",
        f"the tone is {min(tone / max(quiet, 1), 999):.0f} times as strong as the room at 1 kHz",
    )


def _spi_flash(board: Board, hands: Hands | None) -> Iterator[Finding]:
    yield judge_spi_flash(_ask(board, "spi_flash()", 30))


def judge_spi_flash(seen: dict) -> Finding:
    if "error" in seen:
        answer = seen["error"]
        if "answers ff ff ff" in answer or "answers 00 00 00" in answer:
            return Finding(
                "spi flash", "skipped", "none is fitted (nothing answers); with one: CS GP17, SCK "
                "GP18, MOSI GP19, MISO "
                "GP16", "no-spi-chip",
            )  # fmt: skip
        return Finding("spi flash", "fault", answer, "wrong-spi-chip")
    if not seen["id"].startswith("ef 40"):
        return Finding(
            "spi flash",
            "fault",
            f"answers {seen['id']}: not a W25Q; it may need other commands",
            "wrong-spi-chip",
        )
    if seen["failed"] or not seen["same"]:
        return Finding(
            "spi flash", "fault", "does not keep what is written: shorten its wires, check WP and "
            "HOLD at 3.3 V",
            "spi-write",
        )  # fmt: skip
    return Finding("spi flash", "good", f"W25Q, {seen['blocks'] // 256} MB, written and read")


def _sleep(board: Board, hands: Hands | None) -> Iterator[Finding]:
    assert hands
    board.start("from roboto.board import selftest\nselftest.sleep()")
    time.sleep(0.5)
    hands.press("plate", "the tray, to wake it")
    try:
        board.reconnect(_PRESS_TIMEOUT_MS / 1000)
        yield judge_sleep(_ask(board, "power()")["slept"])
    except BoardError:
        yield judge_sleep(None)


def judge_sleep(slept: bool | None) -> Finding:
    if slept is None:
        return Finding(
            "sleep",
            "fault",
            "did not wake: is the tray's switch at GP7? Unplug it and plug it in again",
            "no-wake",
        )
    if not slept:
        return Finding("sleep", "fault", "restarted, but had not slept", "no-sleep")
    return Finding("sleep", "good", "slept, and the tray woke it")


_LOOKS: dict[str, Callable[[Board, Hands | None], Iterator[Finding]]] = {
    "firmware": _firmware,
    "storage": _storage,
    "viper": _viper,
    "battery": _battery,
    "buttons": _buttons,
    "leds": _leds,
    "microphone": _microphone,
    "speaker": _speaker,
    "loop": _loop,
    "spi flash": _spi_flash,
    "sleep": _sleep,
}
