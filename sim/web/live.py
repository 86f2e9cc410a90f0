"""A robot that is played live: the firmware in a thread of its own, in real time.

Virtual time passes only when the firmware sleeps. A gate, which is an event on the virtual clock
every 8 ms, holds it there until the wall clock has come so far. While it waits it takes what
people do from a queue, and does it at once: the firmware sees a press within a millisecond.

The page that plays the sound has the last word: when more than CREDIT_FRAMES are on their way to
it, the gate waits for it to report what it has played, as the ring of I2S would. Time lost there
is not made up for, so the delay never grows.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
import traceback
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from roboto.sound.format import RATE_HZ

from .. import firmware
from ..flash_folder import own_files, sizes
from ..machine.chip import Halt
from ..robot import CONTROLS, Robot
from ..trace import Event
from .session import Deed, Deeds, SpooledTrace
from .sound import LiveRoom, StreamedTape

GATE_US = 8000
CREDIT_FRAMES = 200 * RATE_HZ // 1000
CREDIT_PATIENCE_S = (
    0.5  # a page that reports nothing for so long is asleep: the game does not wait for it
)
_HURRY_MAX_S = 0.25  # further behind the wall clock than this, time is let go
_RELEASE_LAG_US = 120_000  # samples that the page took before the release are still on their way
_NO_LIGHT_US = 2_000_000  # somebody who plays a WAV and sees no light lets go
_TALK_STEP_BITS = 0xF0  # 16 steps of brightness are told, not 256

Tell = Callable[..., None]


class LiveRobot:
    """`tell(what, value)` is called in the robot's thread: ("event", dict) for the trace,
    ("sound", int16 bytes), ("drop", frames), ("talk", 0..255), ("heard", credit epoch), ("inside",
    dict), ("broken", line).

    `speed`: virtual seconds a second.
    """

    def __init__(
        self, packs: dict[str, Path], flash: Path, folder: Path, seed: int, lang: str, tell: Tell,
        forced: bool = False, speed: float = 1.0,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.lang = lang
        self.forced = forced
        self.flash = flash
        self.flash_at_start = own_files(flash)
        self._tell = tell
        self._speed = speed
        self._inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self.robot = Robot(packs, flash, seed, True, lang, forced)
        self.robot.step_by_step()
        self.trace = SpooledTrace(folder / "trace.jsonl")
        self.robot.trace = self.trace
        self.trace.watchers.append(self._see)
        self.tape = StreamedTape(folder / "sound.pcm", self._sound, self._drop)
        self.robot.chip.speaker = self.robot.tape = self.tape  # type: ignore[assignment]
        pins = firmware.load().pins
        self.room = LiveRoom(self.robot.chip, pins.MIC_POWER)
        self.robot.room = self.robot.chip.microphone = self.room
        self.robot.chip.watchers[pins.TALK_LED] = self._talk_led
        self.deeds = Deeds(folder)
        self._pins = pins
        self._talk = 0
        self._gentle = False
        self._down: dict[str, Deed] = {}  # contacts that are closed
        self._spoken: array[int] | None = None  # a WAV that is said when the record LED lights
        self._lit: Deed | None = None
        self._origin_s = 0.0
        self._credit = False  # a page plays the sound and reports it
        self._sent = 0
        self._played = 0
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
        """Let one of these be done between two turns of the robot's loop.

        ("contact", control, closed) · ("let_go",) all contacts · ("switch", position) ·
        ("words", int16 array) what the microphone hears · ("say", int16 array) holds the red
        button and says this · ("gentle", on) the setting · ("listen", epoch) a page plays the
        sound from now on; ("listen", None) none does · ("played", frames) it has · ("inside",) ·
        ("call", function).
        """
        self._inbox.put(deed)

    @property
    def now_us(self) -> int:
        return self.robot.chip.now_us

    # ---- the thread

    def _run(self) -> None:
        self._origin_s = time.monotonic()
        self.robot.chip.at(GATE_US, self._gate)
        while True:
            try:
                self.robot.run_until(1 << 62)
            except Halt:
                return
            except BaseException as error:  # a fault of the firmware's, or of the simulator's
                traceback.print_exc(file=sys.stderr)
                self._break(f"{type(error).__name__}: {error}")

    def _break(self, line: str) -> None:
        """The firmware has raised what it should not: it stands still until it is switched off and
        on."""
        self.robot.halt()
        self.robot.note("fault", what=line)
        self._tell("broken", line)

    def _gate(self) -> None:
        """Holds virtual time until the wall clock has come there."""
        chip = self.robot.chip
        chip.at(chip.now_us + GATE_US, self._gate)
        blocked_s: float | None = None
        while True:
            now_s = time.monotonic()
            ahead_s = self._origin_s + chip.now_us / 1e6 / self._speed - now_s
            if self._credit and self._sent - self._played > CREDIT_FRAMES:
                if blocked_s is None:
                    blocked_s = now_s
                wait_s = blocked_s + CREDIT_PATIENCE_S - now_s
                if wait_s <= 0:
                    self._played = self._sent  # asleep; it is heard of again when it reports
                    continue
            elif ahead_s <= 0:
                if blocked_s is not None or ahead_s < -_HURRY_MAX_S:
                    self._origin_s -= ahead_s  # what was lost is lost
                self._take_all()
                return
            else:
                wait_s = ahead_s
            try:
                deed = self._inbox.get(timeout=wait_s)
            except queue.Empty:
                continue
            if self._carry_out(deed) and ahead_s <= GATE_US / 1e6:
                return  # the firmware is to see it at once

    def _take_all(self) -> None:
        while True:
            try:
                self._carry_out(self._inbox.get_nowait())
            except queue.Empty:
                return

    def _carry_out(self, deed: tuple[Any, ...]) -> bool:
        """Does it, now. True when the firmware could notice."""
        what = deed[0]
        if what == "played":
            self._played = min(self._sent, deed[1])
        elif what == "words":
            self.room.arrive(deed[1])
        elif what == "contact":
            if deed[2]:
                self._press(deed[1])
            else:
                self._release(deed[1])
            return True
        elif what == "let_go":
            for control in tuple(self._down):
                self._release(control)
            return True
        elif what == "switch":
            self._switch(deed[1])
            return True
        elif what == "say":
            self._say(deed[1])
            return True
        elif what == "gentle":
            self.deeds.add(Deed(self.now_us, gentle=deed[1]))
            self.robot.set("gentle", deed[1])
            self._gentle = deed[1]
            self._tell("gentle", deed[1])
        elif what == "listen":
            self._credit = deed[1] is not None
            self._sent = self._played = 0
            self._tell("heard", deed[1])
        elif what == "inside":
            self._tell("inside", self._inside())
        elif what == "call":
            deed[1]()
        elif what == "end":
            raise Halt
        return False

    # ---- what people do

    def _press(self, control: str) -> None:
        if control in self._down:
            return
        deed = self._down[control] = Deed(self.now_us, down=control)
        self.deeds.add(deed)
        self.robot.note("press", control=control)
        self.robot.contact(control, True)

    def _release(self, control: str) -> None:
        """Opens the contact; a recording's a little later, when the words said before have
        arrived."""
        deed = self._down.get(control)
        if deed is None:
            return
        if control == "record" and self._spoken is None and self.room.listening:
            self.robot.chip.at(self.now_us + _RELEASE_LAG_US, lambda: self._open(control, deed))
        else:
            self._open(control, deed)

    def _open(self, control: str, deed: Deed) -> None:
        if self._down.get(control) is not deed:
            return
        del self._down[control]
        if control == "record":
            self._spoken = None
        self.deeds.add(Deed(self.now_us, up=control))
        self.robot.contact(control, False)
        self.robot.note("release", control=control)

    def _switch(self, position: str) -> None:
        if position == self.robot.position:
            return
        self.deeds.add(Deed(self.now_us, switch=position))
        self.robot.note("switch", position=position)
        self.robot.switch(position)

    def _say(self, samples: array[int]) -> None:
        """Somebody holds the red button, waits for the light, says it and lets go."""
        if "record" in self._down:
            return
        self._spoken = samples
        self._press("record")
        deed = self._down["record"]

        def no_light() -> None:
            if deed.lit_us is None:
                self._open("record", deed)

        self.robot.chip.at(self.now_us + _NO_LIGHT_US, no_light)

    # ---- what the robot does

    def _see(self, event: Event) -> None:
        if event["event"] == "led" and event["led"] == "record":
            if event["on"]:
                self._light()
            else:
                self._dark()
        self._tell("event", event)
        app = self.robot.app
        if app is not None and app.settings.gentle != self._gentle:
            self._gentle = app.settings.gentle
            self._tell("gentle", self._gentle)

    def _light(self) -> None:
        self.room.light(self._spoken)
        deed = self._lit = self._down.get("record")
        if deed is None:
            return
        deed.lit_us = self.now_us
        if self._spoken is not None:
            said_us = len(self._spoken) * 1_000_000 // RATE_HZ
            self.robot.chip.at(self.now_us + said_us, lambda: self._open("record", deed))

    def _dark(self) -> None:
        take = self.room.dark()
        if self._lit is not None:
            self.deeds.keep_take(self._lit, take)
            self._lit = None

    def _sound(self, data: bytes) -> None:
        self._sent += len(data) // 2
        self._tell("sound", data)

    def _drop(self, frames: int) -> None:
        self._sent = max(self._played, self._sent - frames)
        self._tell("drop", frames)

    def _talk_led(self, duty: int) -> None:
        level = duty >> 8 & _TALK_STEP_BITS
        if level != self._talk:
            self._talk = level
            self._tell("talk", level)

    def _inside(self) -> dict[str, Any]:
        """What one would see with the lid off."""
        chip, pins, app = self.robot.chip, self._pins, self.robot.app
        names = [
            *CONTROLS,
            "try_me",
            "record_led",
            "talk_led",
            "mic_power",
            "amp_shutdown",
            "usb_present",
        ]
        levels: dict[str, float] = {
            name: chip.level(getattr(pins, name.upper())) for name in names
        }
        levels["talk_led"] = round(self._talk / 255, 2)
        rings = {}
        for name, number in (("speaker", pins.AMP_I2S), ("microphone", pins.MIC_I2S)):
            bus = chip.i2s.get(number)
            rings[name] = None if bus is None else [bus.fill_bytes, bus.ibuf]
        files = sizes(self.flash)
        return {
            "pins": levels,
            "rings": rings,
            "recording": None if app is None else _recording_in_use(app),
            "files": files,
            "flash_writes": chip.flash_writes,
            "late_ms": round(self.room.late_frames * 1000 / RATE_HZ),
            "in_flight_ms": round((self._sent - self._played) * 1000 / RATE_HZ)
            if self._credit
            else None,
            "uptime_s": None if app is None else app.now_ms // 1000,
        }


def _recording_in_use(app: Any) -> list[int]:
    """Bytes of the recording buffer that hold what is nowhere else, and its size."""
    return list(app.recordings.in_use())
