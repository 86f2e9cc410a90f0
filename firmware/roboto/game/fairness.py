"""Whom the robot names: within a game, how often any two players have been named differs by at
most two (SPEC.md section 3).

A command takes those whom commands and calls have named least. A call takes anybody whom the bound
allows, so that nobody can tell by counting who is next.
"""

from . import tuning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rng import Rng


class Fairness:
    """Chooses among the players 0 to players - 1 of one game."""

    def __init__(self, rng: "Rng", players: int) -> None:
        self._rng = rng
        self._named = [0] * players  # in all
        self._ordered = [0] * players  # inside commands

    def command(self, names: int, named_again: bool = False) -> "list[int]":
        """Return the players of a command that names so many, in the order of its places.

        named_again: the last of them will be named once more because of it (see named()).
        """
        last = self._order(2 if named_again else 1, ()) if names else -1
        if names < 2:
            return [last] if names else []
        first = self._order(1, (last,))
        return [first, last]

    def call(self, but: int = -1) -> int:
        """Return the player who is called, to begin or to go on: anybody whom the bound allows,
        also after the next command.

        but: a player who cannot go on now; -1 for nobody.
        """
        others = [player for player in range(len(self._named)) if player != but]
        able = [player for player in others if self._may_be_called(player)]
        able = able or [player for player in others if self._bears(player, 1)] or others
        return self._one_of(able)

    def named(self, player: int) -> None:
        """Count a player who was named without having been chosen here."""
        self._named[player] += 1

    def _order(self, times: int, but: "tuple") -> int:
        others = [player for player in range(len(self._named)) if player not in but]
        able = [player for player in others if self._bears(player, times)] or others
        limit = min(self._ordered) + 1
        able = [player for player in able if self._ordered[player] <= limit] or able
        player = self._one_of(_least(able, self._named))
        self._ordered[player] += 1
        return player

    def _may_be_called(self, player: int) -> bool:
        """Whom commands have left behind keeps room for the next one."""
        behind = self._ordered[player] == min(self._ordered) < max(self._ordered)
        return self._bears(player, 2 if behind else 1)

    def _bears(self, player: int, times: int) -> bool:
        """Whether a player may be named so often more."""
        count = self._named[player] + times
        least = count
        for other, named in enumerate(self._named):
            if other != player and named < least:
                least = named
        return count - least <= tuning.NAMED_APART

    def _one_of(self, players: "list[int]") -> int:
        player = players[self._rng.below(len(players))]
        self._named[player] += 1
        return player


def _least(players: "list[int]", tally: "list[int]") -> "list[int]":
    least = min([tally[player] for player in players])
    return [player for player in players if tally[player] == least]
