"""A board made of Python behind a serial port made of Python, in virtual time: an honest one that
carries out what the tools ask, and fifty that misbehave, each in a way of its own."""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.maker.door import Clock
from host_tools.maker.errors import RemoteError

from .folder_board import FolderBoard

GREETING = b"raw REPL; CTRL-B to exit\r\n>"
IDENTITY = "rp2|1.29.0|e661|Raspberry Pi Pico with RP2040\n"
_LINK_S = 0.002  # from a question to its answer
_SELFTESTS: dict[str, Any] = {
    "wrong": [],
    "power": {"mv": 4500, "slept": True},
    "contacts": {c: False for c in "record replay volume win mode plate try_me".split()},
    "microphone": {
        "woke_ms": 19,
        "left": {"n": 800, "changes": 790, "low": -400, "high": 400, "mean": 0.0, "rms": 230.0},
        "right": {"n": 800, "changes": 0, "low": 0, "high": 0, "mean": 0.0, "rms": 0.0},
    },
    "loop": {"quiet": 20.0, "tone": 90000.0},
    "spi_flash": {"error": "SPI flash answers ff ff ff"},
    "speed": {"copied_us": 390, "in_place_us": 400},
}


class VirtualClock(Clock):
    """Passes only when somebody waits. Ctrl-C is pressed when ends_s is reached."""

    def __init__(self, ends_s: float = 1e9) -> None:
        self.now_s, self.ends_s = 0.0, ends_s
        self.interrupted = False

    def now(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += max(seconds, 0.02)
        if self.now_s > self.ends_s and not self.interrupted:
            self.interrupted = True
            raise KeyboardInterrupt


class FakeBoard:
    """What pyserial's port looks like, with a board at its other end.

    What ways of misbehaving change: lie(kind, output, traceback) -> (output, traceback), where
    kind is the function asked for; chatter(port) is called whenever somebody looks;
    slow_s: between any two bytes; delay_s: before each answer; gone(): whether the cable is out.
    """

    def __init__(self, folder: Path, clock: VirtualClock) -> None:
        self.files = FolderBoard(folder)
        self.clock = clock
        self.lie: Callable[[str, str, str], tuple[str, str]] = lambda kind, out, err: (out, err)
        self.lie_link: Callable[[str, dict], list[object]] = lambda kind, event: [event]
        self.chatter: Callable[[FakeBoard], None] = lambda port: None
        self.slow_s = self.delay_s = 0.0
        self.deaf = False
        self.gone: Callable[[], bool] = lambda: False
        self.writes = self.looks = 0
        self.asked: list[str] = []
        self.rts = self.dtr = True
        self._mode = "robot"
        self._code = b""
        self._out: list[tuple[float, bytes]] = []
        self._taking: list[str] | None = None
        self._follow = False
        self._event_s = 0.0
        self.closed = False

    # ---- the port

    @property
    def in_waiting(self) -> int:
        self.looks += 1
        self.clock.now_s += 1e-4
        if self.gone():
            raise OSError(5, "Input/output error")
        if self._follow and self.clock.now_s > self._event_s + 1:
            self._event_s = self.clock.now_s
            self._send_events("tone", {"event": "tone", "tone": "plate"})
        self.chatter(self)
        return sum(len(data) for when, data in self._out if when <= self.clock.now_s)

    def read(self, n: int = 1) -> bytes:
        come = b"".join(data for when, data in self._out if when <= self.clock.now_s)
        self._out = [(when, data) for when, data in self._out if when > self.clock.now_s]
        if come[n:]:
            self._out.insert(0, (self.clock.now_s, come[n:]))
        return come[:n]

    def write(self, data: bytes) -> int:
        self.writes += 1
        if self.gone():
            raise OSError(6, "Device not configured")
        if self.deaf:
            self.clock.sleep(10)
            raise OSError("Write timeout")
        for byte in data:
            self._hear(bytes([byte]))
        return len(data)

    def close(self) -> None:
        self.closed = True

    def tell(self, data: bytes) -> None:
        """Sends bytes."""
        at = max(self.clock.now_s + self.delay_s + _LINK_S, self._out[-1][0] if self._out else 0.0)
        if not self.slow_s:
            self._out.append((at, data))
            return
        for byte in data[:4000]:
            at += self.slow_s
            self._out.append((at, bytes([byte])))

    # ---- the board

    def _hear(self, byte: bytes) -> None:
        if self._mode == "taking":
            self._take(byte)
        elif byte == b"\x03":
            self._code, self._follow = b"", False
            self._mode = "friendly" if self._mode == "robot" else self._mode
        elif byte == b"\x01" and not (self._mode == "raw" and self._code == b"\x05A"):
            self._mode, self._code = "raw", b""
            self.tell(GREETING)
        elif self._mode == "robot":
            self._line(byte)
        elif self._mode == "friendly":
            if byte == b"\x04":
                self._mode = "robot"
        elif byte == b"\x02":
            self._mode = "friendly"
            self.tell(b"\r\n>>> ")
        elif byte == b"\x04":
            code, self._code = self._code.strip(b"\r").decode(), b""
            if code:
                self._run(code)
            else:
                self.tell(b"OK\r\nMPY: soft reboot\r\n" + GREETING)
        else:
            self._code += byte
            if self._code.endswith(b"\x05A\x01"):  # raw paste: not here
                self._code = b""
                self.tell(b"R\x00")

    def _run(self, code: str) -> None:
        self.asked.append(code)
        self.tell(b"OK")
        kind, output, traceback = self._answer(code)
        if kind == "take":
            self._mode, self._frames = "taking", b""
            return
        self._finish(kind, output, traceback)

    def _finish(self, kind: str, output: str, traceback: str = "") -> None:
        output, traceback = self.lie(kind, output, traceback)
        raw = f"{output}\x04{traceback}\x04>".encode("utf-8", "surrogatepass")
        self.tell(raw.replace(b"\n", b"\r\n"))

    def _answer(self, code: str) -> tuple[str, str, str]:
        """(kind, output, traceback)."""
        files = self.files
        if "sys.platform" in code:
            return "identity", IDENTITY, ""
        if "roboto.board.flash" in code:
            return "spi_flash", "data False\n", ""
        if "selftest" in code:
            call = re.search(r"selftest\.(\w+)\(", code)
            assert call
            return "selftest", json.dumps(_SELFTESTS.get(call[1], {})) + "\n", ""
        if "roboto.version" in code:
            return "version", "0.0.1\n", ""
        if "def finish" in code and "finish()" in code:
            files.exec(code)
            return "switch_in", "", ""
        found = re.fullmatch(r"([\w.]+)\((.*)\)", code.strip(), re.DOTALL)
        if not found or "\n" in code.strip():
            return "code", "", ""
        kind, arguments = found[1], list(ast.literal_eval(f"[{found[2]}]"))
        try:
            return kind, self._call(kind, arguments), ""
        except RemoteError:
            return kind, "", "Traceback:\nOSError: [Errno 2] ENOENT\n"

    def _call(self, kind: str, arguments: list[Any]) -> str:
        files = self.files
        if kind == "take":
            self._taking = list(arguments[0])
            for path in self._taking:
                files.put({path: b""})
            return ""
        if kind == "tree":
            tree = files.tree() if not arguments[0] else {}
            return "".join(f"{size} {path}\n" for path, size in tree.items())
        if kind == "digests":
            there = files.digests(arguments[0])
            return "".join(there.get(path, "-") + "\n" for path in arguments[0])
        if kind == "room":
            room = files.room()
            return f"{room.block_bytes} {room.blocks} {room.free_blocks}\n"
        if kind == "mend":
            return ""
        if kind == "give":
            data = files.read(*arguments)
            return "".join(
                base64.b64encode(data[i : i + 1536]).decode() + "\n"
                for i in range(0, len(data), 1536)
            )
        {"remove": files.remove, "rename": files.rename}[kind](*arguments)
        return ""

    def _take(self, byte: bytes) -> None:
        assert self._taking is not None
        self._frames += byte
        if len(self._frames) < 4:
            return
        n = int(self._frames[:4], 16)
        if not n:
            self._taking.pop(0)
            self._frames = b""
            if not self._taking:
                self._mode = "raw"
                self._finish("taken", "", "")
        elif len(self._frames) == 4 + n:
            data = self._frames[4:].replace(b"\x1b1", b"\x03").replace(b"\x1b2", b"\x1b")
            with self.files._real(self._taking[0]).open("ab") as file:
                file.write(data)
            self._frames = b""
            self.tell(self.lie("frame", ".", "")[0].encode())

    # ---- the robot

    def _line(self, byte: bytes) -> None:
        if byte not in b"\r\n":
            self._code += byte
            return
        words, self._code = self._code.decode().split(), b""
        if not words:
            return
        kind = words[0]
        event: dict[str, Any] = {"event": kind}
        if kind == "hello":
            event |= {"version": "0.0.1", "state": "names", "language": "es"}
            event |= {"said": 1, "last": "¡Hola! Soy Roboto."}
        elif kind == "log":
            event["lines"] = ["5 low battery"]
        elif kind == "follow":
            self._follow = words[1] == "on"
            self._event_s = self.clock.now_s
            event["on"] = self._follow
        elif kind == "press":
            event["control"] = words[1]
        self._send_events(kind, event)

    def _send_events(self, kind: str, event: dict) -> None:
        for said in self.lie_link(kind, event):
            if isinstance(said, bytes):
                self.tell(said)
            else:
                self.tell(b"~" + json.dumps(said).encode() + b"\r\n")


# ---- ways of misbehaving

Way = Callable[[FakeBoard], None]
WAYS: dict[str, Way] = {}


def _way(name: str) -> Callable[[Way], Way]:
    def keep(way: Way) -> Way:
        WAYS[name] = way
        return way

    return keep


@_way("is silent")
def _silent(board: FakeBoard) -> None:
    board.tell = lambda data: None  # type: ignore[method-assign]


@_way("takes nothing in")
def _deaf(board: FakeBoard) -> None:
    board.deaf = True


@_way("sends a byte a second")
def _slow(board: FakeBoard) -> None:
    board.slow_s = 1.0


@_way("sends twenty bytes a second")
def _slower(board: FakeBoard) -> None:
    board.slow_s = 0.05


@_way("answers each question after nine seconds")
def _late(board: FakeBoard) -> None:
    board.delay_s = 9.0


@_way("answers each question after three seconds")
def _lazy(board: FakeBoard) -> None:
    board.delay_s = 3.0


def _chattering(line: bytes, every_s: float) -> Way:
    def way(board: FakeBoard) -> None:
        last = [-1e9]

        def chatter(port: FakeBoard) -> None:
            if port.clock.now_s - last[0] >= every_s:
                last[0] = port.clock.now_s
                port._out.append((port.clock.now_s, line))

        board.chatter = chatter

    return way


for _name, _line in {
    "prints a line a second": b"temperature 21.5\r\n",
    "prints an empty line a second": b"\r\n",
    "prints a line of JSON a second": b'{"event": "tone"}\r\n',
    "prints a half event a second": b'~{"event": "say", "te\r\n',
    "prints a say without its fields a second": b'~{"event": "say"}\r\n',
    "sends a NUL a second": b"\0",
    "sends end of text a second": b"\x04",
}.items():
    WAYS[_name] = _chattering(_line, 1.0)
for _name, _data in {
    "talks without a pause": b"bla " * 1000,
    "sends lines without a pause": b"bla\n" * 1000,
    "sends zeros without a pause": bytes(4000),
    "sends prompts without a pause": b">" * 4000,
    "sends ends of text without a pause": b"\x04" * 4000,
    "sends greetings without a pause": GREETING * 100,
    "sends OK without a pause": b"OK" * 2000,
    "sends events without a pause": b'~{"event":"tone","tone":"plate"}\r\n' * 200,
    "sends hellos without a pause": (
        b'~{"event":"hello","state":"names","language":"es","said":1,"last":"x"}\r\n' * 100
    ),
    "sends escape sequences without a pause": b"\x1b[2J\x1b]0;x\x07" * 400,
}.items():
    WAYS[_name] = _chattering(_data, 0.0)


def _vanishing(after: int, what: str) -> Way:
    def way(board: FakeBoard) -> None:
        board.gone = lambda: getattr(board, what) > after

    return way


for _after in (0, 1, 3, 8, 20, 40):
    WAYS[f"vanishes after {_after} writes"] = _vanishing(_after, "writes")
for _after in (1, 10, 60, 200):
    WAYS[f"vanishes after {_after} looks"] = _vanishing(_after, "looks")


def _lying(kinds: str, output: str | None = None, traceback: str | None = None) -> Way:
    def way(board: FakeBoard) -> None:
        def lie(kind: str, out: str, err: str) -> tuple[str, str]:
            if kind not in kinds.split() and kinds != "everything":
                return out, err
            return out if output is None else output, err if traceback is None else traceback

        board.lie = lie

    return way


_NOT_IDENTITY = "tree digests room give spi_flash selftest switch_in taken remove version"
for _name, _what in {
    "says nothing of itself": ("identity", "\n"),
    "has an endless name": ("identity", IDENTITY[:-1] + "x" * 100_000 + "\n"),
    "has a name with escape sequences": (
        "identity",
        "rp2|1.29.0|e|\x1b[31mRP2040\x1b]0;\x07\n",
    ),
    "has a version of superscripts": ("identity", "rp2|¹.²⁹.⁰|e661|Pico with RP2040\n"),
    "has a name with half a character": ("identity", "rp2|1.29.0|e661|\ud800RP2040\n"),
    "answers rubbish": (_NOT_IDENTITY, "rubbish\x1b[2J\n"),
    "answers a number": (_NOT_IDENTITY, "7\n"),
    "answers nothing": (_NOT_IDENTITY, ""),
    "answers endlessly": (_NOT_IDENTITY, "0123456789abcdef 12 voice/es.pack\n" * 30_000),
    "answers half characters": (_NOT_IDENTITY, "12 \ud83d\ude00 \udcff\n"),
    "answers brackets": (_NOT_IDENTITY, "[" * 100_000 + "\n"),
    "answers a huge number": (_NOT_IDENTITY, "9" * 100_000 + " main.py\n"),
    "answers null": (_NOT_IDENTITY, "null\n"),
    "has files that lead out": ("tree", "10 ../../etc/passwd\n10 /etc/passwd\n10 data/../../x\n"),
    "has files of negative size": ("tree", "-5 main.py\n"),
    "has files of no size": ("tree", "many main.py\n"),
    "has files larger than any flash": ("tree", "999999999999 data/name-0.clip\n"),
    "has a file twice": ("tree", "5 main.py\n5 main.py\n"),
    "has ten thousand files": ("tree", "".join(f"1 data/{i}\n" for i in range(9000))),
    "has files with escape sequences": (
        "tree",
        "5 \x1b[2J\n5 data/\x1b[31m.clip\n5 main.py\n",
    ),
    "has files that are not there": ("tree", "900 data/name-0.clip\n900 voice/es.pack\n"),
    "gives less than it said": ("give", "QUJD\n"),
    "gives no base64": ("give", "?!\n"),
    "gives without end": (
        "give",
        "QUJD\n" * 90_000,
    ),
    "has sums that are none": ("digests", "12\n" * 80),
    "has always the same sum": ("digests", "a" * 64 + "\n"),
    "has a negative room": ("room", "4096 352 -3\n"),
    "has room without end": ("room", f"4096 {10**30} {10**30}\n"),
    "refuses each frame": ("frame", "!"),
    "answers frames with rubbish": ("frame", "?"),
    "answers no frame": ("frame", ""),
    "answers each frame often": ("frame", "." * 1000),
    "has an SPI flash where it cannot be": ("spi_flash", "../../data True\n"),
    "tests itself with other types": (
        "selftest",
        '{"mv": "\\u001b[2J", "left": 3}\n',
    ),
    "tests itself with NaN": ("selftest", '{"mv": NaN, "quiet": NaN, "tone": Infinity}\n'),
    "tests itself with a list": ("selftest", '[[1], {"mv": {}}]\n'),
    "says another version": ("version", "\x1b[2J9.9.9\n" + "x" * 5000),
}.items():
    WAYS[_name] = _lying(_what[0], _what[1])
for _name, _traceback in {
    "fails with EIO": "Traceback:\nOSError: [Errno 5] EIO\n",
    "fails with 28": "Traceback:\nOSError: 28\n",
    "fails for want of memory": "MemoryError: memory allocation failed, allocating 5 bytes\n",
    "fails with another program's words": "Traceback:\nKeyError: 'a\x1b[2Jb'\n",
    "fails with nothing": "\n",
    "fails at length": "line\n" * 40_000,
    "fails in superscripts": "OSError: [Errno ²] x\n",
    "fails in half characters": "\ud800Error: \udfff\n",
    "has no such module": "ImportError: no module named 'roboto'\n",
}.items():
    WAYS[_name] = _lying(_NOT_IDENTITY, "", _traceback)
    WAYS[_name + " at renaming"] = _lying("rename", "", _traceback)


def _link(kinds: str, *said: object) -> Way:
    def way(board: FakeBoard) -> None:
        board.lie_link = lambda kind, event: list(said) if kind in kinds.split() else [event]

    return way


_DEEP = b"~" + b"[" * 50_000 + b"\r\n"
for _name, _what in {
    "greets with nothing": ("hello", {"event": "hello"}),
    "greets with other types": (
        "hello",
        {"event": "hello", "state": [], "language": {}, "said": "x", "last": 7},
    ),
    "greets with brackets": ("hello", _DEEP),
    "greets with a huge number": ("hello", b'~{"event":"hello","said":' + b"9" * 9000 + b"}\r\n"),
    "greets with escape sequences": (
        "hello",
        {
            "event": "hello",
            "version": "\x1b[2J",
            "state": "\x1b[31m",
            "language": "\x07",
            "said": 1,
            "last": "\x1b]0;pwned\x07 \ud800 \u202e",
        },
    ),
    "refuses": ("hello log follow", {"event": "error", "what": "no\x1b[2J\nsecond line"}),
    "has a log of numbers": ("log", {"event": "log", "lines": [1, 2]}),
    "has a log that is a text": ("log", {"event": "log", "lines": "abc"}),
    "has a log with escape sequences": ("log", {"event": "log", "lines": ["\x1b[2J\r\nx"] * 40}),
    "has an endless line": ("log hello", b"~" + b"x" * 3_000_000),
    "has a log that never ends": ("log", b'~{"event":"log","lines":["' + b"x" * 300_000),
    "answers another question": ("hello log follow", {"event": "battery", "mv": 3}),
    "answers in another's name": ("hello log follow", {"event": ["hello"]}),
}.items():
    WAYS[_name] = _link(_what[0], _what[1])
for _name, _said in {
    "tells sayings without words": {"event": "say"},
    "tells sayings of numbers": {"event": "say", "text": 5},
    "tells faults without words": {"event": "fault"},
    "tells nothing but brackets": _DEEP,
    "tells what has no name": {"text": "x"},
}.items():
    WAYS[_name] = _link("tone", *[_said] * 3)


def _then_silent(board: FakeBoard) -> None:
    board.lie_link = lambda kind, event: [] if kind in ("tone", "press", "battery") else [event]


WAYS["falls silent once it is followed"] = _then_silent


@_way("goes away when it is followed")
def _gone_when_followed(board: FakeBoard) -> None:
    board.gone = lambda: board._follow and board.clock.now_s > board._event_s + 0.5


def _nasty_events(board: FakeBoard) -> None:
    event = {"event": "to\x1b[2Jne", "tone": "\ud800\x1b[31m", "deep": {"\x1b": ["\x07"]}}
    board.lie_link = lambda kind, real: [event] if kind == "tone" else [real]


# Not to be told from a robot by their shape: the talk goes on, cleaned.
HARMLESS_TALK = {"tells events with escape sequences": _nasty_events}
