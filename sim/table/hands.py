"""Hands on the robot: presses, recordings, and whether each press had its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roboto.sound.format import RATE_HZ

from .scene import Scene
from .witness import Stuck

ANSWER_MS = 160  # press to beep or light, at the worst while the flash is written
LIGHT_PATIENCE_S = 2.0


class Hands:
    """The hands of all who sit at a table: one press of one control at a time.

    Every press has an answer that can be seen or heard; one that does not come is counted as lost.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._busy = 0  # hands on the robot
        self._pressed_ms = -1  # the last press of anything
        scene.watch.warned = self._answer_warning

    def press(self, control: str) -> None:
        """Press and let go, at any instant of the firmware's loop; and look for the answer."""
        scene = self._scene
        while self._busy:  # somebody else's: two fingers on one button are one press
            scene.wait(0.3)
        at_us = scene.robot.chip.now_us + int(scene.rng.random() * 20_000)
        end_us = self._touch(control, at_us, scene.rng.uniform(0.03, 0.3))
        scene.robot.run_until(max(end_us, at_us + ANSWER_MS * 1000) + 1)
        if control == "plate" and scene.chance(scene.habits.presses_twice):
            at_us = scene.robot.chip.now_us + int(scene.rng.uniform(0.02, 0.6) * 1e6)
            end_us = self._touch("plate", at_us, 0.1)
            scene.robot.run_until(max(end_us, at_us + ANSWER_MS * 1000) + 1)

    def press_until(self, control: str, what: str, happened: Callable[[], bool]) -> None:
        """Press, and again when nothing comes of it. Raises Stuck, saying what, when it never is.

        A press so soon after another one is a hand that bounced to the robot.
        """
        for _ in range(3):
            self.press(control)
            self._scene.wait_for(2.0, happened)
            if happened():
                return
        raise Stuck(f"three presses of {control} did not bring {what}")

    def press_when_said(self, control: str, meant: Callable[[], bool], most_s: float) -> None:
        """Press soon after the next utterance that is meant, so many seconds after it at most.

        The people who wait for something notice it late where nothing else happens, since the
        simulator takes the firmware's idle steps together; this press comes in time.
        """
        chip, watch = self._scene.robot.chip, self._scene.watch

        def fell_silent() -> None:
            if meant():
                watch.fell_silent = lambda: None
                after_s = self._scene.rng.uniform(0.1, most_s)
                self._touch(control, chip.now_us + int(after_s * 1e6), 0.1)

        watch.fell_silent = fell_silent

    def record(self, what: str, samples: Any) -> None:
        """Hold red, wait for the light, speak, let go; again if the robot heard nothing, unless
        it does not ask any more. Raises Stuck when nothing was stored three times."""
        for _ in range(3):
            if what == "nickname" and self._scene.watch.state != "nickname":
                return
            if self._say_holding_red(what, samples):
                self._scene.wait(0.2)
                return
            self._scene.quiet(0.3)
        raise Stuck(f"three times no {what} was stored")

    def _say_holding_red(self, what: str, samples: Any) -> bool:
        """Return whether it was stored."""
        scene, watch, robot = self._scene, self._scene.watch, self._scene.robot
        watch.recorded = None
        watch.lit = False
        watch.seen.presses += 1
        robot.note("press", control="record")
        self._pressed_ms = robot.now_ms
        pressed_us = robot.chip.now_us
        robot.contact("record", True)
        while not watch.lit and robot.chip.now_us < pressed_us + LIGHT_PATIENCE_S * 1e6:
            robot.run_until(robot.chip.now_us + 8000)
        if not watch.lit:
            watch.seen.lost_presses += 1
            scene.say_line("red was pressed and no light came")
        lit_ms = (robot.chip.now_us - pressed_us) // 1000
        watch.seen.light_ms = max(watch.seen.light_ms, lit_ms)
        robot.room.say(robot.chip.now_us + 100_000, samples)
        held_s = 0.1 + len(samples) / RATE_HZ + scene.rng.uniform(0.1, 0.4)
        robot.run_until(robot.chip.now_us + int(held_s * 1e6))
        robot.contact("record", False)
        robot.note("release", control="record")
        scene.expect(f"an answer to a recorded {what}", lambda: watch.recorded is not None)
        recorded = watch.recorded or {}
        return recorded["result"] == "stored" and recorded["what"] == what

    def _answer_warning(self) -> None:
        """Have somebody hear the warning and press the tray before the robot sleeps."""
        scene = self._scene
        if not scene.chance(scene.habits.hears_warning):
            return
        warned_ms = scene.robot.now_ms

        def press() -> None:
            if not self._busy and self._pressed_ms < warned_ms:  # nobody was quicker
                self._touch("plate", scene.robot.chip.now_us, 0.1)

        scene.robot.chip.at(scene.robot.chip.now_us + int(scene.rng.uniform(1, 6) * 1e6), press)

    def _touch(self, control: str, at_us: int, held_s: float) -> int:
        """Have a control pressed at a time and let go after another, and look for the answer
        when it is due. Return when it is let go, in microseconds."""
        robot, watch = self._scene.robot, self._scene.watch
        end_us = at_us + int(held_s * 1e6)
        self._busy += 1
        watch.seen.presses += 1
        answered: Callable[[], bool] = lambda: True  # noqa: E731

        def close() -> None:
            nonlocal answered
            answered = self._answer_to(control)
            self._pressed_ms = robot.now_ms
            robot.note("press", control=control)
            if control == "plate":
                watch.plate_pressed()
            robot.contact(control, True)

        def open_() -> None:
            robot.contact(control, False)
            robot.note("release", control=control)

        def look() -> None:
            self._busy -= 1
            if not answered() and not watch.slept:
                watch.seen.lost_presses += 1
                line = f"the press of {control} at {at_us // 1000} ms was not answered"
                self._scene.say_line(line)

        robot.chip.at(at_us, close)
        robot.chip.at(end_us, open_)
        robot.chip.at(max(end_us, at_us + ANSWER_MS * 1000), look)
        return end_us

    def _answer_to(self, control: str) -> Callable[[], bool]:
        """Return what has to be seen after the press that comes now, as a question for later."""
        watch = self._scene.watch
        if control == "plate" and watch.state not in ("off", "asleep"):
            beeps = watch.tones.get("plate", 0)
            return lambda: watch.tones.get("plate", 0) == beeps + 1
        if control == "volume":
            volumes = watch.volumes
            return lambda: watch.volumes == volumes + 1
        if control == "record" and watch.in_play:
            refused = watch.tones.get("not_now", 0)
            return lambda: watch.tones.get("not_now", 0) == refused + 1
        return lambda: True  # the words or the state that follow are waited for
