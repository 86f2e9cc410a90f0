"""KiCad's symbols, those of the two modules made here, and the small words of KiCad's files."""

import copy
import functools
import pathlib
import uuid
from typing import Any

from hardware import sexpr
from hardware.sexpr import child, children, quote, unquote

KICAD_SYMBOLS = pathlib.Path("/usr/share/kicad/symbols")
PROJECT = "roboto"
GRID_MM = 1.27
_TEXT_MM = 1.27

# What KiCad has no symbol for, by side: (number and label, electrical type)
OWN_SYMBOLS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "MIC_I2S": {
        "left": [("BCLK", "input"), ("LRCL", "input"), ("DOUT", "tri_state"), ("SEL", "input")],
        "top": [("3V", "power_in")],
        "bottom": [("GND", "power_in")],
    },
    "MAX98357A_module": {
        "left": [("LRC", "input"), ("BCLK", "input"), ("DIN", "input")]
        + [("GAIN", "input"), ("SD", "input")],
        "right": [("OUT+", "output"), ("OUT-", "output")],
        "top": [("VIN", "power_in")],
        "bottom": [("GND", "power_in")],
    },
}


def key_uuid(*key: object) -> str:
    """Return the same for the same thing each time, so that a file only changes where the board
    does."""
    return quote(str(uuid.uuid5(uuid.NAMESPACE_URL, "roboto/" + "/".join(map(str, key)))))


def mm(value: float) -> str:
    """Return a length as KiCad writes it."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def effects(*more: list[Any]) -> list[Any]:
    """Return how a text looks."""
    return ["effects", ["font", ["size", mm(_TEXT_MM), mm(_TEXT_MM)]], *more]


def own_symbol(name: str) -> list[Any]:
    """Return a box with pins for one of the modules."""
    sides = OWN_SYMBOLS[name]
    rows = max(len(sides.get("left", [])), len(sides.get("right", [])))
    top, half = (rows - 1) * 1.27, 7.62
    corner = top + 2.54
    body: list[Any] = ["symbol", quote(f"{name}_0_1")]
    body.append(
        ["rectangle", ["start", mm(-half), mm(corner)], ["end", mm(half), mm(-corner)]]
        + [["stroke", ["width", "0.254"], ["type", "default"]], ["fill", ["type", "background"]]]
    )
    pins: list[Any] = ["symbol", quote(f"{name}_1_1")]
    for side, names in sides.items():
        for i, (label, kind) in enumerate(names):
            x, y, angle = {
                "left": (-half - 2.54, top - 2.54 * i, "0"),
                "right": (half + 2.54, top - 2.54 * i, "180"),
                "top": (0, corner + 2.54, "270"),
                "bottom": (0, -corner - 2.54, "90"),
            }[side]
            pins.append(
                ["pin", kind, "line", ["at", mm(x), mm(y), angle]]
                + [["length", "2.54"], ["name", quote(label), effects()]]
                + [["number", quote(label), effects()]]
            )
    symbol: list[Any] = ["symbol", quote(name), ["pin_numbers", ["hide", "yes"]]]
    symbol += [["pin_names", ["offset", "1.016"]], ["exclude_from_sim", "no"], ["in_bom", "yes"]]
    symbol.append(["on_board", "yes"])
    for i, (key, value) in enumerate((("Reference", "U"), ("Value", name), ("Footprint", ""))):
        hide = [["hide", "yes"]] if i == 2 else []
        at = ["at", "0", mm(corner + 1.27 + 2.54 * (1 - i)), "0"]
        symbol.append(["property", quote(key), quote(value), at, effects(*hide)])
    return [*symbol, body, pins, ["embedded_fonts", "no"]]


@functools.cache
def _library(name: str) -> dict[str, list[Any]]:
    whole = sexpr.parse((KICAD_SYMBOLS / f"{name}.kicad_sym").read_text(encoding="utf-8"))
    return {unquote(one[1]): one for one in children(whole, "symbol")}


def kicad_symbol(library: str, name: str) -> list[Any]:
    """Return a symbol of KiCad's libraries; derived ones with their parent's drawing, as a
    schematic holds them."""
    symbols = _library(library)
    symbol = symbols[name]
    if not children(symbol, "extends"):
        return symbol
    parent_name = unquote(child(symbol, "extends")[1])
    flat = copy.deepcopy(symbols[parent_name])
    flat[1] = quote(name)
    for unit in children(flat, "symbol"):
        unit[1] = quote(unquote(unit[1]).replace(parent_name, name, 1))
    own = {one[1]: one for one in children(symbol, "property")}
    for i, one in enumerate(flat):
        if isinstance(one, list) and one[0] == "property" and one[1] in own:
            flat[i] = own.pop(one[1])
    last = max(i for i, one in enumerate(flat) if isinstance(one, list) and one[0] == "property")
    flat[last + 1 : last + 1] = list(own.values())
    return flat


def outline(expression: Any) -> list[tuple[float, float]]:
    """Return all corners of a symbol's drawing, its pins left out."""
    found: list[tuple[float, float]] = []
    for one in expression:
        if not isinstance(one, list) or one[0] in ("pin", "text", "property"):
            continue
        if one[0] in ("start", "mid", "end", "xy", "center"):
            found.append((float(one[1]), float(one[2])))
        elif one[0] == "circle":
            x, y = map(float, child(one, "center")[1:3])
            r = float(child(one, "radius")[1])
            found += [(x - r, y - r), (x + r, y + r)]
        else:
            found += outline(one)
    return found


def steps(length_mm: float) -> int:
    """Return a length in steps of the grid."""
    return round(length_mm / GRID_MM)


class Symbols:
    """The symbols that a file holds."""

    def __init__(self) -> None:
        self.found: dict[str, list[Any]] = {}

    def symbol(self, lib_id: str) -> list[Any]:
        """Return the symbol of that name, kept for the file."""
        if lib_id not in self.found:
            library, name = lib_id.split(":")
            made = own_symbol(name) if library == PROJECT else kicad_symbol(library, name)
            made = copy.deepcopy(made)
            made[1] = quote(lib_id)
            self.found[lib_id] = made
        return self.found[lib_id]

    def units(self, lib_id: str, unit: int) -> list[list[Any]]:
        """Return the drawings of one unit, what all units share included."""
        return [
            one
            for one in children(self.symbol(lib_id), "symbol")
            if unquote(one[1]).split("_")[-2] in ("0", str(unit))
        ]

    def pins(self, lib_id: str, unit: int) -> dict[str, tuple[float, float, int, str]]:
        """Number -> x, y (up), angle, electrical type."""
        found = {}
        for drawing in self.units(lib_id, unit):
            for pin in children(drawing, "pin"):
                at = child(pin, "at")
                number = unquote(child(pin, "number")[1])
                found[number] = (float(at[1]), float(at[2]), int(float(at[3])), pin[1])
        return found
