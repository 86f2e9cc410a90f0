"""What a run of many games is: which tables, which people, which chance."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .rules import RULES_FILE

GAMES_MAX = 100_000_000
SHEETS = 10  # the score sheets of so many matches are kept, and of the first at each table
_SEED_STRIDE = 1 << 32


class RunError(ValueError):
    """A run that cannot be made or taken up; the message says why and what to do."""


@dataclass(frozen=True)
class Settings:
    """What a run plays. Games take turns through all pairs of rule set and number of players.

    Each game has its own seed, made of the run's seed and its number.
    """

    games: int  # or matches, where points are counted
    players: tuple[int, ...] = (4,)
    rules: tuple[str, ...] = ("robot",)
    rules_file: str = str(RULES_FILE)
    kinds: tuple[str, ...] = ("sensible",)
    scoring: str = "none"
    target: int = 500
    seed: int = 1
    robot: bool = False
    pace: str = "normal"
    game: str = "roboto"  # of SPEC.md section 8
    lang: str = "es"
    in_a_row: int = 1  # games of a party: names are recorded once

    def table(self, index: int) -> tuple[str, int]:
        """Return the rule set's name and the number of players of a game."""
        which = index % (len(self.rules) * len(self.players))
        return self.rules[which // len(self.players)], self.players[which % len(self.players)]

    def rng(self, index: int) -> random.Random:
        """Return the game's own source of chance."""
        return random.Random(self.seed * _SEED_STRIDE + index)

    def key(self, index: int) -> str:
        """Return under which name a game's figures are kept: rule set and players, "robot/4"."""
        name, n_players = self.table(index)
        return f"{name}/{n_players}"

    def keeps_sheet(self, index: int) -> bool:
        """Return whether the score sheet of a match is kept, to be shown."""
        return self.scoring != "none" and index < max(SHEETS, len(self.rules) * len(self.players))
