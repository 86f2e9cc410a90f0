"""A scenario: the people at the table, from a TOML file (SPEC.md section 7), and what they do to
the robot.

read() checks everything before anything runs: each fault is one BadScenario, one line that names
the step.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.plain_file import one_line, read_toml, reason

from .audio import BadWav, read_wav
from .deeds import LIGHT_PATIENCE_S
from .machine.chip import FAR_US, Halt
from .robot import CONTROLS, POSITIONS, Robot
from .trace import Event

PRESS_S = 0.1
SILENCE_AT_END_S = 1.0
END_PATIENCE_S = 30.0
_MOST_BYTES = 20_000_000  # a day that was played in the browser has less
_TIMES_MOST = 1_000_000
_TOLD_MOST = 300  # letters of what was wrong

_TOP_KEYS = ("lang", "seed", "switch", "step_by_step", "step")
_TIMES = ("after", "after_quiet", "wait")
_ACTIONS = ("hold", "press", "down", "up", "switch", "power", "set")
_SETTINGS = ("game", "pace", "names_voice", "keep_game", "gentle", "sleep_s")
_STEP_KEYS = (*_TIMES, *_ACTIONS, "for", "mic", "times", "every")


class BadScenario(Exception):
    """One line: which file, which step, what is wrong, what would do."""


@dataclass
class Step:
    """Times in seconds. Exactly one of after, after_quiet and wait is set."""

    after: float | None = None
    after_quiet: float | None = None
    wait: float | None = None
    control: str | None = None
    # a contact closes, and stays so until a step with up: for presses that overlap
    down: str | None = None
    up: str | None = None
    held: float = PRESS_S
    mic: array[int] | None = None
    mic_name: str = ""
    times: int = 1
    every: float = 1.0
    switch: str | None = None
    power: str | None = None
    settings: dict[str, Any] | None = None


@dataclass
class Scenario:
    steps: list[Step]
    lang: str | None = None
    seed: int | None = None
    switch: str = "on"
    step_by_step: bool = False


def read(path: Path) -> Scenario:
    """Reads and checks a scenario file. Raises BadScenario."""
    try:
        data = read_toml(path, _MOST_BYTES)
    except FileNotFoundError:
        raise BadScenario(f"{path}: there is no such file") from None
    except OSError as error:
        raise BadScenario(f"{path}: cannot be read: {reason(error)}") from None

    def fail(what: str) -> BadScenario:
        return BadScenario(f"{path}: {_line(what)}")

    _check_keys(data, _TOP_KEYS, fail)
    lang = data.get("lang")
    if lang is not None and not isinstance(lang, str):
        raise fail(f'lang is {_shown(lang)}: give a language code such as "es"')
    seed = data.get("seed")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise fail(f"seed is {_shown(seed)}: give a whole number")
    switch = data.get("switch", "on")
    _check_choice("switch", switch, POSITIONS, fail)
    step_by_step = data.get("step_by_step", False)
    if not isinstance(step_by_step, bool):
        raise fail(f"step_by_step is {_shown(step_by_step)}: give true or false")
    steps = data.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise fail("step is not a list of tables: write each step under [[step]]")
    wavs: dict[Path, array[int]] = {}
    return Scenario(
        [_read_step(path, number, step, wavs) for number, step in enumerate(steps, 1)],
        lang,
        seed,
        switch,
        step_by_step,
    )


def _line(what: object) -> str:
    """Return what was wrong as one line that can be read."""
    return one_line(what, _TOLD_MOST)


def _shown(value: Any) -> str:
    """Return a value as it was given, in as many letters as can be read at a glance."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists
        return "too large to be shown"
    return shown if len(shown) <= 60 else shown[:60] + "…"


