"""Draws the wires of a schematic page: orthogonal, few bends, other nets crossed only at right
angles, never through a symbol or along another net's wire.

Everything is counted in steps of KiCad's grid (1.27 mm), x to the right, y down.
"""

import heapq
from collections.abc import Iterable

Spot = tuple[int, int]
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_BEND, _CROSS, _BESIDE, _TEXT = 4, 6, 2, 8


class Page:
    """What lies where on one page, and the wires drawn so far."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (width, height)
        self.solid: set[Spot] = set()  # symbols
        self.words: set[Spot] = set()  # texts: dear, not forbidden
        self.pins: dict[Spot, str] = {}
        self.lines: dict[str, set[frozenset[Spot]]] = {}  # net -> steps of one grid unit

    def block(self, left: int, top: int, right: int, bottom: int) -> None:
        """Forbids the spots of a box, its edge included."""
        self.solid |= {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}

    def avoid(self, left: int, top: int, right: int, bottom: int) -> None:
        """Makes the spots of a box dear: a text stands there."""
        self.words |= {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}

    def draw(self, net: str, spots: list[Spot]) -> None:
        """Adds a wire along the corners given."""
        steps = self.lines.setdefault(net, set())
        for (x, y), (x2, y2) in zip(spots, spots[1:]):
            while (x, y) != (x2, y2):
                after = (x + _sign(x2 - x), y + _sign(y2 - y))
                steps.add(frozenset(((x, y), after)))
                x, y = after

    def _touched(self, net: str) -> dict[Spot, list[Spot]]:
        """Spots of other nets' wires, with the ways they leave in."""
        found: dict[Spot, list[Spot]] = {}
        for other, steps in self.lines.items():
            if other == net:
                continue
            for step in steps:
                (ax, ay), (bx, by) = step
                found.setdefault((ax, ay), []).append((bx - ax, by - ay))
                found.setdefault((bx, by), []).append((ax - bx, ay - by))
        return found

    def join(self, net: str, ends: Iterable[Spot]) -> None:
        """Joins all ends by wires. Raises ValueError with the net's name when there is no way."""
        todo = list(dict.fromkeys(ends))
        reached = {todo.pop(0)}
        while todo:
            path = self._path(net, reached, set(todo), 12) or self._path(net, reached, set(todo))
            if not path:
                raise ValueError(
                    f"schematic: no way for a wire of {net}; move a part in sheets.py"
                )
            self.draw(net, path)
            for (x, y), (x2, y2) in zip(path, path[1:]):
                while (x, y) != (x2, y2):
                    reached.add((x, y))
                    x, y = x + _sign(x2 - x), y + _sign(y2 - y)
            reached.add(path[-1])
            todo = [end for end in todo if end not in reached]

    def _path(
        self, net: str, starts: set[Spot], ends: set[Spot], margin: int = 1000
    ) -> list[Spot]:
        """The cheapest way from the wire so far to any of the ends, no farther around than the
        margin; empty when there is none."""
        others = self._touched(net)
        spots = starts | ends
        low = [min(spot[i] for spot in spots) - margin for i in (0, 1)]
        high = [max(spot[i] for spot in spots) + margin for i in (0, 1)]
        queue: list[tuple[int, Spot, int]] = [(0, spot, -1) for spot in sorted(starts)]
        best: dict[tuple[Spot, int], int] = {(spot, -1): 0 for spot in starts}
        came: dict[tuple[Spot, int], tuple[Spot, int]] = {}
        while queue:
            cost, spot, way = heapq.heappop(queue)
            if best[spot, way] < cost:
                continue
            if spot in ends:
                return self._walk((spot, way), came)
            for turn, (dx, dy) in enumerate(_WAYS):
                after = (spot[0] + dx, spot[1] + dy)
                crossing = spot in others and spot not in starts
                if crossing and turn != way:  # straight over, and only over a straight wire
                    continue
                if not (low[0] <= after[0] <= high[0] and low[1] <= after[1] <= high[1]):
                    continue
                if not self._free(net, after, ends, others, (dx, dy)):
                    continue
                price = cost + 1 + (_BEND if way not in (-1, turn) else 0)
                price += _CROSS if after in others else 0
                price += _TEXT if after in self.words else 0
                beside = ((after[0] + dy, after[1] + dx), (after[0] - dy, after[1] - dx))
                price += _BESIDE * sum(one in others or one in self.solid for one in beside)
                if price < best.get((after, turn), 1 << 30):
                    best[after, turn] = price
                    came[after, turn] = (spot, way)
                    heapq.heappush(queue, (price, after, turn))
        return []

    def _free(
        self,
        net: str,
        spot: Spot,
        ends: set[Spot],
        others: dict[Spot, list[Spot]],
        way: Spot,
    ) -> bool:
        if not (0 < spot[0] < self.size[0] and 0 < spot[1] < self.size[1]):
            return False
        if spot in ends:
            return True
        if spot in self.solid or self.pins.get(spot, net) != net:
            return False
        ways = others.get(spot, [])
        straight = len(ways) == 2 and ways[0][0] + ways[1][0] == 0 == ways[0][1] + ways[1][1]
        return not ways or (straight and ways[0][0] * way[0] + ways[0][1] * way[1] == 0)

    def _walk(
        self, last: tuple[Spot, int], came: dict[tuple[Spot, int], tuple[Spot, int]]
    ) -> list[Spot]:
        path = [last[0]]
        while last in came:
            last = came[last]
            path.append(last[0])
        return path[::-1]

    def wires(self, net: str) -> tuple[list[tuple[Spot, Spot]], list[Spot]]:
        """Return the net's wires as straight pieces between ends, bends and forks, and its
        forks."""
        around: dict[Spot, list[Spot]] = {}
        for step in self.lines.get(net, ()):
            a, b = sorted(step)
            around.setdefault(a, []).append(b)
            around.setdefault(b, []).append(a)
        pins = {spot for spot, name in self.pins.items() if name == net}
        knots = {
            spot
            for spot, next_to in around.items()
            if len(next_to) != 2
            or spot in pins
            or (next_to[0][0] != next_to[1][0] and next_to[0][1] != next_to[1][1])
        }
        pieces = []
        for knot in sorted(knots):
            for second in around[knot]:
                before, here = knot, second
                while here not in knots:
                    a, b = around[here]
                    before, here = here, (b if a == before else a)
                if knot < here:
                    pieces.append((knot, here))
        forks = [spot for spot in sorted(knots) if len(around[spot]) + (spot in pins) > 2]
        return sorted(set(pieces)), forks


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
