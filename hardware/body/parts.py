"""The printed parts, each where it sits in the assembled robot, and how to lay it on the bed."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from manifold3d import CrossSection, FillRule, Manifold

from hardware import board
from hardware.body.sizes import Sizes, on_face
from hardware.icons import ICONS, Icon

_SEGMENTS = 48
_EPS = 0.02
_BARREL_ROOM = 0.8  # around the trigger's barrel in the deck: the tray tilts

# Letters for the back, five dots high
_FONT = {
    "O": ("111", "101", "101", "101", "111"),
    "F": ("111", "100", "110", "100", "100"),
    "N": ("1001", "1101", "1011", "1001", "1001"),
    "T": ("111", "010", "010", "010", "010"),
    "R": ("111", "101", "110", "101", "101"),
    "Y": ("101", "101", "010", "010", "010"),
}


def together(solids: Iterable[Manifold]) -> Manifold:
    found = Manifold()
    for one in solids:
        found += one
    return found


def box(x: float, y: float, z: float, at: tuple[float, float, float]) -> Manifold:
    """Return a box by its sizes and its middle."""
    return Manifold.cube((x, y, z), True).translate(at)


def rod(diameter: float, length: float, segments: int = _SEGMENTS) -> Manifold:
    """Return a cylinder upwards from the origin."""
    return Manifold.cylinder(length, diameter / 2, diameter / 2, segments)


def along_y(solid: Manifold, x: float, y: float, z: float) -> Manifold:
    """Lays a solid that stands on the origin down, so that it runs from y backwards."""
    return solid.rotate((-90, 0, 0)).translate((x, y, z))


def rounded(width: float, height: float, radius: float) -> CrossSection:
    inner = CrossSection.square((width - 2 * radius, height - 2 * radius), True)
    return inner.offset(radius, circular_segments=_SEGMENTS)


def _outline(s: Sizes, inset: float) -> CrossSection:
    """The body seen from the front: round at the bottom, nearly square at the top; z up, middle of
    the width at 0."""
    circles = []
    for x in (-1, 1):
        for bottom in (True, False):
            radius = max((s.bottom_radius if bottom else s.top_radius) - inset, 0.5)
            cx = x * (s.width / 2 - inset - radius)
            cz = inset + radius if bottom else s.body_height - inset - radius
            circles.append(CrossSection.circle(radius, _SEGMENTS).translate((cx, cz)))
    return CrossSection.batch_hull(circles)


def _upright(section: CrossSection, y: float, length: float) -> Manifold:
    """Stands a section drawn in x and z up, from y backwards."""
    return Manifold.extrude(section, length).rotate((90, 0, 0)).translate((0, y + length, 0))


def _text(text: str, dot: float, deep: float) -> Manifold:
    """Letters of square dots in x and z, middle at the origin, from y = 0 backwards; to be read
    from behind."""
    columns, x = [], 0
    for letter in text:
        rows = _FONT[letter]
        for row, bits in enumerate(rows):
            columns += [(x + i, 4 - row) for i, bit in enumerate(bits) if bit == "1"]
        x += len(rows[0]) + 1
    middle = (x - 1) / 2
    dots = [
        box(dot + _EPS, 2 * deep, dot + _EPS, (-(cx + 0.5 - middle) * dot, 0, (cz - 2) * dot))
        for cx, cz in columns
    ]
    return together(dots)


def _buttons(s: Sizes, table: dict[str, Any]) -> dict[str, tuple[float, float]]:
    refs = ("SW1", "SW2", "SW3", "SW4", "SW5")
    return {ref: on_face(s, table, board.part(table, ref)["centre"]) for ref in refs}


def _back_posts(s: Sizes) -> list[tuple[float, float]]:
    low = s.wall + s.post / 2 - 0.05
    side = s.width / 2 - s.wall - s.post / 2 + 0.1
    high = s.body_height - s.wall - s.post / 2 + 0.2
    return [(-side, low), (side, low), (-30.0, high), (30.0, high)]


def _head_screws(s: Sizes) -> list[tuple[float, float]]:
    return [(x, s.depth / 2 + y) for x in (-47.0, 47.0) for y in (-14.0, 14.0)]


def body(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Face, sides, floor and top in one; open at the back. Printed lying on its face."""
    solid = _upright(_outline(s, 0), 0, s.depth)
    solid -= _upright(_outline(s, s.wall), s.wall, s.depth)
    posts, cuts = [], []
    length = s.depth - 2 * s.wall
    for x, z in _back_posts(s):
        posts.append(along_y(rod(s.post, length), x, s.wall - _EPS, z))
        cuts.append(along_y(rod(s.tap, 12), x, s.depth - s.wall - 12 + _EPS, z))
    for spot in table["board"]["holes_mm"]:
        x, z = on_face(s, table, spot)
        posts.append(along_y(rod(s.post - 1, s.standoff), x, s.wall - _EPS, z))
        cuts.append(along_y(rod(s.tap, s.standoff), x, s.wall + 1, z))
    # a ring to drop the speaker into, and a frame for the microphone
    ring = rod(s.speaker + 2 * s.fit + 3.2, 4) - rod(s.speaker + 2 * s.fit, 5)
    posts.append(along_y(ring, 0, s.wall - _EPS, s.speaker_z))
    mx, mz = s.microphone_x, s.microphone_z
    px, pz = s.microphone_pocket
    frame = box(px + 3, 3, pz + 3, (mx, s.wall + 1.5 - _EPS, mz))
    frame -= box(px, 4, pz, (mx, s.wall + 1.5, mz))
    frame -= box(px - 6, 4, pz + 8, (mx, s.wall + 1.5, mz + 4))  # the wires leave upwards
    posts.append(frame)
    through = s.wall + 2
    for x, z in _buttons(s, table).values():
        cuts.append(cap_hole(s, through).rotate((90, 0, 0)).translate((x, through - 1, z)))
    x, z = on_face(s, table, board.part(table, "D2")["centre"])
    cuts.append(along_y(rod(s.record_led, through), x, -1, z))
    for hx, hz in _grille(s):
        cuts.append(along_y(rod(s.grille_hole, through, 16), hx, -1, s.speaker_z + hz))
    for turn in range(7):
        r = 0.0 if turn == 6 else 3.2
        hx, hz = r * math.cos(turn * math.pi / 3), r * math.sin(turn * math.pi / 3)
        cuts.append(along_y(rod(s.microphone_hole, through, 16), mx + hx, -1, mz + hz))
    cuts.append(_usb_hole(s, table))
    for x, y in _head_screws(s):
        cuts.append(rod(s.pass_through, 4 * s.wall).translate((x, y, s.body_height - 2 * s.wall)))
    cuts.append(box(20, 20, 4 * s.wall, (0, s.depth / 2 + 9, s.body_height)))
    inside = _upright(_outline(s, 0.5), 0.5, s.depth)
    return (solid + together(posts) ^ (inside + solid)) - together(cuts)


