"""A robot that is played live: what people do happens at once, what it does is told.

No threads, no files, no clock: whoever has those (the server of `make sim`, or the worker of a
page) calls do() between two turns and run() for each.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from roboto.sound.format import RATE_HZ

from .deeds import Deed
from .firmware import load
from .live_sound import LiveRoom
from .pace import Pace
from .robot import CONTROLS, Robot
from .trace import Event

_RELEASE_LAG_US = 120_000  # samples that the page took before the release are still on their way
_NO_LIGHT_US = 2_000_000  # somebody who plays a WAV and sees no light lets go
SETTINGS_SHOWN = ("game", "pace", "names_voice", "keep_game", "gentle")
# Events that come with other settings, or with a voice that offers others: the menu's choices are
# said, a computer's are told.
_SETTINGS_CHANGE = ("state", "say", "set", "power")
_TALK_STEP_BITS = 0xF0  # 16 steps of brightness are told, not 256


class Live:
    """`robot`: to be played; `trace` and `tape`: what keeps what it does; `keep(samples)`: keeps
    what was said and returns its name; `files()`: names and sizes on its flash.

    `tell(what, value)`: ("event", dict) for the trace, ("sound", int16 bytes), ("drop", frames),
    ("talk", 0..255), ("heard", credit epoch), ("inside", dict), ("settings", see settings()),
    ("broken", line).
    """

    def __init__(
        self,
        robot: Robot,
        trace: Any,
        tape: Any,
        keep: Callable[[array[int]], str],
        files: Callable[[], list],
        tell: Callable[[str, Any], None],
        pace: Pace,
    ) -> None:
        self.robot = robot
        robot.step_by_step()
        robot.run_in_turns()
        robot.trace = trace
        trace.watchers.append(self._see)
        chip = robot.chip
        chip.speaker = robot.tape = self.tape = tape
        tape.on_sound, tape.on_drop = self._sound, self._drop
        self._pins = load().pins
        self.room = robot.room = chip.microphone = LiveRoom(chip, self._pins.MIC_POWER)
        chip.watchers[self._pins.TALK_LED] = self._talk_led
        self.deeds: list[Deed] = []
        self.pace = pace
        self._keep = keep
        self._files = files
        self._tell = tell
        self._talk = 0
        self._shown: dict[str, Any] = {}  # the settings that were told last
        self._down: dict[str, Deed] = {}  # contacts that are closed
        self._spoken: array[int] | None = None  # a WAV that is said when the record LED lights
        self._lit: Deed | None = None
        self._tell_settings()

    @property
    def now_us(self) -> int:
        return self.robot.chip.now_us

    def run(self, until_us: int, raised: Callable[[BaseException], None]) -> None:
        """Take a turn of about 8 ms. When the firmware raises what it should not, the robot stands
        still until it is switched off and on, and raised() is told."""
        try:
            self.robot.run_until(until_us)
        except BaseException as error:  # a fault of the firmware's, or of the simulator's
            raised(error)
            line = f"{type(error).__name__}: {error}"
            self.robot.halt()
            self.robot.note("fault", what=line)
            self._tell("broken", line)

    def do(self, what: str, *args: Any) -> bool:
        """Do something between two turns. Return whether the firmware could notice.

        ("contact", control, closed) · ("let_go",) all contacts · ("switch", position) ·
        ("words", int16 array) what the microphone hears · ("say", int16 array) holds the red
        button and says this · ("set", key, value) a setting · ("listen", epoch) a page plays the
        sound from now on; ("listen", None) none does · ("played", frames) it has · ("inside",).
        """
        if what == "played":
            self.pace.played(args[0])
        elif what == "words":
            self.room.arrive(args[0])
        elif what == "contact":
            if args[1]:
                self._press(args[0])
            else:
                self._release(args[0])
            return True
        elif what == "let_go":
            for control in list(self._down):
                self._release(control)
            return True
        elif what == "switch":
            self._switch(args[0])
            return True
        elif what == "say":
            self._say(args[0])
            return True
        elif what == "set":
            self.robot.set(*args)
            self.deeds.append(Deed(self.now_us, set=args))
            self._tell_settings()
        elif what == "listen":
            self.pace.listen(args[0] is not None)
            self._tell("heard", args[0])
        elif what == "inside":
            self._tell("inside", self._inside())
        return False

    def settings(self) -> dict[str, Any]:
        """Return each setting that a page shows, in the menu's order: what it is `now`, and what
        it `may` be, of the games those that the voice can say."""
        from roboto.storage.settings import TABLE

        settings = self.robot.settings()
        shown = {}
        for key, _, _, may in TABLE:
            if key in SETTINGS_SHOWN:
                now = getattr(settings, key)
                if key == "game":
                    may = self.robot.games()
                    may = may if now in may else may + (now,)
                shown[key] = {"now": now, "may": list(may)}
        return shown

    # ---- what people do

    def _press(self, control: str) -> None:
        if control in self._down:
            return
        deed = self._down[control] = Deed(self.now_us, down=control)
        self.deeds.append(deed)
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
        self.deeds.append(Deed(self.now_us, up=control))
        self.robot.contact(control, False)
        self.robot.note("release", control=control)

    def _switch(self, position: str) -> None:
        if position == self.robot.position:
            return
        self.deeds.append(Deed(self.now_us, switch=position))
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
        if event["event"] in _SETTINGS_CHANGE:
            self._tell_settings()

    def _tell_settings(self) -> None:
        shown = self.settings()
        if shown != self._shown:
            self._shown = shown
            self._tell("settings", shown)

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
            if len(take):  # a WAV without a sample would be refused
                self._lit.take = self._keep(take)
            self._lit = None

    def _sound(self, data: bytes) -> None:
        self.pace.sent(len(data) // 2)
        self._tell("sound", data)

    def _drop(self, frames: int) -> None:
        self.pace.dropped(frames)
        self._tell("drop", frames)

    def _talk_led(self, duty: int) -> None:
        level = duty >> 8 & _TALK_STEP_BITS
        if level != self._talk:
            self._talk = level
            self._tell("talk", level)

    def _inside(self) -> dict[str, Any]:
        """What one would see with the lid off."""
        chip, pins, app = self.robot.chip, self._pins, self.robot.app
        levels: dict[str, float] = {}
        for name in CONTROLS + _OTHER_PINS:
            levels[name] = chip.level(getattr(pins, name.upper()))
        levels["talk_led"] = round(self._talk / 255, 2)
        rings = {}
        for name, number in (("speaker", pins.AMP_I2S), ("microphone", pins.MIC_I2S)):
            bus = chip.i2s.get(number)
            rings[name] = None if bus is None else [bus.fill_bytes, bus.ibuf]
        return {
            "pins": levels,
            "rings": rings,
            "recording": None if app is None else list(app.recordings.in_use()),
            "files": self._files(),
            "flash_writes": chip.flash_writes,
            "late_ms": round(self.room.late_frames * 1000 / RATE_HZ),
            "in_flight_ms": self.pace.in_flight_ms,
            "uptime_s": None if app is None else app.now_ms // 1000,
        }


_OTHER_PINS = ("try_me", "record_led", "talk_led", "mic_power", "amp_shutdown", "usb_present")
