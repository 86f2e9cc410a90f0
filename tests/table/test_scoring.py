"""Points and matches, by the sheets."""

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import chain, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.table import score_sheet, scoring
from sim.table.cards import hand_points
from sim.table.match import play_match
from sim.table.players import seat_players
from sim.table.rules import load
from sim.table.scoring import WAYS, new_sheet, pair_rounds
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


@pytest.mark.parametrize("n_players", [4, 6, 10])
def test_fixed_pairs_sit_opposite_and_collect_together(n_players):
    for seed in range(5):
        result = match("fixed_pairs", n_players, seed=seed)
        points = [0] * n_players
        half = n_players // 2
        for game in result.games:
            assert max(points) < 500
            pair = (game.winner, (game.winner + half) % n_players)
            assert game.partner(game.winner) == pair[1]
            for who in pair:
                points[who] += sum(game.points(s) for s in range(n_players) if s not in pair)
        assert result.points == points
        assert max(points) >= 500
        assert len(result.winners) == 2
        assert (result.winners[0] + half) % n_players == result.winners[1]


@pytest.mark.parametrize("n_players", [4, 8])
def test_each_has_an_account_with_each_partner(n_players):
    sheet = match("pairs", n_players).sheet
    accounts = [[0] * n_players for _ in range(n_players)]
    for row in sheet.rows:
        at = row.seated.index(row.out)
        partner = row.seated[(at + 2) % 4]
        accounts[row.out][partner] += row.points[row.out]
        accounts[partner][row.out] += row.points[partner]
    assert sheet.with_partner == accounts
    assert [sum(account) for account in accounts] == sheet.points


def test_a_family_blank_counts_on_the_sheet():
    """The same games twice, with blanks that count 100 and 0: the sheets differ by hundreds."""
    seen = 0
    for seed in range(2000):
        rows = []
        for points in (100, 0):
            rules = replace(load()["classic"], blank_cards=4, blank_points=points)
            people = seat_players(["random"], 3)
            rows += play_match(rules, people, random.Random(seed), "losers", 1).sheet.rows[:1]
        more = [a - b for a, b in zip(rows[0].points, rows[1].points)]
        assert all(extra in (0, 100, 200, 300, 400) for extra in more)
        seen += sum(more) > 0
        if seen > 3:
            return
    raise AssertionError("hardly a blank was left in any hand")


@given(
    way=st.sampled_from(sorted(WAYS)),
    n_players=st.sampled_from([4, 8]),
    target=st.integers(1, 700),
    games=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_any_sheet_adds_up_and_ends_as_it_says(way, n_players, target, games):
    """Games of any points, some without a winner: rows, sums, who sits, who wins."""
    sheet = new_sheet(way, n_players, target)
    for _ in range(40):
        seated = sheet.seated
        if seated is None:
            break
        assert len(set(seated)) == len(seated) >= 2
        n = len(seated)
        left = games.draw(st.lists(st.integers(1, 300), min_size=n, max_size=n))
        out = games.draw(st.sampled_from([None, *range(len(seated))]))
        if out is not None:
            left[out] = 0
        before = sheet.points[:]
        sheet.note(left, out)
        row = sheet.rows[-1]
        assert row.sums == [a + b for a, b in zip(before, row.points)] == sheet.points
        assert all(made >= 0 for made in row.points)
        assert all(row.points[who] == 0 for who in range(n_players) if who not in seated)
        assert row.out == (None if out is None else seated[out])
    data = json.loads(json.dumps(sheet.to_json()))
    assert data["points"] == sheet.points
    text = score_sheet.as_text(data, "m")
    assert len(text.splitlines()) > len(sheet.rows)
    if sheet.seated is None:
        assert sheet.why
        with pytest.raises(ValueError, match="won already"):
            sheet.note([0] * n_players, 0)
        if way in ("winner", "fixed_pairs"):
            assert sheet.points[sheet.winners[0]] >= target
        elif way in ("losers", "elimination"):
            lowest = min(sheet.points)
            assert all(sheet.points[who] == lowest for who in sheet.winners) or way != "losers"
            assert max(sheet.points) >= target


def test_a_match_that_nobody_can_win_ends():
    """By rules under which no game ends, a match would not, either."""
    sheet = new_sheet("winner", 3, 100)
    while sheet.seated is not None:
        assert len(sheet.rows) < 1000
        sheet.note([5, 5, 5], None)
    assert sheet.winners == [] and "nobody could finish" in sheet.why


def test_the_sheet_in_words_and_as_a_page():
    sheet = new_sheet("winner", 3, 100)
    sheet.note([0, 30, 40], 0)
    sheet.note([10, 0, 25], 1)
    sheet.note([0, 5, 30], 0)
    text = score_sheet.as_text(sheet.to_json(), "match 0: classic, 3 players")
    lines = text.splitlines()
    assert lines[0].startswith("match 0: classic, 3 players: who goes out collects")
    assert lines[2].split() == "game out first player 0 player 1 player 2".split()
    assert lines[3].split() == "1 player 0 +70 = 70 +0 = 0 +0 = 0".split()
    assert lines[5].split() == "3 player 0 +35 = 105 +0 = 35 +0 = 0".split()
    assert lines[-1] == (
        "player 0 wins after 3 games: player 0 is the first to reach 100: 105 points"
    )
    page = score_sheet.as_html(sheet.to_json(), "a <b> title")
    assert "<b> title" not in page and "+35 = 105" in page and "is the first to reach" in page


@pytest.mark.parametrize(
    "way, n_players, says",
    [("fixed_pairs", 5, "4, 6, 8 or 10"), ("fixed_pairs", 2, "4, 6"), ("pairs", 6, "4 or 8")],
)
def test_some_ways_want_their_number_of_players(way, n_players, says):
    with pytest.raises(ValueError, match=says):
        match(way, n_players)


def test_bad_scoring():
    with pytest.raises(ValueError, match="winner, losers"):
        match("golf")
    with pytest.raises(ValueError, match="1 or more"):
        match("winner", target=0)
    assert scoring.GAMES_PER_PARTNER == 4
