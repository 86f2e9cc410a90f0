"""What people watch one another for: a missing UNO, a wrong card, advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import WILD_DRAW_FOUR, face_name, name, shuffle

if TYPE_CHECKING:
    from .game import Game


class IllegalMove(ValueError):
    """A player did what the rules do not allow at all; the message says who and what."""


def uno_moment(game: Game, seat: int) -> None:
    """See to UNO as the last card but one touches the pile: it is called, caught, or neither."""
    if not game.rules.uno_penalty:
        return
    if game.players[seat].calls_uno(game, seat):
        if game.log:
            game.note(f"seat {seat} calls UNO")
        return
    game.counts["uno_missed"] += 1
    game.catchable.add(seat)
    # The others look up one after another; the player may also remember in time.
    watchers = list(range(game.n))
    shuffle(watchers, game.rng)
    for watcher in watchers:
        if _settles_uno(game, watcher, seat):
            return


def next_begins(game: Game) -> None:
    """Close the time in which a missing UNO may be caught, where the next player's turn does."""
    if game.rules.uno_until == "next_begins":
        game.catchable.clear()


def look_round(game: Game, seat: int) -> None:
    """Let the player whose turn it is look for missing UNOs, the own one too."""
    for owing in sorted(game.catchable):
        _settles_uno(game, seat, owing)


def _settles_uno(game: Game, watcher: int, seat: int) -> bool:
    if watcher == seat:
        return game.players[seat].remembers_uno(game, seat) and game.call_uno(seat)
    return _notices(game, watcher, seat) and game.catch(watcher, seat)


def stays(game: Game, seat: int, card: int) -> bool:
    """Return whether a card that does not fit stays; else it was caught and taken back.

    IllegalMove when the player does not hold it, or no rule says what follows.
    """
    rules = game.rules
    if card not in game.hands[seat]:
        raise IllegalMove(f"seat {seat} has no {name(card)} to lay")
    if card == WILD_DRAW_FOUR and rules.challenge and not game.owed:
        return True  # a bluff; the next player may challenge it
    if not rules.wrong_card_draws:
        raise IllegalMove(f"seat {seat} lays {name(card)} on {face_name(game.face)}")
    game.counts["wrong_cards"] += 1
    owed, game.owed = game.owed, 0
    if not _somebody_notices(game, seat):
        return True
    if game.log:
        game.note(f"seat {seat} is caught with a wrong card, {name(card)}")
    game.draw(seat, rules.wrong_card_draws + owed)
    return not rules.wrong_card_taken_back


def hear_advice(game: Game, seat: int) -> None:
    """Let others tell the player at `seat` what to lay; caught, it costs them cards."""
    for adviser in game.advisers:
        if adviser == seat or game.rng.random() >= game.players[adviser].advises_share:
            continue
        if _somebody_notices(game, adviser):
            if game.log:
                game.note(f"seat {adviser} is caught telling seat {seat} what to lay")
            game.counts["advice_caught"] += 1
            game.draw(adviser, game.rules.advice_draws)


def _somebody_notices(game: Game, culprit: int) -> bool:
    return any(
        watcher != culprit and _notices(game, watcher, culprit) for watcher in range(game.n)
    )


def _notices(game: Game, watcher: int, culprit: int) -> bool:
    """Return whether a player notices what another did wrong and says so; partners do not."""
    if watcher == game.partner(culprit):
        return False
    return game.players[watcher].notices(game, watcher, culprit)
