"""Writes the KiCad schematic from board.toml: every part of the robot, a label on every pin that
is used.

Parts off the board (speaker, switches in the body, modules) are drawn too, marked "not on board",
so that the sheet shows the whole robot. KiCad's symbol libraries must be installed; the symbols
that it lacks are made here.
"""

import copy
import functools
import pathlib
import uuid
from typing import Any

from hardware import board, sexpr
from hardware.sexpr import child, children, quote, unquote

KICAD_SYMBOLS = pathlib.Path("/usr/share/kicad/symbols")
PCB_FOLDER = board.HERE / "pcb"
PROJECT = "roboto"

_GRID_MM = 1.27
_TEXT_MM = 1.27

# Boxes with pins, for what KiCad has no symbol for: name -> (pins on the left, pins on the right),
# (number, label)
_OWN_SYMBOLS = {
    "MIC_I2S": ([(n, n) for n in ("3V", "GND", "BCLK", "DOUT", "LRCL", "SEL")], []),
    "MAX98357A_module": (
        [(n, n) for n in ("LRC", "BCLK", "DIN", "GAIN", "SD", "GND", "VIN")],
        [("OUT+", "OUT+"), ("OUT-", "OUT-")],
    ),
    "SPEAKER": ([("+", "+"), ("-", "-")], []),
    "MICROSWITCH": ([("COM", "COM"), ("NO", "NO"), ("NC", "NC")], []),
    "SLIDE_2P3T": ([(n, n) for n in "1234"], [(n, n) for n in "5678"]),
    "BATTERY": ([("+", "+"), ("-", "-")], []),
    "LED_WIRED": ([("A", "A"), ("K", "K")], []),
}

# Where things stand on the sheet (A3, mm): title, left edge, top edge, width, and rows of parts
_GROUPS: list[tuple[str, float, float, float, list[list[str]]]] = [
    (
        "Cells, fuse, switch",
        15,
        20,
        75,
        [["BT1"], ["J1"], ["F1", "D1"], ["J2", "R11"], ["SW7"]] + [["C3", "D6"]],
    ),
    ("Pico", 95, 20, 80, [["U1"]]),
    ("Flash (optional)", 95, 155, 80, [["U3"], ["R8", "R9", "R10", "C4"]]),
    ("Amplifier and speaker", 180, 20, 75, [["U2"], ["J3"], ["LS1"], ["R2", "C1", "C2"]]),
    ("Microphone", 260, 20, 70, [["MK1"], ["J4"], ["R1", "R13", "R14"], ["R15", "R16", "C5"]]),
    ("Record LED", 15, 175, 75, [["R3", "D2"]]),
    (
        "Buttons and tray",
        335,
        20,
        70,
        [[f"SW{n}"] for n in range(1, 6)] + [["SW6"], ["J6"], ["R12", "C6"]],
    ),
    (
        "Talk LEDs",
        180,
        165,
        150,
        [["R7", "R17", "Q1", "R4", "R5", "R6"]] + [["J5", "D3", "D4", "D5"]],
    ),
]


def _uuid(*key: object) -> str:
    """The same for the same thing each time, so that a file only changes where the board does."""
    return quote(str(uuid.uuid5(uuid.NAMESPACE_URL, "roboto/" + "/".join(map(str, key)))))


def _snap(mm: float) -> float:
    return round(round(mm / _GRID_MM) * _GRID_MM, 2)


