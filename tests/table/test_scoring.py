"""Points and matches, by the sheets."""

import random
from collections import Counter
from itertools import chain, pairwise

import pytest

from sim.table import scoring
from sim.table.cards import hand_points
from sim.table.players import seat_players
from sim.table.rules import load
from sim.table.scoring import pair_rounds, play_match
from tests.table.table_helpers import cards


def match(way, n_players=4, target=500, seed=1, sheet="compact"):
    players = seat_players(["sensible"], n_players)
    return play_match(load()[sheet], players, random.Random(seed), way, target)


def test_points_of_a_hand():
    assert hand_points(cards("red 0, blue 9, red skip, green reverse, red draw two")) == 69
    assert hand_points(cards("wild, wild draw four")) == 100
    assert hand_points([]) == 0


def test_the_winner_collects_the_others_cards():
    for seed in range(10):
        result = match("winner", seed=seed)
        points = [0] * 4
        for i, game in enumerate(result.games):
            points[game.winner] += sum(hand_points(hand) for hand in game.hands)
            assert (max(points) >= 500) == (i == len(result.games) - 1)
        assert result.points == points
        assert points[result.winners[0]] >= 500


@pytest.mark.parametrize("target", [500, 100])
def test_the_losers_collect_and_the_lowest_wins(target):
    for seed in range(10):
        result = match("losers", target=target, seed=seed)
        points = [sum(hand_points(g.hands[seat]) for g in result.games) for seat in range(4)]
        assert result.points == points
        assert max(points) >= target
        assert all(points[who] == min(points) for who in result.winners)


def test_a_winner_at_the_target_exactly_has_won():
    result = match("winner")
    again = match("winner", target=max(result.points))
    assert len(again.games) == len(result.games)


@pytest.mark.parametrize("n_players, n_rounds, n_tables", [(4, 3, 1), (8, 7, 2)])
def test_everybody_is_partner_of_everybody_once(n_players, n_rounds, n_tables):
    rounds = pair_rounds(n_players)
    assert len(rounds) == n_rounds
    partners = Counter()
    for tables in rounds:
        assert len(tables) == n_tables
        assert sorted(chain(*tables)) == list(range(n_players))
        for a, b, c, d in tables:  # partners sit opposite
            partners[frozenset((a, c))] += 1
            partners[frozenset((b, d))] += 1
    assert len(partners) == n_players * (n_players - 1) // 2
    assert set(partners.values()) == {1}


@pytest.mark.parametrize("n_players", [2, 3, 5, 6, 7, 9, 10])
def test_pairs_want_four_or_eight(n_players):
    with pytest.raises(ValueError, match="4 or 8"):
        pair_rounds(n_players)


@pytest.mark.parametrize("n_players, n_games", [(4, 12), (8, 56)])
def test_pairs_play_four_games_with_each_partner(n_players, n_games):
    result = match("pairs", n_players)
    assert len(result.games) == n_games  # eight: 28 rounds of games at each of two tables
    # Both of a pair get what the other pair held, so all points come twice.
    made = 0
    for game in result.games:
        pair = game.winner % 2
        made += hand_points(game.hands[1 - pair]) + hand_points(game.hands[3 - pair])
    assert sum(result.points) == 2 * made
    assert all(result.points[who] == max(result.points) for who in result.winners)


def test_elimination_goes_on_until_one_is_left():
    for seed in range(5):
        result = match("elimination", n_players=6, seed=seed)
        sizes = [game.n for game in result.games]
        assert sizes[0] == 6
        assert sizes == sorted(sizes, reverse=True)
        assert len(result.winners) == 1
        winner = result.winners[0]
        assert result.points[winner] < 500
        assert all(p >= 500 for who, p in enumerate(result.points) if who != winner)


def test_the_deal_passes_to_the_left():
    dealers = [game.dealer for game in match("winner").games]
    assert all(b == (a + 1) % 4 for a, b in pairwise(dealers))


def test_a_rule_set_knows_its_scoring():
    rules = load()
    players = seat_players(["random"], 3)
    assert len(play_match(rules["robot"], players, random.Random(1)).games) == 1
    assert max(play_match(rules["classic"], players, random.Random(1)).points) >= 500


def test_bad_scoring():
    with pytest.raises(ValueError, match="winner, losers"):
        match("golf")
    with pytest.raises(ValueError, match="1 or more"):
        match("winner", target=0)
    assert scoring.GAMES_PER_PARTNER == 4
