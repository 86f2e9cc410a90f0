"""What the commands' effects do to the cards."""

import random
from collections import Counter

import pytest

from host_tools.voice.catalogue import COMMANDS, PHRASES, read
from host_tools.voice.commands import EFFECTS, Commands
from sim.table import obey as obey_module
from sim.table.cards import DECK, name, parse
from sim.table.obey import SECONDS, obey
from tests.table.table_helpers import Told, all_cards, laid_out

RNG = random.Random(4)
HANDS = ["red 1, red 2, blue 9", "blue 3, wild, red skip", "green 4, green 5", "yellow 6"]


def table(top="red 7", hands=HANDS, **players):
    return laid_out("robot", top, hands, [Told(**players) for _ in hands])


def sizes(game):
    return [len(hand) for hand in game.hands]


def test_every_effect_of_the_data_file_is_known_here():
    assert set(EFFECTS) == set(obey_module._EFFECTS) == set(SECONDS)


def test_every_command_of_every_language_can_be_obeyed():
    commands = Commands()
    seen = Counter()
    for path in PHRASES.glob("??.txt"):
        for command in read(path):
            kind = command.split(".")[0]
            if kind not in COMMANDS:
                continue
            what = commands.of(command)
            named = [0, 1][: COMMANDS[kind][0]]
            game = table()
            done = obey(game, what, named, RNG)
            assert done.known, command
            assert all_cards(game) == sorted(DECK), command
            seen[what["effect"]] += 1
    assert len(seen) >= 10


def test_discard():
    game = table()
    done = obey(game, {"effect": "discard", "count": 2, "choose": "any"}, [0], RNG)
    assert (sizes(game), done.moved) == ([1, 3, 2, 1], 2)
    game = table()
    obey(game, {"effect": "discard", "count": 1, "choose": "highest"}, [0], RNG)
    assert name(game.discard[-1]) == "blue 9"
    game = table()
    obey(game, {"effect": "discard", "count": 1, "choose": "highest"}, [1], RNG)
    assert name(game.discard[-1]) == "blue 3"  # the highest number; actions have none
    game = table(hands=["wild, red skip", "blue 3"])
    done = obey(game, {"effect": "discard", "count": 1, "choose": "highest"}, [0], RNG)
    assert (sizes(game), done.moved) == ([2, 1], 0)  # no number, so nothing happens


def test_everybody_is_meant_where_nobody_is_named():
    game = table()
    done = obey(game, {"effect": "draw", "count": 1}, [], RNG)
    assert (sizes(game), done.moved) == ([4, 4, 3, 2], 4)


def test_discard_a_colour():
    game = table()
    done = obey(game, {"effect": "discard_colour", "colour": "red"}, [0], RNG)
    assert sorted(map(name, game.hands[0])) == ["blue 9"]
    assert done.moved == 2
    done = obey(game, {"effect": "discard_colour", "colour": "red"}, [2], RNG)
    assert done.moved == 0


def test_going_out_on_a_command_ends_it():
    game = table(hands=["red 1", "red 2", "red 3"])
    done = obey(game, {"effect": "discard", "count": 1, "choose": "any"}, [], RNG)
    assert game.winner == 0
    assert done.moved == 1
    assert sizes(game) == [0, 1, 1]


def test_caught_without_uno_while_discarding_a_colour():
    game = table(hands=["red 1, red 2, red 3", "blue 3"], calls_uno=False, notices=True)
    done = obey(game, {"effect": "discard_colour", "colour": "red"}, [0], RNG)
    # Two laid, caught with the third in the hand, two drawn; the third is still laid.
    assert done.moved == 3
    assert game.counts["uno_caught"] == 1
    assert game.winner is None


@pytest.mark.parametrize("fails, drawn", [(0.0, 0), (1.0, 2)])
def test_dares(fails, drawn):
    game = table()
    done = obey(game, {"effect": "dare", "count": 2, "fails": fails}, [3], RNG)
    assert (sizes(game), done.moved) == ([3, 3, 2, 1 + drawn], drawn)


@pytest.mark.parametrize("fails, change", [(0.0, -2), (1.0, 2)])
def test_who_hurries_lays_cards_and_who_is_too_slow_draws(fails, change):
    game = table()
    done = obey(game, {"effect": "hurry", "count": 2, "fails": fails}, [0], RNG)
    assert (sizes(game), done.moved) == ([3 + change, 3, 2, 1], 2)


def test_the_loser_of_a_race_draws():
    losers = Counter()
    for _ in range(400):
        game = table()
        obey(game, {"effect": "race", "loser_draws": 2}, [1, 3], RNG)
        losers[tuple(sizes(game))] += 1
    assert set(losers) == {(3, 5, 2, 1), (3, 3, 2, 3)}
    assert min(losers.values()) > 150


def test_trades():
    game = table()
    assert obey(game, {"effect": "trade"}, [0, 3], RNG).moved == 4
    assert sizes(game) == [1, 3, 2, 3]
    game = table()
    assert obey(game, {"effect": "trade_cards", "count": 2}, [0, 3], RNG).moved == 2
    assert sizes(game) == [3, 3, 2, 1]  # as many as the smaller hand has
    assert parse("yellow 6") in game.hands[0]
    game = table()
    obey(game, {"effect": "trade_all", "direction": "left"}, [], RNG)
    assert sizes(game) == [1, 3, 3, 2]
    game = table()
    obey(game, {"effect": "trade_all", "direction": "right"}, [], RNG)
    assert sizes(game) == [3, 2, 1, 3]


def test_reverse_and_random_order():
    game = table()
    obey(game, {"effect": "reverse"}, [], RNG)
    assert game.direction == -1
    game = table()
    players = list(game.players)
    hands = {id(p): list(hand) for p, hand in zip(players, game.hands)}
    game.seat, game.layer = 2, 1
    turns, laid_by = players[2], players[1]
    obey(game, {"effect": "random_order"}, [], RNG)
    assert {id(p): hand for p, hand in zip(game.players, game.hands)} == hands
    assert game.players[game.seat] is turns
    assert game.players[game.layer] is laid_by


def test_unknown_effects_leave_the_cards_alone():
    game = table()
    done = obey(game, {"effect": "handstand"}, [1], RNG)
    assert not done.known
    assert sizes(game) == [3, 3, 2, 1]
