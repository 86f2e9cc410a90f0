"""The start of a game: who deals, the hands, the first card and what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import ACTIONS, DECK, POINTS, REVERSES, WILD, face_name, in_words, name, shuffle

if TYPE_CHECKING:
    from .game import Game

_NUMBERS_ONLY = tuple(0 if card in ACTIONS else points for card, points in enumerate(POINTS))


def deal(game: Game, dealer: int | None, first: int | None) -> None:
    """Shuffle, deal and turn up the first card, so that `game.seat` is to play.

    dealer, first: seats, or None where the rules or chance decide.
    """
    rules, pile, rng = game.rules, game.pile, game.rng
    if dealer is None and first is None and rules.dealer != "none":
        dealer = _draw_for_dealer(game)
    shuffle(pile, rng)
    for hand in game.hands:
        hand += pile[-rules.hand_cards :]
        del pile[-rules.hand_cards :]
    if first is None and rules.first_player == "named":
        first = int(rng.random() * game.n)
    beside = -1 if rules.first_player == "right" else 1
    if first is not None:
        dealer = (first - beside) % game.n
    else:
        dealer = dealer or 0
        first = (dealer + beside) % game.n
    game.dealer = dealer
    if rules.direction == "right":
        game.direction = -1
    if game.log:
        game.note(f"rules {rules.name}, {game.n} players, seat {dealer} deals")
        for seat, hand in enumerate(game.hands):
            game.note(f"seat {seat} has {in_words(hand)}")
    _turn_up(game, dealer, first)


def _draw_for_dealer(game: Game) -> int:
    """Let everybody draw a card; return the seat of the highest. Who tie draw again."""
    values = _NUMBERS_ONLY if game.rules.dealer == "highest_number" else POINTS
    rivals = list(range(game.n))
    while len(rivals) > 1:
        cards = game.rng.sample(DECK, len(rivals))
        best = max(values[card] for card in cards)
        rivals = [s for s, card in zip(rivals, cards, strict=True) if values[card] == best]
    return rivals[0]


def _turn_up(game: Game, dealer: int, first: int) -> None:
    rules = game.rules
    card, todo = _first_card(game)
    game.discard.append(card)
    game.seat = first
    if card < WILD:
        game.face = card
    elif todo == "random":
        game.face = WILD + int(game.rng.random() * 4)
    else:
        namer = first if todo == "player_names" else dealer
        game.face = WILD + game.players[namer].colour(game, namer)
    if game.log:
        game.note(f"{face_name(game.face)} is turned up")
    effect = rules.effects[card]
    if effect == REVERSES:
        game.direction = -game.direction
        if todo == "other_side":
            game.seat = (2 * dealer - first) % game.n
        elif todo == "dealer":
            game.seat = dealer
    elif todo == "draws_only":
        game.draw(first, 2)
    elif effect:
        game.effect = effect
        game.settle(first)
    if game.log:
        game.note(f"seat {game.seat} begins, to the {'left' if game.direction > 0 else 'right'}")


def _first_card(game: Game) -> tuple[int, str]:
    """Turn cards up until one may stay. That card, and what the rules say of it as the first."""
    pile, as_first = game.pile, game.rules.as_first
    while True:
        card = pile.pop()
        todo = as_first[card]
        if todo != "back":
            return card, todo
        pile.insert(int(game.rng.random() * (len(pile) + 1)), card)
        if game.log:
            game.note(f"{name(card)} is turned up and goes back")
