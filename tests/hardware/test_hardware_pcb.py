"""Schematic and layout against board.toml; KiCad's own rules where KiCad is installed."""

import csv
import math
import re
import zipfile

import pytest

from hardware import board, overview, pcb, router, schematic, sexpr, sheets, sheetwires, symbols

needs_kicad = pytest.mark.skipif(not pcb.installed(), reason=pcb.HOW_TO_GET)


def test_the_schematic_joins_what_board_toml_says(table):
    assert pcb.netlist_complaints(table) == []


def test_another_net_in_the_schematic_is_noticed(table):
    board.part(table, "R3")["pins"]["1"] = "GND"
    assert any("LED_A" in line for line in pcb.netlist_complaints(table))


def test_the_layout_has_every_part_with_its_nets(table):
    assert pcb.placement_complaints(table) == []


def test_another_pin_in_the_layout_is_noticed(table):
    board.part(table, "J3")["pins"].update({"1": "AMP_SCK", "2": "AMP_WS"})
    assert pcb.placement_complaints(table) == [
        "J3: its pads' nets on the board differ from board.toml"
    ]


@needs_kicad
def test_kicad_finds_no_violation():
    assert pcb.rule_complaints() == []


@needs_kicad
def test_the_schematic_is_current(table, tmp_path):
    schematic.write(table, tmp_path)
    for sheet in sheets.SHEETS:
        name = schematic.file_of(sheet)
        stored = (pcb.PCB_FOLDER / name).read_text(encoding="utf-8")
        assert (tmp_path / name).read_text(encoding="utf-8") == stored, name


def test_the_schematic_has_wires_and_few_names(table):
    """Within a page a net is drawn, not named at each of its pins: a reader follows it with a
    finger. Names of nets stand where they leave a page, once."""
    for sheet in sheets.SHEETS[1:]:
        path = pcb.PCB_FOLDER / schematic.file_of(sheet)
        whole = sexpr.parse(path.read_text(encoding="utf-8"))
        names = [sexpr.unquote(one[1]) for one in sexpr.children(whole, "global_label")]
        assert len(names) == len(set(names)) and set(names) <= set(table["gpio"]), sheet.name
        assert len(sexpr.children(whole, "wire")) > len(names)
        block = sexpr.children(whole, "title_block")[0]
        assert {"date", "rev", "company"} <= {one[0] for one in block[1:]}
        assert table["notes"][sheet.name]


def test_the_arrows_of_supplies_point_up_and_down(table):
    """Ground is down, a supply up, never sideways."""
    for sheet in sheets.SHEETS:
        path = pcb.PCB_FOLDER / schematic.file_of(sheet)
        whole = sexpr.parse(path.read_text(encoding="utf-8"))
        for one in sexpr.children(whole, "symbol"):
            if sexpr.unquote(sexpr.child(one, "lib_id")[1]).startswith("power:"):
                assert sexpr.child(one, "at")[3] == "0"


def test_a_schematic_wire_goes_around_and_crosses_straight():
    page = sheetwires.Page(40, 40)
    page.block(10, 8, 14, 12)
    page.join("A", [(4, 10), (20, 10)])
    pieces, forks = page.wires("A")
    assert not forks and len(pieces) >= 3
    assert not page.solid & {spot for piece in pieces for spot in piece}
    page.join("B", [(6, 2), (6, 20)])
    a, b = (set().union(*page.lines[net]) for net in "AB")
    assert not page.lines["A"] & page.lines["B"] and len(a & b) <= 1


def test_a_schematic_wire_without_a_way_is_an_error():
    page = sheetwires.Page(40, 40)
    page.block(10, 0, 11, 40)
    with pytest.raises(ValueError, match="no way for a wire of A"):
        page.join("A", [(4, 10), (20, 10)])


def test_three_ends_meet_in_a_fork():
    page = sheetwires.Page(40, 40)
    page.join("A", [(4, 10), (20, 10), (12, 20)])
    assert page.wires("A")[1] == [(12, 10)]


@needs_kicad
def test_kicad_would_find_a_violation(tmp_path, monkeypatch):
    """A wire taken out of the layout must not pass."""
    for path in pcb.PCB_FOLDER.iterdir():
        if path.is_file() and path.suffix != ".zip":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    layout = tmp_path / pcb.LAYOUT.name
    whole = sexpr.parse(layout.read_text(encoding="utf-8"))
    gone = sexpr.children(whole, "segment")
    layout.write_text(sexpr.write([one for one in whole if one not in gone]), encoding="utf-8")
    monkeypatch.setattr(pcb, "LAYOUT", layout)
    assert any("DRC" in line for line in pcb.rule_complaints())


