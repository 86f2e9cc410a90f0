"""A session with a board: its files, and code to run on it.

What it answers is checked here before anybody believes it; deadlines and byte limits are the
door's.
"""

import base64
import contextlib
import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import serial
from roboto.board.scratch import OFFER_GAME, SCRATCH0

from .door import SLOWEST_BYTES_A_S, Clock, Door, clean
from .errors import BoardError, Nonsense, RemoteError
from .files import MOST_BYTES, MOST_FILES, ON_SPI_FLASH, Progress, Room, is_path
from .ports import find, open_serial
from .repl import Repl

OLDEST = (1, 25)
_REMOTE = Path(__file__).with_name("remote.py")
_CHUNK_BYTES = 4032  # at most 8192 when every byte is written as two
_IN_FLIGHT = 2  # frames sent ahead of their acknowledgement
# An emulated board is a good deal slower than a real one: its tests ask for more patience.
PATIENCE = float(os.environ.get("ROBOTO_PATIENCE", "1"))
_OFFER_GAME = f"machine.mem32[{SCRATCH0}] = {OFFER_GAME}\n"
_STOP_WATCHDOG = "import machine\nmachine.mem32[0x4005B000] = 1 << 30\n"  # clears CTRL.ENABLE
_SHA256 = re.compile("[0-9a-f]{64}")
_REST_BYTES = 300  # of an answer that is none: enough for a traceback's last line

T = TypeVar("T")


@dataclass(frozen=True)
class Identity:
    """What a board says of itself."""

    version: tuple[int, ...]  # MicroPython's
    machine: str
    unique_id: str

    def __str__(self) -> str:
        return f"{self.machine}, MicroPython {'.'.join(map(str, self.version))}"


def connect(port: str = "auto") -> "Board":
    """Begin a session with the board, in its raw REPL after a soft reset: what ran on it is
    interrupted. Raise BoardError."""
    return Board(open_port(find(port)))


def open_port(device: str, clock: Clock | None = None) -> Repl:
    """Open the port alone; the board notices nothing. Raise BoardError."""
    # A board that hangs takes nothing more: a write ends, too.
    port = open_serial(device, write_timeout_s=10 * PATIENCE)
    return Repl(Door(port, clean(device), clock), device, PATIENCE)


def encode(data: bytes) -> bytes:
    """Return bytes without Ctrl-C, which interrupts the board; see remote.py."""
    return data.replace(b"\x1b", b"\x1b2").replace(b"\x03", b"\x1b1")


