"""The part of doctor on the board, on the simulated chip: whose contacts close meanwhile."""

import pytest

from host_tools.desktop import firmware
from sim.machine import modules
from sim.machine.chip import Chip

_STAND_INS = modules.modules()
_STAND_INS["machine"].SPI = None  # no flash chip is asked for here
with firmware.standing_in(_STAND_INS):
    from roboto.board import pins, selftest

BOUNCES_US = (0, 900, 2_400, 6_000, 9_000, 14_000)  # it opens, closes, opens …


@pytest.fixture
def chip():
    chip = Chip()
    modules.use(chip)
    return chip


def _let_go(chip: Chip, gpio: int, at_us: int) -> None:
    """As contacts are let go: they bounce, and end open."""
    for i, after_us in enumerate((*BOUNCES_US, 20_000)):
        closed = bool(i % 2) and after_us != 20_000
        chip.at(at_us + after_us, lambda closed=closed: chip.contact(gpio, closed))


def test_who_lets_go_of_the_button_before_presses_nothing(chip: Chip) -> None:
    """A person holds red until green is asked for; its contact bounces."""
    chip.contact(pins.RECORD, True)
    _let_go(chip, pins.RECORD, 300_000)
    chip.at(900_000, lambda: chip.contact(pins.REPLAY, True))
    assert selftest.wait_for("replay", 3000) == {"changed": ["replay"]}


def test_what_touches_is_found(chip: Chip) -> None:
    """Also when one of both was held before."""
    chip.contact(pins.RECORD, True)
    _let_go(chip, pins.RECORD, 300_000)
    chip.at(900_000, lambda: chip.contact(pins.RECORD, True))
    chip.at(900_000, lambda: chip.contact(pins.REPLAY, True))
    assert set(selftest.wait_for("replay", 3000)["changed"]) == {"record", "replay"}
