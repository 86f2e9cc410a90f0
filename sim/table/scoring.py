"""What several games come to: points, pairs, elimination.

A Sheet is what somebody keeps with a pencil: it says who sits down for the next game, takes what
is left in the hands when that game is over, and says when the match is won, by whom and why. It
knows nothing of cards, so it serves a plain table, one round the robot and the score sheet of the
browser page alike; and it runs under MicroPython, as that page without a server does.
docs/scoring.md tells the methods.
"""

GAMES_PER_PARTNER = 4
UNFINISHED_MAX = 60  # games in a row; by what rules they play nobody will win


def pair_rounds(n_players: int) -> list[list[list[int]]]:
    """Return who sits with whom when pairs play: a list of rounds, each a list of tables of four.

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
        seated = [0] + circle
        pairs = [(seated[i], seated[-1 - i]) for i in range(n_players // 2)]
        rounds.append(
            [
                [pairs[i][0], pairs[i + 1][0], pairs[i][1], pairs[i + 1][1]]
                for i in range(0, len(pairs), 2)
            ]
        )
        circle = circle[1:] + circle[:1]
    return rounds


class Row:
    """One game on the sheet. Players are numbered from 0, as they first sat down."""

    def __init__(
        self, seated: list[int], out: int | None, points: list[int], sums: list[int]
    ) -> None:
        self.seated = seated  # the players by seat
        self.out = out  # who was rid of the cards; None: nobody could lay any more
        self.points = points  # what the game brought each player, of all of them
        self.sums = sums  # what each has after it


class Sheet:
    """The score of a match. This one is for a single game that counts no points."""

    way = "none"
    pairs = False  # whether those who sit opposite are partners
    counts_as = "one game, no points: who is out first has won"

    def __init__(self, n_players: int, target: int = 0) -> None:
        self.n_players = n_players
        self.target = target
        self.points = [0] * n_players
        self.rows: list[Row] = []
        self.seated: list[int] | None = list(range(n_players))  # next; None: it is won
        self.winners: list[int] = []
        self.because = ""  # why it is won, in a word, for who says it in another language
        self.why = ""

    def note(self, left: list[int], out: int | None) -> None:
        """Enter a game. left: the points in the hands, in the order of
        `seated`; out: whose place in it went out, or None."""
        if self.seated is None:
            raise ValueError("this match is won already")
        before, seated = self.points[:], self.seated
        self._count(seated, left, out)
        made = [now - then for now, then in zip(self.points, before)]
        who = None if out is None else seated[out]
        self.rows.append(Row(seated, who, made, self.points[:]))
        self._next()
        last = self.rows[-UNFINISHED_MAX:]
        stands = all(row.out is None and not any(row.points) for row in last)
        if self.seated and len(last) == UNFINISHED_MAX and stands:
            self._won([], "stuck", f"nobody could finish any of the last {UNFINISHED_MAX} games")

    def _count(self, seated: list[int], left: list[int], out: int | None) -> None:
        """Add what a game brought to `points`."""

    def _next(self) -> None:
        """Say who plays next, or that the match is won."""
        out = self.rows[-1].out
        if out is None:
            self._won([], "nobody_out", "nobody could lay a card any more")
        else:
            self._won([out], "out_first", f"{player(out)} was out first")

    def _won(self, winners: list[int], because: str, why: str) -> None:
        self.seated, self.winners, self.because, self.why = None, winners, because, why

    def last_words(self) -> str:
        """Return the last game in one line: what it brought each player, and the sums."""
        row = self.rows[-1]
        return ", ".join(
            f"{player(who)} {row.points[who]:+d} = {row.sums[who]}" for who in sorted(row.seated)
        )

    def to_json(self) -> dict:
        """Return all of it as json can write it."""
        return {
            "scoring": self.way,
            "target": self.target,
            "players": self.n_players,
            "counts_as": self.counts_as.format(target=self.target),
            "games": [
                {"seated": row.seated, "out": row.out, "points": row.points, "sums": row.sums}
                for row in self.rows
            ],
            "points": self.points,
            "winners": self.winners,
            "because": self.because,
            "why": self.why,
        }


class WinnerCollects(Sheet):
    """Who goes out collects the cards left in the other hands; first to the target wins."""

    way = "winner"
    counts_as = "who goes out collects the cards left in the other hands; first to {target} wins"

    def _count(self, seated: list[int], left: list[int], out: int | None) -> None:
        if out is not None:
            self.points[seated[out]] += sum(left)

    def _next(self) -> None:
        most = max(self.points)
        if most >= self.target:
            who = self.points.index(most)
            why = f"{player(who)} is the first to reach {self.target}: {most} points"
            self._won([who], "first_to", why)


class LosersCollect(Sheet):
    """All collect their own cards; when somebody reaches the target the lowest wins."""

    way = "losers"
    counts_as = "all collect the cards left in their own hands; at {target} the lowest wins"

    def _count(self, seated: list[int], left: list[int], out: int | None) -> None:
        for who, points in zip(seated, left):
            self.points[who] += points

    def _next(self) -> None:
        if max(self.points) < self.target:
            return
        over = [who for who, sum_ in enumerate(self.points) if sum_ >= self.target]
        lowest = min(self.points)
        winners = [who for who, sum_ in enumerate(self.points) if sum_ == lowest]
        have = "has" if len(winners) == 1 else "have"
        self._won(
            winners,
            "fewest",
            f"{_and(over)} reached {self.target}, and {_and(winners)} {have} the fewest: "
            f"{lowest} points",
        )


class FixedPairs(Sheet):
    """Partners sit opposite all along; first out ends a game; first pair to the target wins."""

    way = "fixed_pairs"
    pairs = True
    counts_as = (
        "partners sit opposite; who goes out collects the cards of the other players for both; "
        "first pair to {target} wins"
    )

    def __init__(self, n_players: int, target: int = 0) -> None:
        super().__init__(n_players, target)
        if n_players < 4 or n_players % 2:
            raise ValueError(f"fixed pairs are 4, 6, 8 or 10 players, not {n_players}")

    def _count(self, seated: list[int], left: list[int], out: int | None) -> None:
        for who in _pair_of(seated, out):
            self.points[who] += _of_the_others(left, out)

    def _next(self) -> None:
        most = max(self.points)
        if most >= self.target:
            winners = [who for who, sum_ in enumerate(self.points) if sum_ == most]
            self._won(
                winners,
                "first_pair_to",
                f"{_and(winners)} are the first pair to reach {self.target}: {most} points",
            )


class Pairs(Sheet):
    """Each with each: games with every other player as partner; who has most in the end wins."""

    way = "pairs"
    pairs = True
    counts_as = (
        "partners sit opposite, and everybody plays 4 games with each of the others; who goes out "
        "collects the other pair's cards for both; most points win"
    )

    def __init__(self, n_players: int, target: int = 0) -> None:
        super().__init__(n_players)
        self._to_play = [
            seated
            for tables in pair_rounds(n_players)
            for seated in tables
            for _ in range(GAMES_PER_PARTNER)
        ]
        self.seated = self._to_play.pop(0)
        # [who][partner]: the account of each player with each partner
        self.with_partner = [[0] * n_players for _ in range(n_players)]

    def _count(self, seated: list[int], left: list[int], out: int | None) -> None:
        pair = _pair_of(seated, out)
        for who in pair:
            made = _of_the_others(left, out)
            self.points[who] += made
            for partner in pair:
                if partner != who:
                    self.with_partner[who][partner] += made

    def _next(self) -> None:
        if self._to_play:
            self.seated = self._to_play.pop(0)
            return
        most = max(self.points)
        winners = [who for who, sum_ in enumerate(self.points) if sum_ == most]
        have = "has" if len(winners) == 1 else "have"
        n_games = len(self.rows)
        self._won(
            winners,
            "most",
            f"all {n_games} games are played, and {_and(winners)} {have} the most: {most} points",
        )

    def to_json(self) -> dict:
        """Return all of it, with each player's account with each partner."""
        return dict(super().to_json(), with_partner=self.with_partner)


