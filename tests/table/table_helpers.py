"""Games with chosen cards, and a player that does what a test tells it."""

import random
from itertools import chain

from sim.table.cards import EFFECT, parse
from sim.table.game import Game
from sim.table.players import RandomPlayer
from sim.table.rules import named


class Told(RandomPlayer):
    """Lays the cards it was told, in order ("draw" to draw), then what fits first by number."""

    def __init__(self, *moves, colour=0, **answers):
        self.moves = list(moves)
        self.names = colour
        self.answers = answers
        self.asked = []

    def choose(self, game, seat, legal):
        self.asked.append(set(legal))
        if self.moves:
            move = self.moves.pop(0)
            return None if move == "draw" else parse(move)
        return min(legal) if legal else None

    def colour(self, game, seat):
        return self.names

    def lays_drawn(self, game, seat, card):
        return self.answers.get("lays_drawn", True)

    def challenges(self, game, seat):
        return self.answers.get("challenges", False)

    def calls_uno(self, game, seat):
        return self.answers.get("calls_uno", True)

    def remembers_uno(self, game, seat):
        return self.answers.get("remembers_uno", False)

    def notices(self, game, seat, culprit):
        return self.answers.get("notices", False)


def cards(text):
    """Return "red 7, wild" as a list of cards."""
    return [parse(piece.strip()) for piece in text.split(",") if piece.strip()]


def laid_out(rules, top, hands, players=None, draws="", seed=1, pairs=False):
    """Lay out a game: `top` is face up, these are the hands, and `draws` come next off the pile.

    Seat 0 is to play, to the left; the effect of the top card is done with. The rest of the 108
    is in the draw pile.
    """
    if isinstance(rules, str):
        rules = named(rules)
    players = players or [Told() for _ in hands]
    rng = random.Random(seed)
    game = Game(rules, players, rng, dealer=len(hands) - 1, first=0, pairs=pairs)
    rest = list(rules.deck)
    game.hands[:] = [cards(hand) for hand in hands]
    game.discard[:] = cards(top)
    coming = cards(draws)
    for card in chain(*game.hands, game.discard, coming):
        rest.remove(card)
    game.pile[:] = rest + coming[::-1]
    game.face = game.discard[-1]
    game.effect = 0
    game.layer = None
    game.owed = 0
    game.seat = 0
    game.direction = 1
    game.turns = game.laid = game.drawn = 0
    game.counts = dict.fromkeys(game.counts, 0)
    return game


def turned_up(rules, text, n_players=4, players=None):
    """Return a game whose first card turned up is this one, dealt by seat 0."""
    rules = named(rules) if isinstance(rules, str) else rules
    wanted = parse(text)
    for seed in range(5000):
        seats = players or [Told() for _ in range(n_players)]
        # Where the robot names who begins, seat 0 is as good as the dealer then.
        first = 1 if rules.first_player == "named" else None
        game = Game(rules, seats, random.Random(seed), dealer=0, first=first)
        if game.discard[-1] == wanted:
            return game
    raise AssertionError(f"{text} is never turned up under {rules.name}")


def all_cards(game):
    """Return every card in play, wherever it is, sorted."""
    return sorted(chain(game.pile, game.discard, *game.hands))


def is_action(card):
    """Return whether a card does something, wilds too."""
    return card >= 52 or EFFECT[card] != 0
