"""The driver of buttons and tray, apart from what SPEC.md asks of it (tests/spec)."""

import runpy

import pytest

from host_tools.desktop import firmware
from sim.machine import modules

pytestmark = pytest.mark.filterwarnings("ignore:.*found in sys.modules")  # it is run once more

with firmware.standing_in(modules.modules()):
    from roboto.board import inputs, pins


@pytest.mark.parametrize("control", inputs.CONTROLS)
@pytest.mark.parametrize("gpio", [8, 22, 26, 28])
def test_a_button_whose_latch_is_not_read_is_refused(monkeypatch, control, gpio):
    monkeypatch.setattr(pins, control.upper(), gpio)
    with firmware.standing_in(modules.modules()), pytest.raises(AssertionError, match="0 to 7"):
        runpy.run_module("roboto.board.inputs")


def test_the_buttons_as_they_are_wired_are_not():
    with firmware.standing_in(modules.modules()):
        assert runpy.run_module("roboto.board.inputs")["CONTROLS"] == inputs.CONTROLS
