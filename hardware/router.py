"""Draws the tracks of a two-layer board: a maze search on a grid, one net after the other.

Plain Python, since KiCad's own interpreter has nothing else. Lengths in mm; layer 0 is the front,
1 the back.

Each layer has two maps, for thin and for thick tracks, and there is one for vias: a point of the
grid is free, or belongs to the net whose copper is near, or is barred to all. Painting a pad or a
track into the maps keeps the clearance, so the search need only look at single points. When a net
finds no way it goes to the head of the queue and everything is drawn anew.
"""

import heapq
import math
from dataclasses import dataclass, field

GRID_MM = 0.3175  # an eighth of the pins' 2.54 mm
CLEARANCE_MM = 0.25
THIN_MM, THICK_MM = 0.3, 0.6
VIA_MM, VIA_DRILL_MM = 0.7, 0.35
_EDGE_MM = 0.7
_VIA_COST = 8.0
_MARGIN_MM = 0.03  # a diagonal between two free points passes a little nearer than they are
_STITCH_EVERY = 16  # points of the grid
_STEPS = [(dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

Point = tuple[int, int, int]  # layer, column, row


@dataclass
class Pad:
    """A rectangle of copper. net "" is joined to nothing; layers: where its copper lies."""

    net: str
    x: float
    y: float
    half_width: float
    half_height: float
    layers: tuple[int, ...]


@dataclass
class Track:
    net: str
    layer: int
    width: float
    points: list[tuple[float, float]]


@dataclass
class Routed:
    tracks: list[Track] = field(default_factory=list)
    vias: list[tuple[str, float, float]] = field(default_factory=list)


class NoWay(Exception):
    """A net cannot be joined."""


class _Maps:
    """What is near which net's copper. Values: 0 free, n the n-th net's, -1 barred."""

    def __init__(self, width: float, height: float) -> None:
        self.columns = int(width / GRID_MM) + 1
        self.rows = int(height / GRID_MM) + 1
        size = self.columns * self.rows
        self.thin = [[0] * size, [0] * size]
        self.thick = [[0] * size, [0] * size]
        self.via = [0] * size
        for one, reach in self._with_reach((0, 1)):
            edge = _EDGE_MM + reach - CLEARANCE_MM
            for row in range(self.rows):
                for column in range(self.columns):
                    x, y = column * GRID_MM, row * GRID_MM
                    if min(x, y, width - x, height - y) < edge:
                        one[row * self.columns + column] = -1

    def _with_reach(self, layers: tuple[int, ...]) -> list[tuple[list[int], float]]:
        """The maps that copper on those layers concerns, with the distance it keeps in each."""
        found = [(self.via, CLEARANCE_MM + VIA_MM / 2)]
        for layer in layers:
            found.append((self.thin[layer], CLEARANCE_MM + THIN_MM / 2))
            found.append((self.thick[layer], CLEARANCE_MM + THICK_MM / 2))
        return found

    def paint(
        self,
        net: int,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        r: float,
        layers: tuple[int, ...],
    ) -> None:
        """Claims the neighbourhood of a rectangle that grows by r all round (r alone: a disc)."""
        for one, reach in self._with_reach(layers):
            far = r + reach + _MARGIN_MM
            for row in range(
                max(0, math.ceil((y0 - far) / GRID_MM)),
                min(self.rows, int((y1 + far) / GRID_MM) + 1),
            ):
                y = row * GRID_MM
                dy = max(y0 - y, 0.0, y - y1)
                for column in range(
                    max(0, math.ceil((x0 - far) / GRID_MM)),
                    min(self.columns, int((x1 + far) / GRID_MM) + 1),
                ):
                    x = column * GRID_MM
                    dx = max(x0 - x, 0.0, x - x1)
                    if dx * dx + dy * dy < far * far:
                        i = row * self.columns + column
                        if one[i] == 0:
                            one[i] = net
                        elif one[i] != net:
                            one[i] = -1


def route(
    width: float,
    height: float,
    pads: list[Pad],
    holes: list[tuple[float, float, float]],
    thick: set[str],
    last: str,
) -> Routed:
    """Joins all pads of each net. holes: x, y, radius to keep clear. thick: nets with wide tracks.
    last: the net to draw at the end.

    Raises NoWay with the net's name when the board cannot be routed as it is placed.
    """
    names = sorted({pad.net for pad in pads if pad.net})
    size = {name: _extent([p for p in pads if p.net == name]) for name in names}
    queue = sorted((n for n in names if n != last), key=lambda n: size[n]) + [last]
    for attempt in range(60):
        print(f"router: attempt {attempt + 1}, first {queue[0]}", flush=True)
        failed, result = _attempt(width, height, pads, holes, thick, names, queue)
        if failed is None:
            return result
        if queue[0] == failed:
            raise NoWay(f"net {failed} cannot be joined even when it comes first: move its parts")
        queue.remove(failed)
        queue.insert(0, failed)
    raise NoWay(f"no order of the nets works; the last to fail was {queue[0]}: make room for it")


def _extent(pads: list[Pad]) -> float:
    xs, ys = [p.x for p in pads], [p.y for p in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)


def _attempt(
    width: float,
    height: float,
    pads: list[Pad],
    holes: list[tuple[float, float, float]],
    thick: set[str],
    names: list[str],
    queue: list[str],
) -> tuple[str | None, Routed]:
    maps = _Maps(width, height)
    number = {name: i + 1 for i, name in enumerate(names)}
    for x, y, radius in holes:
        maps.paint(-1, x, y, x, y, radius, (0, 1))
    for p in pads:
        x0, x1 = p.x - p.half_width, p.x + p.half_width
        y0, y1 = p.y - p.half_height, p.y + p.half_height
        maps.paint(number.get(p.net, -1), x0, y0, x1, y1, 0.0, p.layers)
    result = Routed()
    for name in queue:
        own = [p for p in pads if p.net == name]
        if not _join(name, number[name], own, maps, name in thick, result):
            return name, result
    own = [p for p in pads if p.net == queue[-1]]
    _stitch(queue[-1], number[queue[-1]], own, maps, result)
    return None, result


def _stitch(name: str, net: int, pads: list[Pad], maps: _Maps, result: Routed) -> None:
    """Joins the ground of both layers where there is room, so that no patch of it hangs loose."""
    for row in range(8, maps.rows, _STITCH_EVERY):
        for column in range(8, maps.columns, _STITCH_EVERY):
            spot = (column * GRID_MM, row * GRID_MM)
            near = any(math.dist(spot, (p.x, p.y)) < p.half_width + VIA_MM for p in pads)
            if not near and maps.via[row * maps.columns + column] in (0, net):
                result.vias.append((name, *spot))
                maps.paint(net, *spot, *spot, VIA_MM / 2, (0, 1))


def _terminals(pad: Pad) -> list[Point]:
    """Points of the grid well inside a pad."""
    found = []
    for column in range(
        math.ceil((pad.x - pad.half_width) / GRID_MM), int((pad.x + pad.half_width) / GRID_MM) + 1
    ):
        for row in range(
            math.ceil((pad.y - pad.half_height) / GRID_MM),
            int((pad.y + pad.half_height) / GRID_MM) + 1,
        ):
            found += [(layer, column, row) for layer in pad.layers]
    return found


def _join(name: str, net: int, pads: list[Pad], maps: _Maps, thick: bool, result: Routed) -> bool:
    """Draws one net: from the first pad, to the nearest other one each time."""
    width = THICK_MM if thick else THIN_MM
    tree: dict[Point, Pad | None] = {t: pads[0] for t in _terminals(pads[0])}
    left = pads[1:]
    while left:
        goals = {t: pad for pad in left for t in _terminals(pad)}
        path = _search(tree, goals, net, maps, thick)
        if path is None:
            return False
        start, end = tree[path[0]], goals[path[-1]]
        _draw(name, net, path, start, end, width, maps, result)
        tree.update(dict.fromkeys(path))
        tree.update({t: end for t in _terminals(end)})
        left.remove(end)
    return True


def _search(
    tree: dict[Point, Pad | None], goals: dict[Point, Pad], net: int, maps: _Maps, thick: bool
) -> list[Point] | None:
    """The cheapest way from a point of the tree to a goal; None when there is none."""
    open_to = maps.thick if thick else maps.thin
    columns, via = maps.columns, maps.via
    left, right = min(g[1] for g in goals), max(g[1] for g in goals)
    top, bottom = min(g[2] for g in goals), max(g[2] for g in goals)

    def at_least(point: Point) -> float:
        """Return no more than what is left to go: the distance to the box around all goals."""
        dx = max(left - point[1], 0, point[1] - right)
        dy = max(top - point[2], 0, point[2] - bottom)
        return max(dx, dy) + 0.4 * min(dx, dy)

    cost = dict.fromkeys(tree, 0.0)
    before: dict[Point, Point] = {}
    heap = [(at_least(point), point) for point in tree]
    heapq.heapify(heap)
    done: set[Point] = set()
    while heap:
        _, here = heapq.heappop(heap)
        if here in done:
            continue
        done.add(here)
        so_far = cost[here]
        if here in goals:
            path = [here]
            while path[-1] in before:
                path.append(before[path[-1]])
            return path[::-1]
        layer, column, row = here
        moves = []
        for dx, dy, length in _STEPS:
            there = (layer, column + dx, row + dy)
            i = there[2] * columns + there[1]
            if not (0 <= there[1] < columns and 0 <= there[2] < maps.rows):
                continue
            if open_to[layer][i] in (0, net) or there in goals:
                against = (dy if layer == 0 else dx) != 0  # front runs across, back runs down
                moves.append((there, length * (1.25 if against else 1.0)))
        i = row * columns + column
        if via[i] in (0, net):
            moves.append(((1 - layer, column, row), _VIA_COST))
        for there, step in moves:
            total = so_far + step
            if total < cost.get(there, math.inf):
                cost[there] = total
                before[there] = here
                heapq.heappush(heap, (total + at_least(there), there))
    return None


def _draw(
    name: str,
    net: int,
    path: list[Point],
    start: Pad | None,
    end: Pad,
    width: float,
    maps: _Maps,
    result: Routed,
) -> None:
    run: list[tuple[float, float]] = []
    if start is not None:
        run.append((start.x, start.y))
    layer = path[0][0]
    for point in path:
        spot = (point[1] * GRID_MM, point[2] * GRID_MM)
        if point[0] != layer:
            result.vias.append((name, *spot))
            maps.paint(net, *spot, *spot, VIA_MM / 2, (0, 1))
            _keep(name, layer, width, run, result)
            run, layer = [spot], point[0]
        else:
            run.append(spot)
            maps.paint(net, *spot, *spot, width / 2, (layer,))
    run.append((end.x, end.y))
    _keep(name, layer, width, run, result)


def _keep(
    name: str, layer: int, width: float, run: list[tuple[float, float]], result: Routed
) -> None:
    """Notes a run of points as a track, without the points that lie on a straight line."""
    corners: list[tuple[float, float]] = []
    for spot in run:
        if corners and math.dist(spot, corners[-1]) < 1e-6:
            continue
        if len(corners) >= 2:
            (ax, ay), (bx, by) = corners[-2], corners[-1]
            turn = (bx - ax) * (spot[1] - by) - (by - ay) * (spot[0] - bx)
            onward = (bx - ax) * (spot[0] - bx) + (by - ay) * (spot[1] - by)
            if abs(turn) < 1e-6 and onward > 0:
                corners[-1] = spot
                continue
        corners.append(spot)
    if len(corners) > 1:
        result.tracks.append(Track(name, layer, width, corners))
