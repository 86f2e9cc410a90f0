"""Writes the KiCad schematic from board.toml: one page a function (sheets.py), KiCad's symbols,
real wires (sheetwires.py), and names only where a wire goes to another page.

Parts off the board (speaker, switches in the body, modules) are drawn too, marked "not on board",
so that the pages show the whole robot. KiCad's symbol libraries must be installed; the symbols
of the two modules are made here.
"""

import math
import pathlib
from typing import Any

from hardware import board, sexpr
from hardware.sexpr import quote, unquote
from hardware.sheets import SHEETS, Sheet, sheet_of
from hardware.sheetwires import Page, Spot
from hardware.symbols import (
    GRID_MM,
    OWN_SYMBOLS,
    PROJECT,
    Symbols,
    effects,
    key_uuid,
    mm,
    outline,
    own_symbol,
    steps,
)

PCB_FOLDER = board.HERE / "pcb"

_A4 = (233, 165)  # steps of the grid
_DATE = "2026-12-01"
_LICENCE = "CERN-OHL-P-2.0"
_BUILT = "Nobody has built one yet: check before you trust it"

_ARROWS = {"GND": "power:GND", "3V3": "power:+3V3", "VSYS": "power:VCC"}


class _Drawing:
    """One page while it is drawn."""

    def __init__(self, table: dict[str, Any], sheet: Sheet, arrows: list[int]) -> None:
        self.table, self.sheet = table, sheet
        self.symbols = Symbols()
        self.body: list[Any] = []
        self.page = Page(*_A4)
        self.arrows = arrows  # counts the arrows of supplies over all pages
        self.spots: dict[tuple[str, str], tuple[Spot, Spot]] = {}  # pin -> its end, its way out

    def _turned(self, place: tuple[int, int, int], mirrored: bool, x: float, y: float) -> Spot:
        cos, sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[place[2]]
        x, y = x * cos - y * sin, x * sin + y * cos
        x = -x if mirrored else x
        return place[0] + steps(x), place[1] - steps(y)

    def symbol(self, lib_id: str, ref: str, value: str, place: Any, **more: Any) -> None:
        """Puts a symbol down. more: unit, mirrored, key, footprint, name, words (where reference
        and value stand), on_board, in_bom."""
        unit, mirrored = more.get("unit", 1), more.get("mirrored", False)
        x, y, angle = place
        self.symbols.symbol(lib_id)
        placed: list[Any] = ["symbol", ["lib_id", quote(lib_id)]]
        placed.append(["at", mm(x * GRID_MM), mm(y * GRID_MM), str(angle)])
        placed += [["mirror", "y"]] if mirrored else []
        placed += [["unit", str(unit)], ["exclude_from_sim", "no"]]
        placed += [["in_bom", "yes" if more.get("in_bom") else "no"]]
        placed += [["on_board", "yes" if more.get("on_board", True) else "no"], ["dnp", "no"]]
        key = (ref,) if unit == 1 else (ref, "unit", unit)
        placed.append(["uuid", key_uuid(*key)])
        upright = "90" if angle in (90, 270) else "0"
        words = more.get("words")
        for name, text, where in (
            ("Reference", ref, words and words[0]),
            ("Value", value, words and words[1]),
            ("Footprint", more.get("footprint", ""), None),
            ("Description", more.get("name", ""), None),
        ):
            hide = [] if where else [["hide", "yes"]]
            wx, wy = where or (x, y)
            at = ["at", mm(wx * GRID_MM), mm(wy * GRID_MM), upright]
            placed.append(["property", quote(name), quote(text), at, effects(*hide)])
        placed += [
            ["pin", quote(n), ["uuid", key_uuid(ref, n)]] for n in self.symbols.pins(lib_id, unit)
        ]
        path = ["path", quote(_sheet_path(self.sheet)), ["reference", quote(ref)]]
        placed.append(["instances", ["project", quote(PROJECT), [*path, ["unit", str(unit)]]]])
        self.body.append(placed)

    def part(self, key: str) -> None:
        """Puts a part of board.toml down, or one unit of it (REF:2)."""
        ref, _, unit_text = key.partition(":")
        unit = int(unit_text or 1)
        one = board.part(self.table, ref)
        lib_id, place = one["symbol"], self.sheet.parts[key]
        mirrored = key in self.sheet.mirrored
        corners = [
            self._turned(place, mirrored, x, y)
            for drawing in self.symbols.units(lib_id, unit)
            for x, y in outline(drawing)
        ]
        pins = self.symbols.pins(lib_id, unit)
        nets = board.pins_of(self.table, ref)
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        ways = set()
        for number, (x, y, angle, kind) in pins.items():
            spot = self._turned(place, mirrored, x, y)
            rad = math.radians(angle)
            inner = self._turned(
                place, mirrored, x + 2.54 * math.cos(rad), y + 2.54 * math.sin(rad)
            )
            out = (_sign(spot[0] - inner[0]), _sign(spot[1] - inner[1]))
            ways.add(out)
            # an arrow of a LED may reach farther than its pins, and must not wall them in
            left, top = (
                (max(left, spot[0] + 1) if out[0] < 0 else left),
                (max(top, spot[1] + 1) if out[1] < 0 else top),
            )
            right, bottom = (
                (min(right, spot[0] - 1) if out[0] > 0 else right),
                (min(bottom, spot[1] - 1) if out[1] > 0 else bottom),
            )
            while inner != spot:  # the pin's own line
                self.page.solid.add(inner)
                inner = (inner[0] + out[0], inner[1] + out[1])
            if spot in self.page.pins:
                continue
            self.page.pins[spot] = nets.get(number, f"open {ref} {number}")
            if number in nets:
                self.spots[ref, number] = (spot, out)
            elif kind != "no_connect":
                at = ["at", mm(spot[0] * GRID_MM), mm(spot[1] * GRID_MM)]
                self.body.append(["no_connect", at, ["uuid", key_uuid("nc", ref, number)]])
        self.page.block(left, top, right, bottom)
        words = self._words(ref, one["value"], (left, top, right, bottom), ways, len(pins))
        self.symbol(
            lib_id, ref, one["value"], place,
            unit=unit, mirrored=mirrored, words=words, footprint=one.get("footprint", ""),
            name=one["name"], on_board="footprint" in one, in_bom=True,
        )  # fmt: skip

    def _words(
        self, ref: str, value: str, box: tuple[int, int, int, int], ways: set[Spot], pins: int
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where reference and value stand: beside a part whose pins go up and down, else above and
        below it."""
        left, top, right, bottom = box
        wide = max(len(ref), len(value)) * 0.85
        if (0, -1) in ways and len(ways) == 2 or pins == 3 and (1, 0) not in ways:
            x = right + 1 + wide / 2
            middle = (top + bottom) / 2
            self.page.avoid(
                right + 1, round(middle) - 2, round(right + wide) + 1, round(middle) + 2
            )
            return (x, middle - 1), (x, middle + 1)
        x = (left + right) / 2
        if ways == {(0, 1)}:  # a header whose pins go down
            return (x, top - 3), (x, top - 1)
        if len(ways) > 2 or pins > 12:
            x = right - wide / 2 if pins > 12 else right + 1 + wide / 2
            return (x, top - 3), (x, top - 1)
        self.page.avoid(round(x - wide / 2), top - 2, round(x + wide / 2), top - 1)
        self.page.avoid(round(x - wide / 2), bottom + 1, round(x + wide / 2), bottom + 2)
        return (x, top - 1.5), (x, bottom + 1.5)

    def arrow(self, net: str, spot: Spot) -> None:
        """Draw the sign of ground or of a supply on a spot."""
        self.arrows[0] += 1
        up = net != "GND"
        words = ((spot[0], spot[1]), (spot[0], spot[1] + (-3 if up else 3)))
        value = (None, words[1]) if up else None
        ref = f"#PWR{self.arrows[0]:03d}"
        self.symbol(_ARROWS[net], ref, net, (*spot, 0), words=value)

    def supply(self, pin: tuple[str, str], net: str) -> None:
        """Gives a pin the sign of its supply: at once where it points the right way, else round a
        corner."""
        spot, out = self.spots[pin]
        wanted = 1 if net == "GND" else -1
        end = spot
        if out[0]:
            below = [s for s, o in self.spots.values() if o == out and s[0] == spot[0]]
            far = 2 if all(not 0 < (s[1] - spot[1]) * wanted < 4 for s in below) else 6
            end = (spot[0] + out[0] * far, spot[1] + 2 * wanted)
            self.page.draw(f"{net} at {pin}", [spot, (end[0], spot[1]), end])
        elif out[1] != wanted:
            end = (spot[0] + 3, spot[1] + 3 * wanted)
            corners = [spot, (spot[0], spot[1] - wanted), (spot[0] + 3, spot[1] - wanted), end]
            self.page.draw(f"{net} at {pin}", corners)
        self.arrow(net, end)
        self.page.solid |= {(end[0] + i, end[1] + j * wanted) for i in (-1, 0, 1) for j in (1, 2)}

    def label(self, net: str, spot: Spot, side: str) -> None:
        """Draw the name of a net that other pages have too."""
        turn = "180" if side == "L" else "0"
        shape = {"in": "input", "out": "output"}[self.table["gpio"][net]["direction"]]
        if self.sheet.name != "pico":
            shape = {"input": "output", "output": "input"}[shape]
        justify = ["justify", "right" if side == "L" else "left"]
        self.body.append(
            ["global_label", quote(net), ["shape", shape]]
            + [["at", mm(spot[0] * GRID_MM), mm(spot[1] * GRID_MM), turn], effects(justify)]
            + [["uuid", key_uuid("label", self.sheet.name, net)]]
        )

    def text(self, text: str, x: float, y: float, size_mm: float) -> None:
        """Writes a line of text on the page."""
        font = ["font", ["size", mm(size_mm), mm(size_mm)]]
        self.body.append(
            ["text", quote(text), ["exclude_from_sim", "no"]]
            + [["at", mm(x * GRID_MM), mm(y * GRID_MM), "0"]]
            + [["effects", font, ["justify", "left", "bottom"]]]
            + [["uuid", key_uuid("text", self.sheet.name, text)]]
        )

    def wires(self) -> None:
        """Draws all nets of the page."""
        tied = {pin for tie in self.sheet.ties for pin in tie[:-1]}
        nets: dict[str, list[tuple[str, str]]] = {}
        for pin in self.spots:
            nets.setdefault(board.pins_of(self.table, pin[0])[pin[1]], []).append(pin)
        for net in _ARROWS:
            for pin in nets.pop(net, []):
                if pin not in tied:
                    self.supply(pin, net)
        single = [n for n, p in nets.items() if len(p) == 1 and n not in self.sheet.ends]
        for net in single:
            spot, out = self.spots[nets.pop(net)[0]]
            far = 4 if self.sheet.name == "pico" else 6
            end = (spot[0] + far * out[0], spot[1] + far * out[1])
            self.page.draw(net, [spot, end])
            self.label(net, end, "L" if out[0] < 0 else "R")
        for net, (x, y, side) in self.sheet.ends.items():
            self.page.pins[x, y] = net
            self.label(net, (x, y), side)
        groups = [(net, [self.spots[pin][0] for pin in pins]) for net, pins in nets.items()]
        for net, spots in groups:
            if net in self.sheet.ends:
                spots.append(self.sheet.ends[net][:2])
        for tie in self.sheet.ties:
            net = board.pins_of(self.table, tie[0][0])[tie[0][1]]
            for pin in tie:
                self.page.pins[self.spots[pin][0]] = net
            groups.append((net, [self.spots[pin][0] for pin in tie]))
        for net, x, y in self.sheet.fed:
            self._feed(net, (x, y), groups)
        for net, spots in sorted(groups, key=lambda one: (_span(one[1]), one[0])):
            self.page.join(net, spots)
        self._write_wires({net for net, _ in groups})

    def _feed(self, net: str, spot: Spot, groups: list[tuple[str, list[Spot]]]) -> None:
        self.symbol("power:PWR_FLAG", f"#FLG{net}", "PWR_FLAG", (*spot, 0))
        self.page.pins[spot] = net
        for name, spots in groups:
            if name == net:
                spots.append(spot)
                return
        pins = [
            s for p, (s, _) in self.spots.items() if board.pins_of(self.table, p[0])[p[1]] == net
        ]
        groups.append((net, [pins[0], spot]))

    def _write_wires(self, named: set[str]) -> None:
        for net in self.page.lines:
            pieces, forks = self.page.wires(net)
            for a, b in pieces:
                points = ["pts", *(["xy", *(mm(v * GRID_MM) for v in spot)] for spot in (a, b))]
                stroke = ["stroke", ["width", "0"], ["type", "default"]]
                self.body.append(
                    [
                        "wire",
                        points,
                        stroke,
                        ["uuid", key_uuid("wire", self.sheet.name, net, a, b)],
                    ]
                )
            for spot in forks:
                at = ["at", *(mm(v * GRID_MM) for v in spot)]
                more = [["diameter", "0"], ["color", "0", "0", "0", "0"]]
                key = key_uuid("junction", self.sheet.name, *spot)
                self.body.append(["junction", at, *more, ["uuid", key]])
            if net in named and net not in self.table["gpio"] and net not in _ARROWS:
                flat = [(a, b) for a, b in pieces if a[1] == b[1]]
                a, _ = max(flat, key=lambda one: (one[1][0] - one[0][0], one))
                self.body.append(
                    ["label", quote(net)]
                    + [["at", mm((a[0] + 1) * GRID_MM), mm(a[1] * GRID_MM), "0"]]
                    + [effects(["justify", "left", "bottom"])]
                    + [["uuid", key_uuid("label", self.sheet.name, net)]]
                )

    def draw(self) -> None:
        """Draws the whole page."""
        for key in self.sheet.parts:
            self.part(key)
        for text, x, y in self.sheet.captions:
            self.text(text, x, y, 1.27)
            self.page.avoid(x, y - 2, x + round(len(text) * 0.85), y)
        self.wires()
        self.text(self.sheet.title, 12, 16, 3.0)
        for i, note in enumerate(self.table["notes"][self.sheet.name]):
            self.text(note, 12, 122 + 3 * i, 1.4)
        if self.sheet is SHEETS[0]:
            for i, other in enumerate(SHEETS[1:]):
                self.body.append(_sheet_box(other, i))

    def expression(self) -> list[Any]:
        """Return the page as KiCad's file has it."""
        title, number = self.table["board"], SHEETS.index(self.sheet) + 1
        block = [["title", quote(f"{title['name']}: {self.sheet.title}")], ["date", quote(_DATE)]]
        block += [["rev", quote(title["revision"])], ["company", quote(f"Roboto, {_LICENCE}")]]
        block += [["comment", "1", quote(_BUILT)]]
        whole: list[Any] = [
            "kicad_sch",
            ["version", "20250114"],
            ["generator", quote("roboto")],
            ["generator_version", quote("9.0")],
            [
                "uuid",
                key_uuid("root" if number == 1 else "file", *([self.sheet.name] * (number > 1))),
            ],
            ["paper", quote("A4")],
            ["title_block", *block],
            ["lib_symbols", *self.symbols.found.values()],
            *self.body,
        ]
        if number == 1:
            whole.append(["sheet_instances", ["path", quote("/"), ["page", quote("1")]]])
        return [*whole, ["embedded_fonts", "no"]]


def _span(spots: list[Spot]) -> int:
    return sum(max(s[i] for s in spots) - min(s[i] for s in spots) for i in (0, 1))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _sheet_uuid(sheet: Sheet) -> str:
    return unquote(key_uuid("sheet", sheet.name))


def _sheet_path(sheet: Sheet) -> str:
    root = "/" + unquote(key_uuid("root"))
    return root if sheet is SHEETS[0] else f"{root}/{_sheet_uuid(sheet)}"


def file_of(sheet: Sheet) -> str:
    """Return the name of a page's file."""
    return f"{PROJECT}.kicad_sch" if sheet is SHEETS[0] else f"{sheet.name}.kicad_sch"


def footprint_path(ref: str) -> tuple[str, str, str]:
    """Return KiCad's path from a footprint to its symbol, the page's name as KiCad writes it,
    and the page's file."""
    sheet = sheet_of(ref)
    own = "/" + unquote(key_uuid(ref))
    if sheet is SHEETS[0]:
        return own, "/", file_of(sheet)
    return f"/{_sheet_uuid(sheet)}{own}", f"/{sheet.title}/", file_of(sheet)


def full_name(table: dict[str, Any], net: str) -> str:
    """Return the name that KiCad gives to a net of board.toml: with its page, when only that has
    it."""
    if net in table["gpio"] or net in _ARROWS:
        return net
    ref = min(ref for ref, _ in board.nets(table)[net])
    return f"{footprint_path(ref)[1]}{net}"


def _sheet_box(sheet: Sheet, i: int) -> list[Any]:
    """The box on the first page that stands for another page."""
    x, y, wide, high = 14 * GRID_MM, (30 + 14 * i) * GRID_MM, 52 * GRID_MM, 8 * GRID_MM
    box: list[Any] = ["sheet", ["at", mm(x), mm(y)], ["size", mm(wide), mm(high)]]
    box += [[k, "no" if k != "in_bom" and k != "on_board" else "yes"] for k in
            ("exclude_from_sim", "in_bom", "on_board", "dnp")]  # fmt: skip
    box += [
        ["stroke", ["width", "0.1524"], ["type", "solid"]],
        ["fill", ["color", "0", "0", "0", "0.0"]],
    ]
    box.append(["uuid", quote(_sheet_uuid(sheet))])
    for name, text, up in (
        ("Sheetname", sheet.title, -0.7),
        ("Sheetfile", file_of(sheet), high + 0.7),
    ):
        at = ["at", mm(x), mm(y + up), "0"]
        side = ["justify", "left", "bottom" if up < 0 else "top"]
        box.append(["property", quote(name), quote(text), at, effects(side)])
    path = ["path", quote(_sheet_path(SHEETS[0])), ["page", quote(str(i + 2))]]
    return [*box, ["instances", ["project", quote(PROJECT), path]]]


def drawn_parts(table: dict[str, Any]) -> list[str]:
    """References of the parts that the schematic shows."""
    return [one["ref"] for one in table["part"] if "symbol" in one]


def write(table: dict[str, Any], folder: pathlib.Path = PCB_FOLDER) -> pathlib.Path:
    """Writes the schematic's pages, own symbol library and the project's library tables; returns
    the first page's path."""
    placed = {key.split(":")[0] for sheet in SHEETS for key in sheet.parts}
    missing = set(drawn_parts(table)) ^ placed
    if missing:
        raise ValueError(f"sheets.py: give {sorted(missing)} a place on a page")
    folder.mkdir(parents=True, exist_ok=True)
    libraries: set[str] = set()
    arrows = [0]
    for sheet in SHEETS:
        drawing = _Drawing(table, sheet, arrows)
        drawing.draw()
        path = folder / file_of(sheet)
        path.write_text(sexpr.write(drawing.expression()) + "\n", encoding="utf-8")
        libraries |= {lib_id.split(":")[0] for lib_id in drawing.symbols.found}
    library: list[Any] = ["kicad_symbol_lib", ["version", "20241209"], ["generator", '"roboto"']]
    library += [["generator_version", '"9.0"'], *(own_symbol(name) for name in OWN_SYMBOLS)]
    (folder / f"{PROJECT}.kicad_sym").write_text(sexpr.write(library) + "\n", encoding="utf-8")
    rows = [_library_row(PROJECT, "${KIPRJMOD}/" + f"{PROJECT}.kicad_sym")]
    rows += [
        _library_row(n, "${KICAD9_SYMBOL_DIR}/" + f"{n}.kicad_sym")
        for n in sorted(libraries - {PROJECT})
    ]
    _write_table(folder / "sym-lib-table", "sym_lib_table", rows)
    footprints = sorted({one["footprint"].split(":")[0] for one in board.on_board(table)})
    footprints.append("MountingHole")
    rows = [_library_row(n, "${KICAD9_FOOTPRINT_DIR}/" + f"{n}.pretty") for n in footprints]
    _write_table(folder / "fp-lib-table", "fp_lib_table", rows)
    return folder / file_of(SHEETS[0])


def _library_row(name: str, uri: str) -> list[Any]:
    kind = ["type", quote("KiCad")]
    row = ["lib", ["name", quote(name)], kind, ["uri", quote(uri)]]
    return [*row, ["options", '""'], ["descr", '""']]


def _write_table(path: pathlib.Path, word: str, rows: list[Any]) -> None:
    path.write_text(sexpr.write([word, ["version", "7"], *rows]) + "\n", encoding="utf-8")
