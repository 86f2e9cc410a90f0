"""What must hold for the printed parts, said as one line for each thing that does not."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import trimesh
from manifold3d import Manifold

from hardware.body import parts
from hardware.body.sizes import Sizes

_TOUCH_MM3 = 0.5  # parts that touch may share so much through rounding
_PILE_N = 112 * 0.0018 * 9.81  # a whole pack: 112 cards of 1.8 g
_PLASTIC_N_PER_MM3 = 1.24e-6 * 9.81
_SCREWS_N = 0.011 * 9.81  # four M3x30 with their nuts, and the trigger's: they hang on the tray
_SWITCH_N = 0.5  # the microswitch's own spring
_DIFFERENTIAL_ROOM_MM = 0.05  # beyond the switch's own, so that it lets go at rest
_HARDEST_N = 8.0  # a child's push
_BRIDGE_MM = 31.0  # what a printer spans in the air


def mesh(solid: Manifold) -> trimesh.Trimesh:
    raw = solid.to_mesh()
    return trimesh.Trimesh(
        vertices=np.asarray(raw.vert_properties)[:, :3],
        faces=np.asarray(raw.tri_verts),
        process=False,
    )


def complaints(s: Sizes, table: dict[str, Any]) -> list[str]:
    """Return all that is wrong with the body; empty when it may be printed."""
    placed = {name: solid for name, (solid, _) in parts.assembled(s, table).items()}
    printed = {name: parts.on_bed(name, made[0](s, table)) for name, made in parts.PRINTED.items()}
    found = [*whole(printed, s), *walls(printed, s), *overhangs(printed)]
    found += collisions({**placed, **parts.bought(s, table)})
    return [*found, *caps(s, table), *door(s), *tray(s, placed["tray"] + placed["trigger"])]


def whole(printed: dict[str, Manifold], s: Sizes) -> Iterator[str]:
    for name, solid in printed.items():
        one = mesh(solid)
        if not one.is_watertight or not one.is_winding_consistent:
            yield f"{name}: the surface is not closed"
        if len(solid.decompose()) != 1:
            yield f"{name}: is in {len(solid.decompose())} pieces; it must be one"
        for size, room in zip(one.extents, s.bed):
            if size > room:
                yield f"{name}: {size:.0f} mm does not fit a bed of {room:.0f} mm"


def wall_thickness(solid: Manifold, samples: int = 400) -> np.ndarray:
    """Thickness in mm under random points of the surface, where the other side is about
    parallel."""
    one = mesh(solid)
    points, faces = trimesh.sample.sample_surface(one, samples, seed=1)[:2]
    normals = one.face_normals[faces]
    corners = one.triangles
    edge1, edge2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    found = []
    for point, normal in zip(points, normals):
        # Moeller and Trumbore: where the line inwards meets each triangle
        way = -normal
        p = np.cross(way, edge2)
        determinant = np.einsum("ij,ij->i", edge1, p)
        ok = np.abs(determinant) > 1e-9
        inverse = np.where(ok, 1 / np.where(ok, determinant, 1), 0)
        offset = point - corners[:, 0]
        u = np.einsum("ij,ij->i", offset, p) * inverse
        q = np.cross(offset, edge1)
        v = q @ way * inverse
        far = np.einsum("ij,ij->i", edge2, q) * inverse
        hit = ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-4)
        if hit.any():
            nearest = np.flatnonzero(hit)[np.argmin(far[hit])]
            if one.face_normals[nearest] @ normal < -0.9:
                found.append(far[nearest])
    return np.array(found)


def walls(printed: dict[str, Manifold], s: Sizes) -> Iterator[str]:
    for name, solid in printed.items():
        thinnest = wall_thickness(solid).min()
        if thinnest < s.thinnest - 0.01:
            yield f"{name}: a wall of {thinnest:.2f} mm; a printer needs {s.thinnest} mm"


def longest_bridge(solid: Manifold) -> float:
    """Return the longest stretch in mm that would be printed on air: flat ceilings, by the longer
    side of their box."""
    one = mesh(solid)
    height = one.triangles_center[:, 2]
    ceiling = np.flatnonzero((one.face_normals[:, 2] < -0.75) & (height > 0.3))
    if len(ceiling) == 0:
        return 0.0
    touching = one.face_adjacency[np.isin(one.face_adjacency, ceiling).all(axis=1)]
    spans = []
    for piece in trimesh.graph.connected_components(touching, nodes=ceiling):
        corners = one.triangles[piece].reshape(-1, 3)
        sides = np.ptp(corners[:, :2], axis=0)
        spans.append(max(sides))
    return float(max(spans))


def overhangs(printed: dict[str, Manifold]) -> Iterator[str]:
    for name, solid in printed.items():
        span = longest_bridge(solid)
        if span > _BRIDGE_MM:
            yield f"{name}: a ceiling of {span:.0f} mm needs support; {_BRIDGE_MM:.0f} mm is what bridges"  # noqa: E501


def collisions(solids: dict[str, Manifold]) -> Iterator[str]:
    for (a, one), (b, other) in itertools.combinations(solids.items(), 2):
        shared = (one ^ other).volume()
        if shared > _TOUCH_MM3:
            yield f"{a} and {b} overlap by {shared:.0f} mm3"


def caps(s: Sizes, table: dict[str, Any]) -> Iterator[str]:
    """Pressed to the end of the button's travel a cap still stands out and hits nothing."""
    body = parts.body(s, table)
    for ref in parts.CAP_COLOURS:
        pressed = parts.cap(s, table, ref).translate((0, s.button_travel, 0))
        if pressed.bounding_box()[1] + s.icon_high > -0.5:
            yield f"cap {ref}: sinks into the face when pressed"
        if (pressed ^ body).volume() > _TOUCH_MM3:
            yield f"cap {ref}: rubs against the body when pressed"


