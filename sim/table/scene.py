"""What the people at a table share: the robot before them, its trace, the time, and patience."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from ..robot import Robot
from .habits import Habits
from .witness import Stuck, Witness

PATIENCE_S = 60.0  # nothing expected takes longer: then the robot is stuck


class FellAsleep(Exception):
    """People have just noticed that the robot sleeps, or slept in between."""


class Scene:
    """One table around one robot.

    seats: the seat of each person, who are counted in the order of their names; a new order of
    turns moves them. log: takes what happens, line by line.
    """

    def __init__(
        self,
        robot: Robot,
        n_players: int,
        rng: random.Random,
        habits: Habits,
        gap_min: int,
        log: Callable[[str], None] | None,
    ) -> None:
        self.robot = robot
        self.rng = rng
        self.habits = habits
        self.log = log
        self.watch = Witness(robot, n_players, gap_min, self.say_line)
        self.seats = list(range(n_players))

    def say_line(self, line: str) -> None:
        """Put a line into the log, with the time."""
        if self.log:
            self.log(f"[{self.robot.now_ms / 1000:7.1f} s] {line}")

    def chance(self, share: float) -> bool:
        """Return True in this share of all cases."""
        return self.rng.random() < share

    def wait(self, least_s: float, most_s: float | None = None) -> None:
        """Let a time pass, drawn from a stretch where two are given."""
        seconds = least_s if most_s is None else self.rng.uniform(least_s, most_s)
        self.robot.run_until(self.robot.chip.now_us + int(seconds * 1e6))
        self._notice_sleep()

    def quiet(self, least_s: float, most_s: float | None = None) -> None:
        """Wait until the robot has been silent for so long. Raises Stuck when it never is."""
        seconds = least_s if most_s is None else self.rng.uniform(least_s, most_s)
        chip = self.robot.chip
        end_us = chip.now_us + PATIENCE_S * 1e6
        while True:
            silent_us = (self.watch.sound_ends_ms + seconds * 1000) * 1000
            if not self.watch.talking and chip.now_us >= silent_us:
                return
            if chip.now_us > end_us:
                raise Stuck(f"the robot has talked for {PATIENCE_S:g} s; state {self.watch.state}")
            self.until_told(end_us if self.watch.talking else silent_us)

    def expect(self, what: str, happened: Callable[[], bool]) -> None:
        """Wait until something has happened. Raises Stuck, saying what, when it does not."""
        chip = self.robot.chip
        end_us = chip.now_us + PATIENCE_S * 1e6
        while not happened():
            if chip.now_us > end_us:
                raise Stuck(f"waited {PATIENCE_S:g} s for {what}; state {self.watch.state}")
            self.until_told(end_us)

    def perhaps_rest(self) -> None:
        """Let the table wander off and come back, now and then."""
        if self.chance(self.habits.wanders_off):
            self.say_line("the table rests")
            self.wait(*self.habits.walk_s)

    def wait_for(self, seconds: float, happened: Callable[[], bool]) -> None:
        """Wait until something has happened, but no longer than that."""
        end_us = self.robot.chip.now_us + int(seconds * 1e6)
        while not happened() and self.robot.chip.now_us < end_us:
            self.until_told(end_us)

    def until_told(self, until_us: float) -> None:
        """Wait until then, or until something is seen or heard of the robot."""
        self.watch.attentive = True
        self.robot.run_until(math.ceil(until_us) + 1)
        self.watch.attentive = False
        self._notice_sleep()

    def _notice_sleep(self) -> None:
        if self.watch.slept:
            raise FellAsleep
