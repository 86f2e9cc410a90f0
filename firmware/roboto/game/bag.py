"""Shuffle bags: everything comes once before anything comes again."""


class Bag:
    """Draws the numbers 0 to size - 1 in random rounds, each once a round."""

    def __init__(self, rng, size):
        self._rng = rng
        self._size = size
        self._left = []
        self._last = -1

    def draw(self):
        """The next number. The first of a round is not the last of the round before."""
        if not self._left:
            self._left = list(range(self._size))
            self._rng.shuffle(self._left)
            if self._size > 1 and self._left[-1] == self._last:
                self._left[0], self._left[-1] = self._left[-1], self._left[0]
        self._last = self._left.pop()
        return self._last
