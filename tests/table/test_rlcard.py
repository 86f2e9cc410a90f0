"""Our table against RLCard's UNO with the same rules: the same distributions.

Stated test: 1500 games of theirs and 6000 of ours with random agents, seeded. Length in turns,
turns that draw, and cards left in the hands by the two-sample Kolmogorov-Smirnov test; winners by
seat by chi-squared on the 2 x n table of counts; each p must be above 0.001. The same tests tell a
table with one changed rule apart, so they are not blind.
"""

import random
from functools import cache

import pytest

from sim.table.game import Game
from tests.conftest import need
from tests.table.rlcard_rules import RULES, RlcardGame, RlcardPlayer, play_ours, play_theirs

need("rlcard", "pip install rlcard")
stats = pytest.importorskip("scipy.stats")
numpy = pytest.importorskip("numpy")
rlcard_uno = pytest.importorskip("rlcard.games.uno")

P_MIN = 0.001


@cache
def theirs(n_players):
    game = rlcard_uno.Game(num_players=n_players)
    game.np_random = numpy.random.RandomState(n_players)
    rng = random.Random(n_players)
    return [play_theirs(game, rng) for _ in range(1500)]


def p_values(n_players, table=RlcardGame, rules=RULES):
    """Return how well our games fit RLCard's, by what is compared: p values."""
    rng = random.Random(10 + n_players)
    both = theirs(n_players), [play_ours(n_players, rng, table, rules) for _ in range(6000)]
    for games in both:  # a game in which RLCard runs out of cards is left out on both sides
        assert games.count(None) < len(games) / 100
    one, two = ([game for game in games if game] for games in both)
    p = {
        what: stats.ks_2samp(
            [getattr(g, what) for g in one], [getattr(g, what) for g in two]
        ).pvalue
        for what in ("turns", "draws", "left")
    }
    wins = [
        [sum(g.winner == seat for g in games) for seat in range(n_players)] for games in (one, two)
    ]
    p["winners"] = stats.chi2_contingency(wins).pvalue
    print(n_players, "players:", {what: float(f"{value:.2g}") for what, value in p.items()})
    return p


@pytest.mark.parametrize("n_players", [2, 4, 7])
def test_our_table_plays_as_theirs(n_players):
    p = p_values(n_players)
    assert min(p.values()) > P_MIN, p


class DrawnCardsActAsPrinted(RlcardGame):
    """One rule changed: a drawn card that fits is laid and acts, as the sheets have it."""

    _lays_drawn = Game._lays_drawn


def test_one_changed_rule_is_told_apart():
    p = p_values(4, table=DrawnCardsActAsPrinted)
    assert min(p.values()) < P_MIN, p


def test_random_agents_choose_alike():
    """A wild is four actions to RLCard: so it is to our player."""
    rng = random.Random(1)
    game = RlcardGame(RULES, [RlcardPlayer()] * 2, rng, first=0)
    chosen = [RlcardPlayer().choose(game, 0, {3, 52}) for _ in range(5000)]
    assert stats.binomtest(chosen.count(52), 5000, 0.8).pvalue > P_MIN
