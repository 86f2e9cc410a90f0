"""The table at which the contract is tested: a robot in virtual time, people who press and speak,
and what came of it."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from host_tools.voice import ensure_pack
from sim.robot import Robot
from sim.scenario import Ear, People, play, read

from .voices import said, voice, write_wav

ROOT = Path(__file__).resolve().parents[2]
Event = dict[str, Any]


@pytest.fixture(scope="session")
def packs() -> dict[str, Path]:
    return {lang: ensure_pack(lang) for lang in ("es", "en")}


NAME = said(voice(0.8))


class Log:
    """Events of a trace, to be asked for."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events

    def all(self, event: str, since: int = 0, **fields: Any) -> list[Event]:
        """Events from the since-th on whose fields are these; a field that an event lacks never
        fits."""
        found = []
        for entry in self.events[since:]:
            if entry["event"] == event and all(
                k in entry and entry[k] == v for k, v in fields.items()
            ):
                found.append(entry)
        return found

    def one(self, event: str, since: int = 0, **fields: Any) -> Event:
        found = self.all(event, since, **fields)
        assert len(found) == 1, f"{len(found)} times {event} {fields} in {self.events[since:]}"
        return found[0]

    def first(self, event: str, since: int = 0, **fields: Any) -> Event:
        found = self.all(event, since, **fields)
        assert found, f"no {event} {fields} in {self.events[since:]}"
        return found[0]

    def none(self, event: str, since: int = 0, **fields: Any) -> None:
        assert not self.all(event, since, **fields)

    def said(self, since: int = 0) -> list[Event]:
        return self.all("say", since)

    def phrases(self, since: int = 0) -> list[str]:
        """The ids of all phrases said, in order, each phrase once however many segments it has."""
        ids: list[str] = []
        for event in self.said(since):
            ids += phrases_of(event)
        return ids

    @property
    def state(self) -> str:
        return self.all("state")[-1]["state"]


def phrases_of(say: Event) -> list[str]:
    """The phrases of one utterance, in order."""
    ids: list[str] = []
    for part in say["parts"]:
        if "phrase" in part and part["phrase"] not in ids[-1:]:
            ids.append(part["phrase"])
    return ids


def clips_of(say: Event) -> list[str]:
    return [part["clip"] for part in say["parts"] if "clip" in part]


