"""A board on a serial port: find it, get into its raw REPL, move files.

This is the only module that knows mpremote, whose Python interface is announced to change (its
version is pinned in pyproject.toml). A port is a name (/dev/ttyACM0, COM3, /dev/cu.usbmodem101),
"serial:NUMBER" for the board with that USB serial number, "auto" for the only one there, or an
address that pyserial knows (socket://host:1234).
"""

import base64
import contextlib
import errno
import hashlib
import io
import os
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import serial
import serial.tools.list_ports
from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport
from roboto.board.scratch import OFFER_GAME, SCRATCH0

from .errors import BoardError

OLDEST = (1, 25)
_RASPBERRY_PI_VID = 0x2E8A
_MICROPYTHON_PID = 0x0005
_REMOTE = Path(__file__).with_name("remote.py")
_CHUNK_BYTES = 4032  # at most 8192 when every byte is written as two
_IN_FLIGHT = 2  # frames sent ahead of their acknowledgement
_TRIES = 3
# An emulated board is a good deal slower than a real one: its tests ask for more patience.
PATIENCE = float(os.environ.get("ROBOTO_PATIENCE", "1"))
_STOP_WATCHDOG = "import machine\nmachine.mem32[0x4005B000] = 1 << 30\n"  # clears CTRL.ENABLE
# Lie on the SPI flash where one is fitted; see firmware/roboto/board/flash.py.
APART = ("data/", "voice/", "next/voice+")
_OFFER_GAME = f"machine.mem32[{SCRATCH0}] = {OFFER_GAME}\n"

Progress = Callable[[int], None]  # told how many bytes more are done


@dataclass(frozen=True)
class Identity:
    """What a board says of itself."""

    version: tuple[int, ...]  # MicroPython's
    machine: str
    unique_id: str

    def __str__(self) -> str:
        return f"{self.machine}, MicroPython {'.'.join(map(str, self.version))}"


@dataclass(frozen=True)
class Room:
    """A file system's size, in blocks."""

    block_bytes: int
    blocks: int
    free_blocks: int

    @property
    def free_bytes(self) -> int:
        return self.block_bytes * self.free_blocks


def find(port: str = "auto") -> str:
    """The port's name or address. Raises BoardError when no board is there, or more than one."""
    if port != "auto" and not port.startswith("serial:"):
        return port
    ports = [p for p in serial.tools.list_ports.comports() if p.vid is not None]
    if port != "auto":
        number = port.partition(":")[2]
        for candidate in ports:
            if (candidate.serial_number or "").lower() == number.lower():
                return candidate.device
        raise BoardError(f"no board with the serial number {number}: {_seen(ports)}")
    boards = [p for p in ports if p.vid == _RASPBERRY_PI_VID and p.pid == _MICROPYTHON_PID]
    if len(boards) == 1:
        return boards[0].device
    if not boards:
        raise BoardError(
            f"no board found ({_seen(ports)}): plug it in with a USB cable that carries data; "
            "switch a robot off and on that might be asleep; a bare board, or one that shows up "
            "as the drive RPI-RP2, gets its first image with `roboto image`"
        )
    raise BoardError(
        "several boards: choose with --port "
        + " or ".join(f"{p.device} (serial:{p.serial_number})" for p in boards)
    )


def _seen(ports: list) -> str:
    return "ports seen: " + (", ".join(p.device for p in ports) or "none")


def connect(port: str = "auto") -> "Board":
    """A session with the board, in its raw REPL after a soft reset. What ran on it is interrupted.
    Raises BoardError."""
    return Board(open_port(find(port)))


def open_port(device: str) -> SerialTransport:
    """The port alone; the board notices nothing. Raises BoardError."""
    try:
        transport = SerialTransport(device, timeout=10 * PATIENCE)
        transport.serial.write_timeout = 10 * PATIENCE  # a board that hangs takes nothing more
        return transport
    except (TransportError, OSError, ValueError) as error:
        raise BoardError(_why_not(device, error)) from error


