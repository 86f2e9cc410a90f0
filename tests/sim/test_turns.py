"""A robot that is run in turns of any length does what one does that is run at once."""

import random
from pathlib import Path

import pytest

from host_tools.voice import ensure_pack
from sim.machine.chip import Chip
from tests.micropython.party import Party

_WORK_US = 100_000  # more than any piece of work takes, and a tenth of a rest


def _party(folder: Path, cards: int) -> Party:
    folder.mkdir()
    party = Party(str(ensure_pack("es")), str(folder), cards=cards)
    party.robot.step_by_step()
    dice = random.Random(5)
    for _ in range(20):  # settings change at any moment, in the middle of a rest, too
        at_us, on = dice.randrange(party.end_us - 2_000_000), dice.random() < 0.5
        party.robot.chip.at(at_us, lambda on=on: party.robot.set("gentle", on))
    return party


def _in_turns(party: Party, dice: random.Random) -> None:
    party.robot.run_in_turns()
    chip: Chip = party.robot.chip
    while chip.now_us < party.end_us:
        until_us = chip.now_us + dice.choice((1_000, 8_000, 8_000, 20_000, 300_000))
        party.robot.run_until(min(until_us, party.end_us))
        assert chip.now_us < until_us + _WORK_US


@pytest.mark.parametrize("seed", range(3))
def test_turns_change_nothing(tmp_path: Path, seed: int) -> None:
    at_once = _party(tmp_path / "at once", 8)
    at_once.play()
    in_turns = _party(tmp_path / "in turns", 8)
    _in_turns(in_turns, random.Random(seed))
    assert in_turns.robot.trace.events == at_once.robot.trace.events
    assert in_turns.heard() == at_once.heard()


def test_a_turn_is_short_while_nothing_happens(tmp_path: Path) -> None:
    party = _party(tmp_path / "flash", 1)
    party.robot.step_by_step()
    party.robot.run_in_turns()
    party.robot.run_until(11_900_000)  # it has greeted, and waits for a name
    for ms in range(12_000, 12_900, 9):
        party.robot.run_until(ms * 1000)
        assert party.robot.chip.now_us - ms * 1000 <= 8_000
