"""What several games come to: points, pairs, elimination.

Every method plays games until somebody has won the match and says the points of each player.
Points of a game are those of the cards left in the hands (cards.hand_points).
"""

from dataclasses import dataclass, field

from .cards import hand_points
from .game import Game

GAMES_PER_PARTNER = 4


@dataclass
class Match:
    """The result: points and winners by player, and the games in the order they were played."""

    points: list[int]
    winners: list[int]
    games: list[Game] = field(default_factory=list)


def pair_rounds(n_players):
    """Who sits with whom when pairs play: a list of rounds, each a list of tables of four.

    A table is four players in the order of their seats, partners opposite. 4 players: 3 rounds of
    one table; 8 players: 7 rounds of two. In the end all have been partners of all others once.
    ValueError for any other number.
    """
    if n_players not in (4, 8):
        raise ValueError(f"pairs are played by 4 or 8 players, not {n_players}")
    rounds = []
    # One stays, the others walk round a circle; who face each other are partners.
    circle = list(range(1, n_players))
    for _ in range(n_players - 1):
        seated = [0, *circle]
        pairs = [(seated[i], seated[-1 - i]) for i in range(n_players // 2)]
        rounds.append(
            [
                [pairs[i][0], pairs[i + 1][0], pairs[i][1], pairs[i + 1][1]]
                for i in range(0, len(pairs), 2)
            ]
        )
        circle = circle[1:] + circle[:1]
    return rounds


def play_match(rules, players, rng, scoring=None, target=500, log=None):
    """Play games by a way of scoring until the match is won.

    scoring: winner, losers, pairs, elimination, or none for a single game without points; default
    is what the rule set says. target: points that end it (no meaning for pairs and none).
    """
    scoring = scoring or rules.scoring
    ways = {
        "none": _one_game,
        "winner": _winner_collects,
        "losers": _losers_collect,
        "pairs": _pairs,
        "elimination": _elimination,
    }
    if scoring not in ways:
        raise ValueError(f"no scoring is called {scoring!r}; there are: {', '.join(ways)}")
    if scoring not in ("none", "pairs") and target < 1:
        raise ValueError(f"the points to play for must be 1 or more, not {target}")
    return ways[scoring](_Table(rules, players, rng, log), target)


class _Table:
    """Plays one game after the other; the deal passes to the left."""

    def __init__(self, rules, players, rng, log):
        self.rules = rules
        self.players = players
        self.rng = rng
        self.log = log
        self.dealer = None
        self.games = []

    def play(self, seated=None):
        """One game of these players, all by default. Its Game; seats follow `seated`."""
        players = self.players if seated is None else [self.players[who] for who in seated]
        game = Game(self.rules, players, self.rng, dealer=self.dealer, log=self.log)
        game.play()
        self.dealer = (game.dealer + 1) % len(players)
        self.games.append(game)
        return game


def _one_game(table, _target):
    game = table.play()
    winners = [] if game.winner is None else [game.winner]
    return Match([0] * len(table.players), winners, table.games)


def _winner_collects(table, target):
    """Who goes out collects the cards left in the other hands; first to the target wins."""
    points = [0] * len(table.players)
    while max(points) < target:
        game = table.play()
        if game.winner is not None:
            points[game.winner] += sum(map(hand_points, game.hands))
    return Match(points, [points.index(max(points))], table.games)


def _losers_collect(table, target):
    """All collect their own cards; when somebody reaches the target the lowest wins."""
    points = [0] * len(table.players)
    while max(points) < target:
        for seat, hand in enumerate(table.play().hands):
            points[seat] += hand_points(hand)
    lowest = min(points)
    return Match(points, [who for who, sum_ in enumerate(points) if sum_ == lowest], table.games)


def _pairs(table, _target):
    """Partners sit opposite; who goes out collects the other pair's cards for both partners."""
    points = [0] * len(table.players)
    for tables in pair_rounds(len(table.players)):
        for seated in tables:
            table.dealer = None
            for _ in range(GAMES_PER_PARTNER):
                game = table.play(seated)
                if game.winner is None:
                    continue
                pair = game.winner % 2
                made = hand_points(game.hands[1 - pair]) + hand_points(game.hands[3 - pair])
                points[seated[pair]] += made
                points[seated[pair + 2]] += made
    best = max(points)
    return Match(points, [who for who, sum_ in enumerate(points) if sum_ == best], table.games)


def _elimination(table, target):
    """All collect their own cards; who reaches the target is out; the last one in wins."""
    points = [0] * len(table.players)
    playing = list(range(len(table.players)))
    while len(playing) > 1:
        game = table.play(playing)
        for who, hand in zip(playing, game.hands, strict=True):
            points[who] += hand_points(hand)
        left = [who for who in playing if points[who] < target]
        if not left:  # only when nobody could go out: the lowest of them has won
            left = [min(playing, key=points.__getitem__)]
        if table.dealer is not None and len(left) < len(playing):
            table.dealer %= len(left)
        playing = left
    return Match(points, playing, table.games)
