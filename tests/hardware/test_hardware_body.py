"""The printed body: everything closed, thick enough, on the bed, apart, and a tray that is felt
everywhere."""

import dataclasses
import itertools

import pytest

pytest.importorskip("manifold3d", reason="pip install -r requirements-test.lock")
pytest.importorskip("trimesh", reason="pip install -r requirements-test.lock")

from hardware import board
from hardware.body import checks, parts
from hardware.body.sizes import Sizes, on_face
from hardware.icons import ICONS


def test_the_body_may_be_printed(table):
    assert checks.complaints(Sizes(), table) == []


def test_models_on_disk_are_current(table):
    import trimesh

    for name, made in parts.PRINTED.items():
        fresh = checks.mesh(parts.on_bed(name, made[0](Sizes(), table)))
        stored = trimesh.load_mesh(board.HERE / "body" / "print" / f"{name}.stl")
        assert stored.volume == pytest.approx(fresh.volume, rel=1e-3)
        assert stored.is_watertight


def _sizes(**changes):
    return dataclasses.replace(Sizes(), **changes)


def _printed(s, table, *names):
    return {name: parts.on_bed(name, parts.PRINTED[name][0](s, table)) for name in names}


def test_a_thin_wall_is_noticed(table):
    s = _sizes(tray_wall=0.8)
    assert "tray: a wall of" in " ".join(checks.walls(_printed(s, table, "tray"), s))


def test_a_small_bed_is_noticed(table):
    s = _sizes(bed=(90.0, 180.0, 180.0))
    assert "does not fit a bed of 90 mm" in " ".join(checks.whole(_printed(s, table, "tray"), s))


def test_a_part_in_two_pieces_is_noticed(table):
    two = parts.box(5, 5, 5, (0, 0, 2.5)) + parts.box(5, 5, 5, (20, 0, 2.5))
    assert "2 pieces" in " ".join(checks.whole({"tray": two}, Sizes()))


def test_a_long_bridge_is_noticed():
    table_top = parts.box(60, 10, 2, (0, 0, 21)) + parts.box(4, 10, 20, (-28, 0, 10))
    gate = table_top + parts.box(4, 10, 20, (28, 0, 10))
    assert "52 mm needs support" in " ".join(checks.overhangs({"gate": gate}))


def test_a_body_too_flat_for_cells_and_board_is_noticed(table):
    bought = parts.bought(_sizes(depth=40.0), table)
    assert "overlap" in " ".join(checks.collisions(bought))


def test_a_higher_button_moves_the_board_with_it():
    """The board's distance follows the buttons, so that caps keep their play."""
    assert Sizes(button_height=9.5).standoff == pytest.approx(Sizes().standoff + 2.2)


def test_a_short_cap_is_noticed(table):
    assert "sinks into the face" in " ".join(checks.caps(_sizes(cap_out=0.6), table))


def _tray(s, table):
    return parts.tray(s, table) + parts.trigger(s, table)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"spring_n_per_mm": 0.1}, "do not carry a whole pack"),
        ({"spring_n_per_mm": 1.0}, "a child gives"),
        ({"tray_gap": 2.4, "tray_stop": 0.35}, "lands on the deck before the switch works"),
        ({"tray_stop": 1.7}, "lands on the deck before the switch works"),
        ({"tray_stop": 0.3}, "past the click; the switch allows 1.2 mm"),
        ({"trigger_travel": 0.8}, "to let go it wants 0.85 mm"),
        ({"lever_works_within": 1.1}, "stands 0.10 mm out of the floor"),
        ({"trigger_sunk": 1.4}, "0.20 mm deeper than its seat"),
        ({"trigger_screw": 7.0}, "ends inside its nut"),
        ({"trigger_seat": 4.2}, "between the screw's seat and its nut"),
    ],
)
def test_a_bad_tray_is_noticed(table, changes, words):
    s = _sizes(**changes)
    assert words in " ".join(checks.tray(s, _tray(s, table)))


def test_the_tray_of_revision_a_is_noticed(table):
    """It landed on its edges before it clicked, and its screw suited half of all switches."""
    s = _sizes(
        tray_gap=2.6, tray_stop=0.0, trigger_travel=1.2, trigger_set_within=0.0,
        trigger_screw=10.0, trigger_sunk=0.0, trigger_seat=1.7,
    )  # fmt: skip
    found = list(checks.tray(s, _tray(Sizes(), table)))
    assert sum("lands on the deck" in line for line in found) > 100
    assert any("deeper than its seat" in line for line in found)
    assert any("past the click" in line for line in found)


