"""The line protocol on USB: what `roboto console` and `roboto log --follow` talk to.

A computer sends a command a line; each answer, and each event that was asked for, is a line that
begins with "~" and goes on as JSON. Nothing is sent unasked, and nothing here runs without USB.
Commands:

    hello                    version, state, language, how many utterances so far, the last of them
    follow on|off            tell every event as the simulator's trace does, by the robot's clock
    press CONTROL [MS]       press a button or the tray (for 100 ms)
    release CONTROL          let go of it before its time
    log                      the log's lines since boot
    battery                  the battery's millivolts
    seed NUMBER              start anew, as when the switch is moved, with repeatable chance

Whatever else a computer sends costs nothing but the reading: lines that are too long or not ASCII
are dropped. What it does not read is dropped, too, and `follow` ends with that: the loop never
waits for a computer.
"""

import json
import select
import sys
import time

from .version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .app import App
    from .shapes import Ticks

_LINE_BYTES = 80
_PRESS_MS = 100
_LONGEST_MS = 20000
_AT_ONCE = 32  # bytes taken, and bytes sent, in one step
_LISTEN_MS = 5000  # after a computer's last word, in which the next is answered at once
_QUEUE_BYTES = 3000  # that wait to be read; a single longer answer waits alone
_UNREAD_MS = 500  # a computer that has taken nothing for so long does not read
_TOO_LONG = -1
_NEWLINE = b"\r\n"


class Wire:
    """Bytes to and from the computer, one at a time: no call ever waits."""

    def __init__(self) -> None:
        self._in = _bytes_of(sys.stdin)
        self._out = _bytes_of(sys.stdout)
        self._byte = bytearray(1)
        self._readable = _poller(sys.stdin, select.POLLIN)
        self._writable = _poller(sys.stdout, select.POLLOUT)

    def read(self) -> int:
        """Return the next byte, or -1 when none has come."""
        for _ in self._readable(0):
            return self._byte[0] if self._in.readinto(self._byte) == 1 else -1
        return -1

    def write(self, byte: int) -> bool:
        """Send a byte. Return False, and send nothing, when there is no room for it."""
        for _ in self._writable(0):
            self._byte[0] = byte
            self._out.write(self._byte)
            return True
        return False


def _bytes_of(stream: "Any") -> "Any":
    """Return the stream of bytes, without a buffer, below a stream of text."""
    stream = getattr(stream, "buffer", stream)
    return getattr(stream, "raw", stream)


def _poller(stream: object, flag: int) -> "Callable[[int], Iterable]":
    poll = select.poll()
    poll.register(stream, flag)
    return getattr(poll, "ipoll", poll.poll)  # ipoll allocates nothing


