"""The power budget holds, and is computed from the parts."""

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