class Board:
    """A session in the raw REPL. Methods raise BoardError, in one line.

    `with connect() as board: ...` starts what is on the board again at the end and lets the port
    go.
    """

    def __init__(self, transport: Repl) -> None:
        self._transport = transport
        self.port = clean(transport.device_name)
        self._left = False
        self.serial.begin_session(PATIENCE)
        try:
            self._begin()
        except BaseException:
            with contextlib.suppress(Exception):
                self._transport.exit_raw_repl()
            self.close()
            raise

    def _begin(self) -> None:
        self._transport.enter()
        self.identity = self._identify()
        self._spi_flash: str | None = None  # looked up when it is first wanted
        self._unmade = False
        self._sizes: dict[str, int] = {}
        self._exec(_REMOTE.read_text("utf-8"))

    def renew(self) -> None:
        """Begin the session anew: what the board had loaded of its firmware is forgotten."""
        self._begin()

    def reconnect(self, timeout_s: float) -> None:
        """Take up the session again with a board that restarts by itself."""
        clock = self.serial.clock
        end_s = clock.now() + timeout_s * PATIENCE
        self.close()
        while True:
            try:
                self._transport = open_port(self._transport.device_name, clock)
                self._begin()
                return
            except BoardError:
                self.close()
                if clock.now() > end_s:
                    raise
                clock.sleep(0.5)

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if not self._left:
            with contextlib.suppress(BoardError):
                self.restart()
        self.close()

    # ---- getting in and out

    def _identify(self) -> Identity:
        # Nothing is poked at before it is known to be an RP2040.
        try:
            text = self._exec(
                "import machine, sys\n"
                "print(sys.platform, '.'.join(str(n) for n in sys.implementation.version[:3]),"
                " machine.unique_id().hex(), sys.implementation._machine, sep='|')",
                what="asking what it is",
            )
            platform, version, unique_id, machine = map(clean, text.strip().split("|", 3))
            numbers = tuple(int(n) for n in version.split(".") if n.isascii() and n.isdecimal())
            if len(numbers) != 3:
                raise ValueError("no version")
        except (RemoteError, ValueError) as error:
            raise BoardError(
                f"{self.port} runs a Python, but not MicroPython for the RP2040: choose another "
                "with --port, or drop a `roboto image` onto the board"
            ) from error
        if platform != "rp2" or "RP2040" not in machine:
            raise BoardError(
                f"{self.port} is a {machine}, not a board with an RP2040: choose another with "
                "--port"
            )
        if "Pico W" in machine:
            raise BoardError(
                f"{self.port} is a {machine}: its radio has the pins that sense USB and battery "
                "(GPIO24, GPIO29): take a Pico, or choose another with --port"
            )
        if numbers[:2] < OLDEST:
            raise BoardError(
                f"MicroPython {version} on {self.port} is too old: put {OLDEST[0]}.{OLDEST[1]} or "
                "newer on it (a UF2 of MicroPython alone keeps recordings), or drop a `roboto "
                "image` onto it (that wipes them)"
            )
        self._exec(_STOP_WATCHDOG)
        return Identity(numbers, machine, unique_id)

    def restart(self, go_on: bool = True) -> None:
        """Leave the raw REPL; the board starts anew and runs what is on it. A game that was
        interrupted can go on, unless that is not wanted."""
        self._exec("import machine\n" + (_OFFER_GAME if go_on else ""), what="restarting it")
        self._transport.leave()

    def leave(self) -> None:
        """Note that the board has been restarted: the end of the session has nothing to do but to
        let the port go."""
        self._left = True

    def close(self) -> None:
        """Let the port go."""
        with contextlib.suppress(OSError, serial.SerialException):
            self._transport.close()

    @property
    def serial(self) -> Any:
        """Return the door to the board, for the line protocol after restart()."""
        return self._transport.serial

    # ---- running code

    def exec(self, code: str, timeout_s: float = 10.0, counted: bool = True) -> str:
        """Run code in the board's raw REPL and return what it printed. counted: False where it
        waits for a person."""
        return self._exec(code, timeout_s, "running its self-test", counted=counted)

    def start(self, code: str) -> None:
        """Run code that gives no answer, since the board goes away."""
        with self.serial.exchange("starting", 10 * PATIENCE):
            self._transport.send(code)

    def call(
        self,
        function: str,
        *arguments: object,
        timeout_s: float = 10.0,
        what: str = "",
        most_bytes: int | None = None,
    ) -> str:
        """Call a function by name, with arguments whose repr() MicroPython reads."""
        code = f"{function}({', '.join(map(repr, arguments))})"
        return self._exec(code, timeout_s, what or function, most_bytes)

    def _exec(
        self,
        code: str,
        timeout_s: float = 10.0,
        what: str = "running code",
        most_bytes: int | None = None,
        counted: bool = True,
    ) -> str:
        limits = {} if most_bytes is None else {"most_bytes": most_bytes}
        with self.serial.exchange(what, timeout_s * PATIENCE, counted=counted, **limits):
            self._transport.send(code)
            output, traceback = self._transport.answer()
        if traceback:
            raise self._remote_error(what, traceback)
        return output

    def _answered(self, what: str, text: str, read: Callable[[str], T]) -> T:
        """Return what read() makes of an answer. Raise Nonsense when that is nothing."""
        try:
            return read(text)
        except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
            raise self.nonsense(what, text) from error

    def nonsense(self, what: str, text: str) -> Nonsense:
        """Make the error for an answer that is none to what was asked."""
        shown = clean(text.strip(), 60)
        return Nonsense(
            f"{self.port}: {what}: it answers {shown!r}, which is no answer to that: unplug the "
            "board, plug it in and run this again; if that does not help, drop a `roboto image` "
            "onto it"
        )

    def _remote_error(self, what: str, traceback: str) -> RemoteError:
        lines = traceback.strip().splitlines()
        kind, _, said = clean(lines[-1] if lines else "").partition(":")
        number = _errno_of(said) if kind == "OSError" else None
        words = _FAILURES.get(number if number is not None else kind)
        if words is None:
            words = "its program went wrong: run `roboto flash`"
        line = f"{self.port}: {what} failed on the board: {words}"
        return RemoteError(line, kind, number, traceback)

    # ---- files

    def tree(self) -> dict[str, int]:
        """Return all files: path -> size in bytes."""
        files = self._tree("")
        if self.spi_flash:
            # Packs on the board's own flash all the same get an absolute path; data there is old.
            files = {p: n for p, n in files.items() if not p.startswith("data/")}
            files = {"/" * p.startswith(ON_SPI_FLASH) + p: n for p, n in files.items()}
            for folder in ("data", "voice", "next"):
                for path, n in self._tree(f"{self.spi_flash}/{folder}").items():
                    files[path[len(self.spi_flash) + 1 :]] = n
        self._sizes = files
        return files

    def _tree(self, folder: str) -> dict[str, int]:
        what = "listing its files"
        text = self.call("tree", folder, timeout_s=60, what=what)

        def read(text: str) -> dict[str, int]:
            files: dict[str, int] = {}
            for line in text.splitlines():
                size, _, path = line.partition(" ")
                if not path.startswith(folder) or path in files or not int(size) >= 0:
                    raise ValueError(line)
                if is_path(path):  # what has another name is nobody's that we know
                    files[path] = int(size)
            if len(files) > MOST_FILES or sum(files.values()) > MOST_BYTES:
                raise ValueError("more than any flash holds")
            return files

        return self._answered(what, text, read)

    @property
    def spi_flash(self) -> str:
        """Return where the SPI flash is mounted that holds what ON_SPI_FLASH names; "" when
        there is none, or the firmware that finds it is not on the board. Looking it up writes
        nothing."""
        if self._spi_flash is None:
            self._find_spi_flash(make=False)
        return self._spi_flash or ""

    def make_spi_flash(self) -> None:
        """Give a new SPI flash its file system, as the robot does at its first start."""
        if not self.spi_flash and self._unmade:
            self._find_spi_flash(make=True)

    def _find_spi_flash(self, make: bool) -> None:
        what = "looking for its SPI flash"
        text = self._exec(
            "try:\n from roboto.board.flash import Flash\n"
            f" flash = Flash({make})\n print(flash.data, bool(flash.note))\n"
            "except Exception:\n print('data', False)\n",  # no firmware, or a half one
            60,
            what,
        )
        words = text.split()
        if len(words) != 2 or not words[0].endswith("data") or not is_path(words[0]):
            raise self.nonsense(what, text)
        self._spi_flash, self._unmade = words[0][: -len("/data")], words[1] == "True"

    def _there(self, path: str) -> str:
        """Where a path lies on the board."""
        return (
            f"{self.spi_flash}/{path}"
            if path.startswith(ON_SPI_FLASH) and self.spi_flash
            else path
        )

    def digests(self, paths: list[str]) -> dict[str, str]:
        """Return the SHA-256 of files as they lie in flash; those that are not there are left
        out."""
        if not paths:
            return {}
        what = "checking its files"
        text = self.call("digests", [self._there(p) for p in paths], timeout_s=60, what=what)
        lines = text.splitlines()
        if len(lines) != len(paths) or not all(x == "-" or _SHA256.fullmatch(x) for x in lines):
            raise self.nonsense(what, text)
        return {path: line for path, line in zip(paths, lines, strict=True) if line != "-"}

    def room(self, path: str = "") -> Room:
        """Return the room of the file system on which a path lies."""
        where = self.spi_flash if path.startswith(ON_SPI_FLASH) else ""
        what = "asking for its free space"
        text = self.call("room", where or "/", timeout_s=60, what=what)

        def read(text: str) -> Room:
            block_bytes, blocks, free = map(int, text.split())
            # littlefs counts a block twice that two files share: free may be below zero
            if not (0 < block_bytes <= 1 << 20 and -blocks <= free <= blocks <= 1 << 20):
                raise ValueError("no file system's")
            return Room(block_bytes, blocks, max(free, 0))

        return self._answered(what, text, read)

    def mend(self) -> list[str]:
        """Delete the files whose blocks are damaged so that nothing can be written any more;
        return their paths. As a rule there are none."""
        what = "looking after its flash"
        lines = ""
        for where in dict.fromkeys(("", self.spi_flash)):
            lines += self.call("mend", where, timeout_s=120, what=what)
        return [clean(line, 80) for line in lines.splitlines()]

    def write(self, files: Mapping[str, bytes], progress: Progress | None = None) -> None:
        """Write files, path -> contents; when it fails, such as for want of space, some are there
        in part."""
        if any(path.startswith("data/") for path in files):
            self.make_spi_flash()
        what = "sending files"
        with self.serial.exchange(what, 10 * PATIENCE):
            self._transport.send(f"take({[self._there(path) for path in files]!r})")
        try:
            self._send_frames(files.values(), progress)
            with self.serial.exchange(what, 30 * PATIENCE):
                _, traceback = self._transport.answer()
            if traceback:
                raise self._remote_error(what, traceback)
        except RemoteError as error:
            if error.errno == errno.ENOSPC:
                raise BoardError(
                    "the board's flash is full: take fewer languages, wipe recordings (`roboto "
                    "clips wipe`), or use a board with more flash"
                ) from error
            raise

    def assemble(
        self, path: str, sources: Sequence[str], pieces: Sequence[tuple[int, int, int]]
    ) -> None:
        """Write a file from pieces of others that are there: (number of the source, position,
        length)."""
        there = [self._there(source) for source in sources]
        what = "putting a file together"
        self.call("assemble", self._there(path), there, pieces, timeout_s=60, what=what)

    def _send_frames(self, contents: Any, progress: Progress | None) -> None:
        waiting: list[int] = []
        refused = False
        for data in contents:
            for chunk in _chunks(data) if not refused else ():
                frame = encode(chunk)
                with self.serial.exchange("sending files", 10 * PATIENCE):
                    self.serial.write(b"%04x" % len(frame) + frame)
                waiting.append(len(chunk))
                if len(waiting) >= _IN_FLIGHT and self._refused(waiting, progress):
                    refused = True
                    break
            with self.serial.exchange("sending files", 10 * PATIENCE):
                self.serial.write(b"0000")
        while waiting:
            self._refused(waiting, progress)

    def _refused(self, waiting: list[int], progress: Progress | None) -> bool:
        """Take the answer to the oldest frame on its way. True when it was not written."""
        with self.serial.exchange("sending files", 10 * PATIENCE):
            answer = self.serial.read(1)
            if answer not in (b".", b"!"):
                rest = self._transport.read_until(1, b">", timeout=1)[-_REST_BYTES:]
                raise self.nonsense("sending files", (answer + rest).decode(errors="replace"))
        n = waiting.pop(0)
        if progress and answer == b".":
            progress(n)
        return answer == b"!"

    def read(self, path: str, most: int = MOST_BYTES) -> bytes:
        """Return a file's contents, or so many bytes of it. Raise RemoteError (errno ENOENT) when
        there is none."""
        what = f"reading {path}"
        most = min(most, MOST_BYTES)
        size = min(most, self._sizes.get(path, most))
        text = self.call(
            *("give", self._there(path), most),
            timeout_s=30 + size / SLOWEST_BYTES_A_S,
            what=what,
            most_bytes=size * 3 // 2 + 4096,
        )

        def read(text: str) -> bytes:
            data = b"".join(base64.b64decode(line, validate=True) for line in text.splitlines())
            if len(data) > most:
                raise ValueError("more than was asked for")
            return data

        return self._answered(what, text, read)

    def remove(self, paths: list[str]) -> None:
        """Delete files and empty folders; it is no error when there are none."""
        if paths:
            there = [self._there(path) for path in paths]
            self.call("remove", there, timeout_s=60, what="deleting files")

    def rename(self, old: str, new: str) -> None:
        """Rename a file within its file system; a folder in its way goes aside."""
        what = f"renaming {old}"
        self.call("rename", self._there(old), self._there(new), what=what)

    def replace(self, path: str, data: bytes, progress: Progress | None = None) -> None:
        """Write a file that is old or new at any moment, and check it."""
        temporary = path + ".tmp"
        self.write({temporary: data}, progress)
        if self.digests([temporary]).get(temporary) != hashlib.sha256(data).hexdigest():
            raise BoardError(f"{path} did not arrive as it was sent: try again")
        self.rename(temporary, path)


