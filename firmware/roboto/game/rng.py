"""A small random generator that gives the same numbers on every interpreter."""


class Rng:
    """Marsaglia's xorshift32 (13, 17, 5). `seed` is any integer; zero is replaced, since it would
    stay zero."""

    def __init__(self, seed: int) -> None:
        # Neighbouring seeds are pulled apart first (Knuth's multiplicative constant).
        self.state = ((seed + 1) * 2654435761) & 0xFFFFFFFF or 0x9E3779B9
        for _ in range(4):
            self._next()

    def _next(self) -> int:
        x = self.state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self.state = x
        return x

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each as likely as the others to within n /
        2**32."""
        return (self._next() * n) >> 32

    def shuffle(self, items: list) -> None:
        """Shuffles a list in place (Fisher and Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
