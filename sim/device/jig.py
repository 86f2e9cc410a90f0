"""The jig as hands: a second Pico that presses, speaks in the microphone's place, looks and
listens. Its firmware is tests/hil/jig, its wiring hardware/jig.md."""

from __future__ import annotations

import base64
import binascii
from array import array
from collections import deque
from typing import Any

from roboto.sound.format import RATE_HZ

from host_tools.maker import board as boards
from host_tools.maker.door import clean
from host_tools.maker.errors import BoardError
from host_tools.maker.link import Link

PROTOCOL = 2
BOUNCES_US = (300, 500, 1100, 1200, 2600, 2700)  # as the emulated switches
_ANSWER_S = 3.0
_LINE_BYTES = 1024
_WORDS = 256  # samples in a line
_ROOM = 16384  # samples that the jig keeps
_AHEAD = 4096  # samples that are sent before the first one is said
_GAP_S = 0.002  # between two samples: the robot's clock has stood still
_INSTALL = (
    "copy its files: mpremote connect PORT cp tests/hil/jig/*.py firmware/roboto/board/pins.py : "
    "reset"
)


class Jig:
    """The jig's line protocol (tests/hil/jig/main.py) on a port of pyserial's kind, with the
    clock of a Door. Methods raise BoardError."""

    def __init__(self, port: Any, clock: Any, name: str) -> None:
        self._port, self._clock, self._name = port, clock, clean(name)
        self._come = b""
        self.edges: list[tuple[float, str, bool]] = []  # (seconds of clock, name, level)
        self.heard = Heard()
        self.offset_s = 0.0  # from the jig's time to clock's
        words = self.ask("hello")
        if words[:1] != ["jig"] or len(words) != 3:
            raise BoardError(f"{self._name} is no jig: {_INSTALL}")
        if words[1] != str(PROTOCOL):
            raise BoardError(f"the jig on {self._name} has other firmware: {_INSTALL}")
        self.ask("release")
        self.tune()

    def tune(self) -> None:
        """Learn how the jig's clock stands to ours: by the quickest of some answers."""
        best_s = 1e9
        for _ in range(5):
            before_s = self._clock.now()
            us = int(self.ask("hello")[2])
            after_s = self._clock.now()
            if after_s - before_s < best_s:
                best_s = after_s - before_s
                self.offset_s = (before_s + after_s) / 2 - us / 1e6

    def ask(self, command: str) -> list[str]:
        """Return the words of a command's answer."""
        self._write(command.encode() + b"\n")
        end_s = self._clock.now() + _ANSWER_S * boards.PATIENCE
        while True:
            line = self._line()
            if line is None:
                if self._clock.now() > end_s:
                    raise BoardError(
                        f"the jig on {self._name} does not answer: is it one? ({_INSTALL})"
                    )
                self._clock.sleep(0.0005)
            elif line == b"ok" or line.startswith(b"ok "):
                return clean(line.decode(errors="replace"), 4096).split()[1:]
            elif line.startswith(b"error"):
                raise BoardError(
                    f"the jig refuses {command[:40]!r}: {clean(line.decode(errors='replace'))}"
                )
            else:
                self._told(line)

    def look(self) -> None:
        """Take in what the jig has told unasked."""
        while True:
            line = self._line()
            if line is None:
                return
            self._told(line)

    def _write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except OSError as error:
            raise self._gone() from error

    def _line(self) -> bytes | None:
        try:
            waiting = self._port.in_waiting
            self._come += self._port.read(waiting) if waiting else b""
        except OSError as error:
            raise self._gone() from error
        line, newline, rest = self._come.partition(b"\n")
        if not newline:
            if len(line) > _LINE_BYTES:
                raise BoardError(f"{self._name} is no jig: it talks without a pause")
            return None
        self._come = rest
        return line.strip()

    def _gone(self) -> BoardError:
        return BoardError(
            f"the jig on {self._name} went away: plug it in again and run the same command once "
            "more"
        )

    def _told(self, line: bytes) -> None:
        try:
            if line.startswith(b"!"):
                us, name, level = line[1:].split()
                self.edges.append((self._seconds(us), name.decode(), level == b"1"))
            elif line.startswith(b"="):
                first, us, count, data = line[1:].split()
                samples = array("h", base64.b64decode(data, validate=True))
                self.heard.add(int(first), samples, self._seconds(us), int(count))
        except (ValueError, binascii.Error):
            pass  # its first half came before us

    def _seconds(self, us: bytes) -> float:
        return int(us) / 1e6 + self.offset_s

    def close(self) -> None:
        """Let go of all contacts, and of the port."""
        try:
            self.ask("release")
            self.ask("mute")
        except BoardError:
            pass
        self._port.close()