_FLASH_FAULT = (
    "its flash cannot be read or written: save what can be had with `roboto clips pull` and run "
    "`roboto flash`; if that does not help, drop a `roboto image` onto it"
)
_FAILURES: dict[int | str, str] = {
    errno.EIO: _FLASH_FAULT,
    errno.ENODEV: _FLASH_FAULT,
    84: _FLASH_FAULT,  # littlefs found its own data damaged
    errno.ENOENT: "the file is not there: run this again",
    errno.ENOSPC: "its flash is full: `roboto clips wipe`, or take fewer languages",
    errno.ENOMEM: "it has no memory left: unplug it, plug it in and run this again",
    errno.EISDIR: "a folder lies where a file belongs: run `roboto flash`",
    errno.ENOTDIR: "a file lies where a folder belongs: run `roboto flash`",
    errno.EEXIST: "something of that name is there already: run `roboto flash`",
    errno.EROFS: "its file system cannot be written: drop a `roboto image` onto it",
    "MemoryError": "it has no memory left: unplug it, plug it in and run this again",
    "ImportError": "it has no firmware that knows this: run `roboto flash`",
    "AttributeError": "its firmware is another version's: run `roboto flash`",
    "KeyboardInterrupt": "something interrupted it: run this again",
}


def _errno_of(said: str) -> int | None:
    """MicroPython prints "[Errno 2] ENOENT" or "28" behind "OSError:"."""
    for word in said.replace("[Errno", "").replace("]", " ").split():
        if word.isascii() and word.isdecimal() and len(word) < 6:
            return int(word)
    return None


def _chunks(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), _CHUNK_BYTES):
        yield data[start : start + _CHUNK_BYTES]