class Table(Log):
    """One robot and the people around it. Times in seconds."""

    def __init__(
        self,
        packs: dict[str, Path],
        flash: Path,
        seed: int = 0,
        lang: str = "en",
        switch: str = "on",
        listen: bool = False,
        start: bool = True,
    ) -> None:
        flash.mkdir(exist_ok=True)
        self.robot = Robot(packs, flash, seed, listen, lang)
        self.flash = flash
        super().__init__(self.robot.trace.events)
        self.ear = Ear(self.robot)
        self._lit = False
        self._watched: Any = None
        self._until_us = 0
        self.robot.trace.watchers.append(self._see)
        self.robot.switch(switch, quietly=True)
        if start:
            self.wait(0.05)

    def _see(self, event: Event) -> None:
        if event["event"] == "led" and event["led"] == "record":
            self._lit = event["on"]

    # ---- time

    @property
    def now_s(self) -> float:
        return self.robot.chip.now_us / 1e6

    def wait(self, seconds: float) -> Table:
        """Ends on time: an idle robot's long rest is cut short, as it is when something moves."""
        self._until_us = self.robot.chip.now_us + round(seconds * 1e6)
        app = self.robot.app
        if app is not None and app is not self._watched:
            self._watched = app
            moved = app.board.inputs.moved
            chip = self.robot.chip
            app.board.inputs.moved = lambda: chip.now_us >= self._until_us - 8000 or moved()
        self.robot.run_until(self._until_us)
        return self

    def until(self, met: Callable[[], Any], at_most: float = 60.0, step: float = 0.008) -> Table:
        end_s = self.now_s + at_most
        while not met():
            assert self.now_s < end_s, f"waited {at_most} s in vain; {self.events[-5:]}"
            self.wait(step)
        return self

    @property
    def silent_s(self) -> float:
        return 0.0 if self.ear.talking else self.now_s - self.ear.silent_since_us / 1e6

    def quiet(self, seconds: float = 0.3, at_most: float = 60.0) -> Table:
        """Until the robot has been silent for so long from now on."""
        begun_s = self.now_s
        return self.until(
            lambda: min(self.silent_s, self.now_s - begun_s) >= seconds, at_most, 0.04
        )

    def mark(self) -> int:
        """Where the trace has come to: pass it as `since`."""
        return len(self.events)

    # ---- hands and voices

    def down(self, control: str) -> Table:
        self.robot.note("press", control=control)
        self.robot.contact(control, True)
        return self

    def up(self, control: str) -> Table:
        self.robot.contact(control, False)
        self.robot.note("release", control=control)
        return self

    def press(self, control: str, seconds: float = 0.1) -> Table:
        return self.down(control).wait(seconds).up(control).wait(0.05)

    def hold(self, control: str, seconds: float, words: array[int] | None = None) -> Table:
        """Holds until `seconds` after the LED lit (2 s without one), and speaks meanwhile."""
        self.down(control)
        if words is not None:
            end_s = self.now_s + 2.0
            while not self._lit and self.now_s < end_s:
                self.wait(0.004)
            self.robot.room.say(self.robot.chip.now_us, words)
        return self.wait(seconds).up(control).wait(0.05)

    def record(self, words: array[int] = NAME) -> Table:
        return self.hold("record", len(words) / 16000 + 0.1, words)

    def switch(self, position: str) -> Table:
        self.robot.note("switch", position=position)
        self.robot.switch(position)
        return self

    # ---- the course of a game

    def names(self, n: int) -> Table:
        """n players record their names; nobody waits for the robot to end."""
        for _ in range(n):
            self.record().wait(0.1)
        return self

    def to_play(self, players: int = 2, rule: array[int] | None = None) -> Table:
        self.names(players).press("plate").wait(1.6)
        if rule is None:
            self.press("plate")
        else:
            self.record(rule)
        assert self.state == "play"
        return self.quiet(0.1)

    def surprise(self, kind: str | None = None, at_most: int = 400) -> Event:
        """Plays on until a surprise command comes, of this kind if one is asked for; returns its
        say."""
        for _ in range(at_most):
            since = self.mark()
            self.press("plate").wait(0.3)
            for event in self.said(since):
                if event["kind"] and kind in (None, event["kind"]):
                    return event
                if event.get("race"):
                    self.quiet(0.1).press("plate")  # it is over
            if self.ear.talking:
                self.quiet(0.1)
                if self.state == "nickname":
                    self.wait(3.0).press("plate").quiet(0.1)
                self.wait(10.0)
        raise AssertionError(f"no surprise {kind}")

    def samples(self, since_s: float = 0.0, until_s: float | None = None) -> np.ndarray:
        """What was heard, float in -1 ... 1 at 16 kHz. Needs listen=True."""
        end_us = self.robot.chip.now_us if until_s is None else round(until_s * 1e6)
        assert self.robot.tape is not None
        heard = self.robot.tape.samples(round(since_s * 1e6), end_us)
        return np.frombuffer(bytes(heard), "<i2") / 32768


@pytest.fixture
def table(packs: dict[str, Path], tmp_path: Path) -> Callable[..., Table]:
    """Sits down at a new robot, or, with the same `flash`, at the same one switched on again."""

    def sit(flash: str | Path = "flash", **options: Any) -> Table:
        return Table(options.pop("packs", packs), tmp_path / flash, **options)

    return sit


class Run(Log):
    """A scenario that was played."""

    def __init__(self, events: list[Event], robot: Robot) -> None:
        super().__init__(events)
        self.robot = robot


@pytest.fixture
def scenario(packs: dict[str, Path], tmp_path: Path) -> Callable[..., Run]:
    """Plays a scenario given as TOML text; "name.wav" is there, 0.8 s long."""

    def run(
        text: str, seed: int = 0, lang: str = "en", listen: bool = False, flash: str = "flash"
    ) -> Run:
        write_wav(tmp_path / "name.wav", voice(0.8))
        path = tmp_path / "scenario.toml"
        path.write_text(text)
        (tmp_path / flash).mkdir(exist_ok=True)
        robot = Robot(packs, tmp_path / flash, seed, listen, lang)
        play(robot, People(robot, read(path)))
        return Run(robot.trace.events, robot)

    return run


@pytest.fixture
def cli(packs: dict[str, Path], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `python -m sim` as somebody in a terminal would."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sim", *map(str, arguments)]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )

    return run


def events_of(lines: str) -> list[Event]:
    return [json.loads(line) for line in lines.splitlines()]
