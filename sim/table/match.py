"""A match at a plain table: games, one after the other, until its score sheet says who has won."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .game import Game
from .players import RandomPlayer
from .rules import Rules
from .scoring import Sheet, new_sheet


@dataclass(frozen=True)
class Match:
    """The result: points and winners by player, the games as they were played, and the sheet."""

    points: list[int]
    winners: list[int]
    games: list[Game]
    sheet: Sheet


def play_match(
    rules: Rules,
    players: list[RandomPlayer],
    rng: random.Random,
    scoring: str | None = None,
    target: int = 500,
    log: Callable[[str], None] | None = None,
) -> Match:
    """Play games at a plain table until the match is won.

    scoring: one of WAYS; default is what the rule set says. target: the points that end it (no
    meaning for pairs and none). ValueError when it cannot be played so.
    """
    sheet = new_sheet(scoring or rules.scoring, len(players), target)
    games: list[Game] = []
    dealer = None
    while sheet.seated is not None:
        seated = sheet.seated
        game = Game(
            rules, [players[who] for who in seated], rng, dealer, pairs=sheet.pairs, log=log
        )
        game.play()
        games.append(game)
        sheet.note([game.points(seat) for seat in range(game.n)], game.winner)
        if log and sheet.way != "none":
            log(f"game {len(games)}: {sheet.last_words()}")
        dealer = _next_dealer(game.dealer, seated, sheet.seated or seated)
    return Match(sheet.points, sheet.winners, games, sheet)


def _next_dealer(dealer: int, seated: list[int], next_seated: list[int]) -> int | None:
    """Return the seat that deals next: the deal passes to the left, over those who play no more.

    None, so that it is drawn for, when others sit down.
    """
    if not set(next_seated) <= set(seated):
        return None
    for step in range(1, len(seated) + 1):
        who = seated[(dealer + step) % len(seated)]
        if who in next_seated:
            return next_seated.index(who)
    return None
