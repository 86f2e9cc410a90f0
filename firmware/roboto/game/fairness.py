"""Whom the robot names: everybody about equally often (SPEC.md section 3).

Two tallies are kept, of all namings and of those inside commands, and within each any two players
differ by at most two. Chance decides among those who are behind.
"""


class Fairness:
    """Chooses among the players 0 to players - 1 of one game."""

    def __init__(self, rng, players):
        self._rng = rng
        self._named = [0] * players  # in all
        self._ordered = [0] * players  # inside commands

    def order(self, other_than=-1):
        """A player for a command: one of those least often named, unless ordered about too often
        already."""
        limit = min(self._ordered) + 1
        able = [p for p in range(len(self._named)) if p != other_than]
        able = [p for p in able if self._ordered[p] <= limit] or able
        player = self._one_of(_least(able, self._named))
        self._ordered[player] += 1
        return player

    def call(self):
        """A player who is called, to begin or to go on: one of those least often named.

        Among them, one whom commands have named often: those whom they have not are still to come
        there.
        """
        behind = _least(range(len(self._named)), self._named)
        most = max([self._ordered[p] for p in behind])
        return self._one_of([p for p in behind if self._ordered[p] == most])

    def named(self, player):
        """This player was named without having been chosen here."""
        self._named[player] += 1

    def _one_of(self, players):
        player = players[self._rng.below(len(players))]
        self._named[player] += 1
        return player


def _least(players, tally):
    least = min([tally[p] for p in players])
    return [p for p in players if tally[p] == least]
