"""A picture of each step on the breadboards: what is new in colour, what was there in grey."""

import pathlib
from html import escape
from typing import Any

from hardware import board, wiring
from hardware.breadboard import (
    BOARD_HIGH,
    PITCH,
    RAILS,
    ROWS,
    Built,
    Hole,
    Wire,
    box,
    build,
    spot,
    steps,
)

FOLDER = board.HERE / "wiring"
_TINTS = {
    "R": "#d9c196",
    "C": "#e0a458",
    "D": "#444444",
    "F": "#e8c33a",
    "Q": "#333333",
    "S": "#3a3f47",
    "U": "#35507a",
    "M": "#35507a",
}
_INKS = {
    "BK": "#202020",
    "RD": "#d22020",
    "OG": "#ee8210",
    "YE": "#e2bc00",
    "GN": "#1f9a3c",
    "BU": "#2456d0",
    "VT": "#8a34c0",
    "GY": "#8a8a8a",
    "WH": "#f6f6f6",
    "PK": "#f07aa8",
}
_OLD, _OLD_BODY = "#c4c4c4", "#dcdcdc"


def svg(table: dict[str, Any], made: Built, step: int) -> str:
    """Return the picture of one step; it holds no word, so that it serves all languages."""
    wide = (table["breadboard"]["columns"] + 7) * PITCH
    high = (BOARD_HIGH * table["breadboard"]["boards"] + 9) * PITCH
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
        'font-family="DejaVu Sans, sans-serif">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>',
    ]
    for number in range(1, table["breadboard"]["boards"] + 1):
        out += _plain_board(table["breadboard"]["columns"], number)
    out += _bodies_drawn(table, made, step)
    slots = _slots(made)
    for wire in sorted(made.wires, key=lambda one: one.step):
        if wire.step <= step:
            slot = (slots.get(id(wire), 0.0), high - 6 * PITCH)
            out += _wire_drawn(table, wire, wire.step == step, slot)
    return "\n".join([*out, "</svg>"]) + "\n"


def _slots(made: Built) -> dict[int, float]:
    """Where below the boards the wires to what hangs on them end, side by side."""
    found: dict[int, float] = {}
    last = 0.0
    for wire in sorted((one for one in made.wires if not one.b), key=lambda one: spot(one.a)):
        last = max(spot(wire.a)[0], last + 2.4 * PITCH)
        found[id(wire)] = last
    return found


def _plain_board(columns: int, number: int) -> list[str]:
    x, y = 2 * PITCH, (1.6 + (number - 1) * BOARD_HIGH) * PITCH
    out = [
        f'<rect x="{x:g}" y="{y:g}" width="{(columns + 3) * PITCH:g}" '
        f'height="{21.8 * PITCH:g}" rx="6" fill="#f4f1e8" stroke="#b9b4a5"/>'
    ]
    left, right = 3.4 * PITCH, (columns + 4) * PITCH
    middle = spot((number, "f", 1))[1] + 1.5 * PITCH
    out.append(
        f'<rect x="{x + 2:g}" y="{middle - 8:g}" width="{(columns + 3) * PITCH - 4:g}" '
        'height="16" fill="#e4dfd0"/>'
    )
    for name in RAILS:
        row = spot((number, name, 1))[1]
        off = -7 if name in ("top GND", "bottom VSYS") else 7
        ink = "#3a62c8" if name.endswith("GND") else "#cc3333"
        out.append(
            f'<line x1="{left:g}" x2="{right:g}" y1="{row + off:g}" y2="{row + off:g}" '
            f'stroke="{ink}" stroke-width="1.4"/>'
        )
        out.append(
            f'<text x="{right + 3:g}" y="{row + 3:g}" font-size="8" fill="{ink}">'
            f"{name.split()[1]}</text>"
        )
    dots = []
    for name in RAILS:
        dots += [spot((number, name, c)) for c in range(3, 63) if (c - 3) % 6 != 5]
    for row in ROWS:
        dots += [spot((number, row, c)) for c in range(1, columns + 1)]
        px, py = spot((number, row, 0))
        out.append(f'<text x="{px - 3:g}" y="{py + 3:g}" font-size="8" fill="#777">{row}</text>')
    path = "".join(f"M{px - 1.5:g} {py - 1.5:g}h3v3h-3z" for px, py in dots)
    out.append(f'<path d="{path}" fill="#8f8a7c"/>')
    for column in [1, *range(5, columns + 1, 5)]:
        for row, off in (("j", -8), ("a", 14)):
            px, py = spot((number, row, column))
            out.append(
                f'<text x="{px:g}" y="{py + off:g}" font-size="7" text-anchor="middle" '
                f'fill="#777">{column}</text>'
            )
    return out


