"""The robot beside a page: what the worker of a static page calls, under MicroPython.

robot-worker.js calls turn() and do() and returns to its own loop between them, since MicroPython
collects no garbage below the top level there. Sound passes through device files that the worker
has made; all else is told as lines of JSON.
"""

from sim import under_micropython  # noqa: F401  # isort: skip

import gc
import json
import os
import sys
from array import array

from roboto.sound.format import RATE_HZ

from sim.deeds import scenario
from sim.live import Live
from sim.live_sound import LiveTape
from sim.pace import TURN_US, Pace
from sim.robot import Robot
from sim.trace import Trace
from sim.web.captions import Captions

FLASH = "/flash"
TAKES = "/takes"
_MICROPHONE_BYTES = 8192


class PageTape(LiveTape):
    """Hands the page each piece with its place in time, four bytes before it."""

    def __init__(self):
        super().__init__()
        self._write = open("/dev/speaker", "r+b").write

    def play(self, start_us, data):
        at = (start_us * RATE_HZ + 500_000) // 1_000_000
        self._write(at.to_bytes(4, "little") + data)
        super().play(start_us, data)


class PageTrace(Trace):
    """Keeps nothing: the page does."""

    def add(self, t_ms, event, fields):
        entry = {"t": t_ms, "event": event}
        entry.update(fields)
        for watcher in self.watchers:
            watcher(entry)


class Beside:
    """A robot in the thread beside a page. packs: language -> path; tell(line of JSON)."""

    def __init__(self, packs, seed, language, tell):
        self._tell_line = tell
        self._seed = seed
        self._language = language
        self._takes = 0
        with open("/captions.json") as file:
            self._captions = Captions(json.load(file))
        self._pace = Pace()
        robot = Robot(packs, FLASH, seed, True, language, True)
        self._live = Live(
            robot, PageTrace(), PageTape(), self._keep, self._files, self._tell, self._pace
        )
        self._microphone = open("/dev/microphone", "r+b")
        self._block = bytearray(_MICROPHONE_BYTES)

    def turn(self, wall_ms, at_once):
        """Let the robot take a turn if it is time. Return after how many milliseconds it is."""
        wait_s = self._pace.wait_s(wall_ms / 1000, self._live.now_us, at_once)
        if wait_s > 0:
            return wait_s * 1000
        n = self._microphone.readinto(self._block)
        if n:
            self._live.do("words", array("h", self._block[:n]))
        self._live.run(self._live.now_us + TURN_US, sys.print_exception)
        return 0.0

    def do(self, line):
        """Do what a line of JSON says, see Live.do(). Return whether the firmware could notice."""
        deed = json.loads(line)
        if deed[0] == "say":
            with open(deed[1], "rb") as file:
                deed[1] = array("h", file.read())
        return self._live.do(*deed)

    def session(self):
        """Return the session so far as JSON: the scenario's text, its takes, how long it was."""
        live = self._live
        text, takes = scenario(live.deeds, live.now_us, self._language, self._seed)
        frames = live.now_us * RATE_HZ // 1_000_000
        return json.dumps({"text": text, "takes": takes, "frames": frames})

    def words(self):
        """Return the words of the settings as JSON, by language."""
        return json.dumps(self._captions.of_settings())

    def figures(self):
        """Return what a bench asks for, as JSON."""
        now_ms = self._live.now_us // 1000
        return json.dumps({"heap": gc.mem_alloc(), "virtual_ms": now_ms})

    def flash_writes(self):
        """Return how often the flash has changed."""
        return self._live.robot.chip.flash_writes

    def _keep(self, samples):
        self._takes += 1
        name = "take-%d" % self._takes
        with open(TAKES + "/" + name, "wb") as file:
            file.write(samples)
        return name

    def _files(self):
        return [[name, os.stat(FLASH + "/" + name)[6]] for name in sorted(os.listdir(FLASH))]

    def _tell(self, what, value):
        if what == "event":
            message = {"t": "event", "event": value}
            if value["event"] == "say":
                message["captions"] = self._captions.of(value)
        elif what == "sound":
            return
        elif what == "inside":
            message = value
            message["t"] = what
        else:
            message = {"t": what, "value": value}
        self._tell_line(json.dumps(message))