def door(s: Sizes) -> Iterator[str]:
    """Say what keeps the battery door from being opened often: its thread must be metal, and its
    screws are small parts that must not come out of it."""
    hole, long = s.insert
    around = (s.post - hole) / 2
    if around < s.insert_wall:
        yield f"door: {around:.2f} mm of plastic around its inserts; they want {s.insert_wall} mm"
    held = min(s.door_screw - s.door_thickness, long)
    if held < 3.0:  # as long as the thread is thick
        yield f"door: its screws reach {held:.1f} mm into their inserts; 3 mm hold"
    across, deep = s.o_ring_pocket
    inner, thick = s.o_ring
    if deep < thick or across < 3.0 + 2 * thick:
        yield "door: its O-rings do not fit their pockets"
    if inner >= 3.0 - 0.2 or inner + 2 * thick < s.pass_through + 0.5:
        yield "door: its O-rings do not keep the screws: too wide for the thread, or for the hole"
    left = s.door_thickness - deep
    if left < s.thinnest:
        yield f"door: {left:.2f} mm under the screws' heads; a printer needs {s.thinnest} mm"


def push_to_trigger(
    s: Sizes, x: float, y: float, load_n: float, travel: float | None = None
) -> tuple[float, np.ndarray]:
    """Return the force in N at x, y (mm from the tray's middle) that makes the tray switch work,
    and how the tray then lies: sink of its middle in mm, slopes along x and y.

    The tray is stiff; each of its four guides has a spring under it that is tight at rest, and a
    stop above. load_n: what lies in the tray already, in its middle, the tray itself included.
    travel: of the middle until the switch works, in mm; the nominal one if left out.
    Solved by trying which guides stay at their stops.
    """
    guides = np.array([(gx, gy) for gx in (-1, 1) for gy in (-1, 1)], float) * s.guide
    tight = s.spring_n_per_mm * (s.spring_free - s.well_deep - s.tray_gap)
    for held in itertools.chain(*(itertools.combinations(range(4), n) for n in range(4))):
        # unknown: sinking of the middle z, slopes a and b, force f, and what each held stop
        # presses down with
        n = 4 + len(held)
        m, right = np.zeros((n, n)), np.zeros(n)
        for i, (gx, gy) in enumerate(guides):
            k = 0.0 if i in held else s.spring_n_per_mm
            for row, arm in enumerate((1.0, gx, gy)):
                m[row, :3] += k * arm * np.array([1.0, gx, gy])
                right[row] -= tight * arm
        m[0, 3], m[1, 3], m[2, 3] = -1.0, -x, -y
        right[0] += load_n - _SWITCH_N
        for j, i in enumerate(held):
            gx, gy = guides[i]
            m[:3, 4 + j] = (-1.0, -gx, -gy)
            m[4 + j, :3] = (1.0, gx, gy)
        m[3, 0], right[3] = 1.0, s.trigger_travel if travel is None else travel
        if np.linalg.cond(m) > 1e9:  # these guides cannot be the ones that stay
            continue
        answer = np.linalg.solve(m, right)
        sink = answer[0] + guides @ answer[1:3]
        pushed = answer[3] > 0  # pulling at an edge would be an answer too
        if pushed and (sink > -1e-6).all() and (answer[4:] > -1e-6).all():
            return float(answer[3]), answer[:3]
    raise ValueError("the tray does not come to rest: check guide, spring and gap in sizes.py")


