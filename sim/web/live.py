"""A robot that is played live in a thread of its own, in real time.

Between two turns of 8 ms it takes what people do from a queue, and does it at once: the firmware
sees a press within a millisecond.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..flash_folder import own_files, sizes
from ..live import Live
from ..pace import TURN_US, Pace
from ..robot import Robot
from .session import SpooledTrace, Takes
from .sound import StreamedTape

Tell = Callable[..., None]


class LiveRobot:
    """`tell(what, value)` is called in the robot's thread, see sim/live.py. `folder`: for what is
    kept of the session; `speed`: virtual seconds a second."""

    def __init__(
        self, packs: dict[str, Path], flash: Path, folder: Path, seed: int, lang: str, tell: Tell,
        forced: bool = False, speed: float = 1.0,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.lang = lang
        self.forced = forced
        self.flash_at_start = own_files(flash)
        self.robot = Robot(packs, flash, seed, True, lang, forced)
        self.trace = SpooledTrace(folder / "trace.jsonl")
        self.tape = StreamedTape(folder / "sound.pcm")
        self.takes = Takes(folder)
        self._pace = Pace(speed)
        self._live = Live(
            self.robot, self.trace, self.tape, self.takes.keep, lambda: sizes(flash), tell,
            self._pace,
        )  # fmt: skip
        self.deeds = self._live.deeds
        self.room = self._live.room
        self._inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="robot", daemon=True)

    # ---- for whoever steers it, from any thread

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; what can be saved stays."""
        self._inbox.put(("end",))
        self._thread.join(5)
        self.trace.close()
        self.tape.close()

    def do(self, *deed: Any) -> None:
        """Let something be done between two turns of the robot's loop: one of Live.do()'s, or
        ("call", function)."""
        self._inbox.put(deed)

    @property
    def now_us(self) -> int:
        return self.robot.chip.now_us

    # ---- the thread

    def _run(self) -> None:
        at_once = False
        while not self._ended:
            wait_s = self._pace.wait_s(time.monotonic(), self.now_us, at_once)
            if wait_s > 0:
                try:
                    at_once = self._carry_out(self._inbox.get(timeout=wait_s)) or at_once
                except queue.Empty:
                    pass
                continue
            at_once = False
            self._take_all()
            if not self._ended:
                self._live.run(self.now_us + TURN_US, _show)

    def _take_all(self) -> None:
        while not self._ended:
            try:
                self._carry_out(self._inbox.get_nowait())
            except queue.Empty:
                return

    def _carry_out(self, deed: tuple[Any, ...]) -> bool:
        """Does it, now. True when the firmware could notice."""
        if deed[0] == "end":
            self._ended = True
        elif deed[0] == "call":
            deed[1]()
        else:
            return self._live.do(*deed)
        return False


def _show(error: BaseException) -> None:
    traceback.print_exception(error, file=sys.stderr)
