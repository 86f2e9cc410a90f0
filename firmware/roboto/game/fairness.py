"""Whom the robot names: within a game, how often any two players have been named differs by at
most two, in all and inside commands (SPEC.md section 3).

A command takes those who are behind. A call takes anybody whom the bound allows, so that nobody
can tell by counting who is next; it is refused only where the commands after it would find nobody.
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

        named_again: the last of them will be named once more because of it (see named()); ask
        has_room_for_two() before.
        """
        last = self._order(2 if named_again else 1, -1) if names else -1
        if names < 2:
            return [last] if names else []
        first = self._order(1, last)
        return [first, last]

    def call(self, but: int = -1) -> int:
        """Return the player who is called, to begin or to go on: anybody whom the bound allows,
        also after the next command.

        but: a player who cannot go on now; -1 for nobody.
        """
        others = [player for player in range(len(self._named)) if player != but]
        able = [player for player in others if self.may_call(player)]
        if not able:  # then those who are behind, and of them whom commands need least
            able = _least(others, self._named)
            most = max([self._ordered[player] for player in able])
            able = [player for player in able if self._ordered[player] == most]
        return self._one_of(able)

    def has_room_for_two(self) -> bool:
        """Return whether a command finds a player who may then be named once more."""
        return self._room(min(self._named), tuning.NAMED_APART - 2) > 0

    def named(self, player: int) -> None:
        """Count a player who was named without having been chosen here."""
        self._named[player] += 1

    def _order(self, times: int, but: int) -> int:
        """Choose a player for a command: one who is behind in both tallies taken together."""
        named, ordered = self._named, self._ordered
        others = [player for player in range(len(named)) if player != but]
        limit = min(ordered) + tuning.NAMED_APART - 1
        fit = [player for player in others if ordered[player] <= limit] or others
        limit = min(named) + tuning.NAMED_APART - times
        fit = [player for player in fit if named[player] <= limit] or fit
        player = self._one_of(_least(fit, [sum(both) for both in zip(named, ordered)]))
        ordered[player] += 1
        return player

    def may_call(self, player: int) -> bool:
        """Return whether the bound holds after a call of this player, and for the commands after
        it."""
        named, ordered = self._named, self._ordered
        named[player] += 1
        least = min(named)
        ahead = named[player] - least
        fits = ahead <= tuning.NAMED_APART
        # The next command needs two players, or one of two; and one who may be named twice.
        fits = fits and self._room(least, tuning.NAMED_APART - 2) > 0
        fits = fits and self._room(least, tuning.NAMED_APART - 1) >= min(2, len(named) - 1)
        # Whom commands have left behind must not be out of their reach for long.
        if ahead == tuning.NAMED_APART and len(named) > 2:
            fits = fits and max(ordered) - ordered[player] < tuning.NAMED_APART
        named[player] -= 1
        return fits

    def _room(self, least: int, ahead: int) -> int:
        """How many players a command may name who were named at most so much more than least."""
        limit = min(self._ordered) + tuning.NAMED_APART - 1
        n = 0
        for named, ordered in zip(self._named, self._ordered):
            n += ordered <= limit and named <= least + ahead
        return n

    def _one_of(self, players: "list[int]") -> int:
        player = players[self._rng.below(len(players))]
        self._named[player] += 1
        return player


def _least(players: "list[int]", tally: "list[int]") -> "list[int]":
    least = min([tally[player] for player in players])
    return [player for player in players if tally[player] == least]