def _mm(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _effects(*more: list[Any]) -> list[Any]:
    return ["effects", ["font", ["size", _mm(_TEXT_MM), _mm(_TEXT_MM)]], *more]


def _own_symbol(name: str) -> list[Any]:
    left, right = _OWN_SYMBOLS[name]
    rows = max(len(left), len(right))
    top, half = (rows - 1) * 1.27, 7.62
    body: list[Any] = ["symbol", quote(f"{name}_0_1")]
    corner = top + 2.54
    body.append(
        ["rectangle", ["start", _mm(-half), _mm(corner)], ["end", _mm(half), _mm(-corner)]]
        + [["stroke", ["width", "0.254"], ["type", "default"]], ["fill", ["type", "background"]]]
    )
    pins: list[Any] = ["symbol", quote(f"{name}_1_1")]
    for side, x, angle in ((left, -half - 2.54, "0"), (right, half + 2.54, "180")):
        for i, (number, label) in enumerate(side):
            pins.append(
                ["pin", "passive", "line", ["at", _mm(x), _mm(top - 2.54 * i), angle]]
                + [["length", "2.54"], ["name", quote(label), _effects()]]
                + [["number", quote(number), _effects()]]
            )
    symbol: list[Any] = ["symbol", quote(name), ["pin_numbers", ["hide", "yes"]]]
    symbol += [["pin_names", ["offset", "1.016"]], ["exclude_from_sim", "no"], ["in_bom", "yes"]]
    symbol.append(["on_board", "yes"])
    for i, (key, value) in enumerate((("Reference", "U"), ("Value", name), ("Footprint", ""))):
        hide = [["hide", "yes"]] if i == 2 else []
        at = ["at", "0", _mm(corner + 1.27 + 2.54 * (1 - i)), "0"]
        symbol.append(["property", quote(key), quote(value), at, _effects(*hide)])
    return [*symbol, body, pins, ["embedded_fonts", "no"]]


@functools.cache
def _library(name: str) -> dict[str, list[Any]]:
    whole = sexpr.parse((KICAD_SYMBOLS / f"{name}.kicad_sym").read_text(encoding="utf-8"))
    return {unquote(one[1]): one for one in children(whole, "symbol")}


def _kicad_symbol(library: str, name: str) -> list[Any]:
    """A symbol of KiCad's libraries; derived ones with their parent's drawing, as a schematic
    holds them."""
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


class _Sheet:
    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.symbols: dict[str, list[Any]] = {}
        self.body: list[Any] = []
        self.root = unquote(_uuid("root"))
        self.flags = 0

    def symbol(self, lib_id: str) -> list[Any]:
        if lib_id not in self.symbols:
            library, name = lib_id.split(":")
            found = _own_symbol(name) if library == PROJECT else _kicad_symbol(library, name)
            found = copy.deepcopy(found)
            found[1] = quote(lib_id)
            self.symbols[lib_id] = found
        return self.symbols[lib_id]

    def libraries(self) -> list[str]:
        return sorted({lib_id.split(":")[0] for lib_id in self.symbols})

    def pins(self, lib_id: str) -> dict[str, tuple[float, float, int, str]]:
        """Number -> x, y (up), angle, electrical type."""
        found = {}
        for unit in children(self.symbol(lib_id), "symbol"):
            for pin in children(unit, "pin"):
                at = child(pin, "at")
                number = unquote(child(pin, "number")[1])
                found[number] = (float(at[1]), float(at[2]), int(float(at[3])), pin[1])
        return found

    def place(self, ref: str, lib_id: str, x: float, y: float, value: str, **more: Any) -> None:
        """Puts a symbol at x, y (down). more: footprint, name, on_board, angle, hidden."""
        pins = self.pins(lib_id)
        top = y - max(p[1] for p in pins.values())
        bottom = y - min(p[1] for p in pins.values())
        vertical = {p[2] % 180 for p in pins.values()} == {90}
        spots = ((x + 2.54, y - 1.27), (x + 2.54, y + 1.27)) if vertical else None
        off = 5.08 if all(p[2] % 180 == 0 for p in pins.values()) else 17.78
        spots = spots or ((x - off + 5.08, top - 5.08), (x, bottom + 5.08))
        hidden = [["hide", "yes"]] if more.get("hidden") else []
        placed: list[Any] = ["symbol", ["lib_id", quote(lib_id)]]
        placed += [["at", _mm(x), _mm(y), str(more.get("angle", 0))], ["unit", "1"]]
        placed += [["exclude_from_sim", "no"], ["in_bom", "yes" if more.get("in_bom") else "no"]]
        placed += [["on_board", "yes" if more.get("on_board", True) else "no"], ["dnp", "no"]]
        placed.append(["uuid", _uuid(ref)])
        justify = [["justify", "left"]] if vertical else []
        for key, text, spot, hide in (
            ("Reference", ref, spots[0], hidden),
            ("Value", value, spots[1], hidden),
            ("Footprint", more.get("footprint", ""), (x, y), [["hide", "yes"]]),
            ("Description", more.get("name", ""), (x, y), [["hide", "yes"]]),
        ):
            at = ["at", _mm(spot[0]), _mm(spot[1]), "0"]
            placed.append(["property", quote(key), quote(text), at, _effects(*justify, *hide)])
        placed += [["pin", quote(n), ["uuid", _uuid(ref, n)]] for n in pins]
        path = ["path", quote("/" + self.root), ["reference", quote(ref)], ["unit", "1"]]
        placed.append(["instances", ["project", quote(PROJECT), path]])
        self.body.append(placed)

    def part(self, ref: str, x: float, y: float) -> None:
        one = board.part(self.table, ref)
        lib_id = one["symbol"]
        self.place(
            ref,
            lib_id,
            x,
            y,
            one["value"],
            footprint=one.get("footprint", ""),
            name=one["name"],
            on_board="footprint" in one,
            in_bom=True,
        )
        nets = board.pins_of(self.table, ref)
        done = set()
        for number, (px, py, angle, kind) in self.pins(lib_id).items():
            spot = (round(x + px, 2), round(y - py, 2))
            if spot in done:
                continue
            done.add(spot)
            if number in nets:
                self.label(nets[number], spot, angle, (ref, number))
            elif kind != "no_connect":
                at = ["at", _mm(spot[0]), _mm(spot[1])]
                self.body.append(["no_connect", at, ["uuid", _uuid("nc", ref, number)]])

    def label(self, net: str, spot: tuple[float, float], angle: int, key: tuple[str, str]) -> None:
        """A flag with the net's name on the end of a pin; ground gets its own sign."""
        out = {0: 180, 180: 0, 90: 270, 270: 90}[angle]
        if net == "GND":
            turn = {180: 270, 0: 90, 270: 0, 90: 180}[out]
            self.flags += 1
            ref = f"#PWR{self.flags:03d}"
            self.place(ref, "power:GND", *spot, "GND", angle=turn, hidden=True)
            return
        justify = ["justify", "right" if out in (180, 270) else "left"]
        self.body.append(
            ["global_label", quote(net), ["shape", "passive"]]
            + [["at", _mm(spot[0]), _mm(spot[1]), str(out)], _effects(justify)]
            + [["uuid", _uuid("label", *key)]]
        )

    def power_flag(self, net: str, x: float, y: float) -> None:
        """Tells the rule check that a net is fed although no pin of kind "power output" is on
        it."""
        self.place(f"#FLG{net}", "power:PWR_FLAG", x, y, "PWR_FLAG", hidden=True)
        self.label(net, (x, y), 90, ("flag", net))

    def text(self, text: str, x: float, y: float, size_mm: float) -> None:
        font = ["font", ["size", _mm(size_mm), _mm(size_mm)]]
        self.body.append(
            ["text", quote(text), ["exclude_from_sim", "no"], ["at", _mm(x), _mm(y), "0"]]
            + [["effects", font, ["justify", "left", "bottom"]], ["uuid", _uuid("text", text)]]
        )

    def frame(self, key: str, left: float, top: float, right: float, bottom: float) -> None:
        self.body.append(
            ["rectangle", ["start", _mm(left), _mm(top)], ["end", _mm(right), _mm(bottom)]]
            + [["stroke", ["width", "0.15"], ["type", "dash"]], ["fill", ["type", "none"]]]
            + [["uuid", _uuid("frame", key)]]
        )

    def group(self, title: str, left: float, top: float, width: float, rows: Any) -> None:
        y = top + 8
        for row in rows:
            sizes = [self.pins(board.part(self.table, ref)["symbol"]) for ref in row]
            up = max(max(p[1] for p in pins.values()) for pins in sizes)
            down = -min(min(p[1] for p in pins.values()) for pins in sizes)
            upright = any(p[2] % 180 == 90 for pins in sizes for p in pins.values())
            reach = 14.0 if upright else 8.0
            if row == ["U1"]:
                reach = 10.0
            y += up + reach
            for i, ref in enumerate(row):
                x = left + width * (i + 0.5) / len(row)
                self.part(ref, _snap(x), _snap(y))
            y += down + reach
        self.text(title, left + 1, top + 5, 2.0)
        self.frame(title, left, top, left + width, y + 2)

    def expression(self) -> list[Any]:
        title = self.table["board"]
        return [
            "kicad_sch",
            ["version", "20250114"],
            ["generator", quote("roboto")],
            ["generator_version", quote("9.0")],
            ["uuid", quote(self.root)],
            ["paper", quote("A3")],
            ["title_block", ["title", quote(title["name"])], ["rev", quote(title["revision"])]],
            ["lib_symbols", *self.symbols.values()],
            *self.body,
            ["sheet_instances", ["path", quote("/"), ["page", quote("1")]]],
            ["embedded_fonts", "no"],
        ]


def drawn_parts(table: dict[str, Any]) -> list[str]:
    """References of the parts that the schematic shows."""
    return [one["ref"] for one in table["part"] if "symbol" in one]


def write(table: dict[str, Any], folder: pathlib.Path = PCB_FOLDER) -> pathlib.Path:
    """Writes schematic, own symbol library and the project's library tables; returns the
    schematic's path."""
    placed = [ref for group in _GROUPS for row in group[4] for ref in row]
    missing = set(drawn_parts(table)) ^ set(placed)
    if missing:
        raise ValueError(f"schematic.py, _GROUPS: give {sorted(missing)} a place on the sheet")
    folder.mkdir(parents=True, exist_ok=True)
    sheet = _Sheet(table)
    for group in _GROUPS:
        sheet.group(*group)
    sheet.power_flag("VSYS", _snap(75), _snap(60))
    path = folder / f"{PROJECT}.kicad_sch"
    path.write_text(sexpr.write(sheet.expression()) + "\n", encoding="utf-8")
    library: list[Any] = ["kicad_symbol_lib", ["version", "20241209"], ["generator", '"roboto"']]
    library += [["generator_version", '"9.0"'], *(_own_symbol(name) for name in _OWN_SYMBOLS)]
    (folder / f"{PROJECT}.kicad_sym").write_text(sexpr.write(library) + "\n", encoding="utf-8")
    symbols = {name: f"/{name}.kicad_sym" for name in sheet.libraries() if name != PROJECT}
    rows = [_library_row(PROJECT, "${KIPRJMOD}/" + f"{PROJECT}.kicad_sym")]
    rows += [_library_row(n, "${KICAD9_SYMBOL_DIR}" + file) for n, file in symbols.items()]
    _write_table(folder / "sym-lib-table", "sym_lib_table", rows)
    footprints = sorted({one["footprint"].split(":")[0] for one in board.on_board(table)})
    footprints.append("MountingHole")
    rows = [_library_row(n, "${KICAD9_FOOTPRINT_DIR}/" + f"{n}.pretty") for n in footprints]
    _write_table(folder / "fp-lib-table", "fp_lib_table", rows)
    return path


def _library_row(name: str, uri: str) -> list[Any]:
    kind = ["type", quote("KiCad")]
    row = ["lib", ["name", quote(name)], kind, ["uri", quote(uri)]]
    return [*row, ["options", '""'], ["descr", '""']]


def _write_table(path: pathlib.Path, word: str, rows: list[Any]) -> None:
    path.write_text(sexpr.write([word, ["version", "7"], *rows]) + "\n", encoding="utf-8")