@pytest.mark.parametrize("x", [-43, 0, 43])
@pytest.mark.parametrize("y", [-28, 0, 28])
def test_pressed_until_it_clicks_the_tray_touches_nothing(table, x, y):
    """The real solids, laid as the springs let them lie at the latest click: tray and trigger do
    not bite into the head."""
    s = Sizes()
    _, plane = checks.push_to_trigger(s, x, y, 0.4, s.trigger_travel + s.trigger_set_within)
    middle = (0, s.depth / 2, s.deck + s.tray_gap)
    solid = _tray(s, table).translate(tuple(-v for v in middle))
    tilt = (
        (1, 0, 0, middle[0]),
        (0, 1, 0, middle[1]),
        (-plane[1], -plane[2], 1, middle[2] - plane[0]),
    )
    assert (solid.transform(tilt) ^ parts.head(s, table)).volume() < 0.5


def test_a_push_anywhere_works_the_switch():
    """Middle, corners, edges, with the empty tray: never more than twice what an edge needs."""
    s = Sizes()
    forces = [checks.push_to_trigger(s, x, y, 0.3)[0] for x in (-43, 0, 43) for y in (-28, 0, 28)]
    assert max(forces) < 6.0 and min(forces) > 1.0
    middle, corner = (
        checks.push_to_trigger(s, 0, 0, 0.3)[0],
        checks.push_to_trigger(s, 43, 28, 0.3)[0],
    )
    assert corner < middle


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"insert": (5.6, 5.7)}, "plastic around its inserts"),
        ({"door_screw": 5.0}, "into their inserts"),
        ({"o_ring": (2.5, 1.6)}, "do not fit their pockets"),
        ({"o_ring": (3.2, 1.0)}, "do not keep the screws"),
        ({"door_thickness": 2.0}, "under the screws' heads"),
    ],
)
def test_a_door_that_would_lose_its_screws_is_noticed(changes, words):
    assert any(words in line for line in checks.door(_sizes(**changes)))


def test_the_doors_screws_meet_their_inserts(table):
    """The real solids: the screw passes the door, its O-ring lies in its pocket, and the insert's
    hole in the back is behind it."""
    s = Sizes()
    door, back = parts.door(s, table), parts.back(s, table)
    for x, z in parts._door_screws(s):
        screw = parts.along_y(parts.rod(3.0, s.door_screw), x, 0, z)
        screw = screw.translate((0, s.depth + s.door_thickness - s.door_screw, 0))
        assert (screw ^ (door + back)).volume() < 0.1
        inner, thick = s.o_ring
        ring = parts.along_y(parts.rod(3.0 + 2 * thick, thick), x, s.depth + 0.1, z)
        assert (ring ^ door).volume() < 0.1
        insert = parts.along_y(parts.rod(s.insert[0], s.insert[1]), x, s.depth - s.insert[1], z)
        assert (insert ^ back).volume() < 0.1


def test_the_push_in_the_middle_is_the_springs_sum():
    s = Sizes()
    tight = s.spring_free - s.well_deep - s.tray_gap
    by_hand = 4 * s.spring_n_per_mm * (tight + s.trigger_travel) + 0.5 - 0.3
    assert checks.push_to_trigger(s, 0, 0, 0.3)[0] == pytest.approx(by_hand)


def test_holes_of_the_face_lie_over_the_buttons(table):
    s = Sizes()
    body = parts.body(s, table)
    for ref in parts.CAP_COLOURS:
        x, z = on_face(s, table, board.part(table, ref)["centre"])
        plug = parts.along_y(parts.rod(s.cap, 6), x, -2, z)
        assert (plug ^ body).volume() < 0.1


def test_a_cap_stands_upright_and_cannot_turn(table):
    """Its rib lies in the slot of its hole; turned either way it meets the face."""
    s = Sizes()
    body = parts.body(s, table)
    for ref, (x, z) in parts._buttons(s, table).items():
        cap = parts.cap(s, table, ref)
        assert (cap ^ body).volume() < 0.1
        for turn in (-25, 25, 120, 180):
            turned = cap.translate((-x, 0, -z)).rotate((0, turn, 0)).translate((x, 0, z))
            assert (turned ^ body).volume() > 1.0, ref


def test_no_two_caps_feel_alike():
    """Signs differ by a fifth of their area at least, each stands out for a finger, and none is
    the mirror of what the page shows."""
    s = Sizes()
    signs = {ref: parts.sign(s, icon) for ref, icon in ICONS.items()}
    for one, other in itertools.combinations(signs.values(), 2):
        shared = (one ^ other).area()
        assert one.area() + other.area() - 2 * shared > 0.2 * (one.area() + other.area())
    assert s.icon_high >= 0.5 and all(one.area() > 15 for one in signs.values())
    bounds = signs["SW3"].bounds()  # the loudspeaker looks to the right: its waves reach farther
    assert (
        signs["SW3"] ^ parts.CrossSection.square((20, 20), True).translate((-10, 0))
    ).area() > 0
    assert bounds[2] > 3 and signs["SW1"].bounds()[1] < -3


def test_cards_fit_the_tray():
    s = Sizes()
    assert s.tray_inner[0] >= 87 + 2 and s.tray_inner[1] >= 56 + 2
