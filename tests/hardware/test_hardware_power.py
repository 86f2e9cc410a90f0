"""The power budget holds, and is computed from the parts."""

import re
from pathlib import Path

import pytest

from hardware import board, power


def test_asleep_below_two_milliampere(table):
    assert power.complaints(table) == []
    assert power.budget(table)["total"]["asleep"] < 2.0


def test_too_thirsty_asleep_is_noticed(table):
    board.part(table, "MK1")["current_ma"]["asleep"] = 0.8
    assert "asleep the robot draws" in power.complaints(table)[0]


def test_a_load_on_3v3_passes_the_converter(table):
    table["power"].update(cells=3, cell_v=1.2, diode_v=0.3, converter=0.8)
    led = board.part(table, "D2")
    led["current_ma"]["recording"] = 4.0
    assert power.battery_ma(table, led, "recording") == pytest.approx(4.0 * 3.3 / 3.3 / 0.8)


def test_the_total_is_the_sum(table):
    rows = power.budget(table)
    for state in power.STATES:
        parts = sum(row[state] for ref, row in rows.items() if ref != "total")
        assert rows["total"][state] == pytest.approx(parts)


def test_a_set_of_cells_lasts_an_evening_and_weeks_asleep(table):
    assert power.party_hours(table) > 12
    assert power.asleep_days(table) > 40
    assert power.weeks(table, 0) == pytest.approx(power.asleep_days(table) / 7)
    assert sum(table["power"]["party"].values()) == pytest.approx(1.0)


def test_the_hours_are_counted_to_where_the_robot_stops_saving(table):
    """What the guide promises and what the firmware does are about the same cells."""
    text = (Path(__file__).parents[2] / "firmware/roboto/board/power.py").read_text()
    refuse_mv, warn_mv = (
        int(re.search(rf"^{name} = (\d+)$", text, re.M)[1]) for name in ("REFUSE_MV", "WARN_MV")
    )
    supply = table["power"]
    empty_mv = 1000 * (supply["cells"] * supply["end_v"] - supply["diode_v"])
    assert refuse_mv == pytest.approx(empty_mv, abs=100)
    assert 2500 < refuse_mv < warn_mv < 1000 * supply["cells"] * supply["cell_v"]