def test_gerbers_hold_all_layers():
    with zipfile.ZipFile(pcb.PCB_FOLDER / "gerbers.zip") as archive:
        names = " ".join(archive.namelist())
    for layer in (
        "F_Cu",
        "B_Cu",
        "F_Mask",
        "B_Mask",
        "F_Silkscreen",
        "B_Silkscreen",
        "Edge_Cuts",
        "PTH.drl",
    ):
        assert layer in names


def test_the_layout_holds_no_random_number():
    """The same board is the same file: every identifier is made from its place in it."""
    text = pcb.LAYOUT.read_text(encoding="utf-8")
    found = re.findall(r'\(uuid ("[^"]*")\)', text)
    assert found == [symbols.key_uuid("item", number) for number in range(len(found))]
    assert "(group" not in text


def test_a_fab_gets_what_it_asks_for(table):
    with (pcb.PCB_FOLDER / "fab-bom.csv").open(encoding="utf-8", newline="") as file:
        bom = list(csv.DictReader(file))
    with (pcb.PCB_FOLDER / "placement.csv").open(encoding="utf-8", newline="") as file:
        placed = {row["Designator"]: row for row in csv.DictReader(file)}
    assert set(next(iter(placed.values()))) == {
        "Designator", "Mid X", "Mid Y", "Rotation", "Layer"
    }  # fmt: skip
    refs = [ref for row in bom for ref in row["Designator"].split(",")]
    soldered = {part["ref"] for part in board.on_board(table) if part.get("bought", True)}
    wanted = soldered - {"U1", "D2"}
    assert set(refs) == set(placed) == wanted and len(refs) == len(wanted)
    assert all(int(row["Quantity"]) == len(row["Designator"].split(",")) for row in bom)


def test_every_supply_and_the_amplifiers_switch_can_be_measured(table):
    """A pad for a multimeter's tip, printed with its name, on the side that one sees."""
    found = {}
    for part in table["part"]:
        if part["ref"].startswith("TP"):
            assert part["where"] == "board" and part["silk"] == [part["value"]]
            found[part["pins"]["1"]] = part["ref"]
    assert set(found) == {"GND", "VSYS", "3V3", "VBAT", "AMP_SHUTDOWN"}


def test_the_overview_shows_every_part_where_the_board_has_it(table):
    assert overview.complaints(table) == []
    found = overview.pads()
    page = overview.text(table)
    width, height = table["board"]["size_mm"]
    for part in board.on_board(table):
        side, pads = found[part["ref"]]
        assert side == ("back" if part["where"] == "back" else "front")
        assert all(0 < x < width and 0 < y < height for x, y, _ in pads), part["ref"]
        if "centre" in part:  # the middle of its pads, as board.toml says
            xs, ys = [x for x, _, _ in pads], [y for _, y, _ in pads]
            assert (min(xs) + max(xs)) / 2 == pytest.approx(part["centre"][0], abs=0.02)
            assert (min(ys) + max(ys)) / 2 == pytest.approx(part["centre"][1], abs=0.02)
        else:  # KiCad's origin of a part with legs is its first leg, or its middle
            x, y = part["at"][:2]
            box = [f(v[i] for v in pads) for i in (0, 1) for f in (min, max)]
            assert box[0] - 0.1 <= x <= box[1] + 0.1 and box[2] - 0.1 <= y <= box[3] + 0.1
        assert page.count(f'data-ref="{part["ref"]}"') == 1


def test_expressions_survive_reading_and_writing():
    text = '(a "b (c) \\"d\\"" (e 1 2) (f))'
    assert sexpr.parse(sexpr.write(sexpr.parse(text))) == sexpr.parse(text)


def _pad(net, x, y):
    return router.Pad(net, x, y, 0.8, 0.8, (0, 1))


def _distance(point, a, b):
    (px, py), (ax, ay), (bx, by) = point, a, b
    length = (bx - ax) ** 2 + (by - ay) ** 2
    t = max(0.0, min(1.0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length))
    return math.dist(point, (ax + t * (bx - ax), ay + t * (by - ay)))


def test_the_router_crosses_two_nets_without_touching():
    pads = [
        _pad("A", 3, 10),
        _pad("A", 17, 10),
        _pad("B", 10, 3),
        _pad("B", 10, 17),
        _pad("", 10, 10),
    ]
    routed = router.route(20, 20, pads, [], set(), "B")
    assert {t.net for t in routed.tracks} == {"A", "B"}
    for track in routed.tracks:
        for other in pads:
            if other.net != track.net and track.layer in other.layers:
                for a, b in zip(track.points, track.points[1:]):
                    room = _distance((other.x, other.y), a, b) - track.width / 2 - 0.8
                    assert room > 0.19


def test_the_router_says_when_there_is_no_way():
    wall = [_pad("", 10, y * 1.0) for y in range(21)]
    with pytest.raises(router.NoWay, match="A"):
        router.route(20, 20, [_pad("A", 4, 10), _pad("A", 16, 10), *wall], [], set(), "A")
