"""Bill of materials, tables and drawings say what board.toml says; build.md leads to files that
exist."""

import csv
import re

import pytest

from hardware import board, bom, breadboard, breadboard_picture, rules, tables, wiring

DOCS = sorted(tables.DOCS.values())


def test_the_bill_of_materials_is_current_and_whole(table):
    assert bom.BOM_CSV.read_text(encoding="utf-8") == bom.text(table)
    with bom.BOM_CSV.open(encoding="utf-8") as file:
        listed = [ref for row in csv.DictReader(file) for ref in row["refs"].split()]
    assert sorted(listed) == sorted(p["ref"] for p in bom.bought(table))


def test_tables_are_current(table):
    assert tables.stale(table) == []


def test_a_stale_table_is_noticed(table):
    board.part(table, "R3").update(name="Resistor 1 kohm", es="Resistencia 1 kohm")
    assert len(tables.stale(table)) == 2


@pytest.mark.parametrize("step", [s["name"] for s in board.load()["step"]])
def test_drawings_are_current(table, step):
    pytest.importorskip("yaml")
    one = next(s for s in table["step"] if s["name"] == step)
    text = (wiring.FOLDER / f"{step}.yml").read_text(encoding="utf-8")
    assert text == wiring.text(table, one)
    assert (wiring.FOLDER / f"{step}.png").stat().st_size < 200_000


def test_the_breadboard_steps_wire_every_net_and_nothing_else(table):
    """Put all wires of all steps together: they must join exactly the nets of the breadboard's
    parts."""
    steps = [s for s in table["step"] if not s.get("carrier")]
    group: dict[tuple[str, str], tuple[str, str]] = {}

    def find(end):
        while group.setdefault(end, end) != end:
            end = group[end]
        return end

    for step in steps:
        for a, a_label, b, b_label, _ in wiring.wires(table, step):
            group[find((a, a_label))] = find((b, b_label))
    parts = [ref for step in steps for ref in step["parts"]]
    wanted: dict[str, set[tuple[str, str]]] = {}
    for ref in parts:
        for pin, net in wiring._pins(table, ref).items():
            wanted.setdefault(net, set()).add((ref, wiring._label(board.part(table, ref), pin)))
    for net, ends in wanted.items():
        assert len({find(end) for end in ends}) == 1, net
    roots = {net: find(next(iter(ends))) for net, ends in wanted.items()}
    assert len(set(roots.values())) == len(roots), "two nets are joined"
    needed = {
        p["ref"] for p in table["part"] if p["for"] in ("both", "breadboard") and "pins" in p
    }
    assert needed - {"U1"} == set(parts)


def test_the_carrier_wires_everything_off_the_board(table):
    step = next(s for s in table["step"] if s.get("carrier"))
    reached = {(b, label) for _, _, b, label, _ in wiring.wires(table, step)}
    for part in table["part"]:
        if "symbol" in part and "footprint" not in part and part["ref"] != "U2":
            for pin in board.pins_of(table, part["ref"]):
                assert (part["ref"], wiring._label(part, pin)) in reached


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_links_lead_somewhere(path):
    page = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", page)
    assert len(targets) > 30
    missing = [
        t for t in targets if not (path.parent / t).exists() and not t.endswith("README.md")
    ]
    assert missing == []


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_table_and_every_picture_is_shown(table, path):
    page = path.read_text(encoding="utf-8")
    language = "es" if path.name.endswith(".es.md") else "en"
    for name in tables.blocks(table, language):
        assert f"<!-- begin {name} -->" in page, name
    for picture in (board.HERE / "body" / "pictures").glob("*.png"):
        assert picture.name in page
    for step in table["step"]:
        assert f"{step['name']}.png" in page


def test_every_check_has_its_twin_in_spanish():
    english, spanish = (tables.DOCS[n].read_text(encoding="utf-8") for n in ("en", "es"))
    assert english.count("**Check") == spanish.count("**Comprueba")
    assert english.count("\n| ") == spanish.count("\n| ")
    assert english.count("![") == spanish.count("![")


def test_symptoms_of_the_demand_are_covered():
    page = tables.DOCS["en"].read_text(encoding="utf-8")
    for symptom in (
        "No sound",
        "Very quiet recordings",
        "Crackle",
        "Tray not felt",
        "Does not wake",
    ):
        assert f"| **{symptom}" in page


def test_pictures_and_models_are_small():
    for path in board.HERE.rglob("*"):
        if path.suffix in (".png", ".svg", ".zip"):
            assert path.stat().st_size < 300_000, path
        if path.suffix == ".pdf":  # a page for each function
            assert path.stat().st_size < 700_000, path
        if path.suffix in (".stl", ".3mf"):
            assert path.stat().st_size < 1_000_000, path


