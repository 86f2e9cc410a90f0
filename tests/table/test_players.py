"""Players: they play by the rules, and the sensible one plays better."""

import pytest

from sim.table.cards import WILD, name
from sim.table.players import HumanPlayer, RandomPlayer, SensiblePlayer, seat_players
from sim.table.runner import Settings, run
from sim.table.tally import fairness
from tests.table.table_helpers import Told, laid_out


def chosen(top, hands, seat=0, player=None, **also):
    player = player or SensiblePlayer(bluffs=0)
    game = laid_out("robot", top, hands)
    for key, value in also.items():
        setattr(game, key, value)
    return name(player.choose(game, seat, game.legal(seat)))


def test_a_sensible_player_keeps_wilds():
    for _ in range(20):
        hand = "wild, red 1, blue 2, blue 3"
        assert chosen("red 7", [hand, "red 3, red 4, red 5"]) == "red 1"


def test_and_throws_action_cards_at_a_neighbour_about_to_go_out():
    hand = "red 1, red draw two, red 5, red 8"
    assert chosen("red 7", [hand, "red 3, red 4", "red 6, blue 1, blue 2"]) == "red draw two"


def test_and_names_the_colour_it_has_most_of():
    game = laid_out("robot", "red 7", ["green 1, green 2, red 1, wild", "red 3"])
    assert SensiblePlayer().colour(game, 0) == 1


def test_it_beats_random_players():
    tallies = run(
        Settings(games=4000, players=(4,), kinds=("sensible", "random"), robot=False, seed=3)
    )
    wins = tallies["robot/4"].by_index("won")
    assert wins[0] + wins[2] > 1.15 * (wins[1] + wins[3])
    assert fairness(wins) < 1e-6


@pytest.mark.parametrize("cards_left, would", [(1, False), (12, True)])
def test_it_challenges_by_odds(cards_left, would):
    game = laid_out("robot", "red 7", ["red 1", "blue 1"])
    game.hands[0] = [WILD] * cards_left  # only their number can be seen
    game.layer = 0
    assert SensiblePlayer(bluffs=0.15).challenges(game, 1) == would


def test_a_bluff_is_a_wild_draw_four_that_may_be_challenged():
    players = [SensiblePlayer(bluffs=1.0), Told(challenges=True)]
    game = laid_out("robot", "red 7", ["red 1, wild draw four, blue 3", "red 3, red 4"], players)
    game.turn()
    assert game.counts["challenges_won"] == 1
    assert len(game.hands[0]) == 6


def test_forgetfulness_shows():
    settings = Settings(games=1000, players=(5,), rules=("classic",), robot=False)
    tally = run(settings)["classic/5"]
    assert 100 < tally.counts["uno_missed"] < 500
    assert 0 < tally.counts["uno_caught"] < tally.counts["uno_missed"]


def test_a_family_lays_wrong_cards_and_gives_advice():
    tally = run(Settings(games=300, rules=("compact",), kinds=("human",), robot=False))[
        "compact/4"
    ]
    assert tally.counts["wrong_cards"] > 20
    assert tally.counts["advice_caught"] > 20


def test_seats_take_the_kinds_in_turn():
    kinds = [type(player) for player in seat_players(["random", "human"], 5)]
    assert kinds == [RandomPlayer, HumanPlayer, RandomPlayer, HumanPlayer, RandomPlayer]
    with pytest.raises(ValueError, match="random, sensible, human"):
        seat_players(["robotic"], 4)
