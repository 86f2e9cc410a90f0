"""The people of a scenario at a robot on a board. They do what sim/scenario.py has them do in the
simulator."""

from __future__ import annotations

from array import array

from host_tools.maker.errors import MakerError

from ..scenario import (
    END_PATIENCE_S,
    LIGHT_PATIENCE_S,
    SILENCE_AT_END_S,
    Scenario,
    Step,
)
from .robot import Hands, Robot

_FOREVER_MS = 1e12
_LIGHT_BY_S = 0.1  # SPEC: the LED lights within 100 ms of the press, for who cannot see it


class Cannot(MakerError):
    """What a scenario asks for cannot be done at this board: one line."""


def check(scenario: Scenario, hands: Hands | type[Hands]) -> None:
    """Raise Cannot where a step wants what nobody here can do."""
    if scenario.switch != "on" and not hands.has_switch:
        raise Cannot(f'the switch is to stand at "{scenario.switch}": only a jig (--jig) moves it')
    for number, step in enumerate(scenario.steps, 1):
        why = _why_not(scenario, number, step, hands)
        if why:
            raise Cannot(f"step {number}: {why}")


def _why_not(scenario: Scenario, number: int, step: Step, hands: Hands | type[Hands]) -> str:
    if step.mic is not None and hands.microphone is None:
        return "somebody speaks: that takes a jig (--jig PORT)"
    if step.switch and not hands.has_switch:
        return "the switch is moved: only a jig (--jig PORT) can"
    off = step.power or step.switch == "off"
    if off and not hands.has_power:
        return "the supply is cut: only the emulated board's can be, from here"
    if step.settings and number > len(leading_settings(scenario)):
        return "settings come after a press: on a board they are made before it is switched on"
    return ""


def leading_settings(scenario: Scenario) -> list[dict]:
    """Return the settings that the first steps make, before anything else happens."""
    found = []
    for step in scenario.steps:
        if not step.settings:
            break
        found.append(step.settings)
    return found


class People:
    """Plays a scenario to a robot; play() returns at its end."""

    def __init__(self, robot: Robot, scenario: Scenario) -> None:
        self.robot = robot
        self.speaking = ""
        self._scenario = scenario
        self._words: array[int] | None = None  # said as soon as the record LED lights

    def play(self) -> None:
        """Play all steps, and wait for the robot's silence."""
        robot = self.robot
        robot.begin(self._scenario.switch)
        for step in self._scenario.steps:
            if step.after_quiet is not None:
                self._quiet(step.after_quiet)
            else:
                self._wait(step.after if step.after is not None else step.wait or 0.0)
            self._do(step)
        self._quiet(SILENCE_AT_END_S, robot.ms + 1000 * END_PATIENCE_S, asleep_too=True)

    def _do(self, step: Step) -> None:
        robot = self.robot
        if step.control:
            self._press(step, step.control)
        elif step.down:
            if step.mic is not None:
                self._words, self.speaking = step.mic, step.mic_name
            robot.note("press", control=step.down)
            robot.contact(step.down, True)
        elif step.up:
            if step.up == "record":
                self._words = None
            robot.contact(step.up, False)
            robot.note("release", control=step.up)
        elif step.switch:
            robot.note("switch", position=step.switch)
            robot.switch(step.switch)
        elif step.power:
            robot.battery(step.power == "restore")
        elif step.settings:
            for key, value in step.settings.items():
                robot.note("set", **{key: value})

    def _press(self, step: Step, control: str) -> None:
        robot = self.robot
        for turn in range(step.times):
            begun_ms = robot.ms
            robot.note("press", control=control)
            robot.contact(control, True)
            if step.mic is None:
                self._wait_until(begun_ms + 1000 * step.held)
            else:
                self.speaking = step.mic_name
                if robot.hands.sees_light:
                    patience_ms = begun_ms + 1000 * LIGHT_PATIENCE_S
                    robot.wait(patience_ms, lambda: robot.lit)
                else:
                    self._wait(_LIGHT_BY_S)
                robot.hands.say(step.mic)
                self._wait(step.held)
            robot.contact(control, False)
            robot.note("release", control=control)
            if turn + 1 < step.times:
                self._wait_until(max(begun_ms + 1000 * step.every, robot.ms))

    # ---- waiting

    def _wait(self, seconds: float) -> None:
        self._wait_until(self.robot.ms + 1000 * seconds)

    def _wait_until(self, ms: float) -> None:
        robot = self.robot
        if self._words is not None:
            robot.wait(ms, lambda: robot.lit)
            if robot.lit:
                robot.hands.say(self._words)
                self._words = None
        robot.wait(ms)

    def _quiet(
        self, seconds: float, at_most_ms: float = _FOREVER_MS, asleep_too: bool = False
    ) -> None:
        """Wait until the robot is silent for so long in a row, from now on."""
        robot = self.robot
        begun_ms = robot.ms

        def silent() -> bool:
            if asleep_too and robot.asleep:
                return True
            if robot.talking:
                return False
            return robot.ms >= max(robot.silent_since_ms, begun_ms) + 1000 * seconds

        while not silent() and robot.ms < at_most_ms:
            due_ms = max(robot.silent_since_ms, begun_ms) + 1000 * seconds
            if robot.talking:
                due_ms = robot.ms + 1000
            self._wait_until(min(at_most_ms, max(due_ms, robot.ms + 1)))