def _grille(s: Sizes) -> list[tuple[float, float]]:
    """Holes in a honeycomb, within the cone."""
    found, reach = [], s.speaker / 2 - 3.0
    for row in range(-5, 6):
        for column in range(-6, 7):
            x = (column + (row % 2) / 2) * s.grille_pitch
            z = row * s.grille_pitch * math.sqrt(3) / 2
            if math.hypot(x, z) < reach:
                found.append((x, z))
    return found


def _usb_hole(s: Sizes, table: dict[str, Any]) -> Manifold:
    """In the side wall next to the Pico's socket."""
    pico = board.part(table, table["board"]["pico"])["at"]
    _, z = on_face(s, table, [0, pico[1] - 17.78 / 2])
    y = s.board_front + s.board_thickness + s.usb_above_board
    return box(6 * s.wall, s.usb_high, s.usb_wide, (s.width / 2, y, z))


def back(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Closes the body; holds cells and slide switch. Printed lying on its outer side."""
    y = s.depth - s.wall
    solid = _upright(_outline(s, s.wall + s.fit), y, s.wall)
    w, h, deep = s.holder
    inward = deep - s.wall
    lip = s.holder_lip
    bay = box(w + 4, inward + lip, h + 4, (0, y - (inward + lip) / 2 + _EPS, s.holder_z))
    bay -= box(w, 2 * (inward + lip), h, (0, y, s.holder_z))
    # two lips keep the holder from falling into the robot; they slope, so that they print without
    # support
    corners = [(w / 2 + 1, 0), (w / 2 + 1, lip), (w / 2 - lip, lip), (w / 2, 0)]
    wedge = CrossSection([np.array(corners, float)])
    for mirrored in (wedge, wedge.mirror((1, 0))):
        slope = Manifold.extrude(mirrored, h + 2).translate((0, 0, s.holder_z - h / 2 - 1))
        bay += slope.mirror((0, 1, 0)).translate((0, y - inward + _EPS, 0))
    cuts = [box(w, 3 * s.wall, h, (0, y, s.holder_z))]
    bosses = []
    for x, z in _door_screws(s):
        bosses.append(along_y(rod(s.post, 8), x, y - 8 + _EPS, z))
        deep = _insert_hole(s)
        cuts.append(along_y(rod(s.insert[0], deep + 1), x, s.depth - deep, z))
    for x, z in _back_posts(s):
        cuts.append(along_y(rod(s.pass_through, 3 * s.wall), x, y - s.wall, z))
    slot_w, slot_h = s.switch_slot
    cuts.append(box(slot_w, 4 * s.wall, slot_h, (0, y, s.switch_z)))
    near, far = s.switch_screws
    for side in (-1, 1):
        middle = side * (near + far) / 4
        cuts.append(box((far - near) / 2 + 2.3, 4 * s.wall, 2.3, (middle, y, s.switch_z)))
    for text, x in (("OFF", 17.0), ("TRY", 0.0), ("ON", -17.0)):
        cuts.append(_text(text, 1.0, 0.6).translate((x, s.depth, s.switch_z + 11)))
    return solid + bay + together(bosses) - together(cuts)


def _insert_hole(s: Sizes) -> float:
    """How deep the hole for a heat-set insert is: room for the screw's end, and for plastic that
    the insert pushes ahead."""
    return max(s.insert[1], s.door_screw - s.door_thickness) + 1.0


def _door_screws(s: Sizes) -> list[tuple[float, float]]:
    reach = s.holder[1] / 2 + 2 + s.post / 2 - 0.5
    return [(0.0, s.holder_z - reach), (0.0, s.holder_z + reach)]


def door(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Return the door over the cells, held by two screws, as a toy's must be; an O-ring on
    each, in a pocket of the inner side, keeps the screw in the opened door. Printed lying on its
    outer side."""
    w, h, _ = s.holder
    top = max(z for _, z in _door_screws(s)) + s.post / 2 - s.holder_z
    plate = rounded(w + 2 * s.door_edge, 2 * top, 4)
    solid = _upright(plate, s.depth, s.door_thickness).translate((0, 0, s.holder_z))
    rim = box(w - 2 * s.fit, 2.0, h - 2 * s.fit, (0, s.depth - 1 + _EPS, s.holder_z))
    rim -= box(w - 2 * s.fit - 4, 3.0, h - 2 * s.fit - 4, (0, s.depth - 1, s.holder_z))
    cuts = [along_y(rod(s.pass_through, 8), x, s.depth - 3, z) for x, z in _door_screws(s)]
    across, deep = s.o_ring_pocket
    cuts += [along_y(rod(across, deep + 1), x, s.depth - 1, z) for x, z in _door_screws(s)]
    return solid + rim - together(cuts)


def head(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Deck, walls, wells for the springs. Printed standing on its deck."""
    foot = s.body_height
    section = rounded(s.width, s.depth, s.head_radius)
    middle = (0, s.depth / 2)
    solid = Manifold.extrude(section, s.head_height)
    solid -= Manifold.extrude(section.offset(-s.wall), s.head_height - s.wall)
    posts, cuts = [], []
    inner = Manifold.extrude(section.offset(-0.5), s.head_height)
    top = s.head_height
    for x, y in _head_screws(s):
        spot = (x, y - middle[1], 0)
        web = box(12, 5, top, (x + math.copysign(5, x), y - middle[1], top / 2))
        posts += [rod(s.post, top).translate(spot), web]
        cuts.append(rod(s.tap, 14).translate((spot[0], spot[1], -1)))
    for x, y in _guides(s):
        posts.append(
            rod(s.well + 3.2, s.well_deep + s.wall).translate((x, y, top - s.well_deep - s.wall))
        )
        cuts.append(rod(s.well, s.well_deep + 1).translate((x, y, top - s.well_deep)))
        cuts.append(rod(s.pass_through + 0.2, 40).translate((x, y, top - 30)))
    posts.append(_bracket(s))
    barrel = s.trigger_barrel[0] + 2 * _BARREL_ROOM
    cuts.append(rod(barrel, 3 * s.wall).translate((0, 0, top - 2 * s.wall)))
    line = top - s.wall - s.switch_line
    for side in (-1, 1):
        x = -s.lever_tip_x + side * s.switch_pitch / 2
        cuts.append(along_y(rod(s.switch_hole, 12, 24), x, 0, line))
    for x in (-s.eye_x, s.eye_x):
        cuts.append(along_y(rod(s.eye + s.fit, 6), x, -s.depth / 2 - 2, s.eye_z))
    mouth = rounded(s.mouth[0] + s.fit, s.mouth[1] + s.fit, s.mouth[1] / 2 - 0.2)
    cuts.append(_upright(mouth, -s.depth / 2 - 2, 6).translate((0, 0, s.mouth_z)))
    whole = solid + (together(posts) ^ inner) - together(cuts)
    return whole.translate((*middle, foot))


def _guides(s: Sizes) -> list[tuple[float, float]]:
    gx, gy = s.guide
    return [(x, y) for x in (-gx, gx) for y in (-gy, gy)]


def _bracket(s: Sizes) -> Manifold:
    """The wall that the tray switch is screwed to; its lever lies below the middle of the tray."""
    tall = s.switch_line + 4
    y = s.microswitch[1] / 2 + s.bracket_thickness / 2
    z = s.head_height - s.wall - tall / 2 + _EPS
    return box(22, s.bracket_thickness, tall, (-s.lever_tip_x, y, z))


def tray(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Return the tray, where the cards lie; it hangs on four screws over four springs. Printed as
    it stands."""
    w, d = s.tray_outer
    iw, idp = s.tray_inner
    solid = Manifold.extrude(rounded(w, d, 4), s.tray_height)
    solid -= Manifold.extrude(rounded(iw, idp, 2), s.tray_height).translate((0, 0, s.tray_floor))
    long_notch, short_notch = s.finger
    cuts = [
        box(long_notch, 2 * d, s.tray_height, (0, 0, s.tray_floor + s.tray_height / 2 + 1)),
        box(2 * w, short_notch, s.tray_height, (0, 0, s.tray_floor + s.tray_height / 2 + 1)),
    ]
    sink = Manifold.cylinder(1.7, s.pass_through / 2, s.screw_head / 2, _SEGMENTS)
    for x, y in _guides(s):
        cuts.append(rod(s.pass_through, 10).translate((x, y, -1)))
        cuts.append(
            (sink + rod(s.screw_head, 5).translate((0, 0, 1.7 - _EPS))).translate(
                (x, y, s.tray_floor - 1.7)
            )
        )
    cuts.append(_plug(s, s.fit / 2).translate((0, 0, -_EPS)))
    return (solid - together(cuts)).translate((0, s.depth / 2, s.deck + s.tray_gap))


def _plug(s: Sizes, room: float = 0.0) -> Manifold:
    """The trigger's part that sits in the tray's floor, from the floor's lower side up: a cone, so
    that it is pushed in from below and cannot be pushed through."""
    wide, narrow = s.tray_stop_ring / 2 + room, s.trigger_plug / 2 + room
    cone = Manifold.cylinder(wide - narrow, wide, narrow, _SEGMENTS)
    return cone + rod(2 * narrow, s.tray_floor + 2 * room)


def trigger(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Holds the screw that presses the tray switch, and stops the tray's middle on the deck.
    Printed standing on the side that shows."""
    ring = rod(s.tray_stop_ring, s.tray_stop).translate((0, 0, -s.tray_stop))
    across, long = s.trigger_barrel
    low = -s.tray_stop - long
    solid = _plug(s) + ring + rod(across, long + _EPS).translate((0, 0, low))
    seat = s.tray_floor - s.trigger_seat
    cone = Manifold.cylinder(s.countersink, s.pass_through / 2, s.screw_head / 2, _SEGMENTS)
    flats, high = s.nut
    nut = Manifold.cylinder(high + 1, (flats + 0.2) / math.sqrt(3), circular_segments=6)
    cuts = [
        rod(s.pass_through, 20).translate((0, 0, low - 1)),
        cone.translate((0, 0, seat)),
        rod(s.screw_head, s.trigger_seat).translate((0, 0, seat + s.countersink - _EPS)),
        nut.translate((0, 0, low - 1)),
    ]
    return (solid - together(cuts)).translate((0, s.depth / 2, s.deck + s.tray_gap))


def gauge(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Printed first: as thick as the tray's gap, which it sets, with a hole for a cap, a post for
    a screw and a hole for a guide, to see whether this printer makes them fit."""
    solid = Manifold.extrude(rounded(60, 24, 4), s.tray_gap)
    post = rod(s.post, 10) - rod(s.tap, 12).translate((0, 0, 1))
    cuts = [
        cap_hole(s, 10).translate((-15, 0, -1)),
        rod(s.pass_through + 0.2, 10).translate((22, 0, -1)),
    ]
    return solid - together(cuts) + post.translate((6, 0, 0))


def eye(s: Sizes, table: dict[str, Any], x: float = 0.0) -> Manifold:
    """Return a light pipe with a hole for its LED: white or clear filament. Printed lying on its
    flange."""
    flange = rod(s.eye + s.pipe_flange, 2.0)
    barrel = rod(s.eye - s.fit, s.wall + s.pipe_out + 2.0)
    solid = flange + barrel - rod(s.led, 4.5).translate((0, 0, -_EPS))
    return _pipe_in_place(s, solid, x, s.eye_z)


def mouth(s: Sizes, table: dict[str, Any]) -> Manifold:
    """Return the mouth, made as the eyes are."""
    w, h = s.mouth
    flange = Manifold.extrude(rounded(w + s.pipe_flange + 2, h + s.pipe_flange + 2, 3), 2.0)
    barrel = Manifold.extrude(
        rounded(w - s.fit, h - s.fit, h / 2 - 0.4), s.wall + s.pipe_out + 2.0
    )
    solid = flange + barrel - rod(s.led, 3.2).translate((0, 0, -_EPS))
    return _pipe_in_place(s, solid, 0, s.mouth_z)


def _pipe_in_place(s: Sizes, solid: Manifold, x: float, z: float) -> Manifold:
    """From lying on the flange to standing in the head's face, looking out."""
    return solid.rotate((90, 0, 0)).translate((x, s.wall + 2.0, s.body_height + z))


def cap_hole(s: Sizes, length: float) -> Manifold:
    """Return what is cut out for a cap, its rib at the bottom: it stands on the origin, up."""
    wide, out = s.cap_key
    slot = box(wide + 2 * s.fit, s.cap / 2 + out + s.fit, length, (0, 0, length / 2))
    reach = (s.cap / 2 + out + s.fit) / 2
    return rod(s.cap + 2 * s.fit, length) + slot.translate((0, -reach, 0))


def sign(s: Sizes, icon: Icon) -> CrossSection:
    """Return a button's sign from outside, y up, its middle at the origin."""

    def spot(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - 12) * s.icon_mm, (12 - point[1]) * s.icon_mm

    shapes = [
        CrossSection([np.array([spot(p) for p in shape])], FillRule.NonZero)
        for shape in icon.filled
    ]
    pen = CrossSection.circle(s.icon_line / 2, 24)
    for stroke in icon.strokes:
        for a, b in itertools.pairwise(stroke):
            shapes.append(
                CrossSection.batch_hull([pen.translate(spot(a)), pen.translate(spot(b))])
            )
    drawn = CrossSection()
    for shape in shapes:
        drawn += shape
    # points nearer than an STL can tell apart would leave the model open
    return (drawn ^ CrossSection.circle(s.cap / 2 - 0.9, _SEGMENTS)).simplify(0.02)


def cap(s: Sizes, table: dict[str, Any], ref: str = "SW1") -> Manifold:
    """Return a button's cap; its flange keeps it in the face, a rib keeps its sign upright.
    Printed lying on its flange."""
    out = s.cap_play + s.wall + s.cap_out
    section = CrossSection.circle(s.cap / 2, _SEGMENTS)
    barrel = Manifold.extrude(section, out - 0.8)
    edge = Manifold.cylinder(0.8, s.cap / 2, s.cap / 2 - 0.8, _SEGMENTS)
    solid = rod(s.cap_flange, s.cap_flange_thickness)
    solid += barrel.translate((0, 0, s.cap_flange_thickness - _EPS))
    solid += edge.translate((0, 0, s.cap_flange_thickness + out - 0.8 - 2 * _EPS))
    top = s.cap_flange_thickness + out
    wide, far = s.cap_key
    rib = box(wide, s.cap / 2 + far, out - 1.0, (0, -(s.cap / 2 + far) / 2, 0))
    solid += rib.translate((0, 0, s.cap_flange_thickness + (out - 1.0) / 2 - _EPS))
    raised = Manifold.extrude(sign(s, ICONS[ref]), s.icon_high + 2 * _EPS)
    solid += raised.translate((0, 0, top - 4 * _EPS))
    x, z = _buttons(s, table)[ref]
    rest = s.wall + s.cap_play + s.cap_flange_thickness
    return solid.rotate((90, 0, 0)).translate((x, rest, z))


def bought(s: Sizes, table: dict[str, Any]) -> dict[str, Manifold]:
    """Blocks in place of what is bought, to see that it all fits."""
    width, height = table["board"]["size_mm"]
    front = s.board_front
    rear = front + s.board_thickness
    z = s.board_bottom + height / 2
    found = {"carrier": box(width, s.board_thickness, height, (0, front + 0.8, z))}
    holes = [on_face(s, table, spot) for spot in table["board"]["holes_mm"]]
    found["carrier"] -= together(along_y(rod(3.2, 4), hx, front - 1, hz) for hx, hz in holes)
    for ref, (x, bz) in _buttons(s, table).items():
        stem = along_y(rod(6.8, s.button_height), x, front - s.button_height, bz)
        found[ref] = box(12, 3.6, 12, (x, front - 1.8, bz)) + stem
    x, lz = on_face(s, table, board.part(table, "D2")["centre"])
    found["record LED"] = along_y(rod(5.0, front - 2.0), x, 0.5, lz)
    pico = board.part(table, table["board"]["pico"])["at"]
    x, pz = on_face(s, table, [pico[0] + 24.13, pico[1] - 8.89])
    found["Pico"] = box(51, 14.5, 21, (x, rear + 7.25, pz))
    amp = board.part(table, "J3")["at"]
    x, az = on_face(s, table, [amp[0] - 7.62, amp[1] + 7.1])
    found["amplifier"] = box(18, 21, 19.2, (x, rear + 10.5, az))
    deep = s.speaker_deep
    found["speaker"] = along_y(rod(s.speaker, deep), 0, s.wall + _EPS, s.speaker_z)
    px, pz = s.microphone_pocket
    spot = (s.microphone_x, s.wall + 3, s.microphone_z)
    found["microphone"] = box(px - 0.5, 6 - _EPS, pz - 0.5, spot)
    w, h, d = s.holder
    found["cells"] = box(w - 0.6, d - 2.6, h - 0.6, (0, s.depth - d / 2 - 1, s.holder_z))
    sw, sh, sd = s.switch_body
    spot = (0, s.depth - s.wall - sd / 2 - _EPS, s.switch_z)
    found["slide switch"] = box(sw, sd, sh, spot)
    mw, md, mh = s.microswitch
    line = s.deck - s.wall - s.switch_line
    mz = line - s.hole_above_bottom + mh / 2
    found["tray switch"] = box(mw, md - 0.1, mh, (-s.lever_tip_x, s.depth / 2, mz))
    return found


CAP_NAMES = {
    "SW1": "cap-record",
    "SW2": "cap-again",
    "SW3": "cap-volume",
    "SW4": "cap-winner",
    "SW5": "cap-menu",
}

Maker = Callable[[Sizes, dict[str, Any]], Manifold]

# name -> (maker, how many, turn that lays it on the bed, colour in the pictures)
PRINTED: dict[str, tuple[Maker, int, tuple[float, float, float], tuple[int, int, int]]] = {
    "body": (body, 1, (90, 0, 0), (196, 60, 56)),
    "back": (back, 1, (-90, 0, 0), (150, 46, 44)),
    "door": (door, 1, (-90, 0, 0), (90, 92, 98)),
    "head": (head, 1, (180, 0, 0), (236, 190, 60)),
    "tray": (tray, 1, (0, 0, 0), (70, 120, 190)),
    "trigger": (trigger, 1, (180, 0, 0), (70, 120, 190)),
    "gauge": (gauge, 1, (0, 0, 0), (150, 150, 150)),
    "eye": (eye, 2, (-90, 0, 0), (240, 240, 235)),
    "mouth": (mouth, 1, (-90, 0, 0), (240, 240, 235)),
}
CAP_COLOURS = {
    "SW1": (214, 30, 34),
    "SW2": (40, 150, 60),
    "SW3": (240, 205, 40),
    "SW4": (40, 90, 190),
    "SW5": (240, 240, 240),
}
for _ref, _name in CAP_NAMES.items():
    PRINTED[_name] = (functools.partial(cap, ref=_ref), 1, (-90, 0, 0), CAP_COLOURS[_ref])


def on_bed(name: str, solid: Manifold) -> Manifold:
    """Turned as it is printed, standing on z = 0, middle of the bed at the origin."""
    turned = solid.rotate(PRINTED[name][2])
    x0, y0, z0, x1, y1, _ = turned.bounding_box()
    return turned.translate((-(x0 + x1) / 2, -(y0 + y1) / 2, -z0))


def assembled(s: Sizes, table: dict[str, Any]) -> dict[str, tuple[Manifold, tuple[int, int, int]]]:
    """Return every printed part in its place, with its colour; parts there are several of carry
    their own names."""
    found = {}
    for name in ("body", "back", "door", "head", "tray", "trigger", "mouth"):
        maker, _, _, colour = PRINTED[name]
        found[name] = (maker(s, table), colour)
    for side, x in (("left", s.eye_x), ("right", -s.eye_x)):
        found[f"eye {side}"] = (eye(s, table, x), PRINTED["eye"][3])
    for ref, colour in CAP_COLOURS.items():
        found[f"cap {ref}"] = (cap(s, table, ref), colour)
    return found
