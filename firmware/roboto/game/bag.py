"""Shuffle bags: everything comes once before anything comes again."""


class Bag:
    """Draws the numbers 0 to size - 1 in random rounds, each once a round."""

    def __init__(self, rng, size):
        self._rng = rng
        self._size = size
        self._left = []
        self._last = -1

    def draw(self, other_than=-1):
        """The next number; never `other_than`, as long as there is any other.

        The first of a round is not the last of the round before, so that nothing comes twice
        running.
        """
        if not self._left:
            self._refill()
        at = len(self._left) - 1
        if self._left[at] == other_than and self._size > 1:
            if at == 0:  # only the unwanted one is left: it waits, and opens the round after
                self._refill()
                at = len(self._left) - 1
            if self._left[at] == other_than:
                at -= 1
        self._last = self._left.pop(at)
        return self._last

    def _refill(self):
        kept = self._left
        self._left = list(range(self._size))
        self._rng.shuffle(self._left)
        if self._size > 1 and self._left[-1] == self._last:
            self._left[0], self._left[-1] = self._left[-1], self._left[0]
        self._left += kept
