"""The breadboards, step by step: which leg goes into which hole, and which wires.

Legs stand in board.toml ([breadboard]); the wires are those of wiring.py, each in a free hole of
its column. What shares a column needs no wire. complaints() proves that all fits: no hole taken
twice, no body on another, and columns and wires join just what board.toml joins.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hardware import board, wiring

_UPPER, _LOWER = "jihgf", "edcba"
ROWS = {**{r: i for i, r in enumerate(_UPPER)}, **{r: i + 7 for i, r in enumerate(_LOWER)}}
# Rails: row in the picture, counted in holes from row j; the same on both boards
RAILS = {"top GND": -4, "top 3V3": -3, "bottom VSYS": 14, "bottom GND": 15}
PITCH = 12.0  # of the picture, in its own units: 2.54 mm
BOARD_HIGH = 24  # holes from one board to the next
_SPAN = {"R": (3, 4), "C": (1, 2), "D": (1, 4), "F": (2, 2), "Q": (1, 1)}  # legs, in holes

Hole = tuple[int, str, int]  # board, row (or rail), column
Strip = tuple[int, str, int]  # board, "upper", "lower" or a rail, column (0 for a rail)


@dataclass
class Wire:
    """One wire. step: where it is new; far: what it leads to off the boards, or ""."""

    step: int
    net: str
    a: Hole
    b: Hole | None
    far: str = ""


@dataclass
class Built:
    """All steps, one after the other."""

    legs: dict[tuple[str, str], list[Hole]] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    taken: dict[Hole, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    step_of: dict[str, int] = field(default_factory=dict)


def hole(text: str) -> Hole:
    """Return a hole as board.toml writes it: 1e22. Raises ValueError on anything else."""
    found = re.fullmatch(r"(\d)([a-j])(\d+)", text)
    if not found:
        raise ValueError(f"[breadboard]: {text} is no hole; write board, row, column, as 1e22")
    return int(found[1]), found[2], int(found[3])


def strip(one: Hole) -> Strip:
    """Return what a hole is joined with."""
    if one[1] in RAILS:
        return one[0], one[1], 0
    return one[0], "upper" if one[1] in _UPPER else "lower", one[2]


def spot(one: Hole) -> tuple[float, float]:
    """Return where a hole is in the picture, in its units."""
    row = RAILS[one[1]] if one[1] in RAILS else ROWS[one[1]]
    return (one[2] + 3) * PITCH, (row + 7 + (one[0] - 1) * BOARD_HIGH) * PITCH


def steps(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps on the breadboard, without the carrier."""
    return [step for step in table["step"] if not step.get("carrier")]


def _pico_hole(number: int) -> Hole:
    """USB to the left: pins 1 to 20 along row c, 40 to 21 along row h."""
    return (1, "c", number) if number <= 20 else (1, "h", 41 - number)


def box(ref: str, legs: list[Hole]) -> tuple[float, float, float, float]:
    """Return what a part's body covers: left, top, right, bottom, in holes."""
    places = [(h[2], ROWS[h[1]] + (h[0] - 1) * BOARD_HIGH) for h in legs]
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    if ref == "U1":
        return left - 0.5, top - 0.6, right + 0.4, bottom + 0.6
    if ref in ("U2", "U3", "MK1"):  # modules lie over the groove, their pins in row e
        return left - 0.45, top - 7.3, right + 0.45, bottom + 0.4
    if ref.startswith("SW"):
        return left - 1.35, top + 0.2, right + 1.35, bottom - 0.2
    if ref == "C3":
        middle = (left + right) / 2
        return middle - 1.6, top - 1.6, middle + 1.6, bottom + 1.6
    if ref in ("D2", "D3", "D4", "D5"):
        middle = (left + right) / 2
        return middle - 1.0, top - 1.0, middle + 1.0, bottom + 1.0
    if top == bottom:
        return left + 0.25, top - 0.45, right - 0.25, bottom + 0.45
    return left - 0.45, top + 0.3, right + 0.45, bottom - 0.3


def build(table: dict[str, Any]) -> Built:
    """Puts all parts in and all wires between them."""
    data = table["breadboard"]
    made = Built()
    for number in range(1, 41):
        _take(made, "U1", str(number), [_pico_hole(number)])
    made.step_of["U1"] = 0
    for i, step in enumerate(steps(table)):
        for ref in step["parts"]:
            made.step_of[ref] = i
    for ref, pins in data["legs"].items():
        for pin, text in pins.items():
            _take(made, ref, str(pin), [hole(one) for one in text.split()])
    covered = {h for ref in made.step_of for h in _covered(made, ref)}
    joined = _joined(made)
    for i, step in enumerate(steps(table)):
        if i == 0:
            _join_rails(made, covered, joined)
        for a, b, net in wiring.ends(table, step):
            _wire(table, made, covered, joined, i, a, b, net)
    return made


