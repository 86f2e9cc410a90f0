"""Shuffle bags: everything comes once before anything comes again."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rng import Rng


class Bag:
    """Draws the numbers 0 to size - 1 in random rounds, each once a round.

    `left`: what this round has still to bring, the next one last. It may be set, to go on where
    another bag stopped.
    """

    def __init__(self, rng: "Rng", size: int) -> None:
        self.left: list[int] = []
        self._rng = rng
        self._size = size
        self._last = -1

    def draw(self, usable: "list[int] | None" = None, now: "list[int] | None" = None) -> int:
        """Return the next number, of the usable ones where these are given (not none of them).

        What is passed over stays in the bag. The first of a round is not the last of the round
        before. now: those of the usable that may come at this moment; ask has() before.
        """
        left = self.left
        wanted = usable if now is None else now
        at = _last_of(left, wanted)
        if at < 0:
            fresh = list(range(self._size)) if usable is None else list(usable)
            self._rng.shuffle(fresh)
            if len(fresh) > 1 and fresh[-1] == self._last:
                fresh[0], fresh[-1] = fresh[-1], fresh[0]
            left += fresh
            at = _last_of(left, wanted)
        self._last = left.pop(at)
        return self._last

    def has(self, usable: "list[int]", now: "list[int]") -> bool:
        """Return whether draw() with these keeps the rounds: not where this round has usable
        numbers left, and none of them may come now."""
        return bool(now) and (_last_of(self.left, now) >= 0 or _last_of(self.left, usable) < 0)


def _last_of(left: "list[int]", wanted: "list[int] | None") -> int:
    at = len(left) - 1
    while at >= 0 and wanted is not None and left[at] not in wanted:
        at -= 1
    return at