def _read_step(  # noqa: C901 - a case a field
    path: Path, number: int, data: dict[str, Any], wavs: dict[Path, array[int]]
) -> Step:
    def fail(what: str) -> BadScenario:
        return BadScenario(f"{path}: step {number}: {_line(what)}")

    _check_keys(data, _STEP_KEYS, fail)
    times = [key for key in _TIMES if key in data]
    if len(times) != 1:
        has = " and ".join(times) if times else "no time"
        raise fail(f"has {has}: give exactly one of after, after_quiet and wait")
    actions = [key for key in _ACTIONS if key in data]
    if len(actions) > 1:
        raise fail(
            f"has {' and '.join(actions)}: give one of them, and a step each for the others"
        )
    if "wait" in data and len(data) > 1:
        others = ", ".join(key for key in data if key != "wait")
        raise fail(f"has wait and {others}: a step with wait does nothing else; use after")
    step = Step()
    setattr(step, times[0], _seconds(times[0], data[times[0]], fail))
    pressing = "hold" in data or "press" in data
    for key in ("for", "times", "every"):
        if key in data and not pressing:
            raise fail(f"has {key} without hold or press: say what is pressed")
    if "mic" in data and not pressing and "down" not in data:
        raise fail("has mic without hold, press or down: say what is pressed")
    if pressing:
        key = actions[0]
        _check_choice(key, data[key], CONTROLS, fail)
        step.control = data[key]
        if "for" in data:
            step.held = _seconds("for", data["for"], fail)
            if step.held == 0:
                raise fail("for is 0: nothing can be pressed for no time")
        if "times" in data:
            if (
                isinstance(data["times"], bool)
                or not isinstance(data["times"], int)
                or not 1 <= data["times"] <= _TIMES_MOST
            ):
                times_shown = _shown(data["times"])
                raise fail(f"times is {times_shown}: give a whole number from 1 to {_TIMES_MOST}")
            step.times = data["times"]
        if "every" in data:
            step.every = _seconds("every", data["every"], fail)
            if "times" not in data:
                raise fail("has every without times: say how often it is pressed")
        if step.times > 1 and step.every <= step.held:
            raise fail(
                f"every is {step.every:g} s and each press lasts {step.held:g} s: "
                "leave time between them"
            )
    for key in ("down", "up"):
        if key in data:
            _check_choice(key, data[key], CONTROLS, fail)
            setattr(step, key, data[key])
    if "mic" in data:
        step.mic, step.mic_name = _read_mic(path, data["mic"], wavs, fail)
    if "switch" in data:
        _check_choice("switch", data["switch"], POSITIONS, fail)
        step.switch = data["switch"]
    if "power" in data:
        _check_choice("power", data["power"], ("cut", "restore"), fail)
        step.power = data["power"]
    if "set" in data:
        step.settings = _read_settings(data["set"], fail)
    return step


Fail = Callable[[str], BadScenario]


def _read_settings(given: Any, fail: Fail) -> dict[str, Any]:
    from roboto.storage import settings

    if not isinstance(given, dict) or not given:
        raise fail(f"set is {_shown(given)}: give settings, such as {{ gentle = true }}")
    for key, value in given.items():
        _check_choice("set", key, _SETTINGS, fail)
        try:
            settings.check(key, value)
        except ValueError as error:
            raise fail(f"set: {error}") from None
    return given


def _read_mic(
    path: Path, name: Any, wavs: dict[Path, array[int]], fail: Fail
) -> tuple[array[int], str]:
    if not isinstance(name, str) or not name:
        raise fail(f"mic is {_shown(name)}: give the name of a WAV file beside the scenario")
    wav = path.parent / name
    if wav not in wavs:
        try:
            wavs[wav] = read_wav(wav)
        except BadWav as error:
            raise fail(f"mic: {error}") from None
    return wavs[wav], Path(name).stem


def _check_keys(data: dict[str, Any], known: tuple[str, ...], fail: Fail) -> None:
    for key in data:
        if key not in known:
            raise fail(f"unknown key {_shown(key)}: there are {', '.join(known)}")


def _check_choice(key: str, value: Any, choices: tuple[str, ...], fail: Fail) -> None:
    if value not in choices:
        raise fail(f"{key} is {_shown(value)}: there are {', '.join(choices)}")


def _seconds(key: str, value: Any, fail: Fail) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fail(f"{key} is {_shown(value)}: give seconds, such as 1.5")
    if not 0 <= value < 1e7:  # also refuses nan
        raise fail(f"{key} is {_shown(value)}: give seconds from 0 up")
    return float(value)