def _bodies_drawn(table: dict[str, Any], made: Built, step: int) -> list[str]:
    out = []
    refs = sorted(made.step_of, key=lambda ref: (made.step_of[ref], board.natural(ref)))
    for ref in refs:
        pins = {p: hs for (r, p), hs in made.legs.items() if r == ref}
        if not pins or made.step_of[ref] > step:
            continue
        new = made.step_of[ref] == step
        holes = [h for hs in pins.values() for h in hs]
        left, top, right, bottom = (v * PITCH for v in box(ref, holes))
        x, y = left + 3 * PITCH, top + 7 * PITCH
        tint = _TINTS.get(ref[0], "#777") if new else _OLD_BODY
        ink = "#ffffff" if new and ref[0] in "DQSUM" else "#222222" if new else "#999999"
        edge = "#222222" if new else "#b0b0b0"
        for one in holes:
            px, py = spot(one)
            cx = min(max(px, x), x + right - left)
            cy = min(max(py, y), y + bottom - top)
            out.append(
                f'<path d="M{px:g} {py:g}L{cx:g} {cy:g}" stroke="{edge}" stroke-width="2"/>'
                f'<circle cx="{px:g}" cy="{py:g}" r="2.6" fill="{edge}"/>'
            )
        round_one = ref in ("C3", "D2", "D3", "D4", "D5")
        if round_one and new and ref != "C3":
            tint = "#d23030" if ref == "D2" else "#eaa21a"
        out.append(
            f'<rect x="{x:g}" y="{y:g}" width="{right - left:g}" height="{bottom - top:g}" '
            f'rx="{(right - left) / 2 if round_one else 3:g}" fill="{tint}" stroke="{edge}"/>'
        )
        out += _marks(table, ref, pins, new)
        size = 8 if right - left > 18 or bottom - top < 16 else 6.5
        turn = ""
        px, py = x + (right - left) / 2, y + (bottom - top) / 2
        if right - left < 18 and bottom - top > 14:
            turn = f' transform="rotate(-90 {px:g} {py:g})"'
        out.append(
            f'<text x="{px:g}" y="{py + size / 2.8:g}" font-size="{size:g}" font-weight="bold" '
            f'text-anchor="middle" fill="{ink}"{turn}>{ref}</text>'
        )
    return out


def _marks(table: dict[str, Any], ref: str, pins: dict[str, list[Hole]], new: bool) -> list[str]:
    """What is printed at a module's pins, and which leg is which where it matters."""
    ink = "#ffffff" if new and ref[0] in "UM" else "#b02020" if new else "#a8a8a8"
    out = []
    if ref == "U1":
        names = {
            str(board.PICO_PIN[p["gpio"]]): f"{p['gpio']}"
            for p in table["gpio"].values()
            if not p.get("internal")
        }
        names |= {"39": "VS", "36": "3V", "38": "G"}
    elif ref in ("U2", "U3", "MK1"):
        labels = board.part(table, ref).get("labels", {})
        names = {p: labels[p] if p.isdigit() else p for p in pins}
    elif ref in ("D1", "D6", "C3", "D2", "D3", "D4", "D5"):
        plus = {"D1": "1", "D6": "1", "C3": "1"}.get(ref, "2")
        names = {plus: "|" if ref in ("D1", "D6") else "+"}
    elif ref == "Q1":
        names = board.part(table, ref)["labels"]
    else:
        return []
    for pin, name in names.items():
        px, py = spot(pins[pin][0])
        if ref == "U1":
            inward = 11 if pins[pin][0][1] == "h" else -5
            out.append(
                f'<text x="{px:g}" y="{py + inward:g}" font-size="6.5" '
                f'text-anchor="middle" fill="{ink}">{escape(name)}</text>'
            )
        elif ref in ("U2", "U3", "MK1"):
            out.append(
                f'<text x="{px + 2.4:g}" y="{py - 8:g}" font-size="6.5" fill="{ink}" '
                f'transform="rotate(-90 {px + 2.4:g} {py - 8:g})">{escape(name)}</text>'
            )
        else:
            out.append(
                f'<text x="{px - 7:g}" y="{py + 10:g}" font-size="8" font-weight="bold" '
                f'fill="{ink}">{escape(name)}</text>'
            )
    return out


def _wire_drawn(
    table: dict[str, Any], wire: Wire, new: bool, slot: tuple[float, float]
) -> list[str]:
    ink = _INKS[wiring.colour(table, wire.net)] if new else _OLD
    x, y = spot(wire.a)
    if wire.b:
        x2, y2 = spot(wire.b)
        bow = min(22.0, 6 + abs(x2 - x) * 0.05)
        path = f"M{x:g} {y:g}Q{(x + x2) / 2 + bow * 0.6:g} {(y + y2) / 2 - bow:g} {x2:g} {y2:g}"
        ends = [(x, y), (x2, y2)]
    else:
        x2, y2 = slot
        path = f"M{x:g} {y:g}C{x:g} {y2 - 60:g} {x2:g} {y2 - 60:g} {x2:g} {y2:g}"
        ends = [(x, y)]
    edge = "#333333" if new else "#aaaaaa"
    thick = 3.2 if new else 2.2
    out = [
        f'<path d="{path}" fill="none" stroke="{edge}" stroke-width="{thick + 1.2:g}" '
        'stroke-linecap="round"/>',
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{thick:g}" '
        'stroke-linecap="round"/>',
    ]
    out += [f'<circle cx="{px:g}" cy="{py:g}" r="2.8" fill="{edge}"/>' for px, py in ends]
    if not wire.b:
        out.append(
            f'<text x="{x2:g}" y="{y2 + 10:g}" font-size="10" fill="{"#222" if new else "#999"}" '
            f'transform="rotate(45 {x2:g} {y2 + 10:g})">{escape(wire.far)}</text>'
        )
    return out


def path_of(step: dict[str, Any], folder: pathlib.Path = FOLDER) -> pathlib.Path:
    """Return where the picture of a step lies."""
    return folder / f"{step['name']}-breadboard.svg"


def write(table: dict[str, Any], folder: pathlib.Path = FOLDER) -> None:
    """Writes the picture of each step."""
    made = build(table)
    for i, step in enumerate(steps(table)):
        path_of(step, folder).write_text(svg(table, made, i), encoding="utf-8")


def stale(table: dict[str, Any], folder: pathlib.Path = FOLDER) -> list[str]:
    """Return one line for each picture that differs from board.toml."""
    made = build(table)
    return [
        f"wiring/{path_of(step).name} differs from board.toml: "
        "run python -m hardware.build breadboard"
        for i, step in enumerate(steps(table))
        if not path_of(step, folder).exists()
        or path_of(step, folder).read_text(encoding="utf-8") != svg(table, made, i)
    ]