class Elimination(LosersCollect):
    """All collect their own cards; who reaches the target is out; the last one in wins."""

    way = "elimination"
    counts_as = (
        "all collect the cards left in their own hands; who reaches {target} plays no more; "
        "the last one wins"
    )

    def _next(self) -> None:
        playing = self.rows[-1].seated
        left = [who for who in playing if self.points[who] < self.target]
        if len(left) > 1:
            self.seated = left
        elif left:
            self._won(left, "last_one", f"all others have reached {self.target}")
        else:  # only when nobody could go out: the lowest of them has won
            lowest = min(playing, key=self.points.__getitem__)
            why = f"the last ones reached {self.target} together: the fewest win"
            self._won([lowest], "last_together", why)


KINDS = (Sheet, WinnerCollects, LosersCollect, FixedPairs, Pairs, Elimination)
WAYS = {kind.way: kind for kind in KINDS}  # MicroPython keeps no order in it


def new_sheet(way: str, n_players: int, target: int = 500) -> Sheet:
    """Return an empty sheet. ValueError, in one line, when so many cannot play that way."""
    if way not in WAYS:
        raise ValueError(
            f"no scoring is called {way!r}; there are: {', '.join([kind.way for kind in KINDS])}"
        )
    if way not in ("none", "pairs") and target < 1:
        raise ValueError(f"the points to play for must be 1 or more, not {target}")
    return WAYS[way](n_players, target)


def player(who: int) -> str:
    """Return how the sheet calls a player, by number from 0 as the transcripts do."""
    return f"player {who}"


def _and(players: list[int]) -> str:
    return " and ".join(player(who) for who in players)


def _pair_of(seated: list[int], out: int | None) -> list[int]:
    """Return who went out and the partner; nobody when nobody went out."""
    return [] if out is None else [seated[out], seated[(out + len(seated) // 2) % len(seated)]]


def _of_the_others(left: list[int], out: int | None) -> int:
    """Return the points in all hands but those of the pair that went out."""
    if out is None:
        return 0
    return sum(left) - left[out] - left[(out + len(left) // 2) % len(left)]
