"""Players: what people decide at a table of UNO.

A Game asks its players; a player looks at `game` and at the own hand, never at those of others but
for their size. Chance comes from the game's rng, so a seed gives the same game again.
"""

from .cards import BLANK, BY_COLOUR, EFFECT, N_SYMBOLS, POINTS, WILD, WILD_DRAW_FOUR


class RandomPlayer:
    """Lays any card that fits, each kind as likely; calls UNO always and watches nobody."""

    slips = False  # may lay a card that does not fit
    advises_share = 0.0  # how often it tells another what to lay, for each turn of another

    def choose(self, game, seat, legal) -> int | None:
        """Return a card to lay, or None to draw. legal: a set, may be empty: what may be laid."""
        if len(legal) == 1:
            return next(iter(legal))
        return tuple(legal)[int(game.rng.random() * len(legal))]

    def lays_drawn(self, game, seat, card) -> bool:
        """Return whether to lay the card just drawn, which fits."""
        return True

    def colour(self, game, seat) -> int:
        """Return the colour to name for a wild, 0 to 3."""
        return int(game.rng.random() * 4)

    def challenges(self, game, seat) -> bool:
        """Return whether to challenge the wild draw four that `game.layer` laid."""
        return False

    def calls_uno(self, game, seat) -> bool:
        """Return whether UNO is called when the last card but one touches the pile."""
        return True

    def remembers_uno(self, game, seat) -> bool:
        """Return whether the player remembers UNO late, if nobody has noticed so far."""
        return False

    def notices(self, game, seat, culprit) -> bool:
        """Return whether the player notices what another did wrong."""
        return False

    def gives(self, game, seat) -> int:
        """Return a card to part with when a command asks for one. The hand is not empty."""
        hand = game.hands[seat]
        return hand[int(game.rng.random() * len(hand))]


class SensiblePlayer(RandomPlayer):
    """Plays as people do who want to win, and is as forgetful as they are.

    Keeps wilds for when nothing else fits, goes for the colour it has most of, throws action cards
    at a neighbour who is about to go out and points away when anybody is. Shares are 0 to 1.
    """

    def __init__(
        self,
        forgets=0.1,
        notices=0.4,
        bluffs=0.15,
        slips=0.0,
        advises=0.0,
        declines=0.005,
        keeps=0.02,
    ):
        self.forgets_share = forgets  # UNO
        self.notices_share = notices  # what others do wrong
        self.bluffs_share = bluffs  # lays a wild draw four with the colour in the hand
        self.slips_share = slips  # lays a wrong card, where the rules say what follows
        self.slips = slips > 0
        self.advises_share = advises
        self.declines_share = declines  # draws though a card fits
        self.keeps_share = keeps  # does not lay a drawn card that fits

    def choose(self, game, seat, legal) -> int | None:
        hand, rng, rules = game.hands[seat], game.rng, game.rules
        if self.slips and rules.wrong_card_draws and rng.random() < self.slips_share:
            return hand[int(rng.random() * len(hand))]
        if not legal:
            return None
        if rules.voluntary_draw and not game.owed and rng.random() < self.declines_share:
            return None
        sizes = list(map(len, game.hands))
        follower = (seat + game.direction) % game.n
        threat = sizes[follower] <= 2
        if (
            threat
            and rules.challenge
            and not game.owed
            and WILD_DRAW_FOUR in hand
            and WILD_DRAW_FOUR not in legal
            and rng.random() < self.bluffs_share
        ):
            return WILD_DRAW_FOUR
        if len(legal) == 1:
            return next(iter(legal))
        sizes[seat] = 99
        partner = game.partner(seat)
        if partner is not None:
            sizes[partner] = 99  # whose going out costs nothing
        hurry = min(sizes) <= 2  # somebody is about to go out: points weigh
        best, best_worth = None, -1e9
        for card in legal:
            worth = rng.random()
            if card >= WILD:
                worth -= 12 if not hurry else -POINTS[card] / 8
                if threat and (card == WILD_DRAW_FOUR or card == BLANK and rules.effects[BLANK]):
                    worth += 30
            else:
                worth += 2 * len([c for c in hand if c in BY_COLOUR[card // N_SYMBOLS]])
                worth += POINTS[card] / (8 if hurry else 40)
                if EFFECT[card]:
                    worth += 20 if threat else -1
            if worth > best_worth:
                best, best_worth = card, worth
        return best

    def lays_drawn(self, game, seat, card) -> bool:
        return game.rng.random() >= self.keeps_share

    def colour(self, game, seat) -> int:
        counts = [0, 0, 0, 0]
        for card in game.hands[seat]:
            if card < WILD:
                counts[card // N_SYMBOLS] += 1
        most = max(counts)
        best = [colour for colour in range(4) if counts[colour] == most]
        return best[int(game.rng.random() * len(best))]

    def challenges(self, game, seat) -> bool:
        """Decide by odds: six cards if wrong, none (and the turn kept) if right, else four.

        The layer had k cards left; each is of a given colour with about 25/108. Laid in good faith
        the four shows that there was none; bluffs are thought as frequent as the player's own.
        """
        had = 1 - (1 - 25 / 108) ** len(game.hands[game.layer])
        bluffed = had * self.bluffs_share
        honest = 1 - had
        guilty = bluffed / (bluffed + honest) if bluffed + honest else 0
        return guilty * 6 > 6 - 4  # 6 * (1 - guilty) < 4

    def calls_uno(self, game, seat) -> bool:
        return game.rng.random() >= self.forgets_share

    def remembers_uno(self, game, seat) -> bool:
        return game.rng.random() < 0.5

    def notices(self, game, seat, culprit) -> bool:
        return game.rng.random() < self.notices_share


class HumanPlayer(SensiblePlayer):
    """A sensible player with a family's slips and whims: forgets UNO, lays a wrong card, gives
    advice, keeps cards that could be laid."""

    def __init__(self):
        super().__init__(0.2, slips=0.01, advises=0.01, declines=0.03, keeps=0.1)


KINDS = {"random": RandomPlayer, "sensible": SensiblePlayer, "human": HumanPlayer}


def seat_players(kinds, n_players):
    """Return players for the seats; the kinds repeat round the table. ValueError for an unknown
    kind."""
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"no player is called {kind!r}; there are: {', '.join(KINDS)}")
    return [KINDS[kinds[seat % len(kinds)]]() for seat in range(n_players)]
