"""The line protocol on USB: what `roboto console` and `roboto log --follow` talk to.

A computer sends a command a line; each answer, and each event that was asked for, is a line that
begins with "~" and goes on as JSON. Nothing is sent unasked, and nothing here runs without USB.
Commands:

    hello                    version, state, language, how many utterances so far, the last of them
    follow on|off            tell every event, as in the simulator's trace
    press CONTROL [MS]       press a button or the tray (for 100 ms)
    release CONTROL          let go of it before its time
    log                      the log's lines since boot
    battery                  the battery's millivolts
"""

import json
import select
import sys
import time

from .version import VERSION

_LINE_BYTES = 80
_PRESS_MS = 100
_LONGEST_MS = 20000
_AT_ONCE = 32  # characters taken in one step
_LISTEN_MS = 5000  # after a computer's last word, in which the next is answered at once


class Console:
    """notify() goes to the App as its listener; attach() then tells which App it is."""

    def __init__(self):
        self._app = None
        self._follow = False
        self._line = ""
        self._heard = time.ticks_add(time.ticks_ms(), -_LISTEN_MS)
        self._said = 0
        self._last = None
        self._state = None
        self._held = []  # (control, when to let go in ticks)
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def attach(self, app):
        self._app = app

    def notify(self, event, fields):
        """Something has happened."""
        if event == "say":
            self._said += 1
            self._last = fields["text"]
        elif event == "state":
            self._state = fields["state"]
        if self._follow:
            self._send(event, fields)

    def step(self):
        """Once a loop step. Without USB it costs one look at a pin. True while a computer "
        "talks."""
        board = self._app.board
        if not board.power.usb_present():
            self._follow = False
            return False
        now = time.ticks_ms()
        if self._held and time.ticks_diff(now, self._held[0][1]) >= 0:
            board.inputs.put(self._held.pop(0)[0], False)
        n = 0
        while n < _AT_ONCE and self._readable():
            n += 1
            self._heard = now
            self._take(sys.stdin.read(1))
        return self._follow or time.ticks_diff(now, self._heard) < _LISTEN_MS

    def _readable(self):
        for _ in self._poll.ipoll(0):  # allocates nothing, unlike poll
            return True
        return False

    def _take(self, character):
        if character not in "\r\n":
            if len(self._line) < _LINE_BYTES:
                self._line += character
            return
        words, self._line = self._line.split(), ""
        if not words:
            return
        try:
            self._do(words[0], words[1:])
        except (ValueError, IndexError) as error:
            self._send("error", {"what": str(error) or "not understood: " + words[0]})

    def _do(self, command, words):
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
            ms = int(words[1]) if len(words) > 1 else _PRESS_MS
            if not 0 < ms <= _LONGEST_MS:
                raise ValueError("press for 1 to %d ms" % _LONGEST_MS)
            app.board.inputs.put(words[0], True)
            self._held.append((words[0], time.ticks_add(time.ticks_ms(), ms)))
            self._held.sort(key=lambda held: held[1])
            self._send("press", {"control": words[0]})
        elif command == "release":
            self._held = [held for held in self._held if held[0] != words[0]]
            app.board.inputs.put(words[0], False)
            self._send("release", {"control": words[0]})
        elif command == "log":
            self._send("log", {"lines": app.log.lines()})
        elif command == "battery":
            self._send("battery", {"mv": app.board.power.battery_mv()})
        else:
            raise ValueError("no command " + command)

    def _send(self, event, fields):
        values = {"event": event}
        values.update(fields)
        print("~" + json.dumps(values))