def lowest(plane: np.ndarray, outline: np.ndarray) -> float:
    """Return how far in mm the lowest of these points (x, y from the middle) has sunk."""
    return float((plane[0] + outline @ plane[1:]).max())


def _rim(s: Sizes) -> np.ndarray:
    """Return points of the tray's outer edge, rounded corners included: n x 2, mm."""
    return np.vstack(parts.rounded(*s.tray_outer, 4).to_polygons())


def _stop_ring(s: Sizes) -> np.ndarray:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return s.tray_stop_ring / 2 * np.column_stack([np.cos(turns), np.sin(turns)])


def tray(s: Sizes, solid: Manifold) -> Iterator[str]:
    """Say what keeps the tray from being felt everywhere; solid: tray and trigger."""
    own = solid.volume() * _PLASTIC_N_PER_MM3 + _SCREWS_N
    tight = 4 * s.spring_n_per_mm * (s.spring_free - s.well_deep - s.tray_gap)
    if tight < own + _PILE_N:
        yield f"tray: its springs ({tight:.1f} N) do not carry a whole pack ({own + _PILE_N:.1f} N)"  # noqa: E501
        return
    yield from trigger(s)
    reach_x, reach_y = s.card[0] / 2, s.card[1] / 2
    rim, ring = _rim(s), _stop_ring(s)
    latest = s.trigger_travel + s.trigger_set_within
    for x, y in itertools.product(
        np.linspace(-reach_x, reach_x, 9), np.linspace(-reach_y, reach_y, 7)
    ):
        for load in (own, own + _PILE_N):
            force, plane = push_to_trigger(s, float(x), float(y), load, latest)
            spot = f"tray: pushed {x:.0f} mm across, {y:.0f} mm back from its middle"
            if force > _HARDEST_N:
                yield f"{spot} it needs {force:.1f} N; a child gives {_HARDEST_N} N"
            if lowest(plane, rim) > s.tray_gap or lowest(plane, ring) > s.tray_gap - s.tray_stop:
                yield f"{spot} it lands on the deck before the switch works"


def trigger(s: Sizes) -> Iterator[str]:
    """Say what keeps the trigger screw from suiting every switch within its tolerance."""
    early = s.trigger_travel - s.trigger_set_within
    wanted = s.lever_differential + _DIFFERENTIAL_ROOM_MM
    if early < wanted:
        yield f"tray: at rest the lever is {early:.2f} mm above its click; to let go it wants {wanted:.2f} mm"  # noqa: E501
    over = s.tray_gap - s.tray_stop - early
    if over > s.lever_overtravel:
        yield f"tray: its middle goes {over:.2f} mm past the click; the switch allows {s.lever_overtravel} mm"  # noqa: E501
    highest = s.trigger_sunk - s.lever_works_within
    if highest < 0:
        yield f"trigger: with the highest switch the screw stands {-highest:.2f} mm out of the floor"  # noqa: E501
    deepest = s.trigger_sunk + s.lever_works_within
    seat = s.trigger_seat - s.countersink
    if deepest > seat:
        yield f"trigger: with the lowest switch the screw must go {deepest - seat:.2f} mm deeper than its seat"  # noqa: E501
    length = s.tray_floor + s.tray_stop + s.trigger_barrel[1]
    if highest + s.trigger_screw < length:
        yield "trigger: with the highest switch the screw ends inside its nut"
    web = length - s.trigger_seat - s.nut[1]
    if web < s.thinnest:
        yield f"trigger: {web:.2f} mm between the screw's seat and its nut; a printer needs {s.thinnest} mm"  # noqa: E501