class Ear:
    """Knows from the trace whether the robot is silent, and since when."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._tone_ms = robot.tone_ms
        self.talking = False
        self.silent_since_us = 0
        self.on_quiet: Callable[[], None] | None = None
        robot.trace.watchers.append(self._hear)

    def _hear(self, event: Event) -> None:
        what = event["event"]
        now_us = self._robot.chip.now_us
        if what == "say":
            self.talking = True
        elif what == "tone":
            self.silent_since_us = max(
                self.silent_since_us, now_us + self._tone_ms(event["tone"]) * 1000
            )
        elif what == "quiet":
            self.talking = False
            self.silent_since_us = max(self.silent_since_us, now_us)
            if self.on_quiet:
                self.on_quiet()


class People:
    """Plays a scenario to a robot. What they do happens at exact times, between two turns of the
    firmware's loop."""

    def __init__(self, robot: Robot, scenario: Scenario) -> None:
        self.robot = robot
        self.speaking = ""  # whose words went into the microphone last: the WAV's name
        self._chip = robot.chip
        self._ear = Ear(robot)
        self._scenario = scenario
        self._lit: Callable[[], None] | None = None
        self._words: array[int] | None = None  # to be said as soon as the record LED lights
        self._turn = 0  # counts what was waited for, so that a late alarm wakes nobody
        robot.trace.watchers.append(self._see)
        self._script = self._play()
        if scenario.step_by_step:
            robot.step_by_step()
        robot.switch(scenario.switch, quietly=True)
        self._chip.at(0, self._go_on)

    def _see(self, event: Event) -> None:
        if event["event"] == "led" and event["led"] == "record" and event["on"]:
            if self._words is not None:
                self.robot.room.say(self._chip.now_us, self._words)
                self._words = None
            elif self._lit:
                lit, self._lit = self._lit, None
                lit()

    # ---- waiting: the script yields what it waits for

    def _go_on(self) -> None:
        """Runs the script to its next wait."""
        self._turn += 1
        try:
            wait = next(self._script)
        except StopIteration:
            raise Halt from None
        wait(self._alarm(self._turn))

    def _alarm(self, turn: int) -> Callable[[], None]:
        def ring() -> None:
            if turn == self._turn:
                self._go_on()

        return ring

    def _until(self, when_us: int) -> Callable[[Callable[[], None]], None]:
        return lambda ring: self._chip.at(when_us, ring)

    def _light(self) -> Callable[[Callable[[], None]], None]:
        """The record LED lights, or patience ends."""

        def wait(ring: Callable[[], None]) -> None:
            self._lit = ring
            self._chip.at(self._chip.now_us + _us(LIGHT_PATIENCE_S), ring)

        return wait

    def _quiet(self, seconds: float, at_most_us: int = FAR_US, asleep_too: bool = False) -> Any:
        """The robot is silent for so long in a row, from now on."""
        begun_us = self._chip.now_us

        def wait(ring: Callable[[], None]) -> None:
            def look() -> None:
                if turn != self._turn:
                    return
                now_us = self._chip.now_us
                if now_us >= at_most_us or asleep_too and self.robot.asleep:
                    ring()
                    return
                due_us = max(self._ear.silent_since_us, begun_us) + _us(seconds)
                if self._ear.talking:
                    if at_most_us < FAR_US:
                        self._chip.at(at_most_us, look)
                elif now_us >= due_us:
                    self._ear.on_quiet = None
                    ring()
                else:
                    self._chip.at(min(due_us, at_most_us), look)

            turn = self._turn
            self._ear.on_quiet = look
            look()

        return wait

    # ---- the script

    def _play(self) -> Generator[Any, None, None]:
        # What is set ends the firmware's rest: what happens at the same time comes before that.
        was_set = False
        for step in self._scenario.steps:
            if step.after_quiet is not None:
                yield self._quiet(step.after_quiet)
                was_set = False
            else:
                pause = step.after if step.after is not None else step.wait or 0.0
                if pause or not was_set:
                    yield self._until(self._chip.now_us + _us(pause))
                    was_set = False
            if step.control:
                yield from self._press(step)
                was_set = False
            elif step.down:
                if step.mic is not None:
                    self._words, self.speaking = step.mic, step.mic_name
                self.robot.note("press", control=step.down)
                self.robot.contact(step.down, True)
            elif step.up:
                if step.up == "record":
                    self._words = None  # no light came
                self.robot.contact(step.up, False)
                self.robot.note("release", control=step.up)
            elif step.switch:
                if step.switch != self.robot.position:
                    self.robot.note("switch", position=step.switch)
                self.robot.switch(step.switch)
            elif step.settings:
                for key, value in step.settings.items():
                    self.robot.set(key, value)
                was_set = True
            elif step.power:
                self.robot.battery(step.power == "restore")
        yield self._quiet(
            SILENCE_AT_END_S, self._chip.now_us + _us(END_PATIENCE_S), asleep_too=True
        )

    def _press(self, step: Step) -> Generator[Any, None, None]:
        control = step.control or ""
        for turn in range(step.times):
            begun_us = self._chip.now_us
            self._lit = None
            self.robot.note("press", control=control)
            if step.mic is not None:
                light = self._light()  # before the contact closes
                self.speaking = step.mic_name
                self.robot.contact(control, True)
                yield light
                self._lit = None
                self.robot.room.say(self._chip.now_us, step.mic)
                yield self._until(self._chip.now_us + _us(step.held))
            else:
                self.robot.contact(control, True)
                yield self._until(begun_us + _us(step.held))
            self.robot.contact(control, False)
            self.robot.note("release", control=control)
            if turn + 1 < step.times:
                yield self._until(max(begun_us + _us(step.every), self._chip.now_us))


def _us(seconds: float) -> int:
    return round(seconds * 1_000_000)


def play(robot: Robot, people: People, pace: float | None = None) -> None:
    """Plays to the end. `pace`: virtual seconds a second, or None for as fast as it goes."""
    began_s = time.monotonic()
    slice_us = 3_600_000_000 if pace is None else 20_000
    try:
        while True:
            robot.run_until(robot.chip.now_us + slice_us)
            if pace is not None:
                ahead_s = robot.chip.now_us / 1e6 / pace - (time.monotonic() - began_s)
                time.sleep(max(0.0, ahead_s))
    except Halt:
        return
