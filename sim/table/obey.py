"""What a surprise command does to the cards, carried out at the table.

firmware/phrases/commands.toml says it for every command; this module is what the effects mean. The
robot only talks: whether the right thing happens is the players' business, here as at home.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from .cards import BY_COLOUR, COLOURS, POINTS, SKIP, WILD, shuffle
from .game import Game

# Seconds that people take, (shortest, longest), by effect.
SECONDS = {
    "none": (3, 10),
    "discard": (2, 6),
    "discard_colour": (3, 9),
    "draw": (2, 5),
    "dare": (5, 12),
    "hurry": (2, 6),
    "trade": (3, 7),
    "trade_cards": (5, 10),
    "trade_all": (4, 9),
    "reverse": (1, 2),
    "random_order": (4, 10),
    "race": (5, 20),
}


@dataclass
class Obeyed:
    """What it came to."""

    seconds: float  # that it took
    moved: int = 0  # cards that changed their place
    known: bool = True  # whether the table knew what to do


def obey(game: Game, what: dict[str, Any], named: list[int], rng: random.Random) -> Obeyed:
    """Carry out one command; it ends early when somebody is out.

    what: the effect and its fields, as in commands.toml. named: seats, in the order in which the
    command names them; none: everybody. Unknown effects leave the cards alone.
    """
    effect = what.get("effect", "none")
    done = Obeyed(rng.uniform(*SECONDS.get(effect, SECONDS["none"])))
    act = _EFFECTS.get(effect)
    if act is None:
        done.known = False
    else:
        done.moved = act(game, what, named or list(range(game.n)), rng)
    return done


def _none(game, what, seats, rng):
    return 0


def _discard(game, what, seats, rng):
    moved = 0
    for seat in seats:
        for _ in range(what.get("count", 1)):
            if game.winner is not None:
                return moved
            card = _choice(game, seat, what.get("choose", "any"), rng)
            if card is None:
                break
            game.lay_by_command(seat, card)
            moved += 1
    return moved


def _choice(game, seat, choose, rng):
    """Return the card to lay, or None where the hand has no such card: then nothing happens."""
    hand = game.hands[seat]
    if choose == "blind":
        return rng.choice(hand)
    numbers = [card for card in hand if card < WILD and card % 13 < SKIP]
    if choose == "highest":
        return max(numbers, key=POINTS.__getitem__, default=None)
    return game.players[seat].gives(game, seat)


def _discard_colour(game, what, seats, rng):
    colour = BY_COLOUR[COLOURS.index(what["colour"])]
    moved = 0
    for seat in seats:
        cards = [card for card in game.hands[seat] if card in colour]
        shuffle(cards, rng)
        for card in cards:
            if game.winner is not None:
                return moved
            if card not in game.hands[seat]:
                continue
            game.lay_by_command(seat, card)
            moved += 1
    return moved


def _draw(game, what, seats, rng):
    return sum(game.draw(seat, what.get("count", 1)) for seat in seats)


def _dare(game, what, seats, rng):
    return sum(
        game.draw(seat, what.get("count", 1)) for seat in seats if rng.random() < what["fails"]
    )


def _hurry(game, what, seats, rng):
    """Lay cards in time, or draw as many."""
    slow = [seat for seat in seats if rng.random() < what["fails"]]
    fast = [seat for seat in seats if seat not in slow]
    return _draw(game, what, slow, rng) + _discard(game, what, fast, rng)


def _race(game, what, seats, rng):
    return game.draw(rng.choice(seats), what.get("loser_draws", 2))


def _trade(game, what, seats, rng):
    if len(seats) != 2:
        return 0
    game.trade(*seats)
    return len(game.hands[seats[0]]) + len(game.hands[seats[1]])


def _trade_cards(game, what, seats, rng):
    """Each gives as many, so nobody's hand shrinks."""
    if len(seats) != 2:
        return 0
    count = min(what.get("count", 1), *(len(game.hands[seat]) for seat in seats))
    given = [rng.sample(game.hands[seat], count) for seat in seats]
    game.trade_cards(*seats, *given)
    return 2 * count


def _trade_all(game, what, seats, rng):
    left = what.get("direction", "left") == "left"
    game.trade_all(1 if left else -1)
    return sum(map(len, game.hands))


def _reverse(game, what, seats, rng):
    game.turn_round()
    return 0


def _random_order(game, what, seats, rng):
    order = list(range(game.n))
    shuffle(order, rng)
    game.reseat(order)
    return 0


_EFFECTS = {
    "none": _none,
    "discard": _discard,
    "discard_colour": _discard_colour,
    "draw": _draw,
    "dare": _dare,
    "hurry": _hurry,
    "race": _race,
    "trade": _trade,
    "trade_cards": _trade_cards,
    "trade_all": _trade_all,
    "reverse": _reverse,
    "random_order": _random_order,
}