class Heard:
    """What came to the amplifier, in stretches without a pause of the clock."""

    def __init__(self) -> None:
        self.lost = 0
        self._stretches: list[tuple[float, array[int]]] = []  # (when the first was there, samples)
        self._next = 0
        self._last = (-1e9, 0)  # the last stamp: (seconds, count)

    def add(self, first: int, samples: array[int], seconds: float, count: int) -> None:
        """Take samples from number `first` on; `count` of them had come at `seconds`."""
        began_s = seconds - (count - first) / RATE_HZ
        stretches = self._stretches
        if stretches and first == self._next:
            start_s, before = stretches[-1]
            if began_s - (start_s + len(before) / RATE_HZ) < _GAP_S:
                # Each stamp is as late as a sample at most, or as its interrupt: the earliest is
                # the best.
                stretches[-1] = (min(start_s, began_s - len(before) / RATE_HZ), before)
                before.extend(samples)
                self._next = first + len(samples)
                return
        elif stretches:
            self.lost += first - self._next
        stretches.append((began_s, array("h", samples)))
        self._next = first + len(samples)

    def between(self, start_s: float, end_s: float) -> bytes:
        """Return what was heard between two times: int16 at 16 kHz, zeros where nothing came."""
        out = array("h", bytes(2 * max(0, round((end_s - start_s) * RATE_HZ))))
        for began_s, samples in self._stretches:
            at = round((began_s - start_s) * RATE_HZ)
            skip = max(0, -at)
            n = min(len(samples) - skip, len(out) - at - skip)
            if n > 0:
                out[at + skip : at + skip + n] = samples[skip : skip + n]
        return out.tobytes()


class JigHands:
    """Hands of a robot on a board, see robot.Hands."""

    presses = "jig"
    microphone: str | None = "jig"
    hears: str | None = "jig"
    sees_light = has_switch = True
    has_power = False  # USB, on which the robot tells its trace, feeds it too

    def __init__(self, jig: Jig) -> None:
        self.link: Link | None = None
        self.jig = jig
        self._seen = 0
        self._to_say: deque[bytes] = deque()

    def listen(self) -> None:
        """Begin to watch, to listen, and to be the microphone."""
        for command in ("microphone ICS-43434", "watch on", "listen on"):
            self.jig.ask(command)

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a contact, with its bouncing."""
        bounces = " ".join(map(str, BOUNCES_US))
        self.jig.ask(f"{'close' if closed else 'open'} {control} {bounces}")

    def say(self, samples: array[int]) -> None:
        """Say int16 samples at 16 kHz, beginning now."""
        self.jig.ask("mute")
        data = samples.tobytes()
        pieces = [data[at : at + 2 * _WORDS] for at in range(0, len(data), 2 * _WORDS)]
        ahead = _AHEAD // _WORDS
        for piece in pieces[:ahead]:
            self._words(piece)
        self.jig.ask("go")
        self._to_say = deque(pieces[ahead:])
        self._feed()

    def _words(self, piece: bytes) -> None:
        self.jig.ask(f"words {base64.b64encode(piece).decode()}")

    def _feed(self) -> None:
        """Send what is still to be said, as far as there is room."""
        while self._to_say:
            room = _ROOM - int(self.jig.ask("said")[0])
            if room < 2 * _WORDS:
                return
            for _ in range(room // _WORDS):
                if self._to_say:
                    self._words(self._to_say.popleft())

    def switch(self, position: str) -> None:
        """Move the slide switch; the robot's own stands at "on"."""
        self.jig.ask(f"{'close' if position == 'try-me' else 'open'} try_me")

    def power(self, on: bool) -> None:
        """Leave the robot's supply as it is."""

    def light(self) -> list[tuple[float, bool]]:
        """Return when the record LED went on or off since this was last asked."""
        self._feed()
        self.jig.look()
        new, self._seen = self.jig.edges[self._seen :], len(self.jig.edges)
        return [(when_s, on) for when_s, name, on in new if name == "record"]

    def sound(self, start_s: float, end_s: float) -> bytes:
        """Return what came to the amplifier."""
        self.jig.look()
        return self.jig.heard.between(start_s, end_s)

    def close(self) -> None:
        """Let go of everything."""
        self.jig.close()