def _take(made: Built, ref: str, pin: str, holes: list[Hole]) -> None:
    for one in holes:
        if one in made.taken:
            made.wrong.append(f"breadboard: {ref} and {made.taken[one]} are both in {_name(one)}")
        made.taken[one] = ref
    made.legs[ref, pin] = holes


def _name(one: Hole) -> str:
    return f"{one[0]}{one[1]}{one[2]}" if one[1] in ROWS else f"rail {one[1]} of board {one[0]}"


def _covered(made: Built, ref: str) -> Iterator[Hole]:
    """Holes that a part lies on, so that no wire gets in."""
    legs = [h for (r, _), holes in made.legs.items() if r == ref for h in holes]
    if not legs:
        return
    left, top, right, bottom = box(ref, legs)
    number = legs[0][0]
    for row, column in itertools.product(ROWS, range(int(left), int(right) + 2)):
        y = ROWS[row] + (number - 1) * BOARD_HIGH
        if left <= column <= right and top <= y <= bottom:
            yield number, row, column


class _Groups(dict[Strip, Strip]):
    """Strips that wires or a part's own metal join."""

    def root(self, one: Strip) -> Strip:
        """Return the strip that stands for all that this one is joined with."""
        while self.get(one, one) != one:
            one = self[one]
        return one

    def join(self, a: Strip, b: Strip) -> None:
        """Joins two strips and all that hangs on them."""
        self[self.root(a)] = self.root(b)


def _joined(made: Built) -> _Groups:
    groups = _Groups()
    for holes in made.legs.values():
        for one in holes[1:]:
            groups.join(strip(holes[0]), strip(one))
    return groups


def _free(made: Built, covered: set[Hole], start: Strip, near: tuple[float, float]) -> Hole | None:
    """The free hole of a strip that is nearest to a spot."""
    number, where, column = start
    if where in RAILS:
        # rails have 50 holes in tens of five, with a gap after each
        columns = [c for c in range(3, 63) if (c - 3) % 6 != 5]
        holes = [(number, where, c) for c in columns]
    else:
        holes = [(number, r, column) for r in (_UPPER if where == "upper" else _LOWER)]
    found = [h for h in holes if h not in made.taken and h not in covered]
    key = lambda h: (spot(h)[0] - near[0]) ** 2 + (spot(h)[1] - near[1]) ** 2  # noqa: E731
    return min(found, key=key, default=None)


def _rail(net: str, near: Strip) -> Strip:
    """The rail that a part takes a supply from: on its own board, ground from its own side."""
    if net == "GND":
        return near[0], "top GND" if near[1] == "upper" else "bottom GND", 0
    return near[0], "top 3V3" if net == "3V3" else "bottom VSYS", 0


def _join_rails(made: Built, covered: set[Hole], joined: _Groups) -> None:
    for net, a, b, column in (
        ("GND", (1, "top GND", 0), (1, "bottom GND", 0), 62),
        ("GND", (1, "bottom GND", 0), (2, "top GND", 0), 61),
        ("GND", (2, "top GND", 0), (2, "bottom GND", 0), 62),
        ("3V3", (1, "top 3V3", 0), (2, "top 3V3", 0), 60),
        ("VSYS", (1, "bottom VSYS", 0), (2, "bottom VSYS", 0), 59),
    ):
        near = ((column + 3) * PITCH, 0.0)
        ends = [_free(made, covered, one, near) for one in (a, b)]
        assert ends[0] and ends[1]
        _put(made, Wire(0, net, ends[0], ends[1]))
        joined.join(a, b)


def _put(made: Built, wire: Wire) -> None:
    for one in (wire.a, wire.b):
        if one:
            made.taken[one] = f"a wire of {wire.net}"
    made.wires.append(wire)


