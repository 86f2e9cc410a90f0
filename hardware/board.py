"""Reads board.toml: the parts, nets and pins of one robot."""

import pathlib
import re
import tomllib
from typing import Any

HERE = pathlib.Path(__file__).parent
REPO = HERE.parent
BOARD_TOML = HERE / "board.toml"

Node = tuple[str, str]  # reference of a part, its pin

# Physical pin of a Pico for each GPIO that it brings out, and for the names that several pins
# share
PICO_PIN = {
    **{g: n for g, n in zip(range(16), (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20))},
    **{g: n for g, n in zip(range(16, 23), (21, 22, 24, 25, 26, 27, 29))},
    26: 31,
    27: 32,
    28: 34,
}  # fmt: skip
PICO_POWER_PINS = {
    "GND": (3, 8, 13, 18, 23, 28, 38),
    "VSYS": (39,),
    "3V3": (36,),
    "VBUS": (40,),
}


def load(path: pathlib.Path = BOARD_TOML) -> dict[str, Any]:
    """Return the whole of board.toml as plain tables. Raises ValueError with the place of a syntax
    error."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}; mend that line") from error


def part(table: dict[str, Any], ref: str) -> dict[str, Any]:
    """Return the part with that reference; KeyError when there is none."""
    for candidate in table["part"]:
        if candidate["ref"] == ref:
            return candidate
    raise KeyError(f"no part {ref} in board.toml")


def pins_of(table: dict[str, Any], ref: str) -> dict[str, str]:
    """Pin -> net of one part, by the pins' numbers. Pins left open are not in it.

    The Pico's come from [gpio] as well: board.toml says GP numbers, a Pico has pin numbers.
    """
    one = part(table, ref)
    pins: dict[str, str] = {}
    for name, net in one.get("pins", {}).items():
        if net == "-":
            continue
        if ref == table["board"]["pico"]:
            for number in PICO_POWER_PINS[name]:
                pins[str(number)] = net
        else:
            pins[name] = net
    if ref == table["board"]["pico"]:
        for name, gpio in table["gpio"].items():
            if not gpio.get("internal"):
                pins[str(PICO_PIN[gpio["gpio"]])] = name
    return pins


def nets(table: dict[str, Any]) -> dict[str, set[Node]]:
    """Net -> the pins that it joins, over all parts."""
    found: dict[str, set[Node]] = {}
    for one in table["part"]:
        for pin, net in pins_of(table, one["ref"]).items():
            found.setdefault(net, set()).add((one["ref"], pin))
    return found


def on_board(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts that have a footprint on the carrier."""
    return [one for one in table["part"] if "footprint" in one]


def natural(ref: str) -> tuple[str, int]:
    """Sort key: R2 before R10."""
    match = re.fullmatch(r"([A-Z]+)(\d+)", ref)
    return (match[1], int(match[2])) if match else (ref, 0)
