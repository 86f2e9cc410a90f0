"""RLCard's UNO, and our table set to play by its rules.

RLCard (pip: rlcard) is an implementation by others. Its rules differ from every printed sheet;
most differences are rule data, the rest is what RlcardGame overrides:

* a drawn card of the top's colour is laid at once, one that only matches its symbol is kept;
* a drawn wild, draw four too, is laid at once, counts as a random colour and does nothing else;
* when cards run out the whole discard pile is shuffled in, its top too, though it still counts;
* nobody calls UNO; a wild draw four only when nothing else fits, without a challenge.
"""

from dataclasses import dataclass, replace

from sim.table.cards import COLOUR_OF, NOTHING, WILD, shuffle
from sim.table.game import Game
from sim.table.players import RandomPlayer
from sim.table.rules import named

RULES = replace(
    named("robot"),
    name="rlcard",
    first_skip="acts",
    first_reverse="dealer",
    first_draw_two="draws_only",
    first_wild="random",
    wild_draw_four="last_resort",
    challenge=False,
    voluntary_draw=False,
    drawn_card="must",
    two_player_reverse="turn",
    uno_penalty=0,
)


class RlcardGame(Game):
    """A game by RLCard's rules; raises OutOfCards where RLCard would fail."""

    draws = 0

    def _lays_drawn(self, player, seat, drawn):
        if drawn >= WILD:
            self.lay(seat, drawn)
            self.effect = NOTHING
            return False
        return COLOUR_OF[drawn] == COLOUR_OF[self.face]

    def _reshuffle(self):
        self.pile += self.discard
        self.discard.clear()
        shuffle(self.pile, self.rng)
        return bool(self.pile)

    def _draw_one(self, seat):
        if not self.pile and not self.discard:
            raise OutOfCards
        self.draws += 1
        return super()._draw_one(seat)

    def draw(self, seat, n_cards):
        if len(self.pile) < n_cards:
            self._reshuffle()
        if len(self.pile) < n_cards:
            raise OutOfCards
        return super().draw(seat, n_cards)


class OutOfCards(Exception):
    """There is nothing left to draw."""


class RlcardPlayer(RandomPlayer):
    """RLCard's random agent: each action as likely, and a wild is four of them, one a colour."""

    def choose(self, game, seat, legal):
        if WILD in legal and len(legal) > 1:
            among = [*legal, WILD, WILD, WILD]
            return among[int(game.rng.random() * len(among))]
        if len(legal) == 1:
            return next(iter(legal))
        return tuple(legal)[int(game.rng.random() * len(legal))]


@dataclass(frozen=True)
class Played:
    """What is compared of a game."""

    winner: int
    turns: int
    draws: int  # turns in which a card was drawn for want of a fitting one
    left: int  # cards in all hands at the end


def play_ours(n_players, rng, table=RlcardGame, rules=RULES):
    """Play one game by RLCard's rules on our table; return None where cards ran out."""
    try:
        game = table(rules, [RlcardPlayer()] * n_players, rng, first=0)
        game.play()
    except OutOfCards:
        return None
    return Played(game.winner, game.turns, game.draws, sum(map(len, game.hands)))


def play_theirs(game, rng):
    """Play one game of rlcard.games.uno.Game with random agents; return None as above."""
    state, _ = game.init_game()
    turns = draws = 0
    try:
        while not game.is_over():
            actions = sorted(set(state["legal_actions"]))
            state, _ = game.step(actions[int(rng.random() * len(actions))])
            turns += 1
            draws += actions == ["draw"]
    except IndexError:  # RLCard draws from an empty pile
        return None
    left = sum(len(player.hand) for player in game.players)
    return Played(game.round.winner[0], turns, draws, left)