def _why_not(device: str, error: Exception) -> str:
    """mpremote keeps the reason to itself: ask once more."""
    try:
        serial.serial_for_url(device, exclusive=True).close()
    except (OSError, ValueError) as reason:
        text = str(reason).lower()
        busy = getattr(reason, "errno", None) in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
        if busy or "exclusively lock" in text or "busy" in text or "access is denied" in text:
            return (
                f"{device} is in use: close the program that holds it (Thonny, another roboto …)"
            )
        if getattr(reason, "errno", None) == errno.EACCES or "permission denied" in text:
            return (
                f"{device} may not be opened: on Linux add yourself to its group "
                "(sudo usermod -a -G dialout $USER) and log in again"
            )
        return f"no board at {device}: plug it in, or see `roboto ports` for what is there"
    return f"{device} could not be opened ({error}): unplug the board, plug it in and try again"


def encode(data: bytes) -> bytes:
    """Without Ctrl-C, which interrupts the board; see remote.py."""
    return data.replace(b"\x1b", b"\x1b2").replace(b"\x03", b"\x1b1")


class Board:
    """A session in the raw REPL. Methods raise BoardError, in one line.

    `with connect() as board: ...` starts what is on the board again at the end and lets the port
    go.
    """

    def __init__(self, transport: SerialTransport) -> None:
        self._transport = transport
        self.port = transport.device_name
        self._left = False
        try:
            self._begin()
        except BaseException:
            with contextlib.suppress(Exception):
                self._transport.exit_raw_repl()
            self.close()
            raise

    def _begin(self) -> None:
        self._enter()
        self.identity = self._identify()
        self._apart: str | None = None  # looked up when it is first wanted
        self._unmade = False
        self._exec(_REMOTE.read_text())

    def renew(self) -> None:
        """Begins the session anew: what the board had loaded of its firmware is forgotten."""
        self._begin()

    def reconnect(self, timeout_s: float) -> None:
        """Takes up the session again with a board that restarts by itself."""
        end = time.monotonic() + timeout_s * PATIENCE
        self.close()
        while True:
            try:
                self._transport = open_port(self.port)
                self._begin()
                return
            except BoardError:
                self.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        if not self._left:
            with contextlib.suppress(BoardError):
                self.restart()
        self.close()

    # ---- getting in and out

    def _enter(self) -> None:
        failure = ""
        for _ in range(_TRIES):
            try:
                # Twice: the first may be swallowed by code that was about to end anyway.
                self._transport.serial.write(b"\r\x03\x03")
                time.sleep(0.05)
                with contextlib.redirect_stdout(io.StringIO()):  # it prints what it could not use
                    self._transport.enter_raw_repl(True, ceil(4 * PATIENCE))
                return
            except TransportError as error:
                failure = str(error)
            except OSError as error:
                raise self._lost(error) from error
        raise BoardError(
            f"{self.port} does not answer as a MicroPython board ({failure}): unplug it, switch "
            "the robot off, hold the red button while plugging it in, and try again"
        )

    def _identify(self) -> Identity:
        # Nothing is poked at before it is known to be an RP2040.
        try:
            text = self._exec(
                "import machine, sys\n"
                "print(sys.platform, '.'.join(str(n) for n in sys.implementation.version[:3]),"
                " machine.unique_id().hex(), sys.implementation._machine, sep='|')"
            )
            platform, version, unique_id, machine = text.strip().split("|", 3)
            numbers = tuple(int(n) for n in version.split("."))
        except (RemoteError, ValueError) as error:
            raise BoardError(
                f"{self.port} runs a Python, but not MicroPython for the RP2040 ({error}): choose "
                "another with --port, or drop a `roboto image` onto the board"
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

    def restart(self) -> None:
        """Leaves the raw REPL; the board starts anew and runs what is on it. A game that was
        interrupted can go on."""
        self._exec("import machine\n" + _OFFER_GAME)
        try:
            self._transport.exit_raw_repl()
            self._transport.read_until(1, b">>> ", timeout=2)
            self._transport.serial.write(b"\x04")
        except (TransportError, OSError) as error:
            raise self._lost(error) from error

    def leave(self) -> None:
        """The board has been restarted: the end of the session has nothing to do but to let the
        port go."""
        self._left = True

    def close(self) -> None:
        """Lets the port go."""
        with contextlib.suppress(OSError, TransportError):
            self._transport.close()

    @property
    def serial(self) -> Any:
        """The open port, for the line protocol after restart()."""
        return self._transport.serial

    # ---- running code

    def exec(self, code: str, timeout_s: float = 10.0) -> str:
        """Runs code in the board's raw REPL and returns what it printed."""
        return self._exec(code, timeout_s)

    def start(self, code: str) -> None:
        """Runs code that gives no answer, since the board goes away."""
        self._start(code)

    def call(self, function: str, *arguments: object, timeout_s: float = 10.0) -> str:
        """Calls a function by name, with arguments whose repr() MicroPython reads."""
        return self._exec(f"{function}({', '.join(map(repr, arguments))})", timeout_s)

    def _exec(self, code: str, timeout_s: float = 10.0) -> str:
        self._start(code)
        return self._finish(timeout_s)

    def _start(self, code: str) -> None:
        try:
            self._transport.exec_raw_no_follow(code)
        except (TransportError, OSError, struct.error, IndexError) as error:
            raise self._lost(error) from error

    def _finish(self, timeout_s: float = 10.0) -> str:
        output = self._read_to_eof(timeout_s)
        error = self._read_to_eof(timeout_s)
        if error:
            raise RemoteError(output, error)
        return output

    def _read_to_eof(self, timeout_s: float) -> str:
        data = bytearray()
        quiet_since = time.monotonic()
        port = self._transport.serial
        try:
            while (
                True
            ):  # byte by byte: the prompt behind the last end-of-text is for the next exec to see
                byte = port.read(1)
                if byte == b"\x04":
                    return data.decode(errors="replace").replace("\r\n", "\n")
                if byte:
                    data += byte
                    quiet_since = time.monotonic()
                elif time.monotonic() - quiet_since > timeout_s * PATIENCE:
                    raise BoardError(
                        f"{self.port}: no answer for {timeout_s:.0f} s: unplug the board, plug it "
                        "in and run this again"
                    )
        except OSError as error:
            raise self._lost(error) from error

    def _lost(self, error: object) -> BoardError:
        return BoardError(
            f"the board on {self.port} went away ({error}): plug it in again and run the same "
            "command once more; "
            "nothing is lost"
        )

    # ---- files

    def tree(self) -> dict[str, int]:
        """All files: path -> size in bytes."""
        files = self._tree("")
        if self.apart:
            # Packs on the board's own flash all the same get an absolute path; data there is old.
            files = {p: n for p, n in files.items() if not p.startswith("data/")}
            files = {"/" * path.startswith(APART) + path: n for path, n in files.items()}
            for folder in ("data", "voice", "next"):
                for path, n in self._tree(f"{self.apart}/{folder}").items():
                    files[path[len(self.apart) + 1 :]] = n
        return files

    def _tree(self, folder: str) -> dict[str, int]:
        files = {}
        for line in self.call("tree", folder, timeout_s=60).splitlines():
            size, _, path = line.partition(" ")
            files[path] = int(size)
        return files

    @property
    def apart(self) -> str:
        """Where the SPI flash is mounted that holds what APART names; "" when there is none, or
        the firmware that finds it is not on the board. Looking it up writes nothing."""
        if self._apart is None:
            self._find_apart(make=False)
        return self._apart or ""

    def make_apart(self) -> None:
        """Gives a new SPI flash its file system, as the robot does at its first start."""
        if not self.apart and self._unmade:
            self._find_apart(make=True)

    def _find_apart(self, make: bool) -> None:
        answer = self._exec(
            "try:\n from roboto.board.flash import Flash\n"
            f" flash = Flash({make})\n print(flash.data, bool(flash.note))\n"
            "except Exception:\n print('data', False)\n",  # no firmware, or a half one
            60,
        )
        data, unmade = answer.split()
        self._apart, self._unmade = data[: -len("/data")], unmade == "True"

    def _there(self, path: str) -> str:
        """Where a path lies on the board."""
        return f"{self.apart}/{path}" if path.startswith(APART) and self.apart else path

    def digests(self, paths: list[str]) -> dict[str, str]:
        """SHA-256 of files as they lie in flash; those that are not there are left out."""
        if not paths:
            return {}
        lines = self.call("digests", [self._there(p) for p in paths], timeout_s=60).splitlines()
        return {path: line for path, line in zip(paths, lines, strict=True) if line != "-"}

    def room(self, path: str = "") -> Room:
        """Of the file system on which a path lies."""
        where = self.apart if path.startswith(APART) else ""
        return Room(*map(int, self.call("room", where or "/", timeout_s=60).split()))

    def write(self, files: Mapping[str, bytes], progress: Progress | None = None) -> None:
        """Writes files, path -> contents; when it fails, such as for want of space, some are there
        in part."""
        if any(path.startswith("data/") for path in files):
            self.make_apart()
        self._start(f"take({[self._there(path) for path in files]!r})")
        port = self._transport.serial
        waiting: list[int] = []
        refused = False
        try:
            for data in files.values():
                for chunk in _chunks(data) if not refused else ():
                    frame = encode(chunk)
                    port.write(b"%04x" % len(frame) + frame)
                    waiting.append(len(chunk))
                    if len(waiting) >= _IN_FLIGHT and self._refused(waiting, progress):
                        refused = True
                        break
                port.write(b"0000")
            while waiting:
                self._refused(waiting, progress)
        except OSError as error:
            raise self._lost(error) from error
        try:
            self._finish(timeout_s=30)
        except RemoteError as error:
            if error.errno == errno.ENOSPC:
                raise BoardError(
                    "the board's flash is full: take fewer languages, wipe recordings (`roboto "
                    "clips wipe`), or use a "
                    "board with more flash"
                ) from error
            raise

    def _refused(self, waiting: list[int], progress: Progress | None) -> bool:
        """Takes the answer to the oldest frame on its way. True when it was not written."""
        answer = self._transport.serial.read(1)
        if answer not in (b".", b"!"):
            if not answer:
                raise self._lost("it stopped answering")
            rest = self._transport.read_until(1, b">", timeout=1)
            raise BoardError(
                f"{self.port}: unexpected answer {(answer + rest)[-200:]!r}: try again"
            )
        n = waiting.pop(0)
        if progress and answer == b".":
            progress(n)
        return answer == b"!"

    def read(self, path: str, most: int = 1 << 24) -> bytes:
        """A file's contents, or so many bytes of it. Raises RemoteError (errno ENOENT) when there
        is none."""
        return b"".join(
            base64.b64decode(line)
            for line in self.call("give", self._there(path), most, timeout_s=30).splitlines()
        )

    def remove(self, paths: list[str]) -> None:
        """Deletes files and empty folders; it is no error when there are none."""
        if paths:
            self.call("remove", [self._there(path) for path in paths], timeout_s=60)

    def rename(self, old: str, new: str) -> None:
        self.call("os.rename", self._there(old), self._there(new))

    def replace(self, path: str, data: bytes, progress: Progress | None = None) -> None:
        """Writes a file that is old or new at any moment, and checks it."""
        temporary = path + ".tmp"
        self.write({temporary: data}, progress)
        if self.digests([temporary]).get(temporary) != hashlib.sha256(data).hexdigest():
            raise BoardError(f"{path} did not arrive as it was sent: try again")
        self.rename(temporary, path)


class RemoteError(BoardError):
    """Code on the board raised. str() is the last line of its traceback."""

    def __init__(self, output: str, traceback: str) -> None:
        lines = traceback.strip().splitlines()
        super().__init__("on the board: " + (lines[-1] if lines else "?"))
        self.output, self.traceback = output, traceback
        self.errno = _errno_of(lines[-1]) if lines else None


def _errno_of(line: str) -> int | None:
    """MicroPython prints "OSError: [Errno 2] ENOENT" or "OSError: 28"."""
    if not line.startswith("OSError"):
        return None
    for word in line.replace("]", " ").split():
        if word.isdigit():
            return int(word)
    return None


def _chunks(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), _CHUNK_BYTES):
        yield data[start : start + _CHUNK_BYTES]