def _wire(
    table: dict[str, Any], made: Built, covered: set[Hole], joined: _Groups,
    step: int, a: wiring.Node, b: wiring.Node, net: str,
) -> None:  # fmt: skip
    """One wire of the tables; none where both ends are joined already."""

    def place(node: wiring.Node, other: Strip | None) -> Strip | None:
        if node[0] in wiring.RAILS:
            return _rail(node[0], other) if other else (2, "bottom GND", 0)
        ref = "U1" if node[0] == "Pico" else node[0]
        holes = made.legs.get((ref, node[1]))
        return strip(holes[0]) if holes else None

    end_b = place(b, None) if b[0] not in wiring.RAILS else None
    end_a = place(a, end_b)
    end_b = end_b or (place(b, end_a) if b[0] in wiring.RAILS else None)
    off = [node for node in (a, b) if node[0] in table["breadboard"]["off"]]
    if off and "U2" in (a[0], b[0]):  # the speaker hangs on the module's own screw terminal
        return
    if off:
        start = end_a if off[0] == b else end_b
        part = board.part(table, off[0][0])
        label = f"{off[0][0]} {wiring._label(part, off[0][1])}"
        near = (40 * PITCH, 60 * PITCH)
        first = _free(made, covered, start, near) if start else None
        if first is None:
            made.wrong.append(f"breadboard: no free hole for {label} ({net})")
            return
        _put(made, Wire(step, net, first, None, label.split(" (")[0]))
        return
    if end_a is None or end_b is None:
        made.wrong.append(f"breadboard: {a if end_a is None else b} has no hole; see [breadboard]")
        return
    if joined.root(end_a) == joined.root(end_b):
        return
    far = _middle(end_b)
    first = _free(made, covered, end_a, far)
    last = _free(made, covered, end_b, spot(first)) if first else None
    if not first or not last:
        made.wrong.append(f"breadboard: no free hole for a wire of {net} from {a[0]} to {b[0]}")
        return
    _put(made, Wire(step, net, first, last))
    joined.join(end_a, end_b)


def _middle(one: Strip) -> tuple[float, float]:
    row = one[1] if one[1] in RAILS else ("h" if one[1] == "upper" else "c")
    return spot((one[0], row, one[2] or 30))


def complaints(table: dict[str, Any]) -> list[str]:
    """Return whether all parts and wires fit on the boards of the list, and join what they
    should."""
    made = build(table)
    data = table["breadboard"]
    found = list(made.wrong)
    if board.part(table, "M2").get("quantity", 1) != data["boards"]:
        found.append(f"M2: the pictures need {data['boards']} breadboards")
    for one, ref in made.taken.items():
        if not 1 <= one[0] <= data["boards"] or not 1 <= one[2] <= data["columns"]:
            found.append(f"breadboard: {ref} in {_name(one)}, beyond the boards")
    return [*found, *_legs(made), *_bodies(made), *_nets(table, made)]


def _legs(made: Built) -> Iterator[str]:
    """Legs can only be bent so far."""
    for ref in made.step_of:
        low, high = _SPAN.get(ref[0], (0, 0))
        holes = [h for (r, _), hs in made.legs.items() if r == ref for h in hs]
        if not high or len(holes) < 2:
            continue
        for a, b in itertools.pairwise(holes):
            reach = abs(a[2] - b[2]) + abs(ROWS[a[1]] - ROWS[b[1]]) + 99 * (a[0] != b[0])
            if not low <= reach <= high:
                yield f"breadboard: {ref}'s legs are {reach} holes apart; {low} to {high} fit"


def _bodies(made: Built) -> Iterator[str]:
    boxes = {}
    for ref in made.step_of:
        holes = [h for (r, _), hs in made.legs.items() if r == ref for h in hs]
        if holes:
            boxes[ref] = box(ref, holes)
    for (a, one), (b, other) in itertools.combinations(boxes.items(), 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        if across > 0.01 and down > 0.01:
            yield f"breadboard: {a} and {b} lie on one another"


def _nets(table: dict[str, Any], made: Built) -> Iterator[str]:
    """Walks the copper and the wires: the same nets as board.toml's, no more and no fewer."""
    groups = _joined(made)
    for wire in made.wires:
        if wire.b:
            groups.join(strip(wire.a), strip(wire.b))
    root_of: dict[str, Strip] = {}
    for (ref, pin), holes in made.legs.items():
        net = board.pins_of(table, ref).get(pin)
        if net is None or (ref == "U1" and net == "GND"):  # joined inside the Pico
            continue
        root = groups.root(strip(holes[0]))
        if root_of.setdefault(net, root) != root:
            yield f"breadboard: {ref} {pin} is not joined with the rest of {net}"
    for wire in made.wires:
        if not wire.b and groups.root(strip(wire.a)) != root_of.get(wire.net, strip(wire.a)):
            yield f"breadboard: {wire.far} is not joined with the rest of {wire.net}"
    seen: dict[Strip, str] = {}
    for net, root in root_of.items():
        other = seen.setdefault(root, net)
        if other != net:
            yield f"breadboard: {net} and {other} are joined"