def test_everything_fits_on_the_breadboards(table):
    """Holes, bodies, legs, and the copper walked through: the same nets as board.toml."""
    assert breadboard.complaints(table) == []
    assert breadboard_picture.stale(table) == []


def test_every_part_of_the_breadboard_is_on_it(table):
    made = breadboard.build(table)
    on_it = {ref for ref, _ in made.legs} | {
        wire.far.split()[0] for wire in made.wires if wire.far
    }
    wanted = {ref for step in table["step"] if not step.get("carrier") for ref in step["parts"]}
    assert wanted - on_it == {"LS1"}  # on the amplifier's own screw terminal


@pytest.mark.parametrize(
    ("ref", "legs", "words"),
    [
        ("R3", {"2": "1e42", "1": "1f45"}, "R7 and R3 are both in 1f45"),
        ("R3", {"2": "1a42", "1": "1j42"}, "legs are"),
        ("C5", {"1": "1g28", "2": "1g22"}, "legs are"),
        ("D2", {"2": "1h42", "1": "1h41"}, "is not joined"),
        ("D6", {"2": "2e60", "1": "2f62"}, "both in 2e60"),
        ("F1", {"1": "2g60", "2": "2g62"}, "are joined"),
        ("C3", {"1": "2h51", "2": "2h52"}, "lie on one another"),
        ("R7", {"1": "1e64", "2": "1f64"}, "beyond the boards"),
    ],
)
def test_a_leg_in_a_wrong_hole_is_noticed(table, ref, legs, words):
    if words == "is not joined":  # a wire that was forgotten
        made = breadboard.build(table)
        made.wires = [wire for wire in made.wires if wire.net != "RECORD_LED"]
        assert any(words in line for line in breadboard._nets(table, made))
        return
    table["breadboard"]["legs"][ref] = legs
    assert any(words in line for line in breadboard.complaints(table)), words


def test_the_jumpers_of_the_list_are_enough_and_long_enough(table):
    made = breadboard.build(table)
    jumpers = [wire for wire in made.wires if wire.b]
    assert len(jumpers) <= 75 and "75 male-male" in board.part(table, "M3")["name"]
    for wire in jumpers:
        (x, y), (x2, y2) = (breadboard.spot(one) for one in (wire.a, wire.b))
        reach_mm = ((x - x2) ** 2 + (y - y2) ** 2) ** 0.5 / breadboard.PITCH * 2.54
        assert reach_mm < 200, wire


def test_what_is_new_has_colour_and_what_was_there_is_grey(table):
    made = breadboard.build(table)
    for i in range(8):
        picture = breadboard_picture.svg(table, made, i)
        new = sum(wire.step == i for wire in made.wires)
        old = sum(wire.step < i for wire in made.wires)
        assert picture.count(f'stroke="{breadboard_picture._OLD}"') == old
        assert picture.count('stroke-width="3.2"') == new > 0


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_the_list_ends_with_its_sum(table, path):
    """What a row says is what its parts cost, and what a list says is the sum of its rows."""
    page = path.read_text(encoding="utf-8").replace("\r", "")
    for name, builds in (("parts", "both"), ("parts-board", "board"), ("parts-body", "body")):
        block = re.search(rf"<!-- begin {name} -->(.*?)<!-- end", page, re.DOTALL)
        assert block
        told = float(re.findall(r"\*\*([\d.,]+)\*\*", block[1])[-1].replace(",", "."))
        parts = [one for one in bom.bought(table) if one["for"] == builds]
        assert told == pytest.approx(sum(p["price"] * p.get("quantity", 1) for p in parts))


def test_a_part_without_a_price_is_noticed(table):
    board.part(table, "U2")["price"] = 0.0
    assert any("U2: price" in line for line in rules.complaints(table))


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_doctor_in_a_step_looks_at_what_is_there(path):
    """Whoever has built half a robot waits for no part that is not there: each check of a step
    names its parts, and doctor knows them."""
    from host_tools.maker.checks import PARTS

    page = path.read_text(encoding="utf-8")
    steps = page[page.index("\n## 3.") : page.index("\n## 7.")]
    asked = re.findall(r"`roboto doctor([^`]*)`", steps)
    assert len(asked) > 8
    for words in asked:
        only = re.findall(r'--only (?:"([^"]+)"|([\w-]+))', words)
        assert all((a or b) in PARTS for a, b in only), words
    assert sum(not words for words in asked) <= 1  # the carrier's, with all plugged in


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_the_first_file_is_one_that_a_release_has(path):
    from host_tools.release import _image_name

    found = re.search(r"`(roboto-[^`]*\.uf2)`", path.read_text(encoding="utf-8"))
    assert found
    lang = "es" if path.name.endswith(".es.md") else "en"
    told = re.sub(r"VERSI[OÓ]N", "1.2.3", found[1])
    assert re.sub(r"\d+\.\d+\.\d+", "1.2.3", _image_name(lang, "pico")) == told
