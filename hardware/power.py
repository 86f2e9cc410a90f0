"""The power budget: what the cells give in each state, computed from the parts' currents in
board.toml."""

from typing import Any

STATES = ("talking", "recording", "idle", "asleep")


def battery_ma(table: dict[str, Any], part: dict[str, Any], state: str) -> float:
    """Return what one part draws from the cells in that state, in mA.

    Loads on 3V3 pass the Pico's converter; loads on VSYS count as they are, but for those whose
    figure was taken at another voltage behind a converter (at_v): these draw the same power.
    """
    power = table["power"]
    vsys = power["cells"] * power["cell_v"] - power["diode_v"]
    ma = part["current_ma"][state]
    if part["rail"] == "3V3":
        return ma * 3.3 / vsys / power["converter"]
    return ma * part.get("at_v", vsys) / vsys


def budget(table: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Reference -> state -> mA from the cells; "total" is their sum."""
    rows: dict[str, dict[str, float]] = {}
    for part in table["part"]:
        if "current_ma" in part:
            rows[part["ref"]] = {state: battery_ma(table, part, state) for state in STATES}
    rows["total"] = {state: sum(row[state] for row in rows.values()) for state in STATES}
    return rows


def party_ma(table: dict[str, Any]) -> float:
    """Mean draw while people play, in mA."""
    total = budget(table)["total"]
    return sum(total[state] * share for state, share in table["power"]["party"].items())


def party_hours(table: dict[str, Any]) -> float:
    return table["power"]["capacity_mah"] / party_ma(table)


def asleep_days(table: dict[str, Any]) -> float:
    return table["power"]["capacity_mah"] / budget(table)["total"]["asleep"] / 24


def weeks(table: dict[str, Any], hours_a_week: float) -> float:
    """Return how long a set of cells lasts when the switch is never turned off and people play
    that many hours a week."""
    asleep = budget(table)["total"]["asleep"]
    used = party_ma(table) * hours_a_week + asleep * (168 - hours_a_week)
    return table["power"]["capacity_mah"] / used


def complaints(table: dict[str, Any]) -> list[str]:
    asleep = budget(table)["total"]["asleep"]
    limit = table["power"]["asleep_limit_ma"]
    if asleep < limit:
        return []
    return [f"asleep the robot draws {asleep:.2f} mA; it must stay below {limit} mA"]
