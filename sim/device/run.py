"""`python -m sim run FILE.toml --device …`: a scenario on a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.maker.errors import BoardError

from ..scenario import Scenario
from . import wires
from .jig import JigHands
from .people import People, check, leading_settings
from .robot import Robot

EMULATOR = "emulator"
Watch = Callable[[Robot, People], object]


@dataclass(frozen=True)
class Bench:
    """What stands on the bench: the robot's port and the jig's, and whether a WAV is wanted of
    what is heard."""

    device: str
    jig: str | None = None
    wav: bool = False


def play(
    bench: Bench,
    scenario: Scenario,
    packs: Callable[[], Mapping[str, Path]],
    lang: str,
    seed: int,
    watch: Watch,
) -> Robot:
    """Play a scenario on a board, and return the robot with its trace and sound. `watch` is told
    of robot and people before it begins. Raise MakerError, in one line."""
    settings: dict[str, Any] = {"language": lang}
    for chosen in leading_settings(scenario):
        settings.update(chosen)
    if bench.device != EMULATOR:
        return _on_port(bench, scenario, settings, seed, watch)
    if bench.jig:
        raise BoardError(
            "--jig goes with a board on a port: the emulated one is pressed at its pins"
        )
    return _emulated(scenario, packs(), settings, seed, watch)


def _on_port(
    bench: Bench, scenario: Scenario, settings: Mapping[str, Any], seed: int, watch: Watch
) -> Robot:
    from .port import PortRobot, WireHands, open_jig

    if bench.wav and not bench.jig:
        raise BoardError("--wav: what the loudspeaker plays is heard by a jig alone (--jig PORT)")
    check(scenario, JigHands if bench.jig else WireHands)
    port = PortRobot(bench.device)
    hands = open_jig(bench.jig, port.port) if bench.jig else WireHands()
    try:
        with port.with_settings(settings) as session:
            if isinstance(hands, JigHands):
                wires.check(session.exec, hands.jig)
                hands.listen()
                hands.switch(scenario.switch)
            robot = Robot(hands, port.clock, port.console, seed)
            people = People(robot, scenario)
            watch(robot, people)
            people.play()
            robot.heard = robot.sound() if bench.wav else b""
            return robot
    finally:
        hands.close()


def _emulated(
    scenario: Scenario,
    packs: Mapping[str, Path],
    settings: Mapping[str, Any],
    seed: int,
    watch: Watch,
) -> Robot:
    from . import emulated

    board = emulated.board(packs, settings, scenario.switch)
    from ..emulated.wire import Wire

    wire = Wire(board)
    hands = emulated.PinHands(board)
    check(scenario, hands)
    robot = Robot(hands, wire, lambda: emulated.console(board, wire), seed)
    people = People(robot, scenario)
    watch(robot, people)
    people.play()
    robot.heard = robot.sound()
    return robot
