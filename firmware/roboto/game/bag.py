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

    def draw(self, usable: "list[int] | None" = None) -> int:
        """Return the next number, of the usable ones where these are given (not none of them).

        What is passed over stays in the bag. The first of a round is not the last of the round
        before.
        """
        left = self.left
        at = len(left) - 1
        while at >= 0 and usable is not None and left[at] not in usable:
            at -= 1
        if at < 0:
            fresh = list(range(self._size)) if usable is None else list(usable)
            self._rng.shuffle(fresh)
            if len(fresh) > 1 and fresh[-1] == self._last:
                fresh[0], fresh[-1] = fresh[-1], fresh[0]
            left += fresh
            at = len(left) - 1
        self._last = left.pop(at)
        return self._last