class Console:
    """The robot's end. notify() goes to the App as its listener; attach() tells which App it is.

    `wire`: the computer's end, standard input and output unless said otherwise.
    """

    _app: "App"  # from attach() on
    _heard: "Ticks"  # while _listening: when the last byte came
    _taken: "Ticks"  # while something is queued: when the computer last took a byte

    def __init__(self, wire: Wire | None = None) -> None:
        self._wire = wire or Wire()
        self._follow = False
        self._line = bytearray(_LINE_BYTES)
        self._length = 0  # of the line so far, or _TOO_LONG
        self._listening = False  # a computer has said something in the last seconds
        self._said = 0
        self._last: str | None = None
        self._state: str | None = None
        # (control, when to let go in ticks), a control at most once
        self._held: list[tuple[str, Ticks]] = []
        self._queue: list[bytes] = []  # lines to be sent
        self._queued = 0  # bytes in there
        self._sent = 0  # bytes of its first line
        self._begun = False  # the computer has seen a part of that line

    def attach(self, app: "App") -> None:
        """Tell whose console this is."""
        self._app = app

    def notify(self, event: str, fields: dict) -> None:
        """Take note of what has happened, and send it to who follows. Never raises."""
        try:
            if event == "say":
                self._said += 1
                self._last = fields["text"]
            elif event == "state":
                self._state = fields["state"]
            if self._follow:
                self._send(event, fields, {"t": time.ticks_ms()})
        except Exception:  # for want of memory: it costs the follower this event
            self._follow = False

    def step(self) -> bool:
        """Take what has come and send what can go, once a loop step; return True while a computer
        talks. Without USB it costs one look at a pin."""
        if not self._app.board.power.usb_present():
            if self._held or self._queue or self._length:
                self._hang_up()
            self._follow = self._listening = False
            return False
        now = time.ticks_ms()
        if self._held:
            self._let_go(now)
        for _ in range(_AT_ONCE):
            byte = self._wire.read()
            if byte < 0:
                break
            self._listening = True
            self._heard = now
            self._take(byte)
        if self._queue:
            self._write(now)
        if self._listening and time.ticks_diff(now, self._heard) >= _LISTEN_MS:
            self._listening = False
        return self._follow or self._listening

    def reset(self) -> None:
        """Forget everything that is under way, after something went wrong. Never raises."""
        self._follow = False
        try:
            self._hang_up()
        except Exception:
            pass

    def _hang_up(self) -> None:
        """The cable is out: what it held is let go."""
        self._length = self._queued = self._sent = 0
        self._begun = False
        self._queue = []
        held, self._held = self._held, []
        for control, _ in held:
            self._app.board.inputs.put(control, False)

    def _let_go(self, now: "Ticks") -> None:
        for entry in self._held:
            if time.ticks_diff(now, entry[1]) >= 0:
                self._held.remove(entry)
                self._app.board.inputs.put(entry[0], False)
                return  # another one in the next step

    def _take(self, byte: int) -> None:
        """One byte from the computer."""
        if byte in _NEWLINE:
            length, self._length = self._length, 0
            if length > 0:
                self._do_line(bytes(self._line[:length]))
        elif self._length == _LINE_BYTES:
            self._length = _TOO_LONG
        elif self._length != _TOO_LONG:
            self._line[self._length] = byte
            self._length += 1

    def _do_line(self, line: bytes) -> None:
        for byte in line:
            if not 32 <= byte < 127:
                return  # not meant for us
        words = line.decode().split()
        if not words:
            return
        try:
            self._do(words[0], words[1:])
        except (ValueError, IndexError) as error:
            self._send("error", {"what": str(error) or "not understood: " + words[0]})

    def _do(self, command: str, words: list[str]) -> None:
        app = self._app
        if command == "hello":
            self._send(
                "hello",
                {
                    "version": VERSION,
                    "state": self._state,
                    "language": app.settings.language,
                    "said": self._said,
                    "last": self._last,
                },
            )
        elif command == "follow":
            self._follow = words[0] == "on"
            self._send("follow", {"on": self._follow})
        elif command == "press":
            self._press(words[0], int(words[1]) if len(words) > 1 else _PRESS_MS)
        elif command == "release":
            self._held = [held for held in self._held if held[0] != words[0]]
            app.board.inputs.put(words[0], False)
            self._send("release", {"control": words[0]})
        elif command == "log":
            self._send("log", {"lines": app.log.lines()})
        elif command == "battery":
            self._send("battery", {"mv": app.board.power.battery_mv()})
        elif command == "seed":
            from .game.rng import Rng

            app.rng = Rng(int(words[0]))
            app.handle(("switch", app.board.inputs.position))
            self._send("seed", {})
        else:
            raise ValueError("no command " + command)

    def _press(self, control: str, ms: int) -> None:
        """Press a control; one that is pressed already is let go first."""
        if not 0 < ms <= _LONGEST_MS:
            raise ValueError("press for 1 to %d ms" % _LONGEST_MS)
        until = time.ticks_add(time.ticks_ms(), ms)
        for entry in self._held:
            if entry[0] == control:
                self._held.remove(entry)
                self._app.board.inputs.put(control, False)
                break
        self._app.board.inputs.put(control, True)
        self._held.append((control, until))
        self._send("press", {"control": control})

    # ---- what goes to the computer

    def _send(self, event: str, fields: dict, values: dict | None = None) -> None:
        """Queue a line, of `values` first. It is dropped where too much waits already."""
        values = values or {}
        values["event"] = event
        values.update(fields)
        line = ("~" + json.dumps(values) + "\r\n").encode()
        if self._queue and self._queued + len(line) > _QUEUE_BYTES:
            return
        if not self._queue:
            self._taken = time.ticks_ms()
        self._queue.append(line)
        self._queued += len(line)

    def _write(self, now: "Ticks") -> None:
        """Send what the computer takes. When it takes nothing for a while, all that waits is
        dropped, but for the rest of the line that it has seen a part of."""
        line = self._queue[0]
        for _ in range(_AT_ONCE):
            if not self._wire.write(line[self._sent]):
                break
            self._taken = now
            self._begun = True
            self._sent += 1
            if self._sent == len(line):
                self._begun = False
                self._queue.pop(0)
                self._queued -= len(line)
                self._sent = 0
                if not self._queue:
                    return
                line = self._queue[0]
        if time.ticks_diff(now, self._taken) >= _UNREAD_MS:
            self._follow = False
            self._queue = [line[self._sent :]] if self._begun else []
            self._queued = len(line) - self._sent if self._begun else 0
            self._sent = 0
            self._taken = now
