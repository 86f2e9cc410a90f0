"""A scenario on the emulated board: the same file, seed and trace as in the simulator, spoken into
the microphone's pins and heard at the amplifier's."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from sim import compare, scenario
from sim.device import run
from sim.device.port import WireHands
from sim.device.robot import Robot
from sim.emulated import install
from sim.robot import Robot as SimulatedRobot

from .test_party import spoken_name

SEED = 3
WITHIN_MS = 700  # what is needed for the first time is loaded from flash
PARTY = """
lang = "en"
step = [
  { after = 0, set = { names_voice = "plain", pace = "wild" } },
  { after_quiet = 0.6, hold = "record", for = 0.45, mic = "ada.wav" },
  { after_quiet = 1.2, hold = "record", for = 0.45, mic = "ada.wav" },
  { after_quiet = 1.2, press = "plate" },
  { after_quiet = 1.2, press = "plate" },
]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "en.pack").write_bytes(install.small_pack("en"))
    return tmp_path / "en.pack"


def read(folder: Path, text: str) -> scenario.Scenario:
    from sim.audio import wav_bytes

    (folder / "ada.wav").write_bytes(wav_bytes(spoken_name().tobytes()))
    (folder / "party.toml").write_text(text)
    return scenario.read(folder / "party.toml")


def simulated(folder: Path, pack: Path, script: scenario.Scenario) -> list[dict]:
    flash = folder / "flash"
    shutil.rmtree(flash, ignore_errors=True)
    flash.mkdir()
    robot = SimulatedRobot({"en": pack}, flash, SEED, False, "en")
    scenario.play(robot, scenario.People(robot, script))
    return robot.trace.events


def of_the_party(events: list[dict]) -> list[dict]:
    return [e for e in events if e["event"] not in ("bench", "set")]


def test_a_party_is_the_same_as_in_the_simulator(image, pack: Path, tmp_path: Path) -> None:
    script = read(tmp_path, PARTY)
    robot = run.play(
        run.Bench(run.EMULATOR), script, lambda: {"en": pack}, "en", SEED, lambda *_: None
    )
    robot.lines()
    bench, *rest = robot.trace.events
    assert bench == {
        "t": 0,
        "event": "bench",
        "presses": "pins",
        "microphone": "pins",
        "hears": "pins",
    }
    told = of_the_party(rest)
    assert (
        compare.differences(of_the_party(simulated(tmp_path, pack, script)), told, WITHIN_MS) == []
    )
    assert [e["result"] for e in told if e["event"] == "record"] == ["stored"] * 2
    heard = np.frombuffer(robot.heard, np.int16)
    assert len(heard) >= told[-1]["t"] * 16 - 160
    says_ms = next(e["t"] for e in told if e["event"] == "say")
    quiet_ms = next(e["t"] for e in told if e["event"] == "quiet")
    assert np.any(heard[says_ms * 16 : quiet_ms * 16])


def test_by_wire_it_is_the_same_too(image, pack: Path, tmp_path: Path) -> None:
    """Without hands: the console presses, and takes the seed."""
    from sim.device import emulated
    from sim.device.people import People
    from sim.emulated.wire import Wire

    script = read(
        tmp_path,
        'lang = "en"\nstep = [{ after_quiet = 0.3, press = "volume" },'
        ' { after_quiet = 0.3, hold = "win", for = 0.3 }]\n',
    )
    board = emulated.board({"en": pack}, {"language": "en"}, "on")
    board.power_on()
    wire = Wire(board)
    robot = Robot(WireHands(), wire, lambda: emulated.console(board, wire), SEED)
    People(robot, script).play()
    robot.lines()
    assert robot.trace.events[0]["presses"] == "wire"
    told = of_the_party(robot.trace.events)
    assert (
        compare.differences(
            of_the_party(simulated(tmp_path, pack, script)), told, compare.WITHIN_MS
        )
        == []
    )
