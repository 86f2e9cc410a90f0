"""Plain UNO without a robot: whole games or matches into a tally."""

from __future__ import annotations

from collections.abc import Callable

from .game import Game
from .match import Match, play_match
from .players import seat_players
from .rules import Rules
from .scoring import Sheet
from .settings import Settings
from .tally import Tally


def play_into(tally: Tally, settings: Settings, rules: Rules, n_players: int, index: int) -> Match:
    """Play one match (a single game where scoring is "none"), add it to the tally, return it."""
    match = play(settings, rules, n_players, index)
    tally.add("matches")
    note_sheet(tally, settings, index, match.sheet)
    for game in match.games:
        note_game(tally, game)
    return match


def play(
    settings: Settings,
    rules: Rules,
    n_players: int,
    index: int,
    log: Callable[[str], None] | None = None,
) -> Match:
    """Play one match (a single game where scoring is "none")."""
    people = seat_players(settings.kinds, n_players)
    rng = settings.rng(index)
    return play_match(rules, people, rng, settings.scoring, settings.target, log)


def note_sheet(tally: Tally, settings: Settings, index: int, sheet: Sheet) -> None:
    """Add what a match came to; keep its score sheet where it will be shown."""
    for who in range(sheet.n_players):
        tally.add(f"won/{who}", int(sheet.winners == [who]))
    tally.add("shared", int(len(sheet.winners) > 1))
    if sheet.way == "none" or not sheet.rows:
        return
    tally.see("match_games", len(sheet.rows))
    for points in sheet.points:
        tally.see("points", points)
    if settings.keeps_sheet(index):
        tally.sheets[index] = sheet.to_json()


def note_game(tally: Tally, game: Game) -> None:
    """Add one finished game to the tally."""
    tally.add("games")
    tally.see("turns", game.turns)
    tally.see("drawn", game.drawn)
    tally.see("laid", game.laid)
    tally.add("blocked", int(game.blocked))
    for name, n in game.counts.items():
        tally.add(name, n)
