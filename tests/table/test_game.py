"""The rules, by examples from the sheets."""

from collections import Counter
from dataclasses import replace

import pytest

from sim.table.cards import BLANK, BY_COLOUR, DECK, WILD, in_words, name, parse
from sim.table.game import IllegalMove
from sim.table.rules import load, named
from tests.table.table_helpers import Told, all_cards, cards, is_action, laid_out, turned_up

SHEETS = ("robot", "classic", "compact", "traditional")


def names(cards):
    return sorted(map(name, cards))


# The start


def test_seven_cards_each_and_one_turned_up():
    game = turned_up("classic", "red 5", n_players=5)
    assert [len(hand) for hand in game.hands] == [7] * 5
    assert len(game.discard) == 1
    assert len(game.pile) == 108 - 35 - 1
    assert all_cards(game) == sorted(DECK)


@pytest.mark.parametrize("sheet, seat", [("classic", 1), ("compact", 3), ("traditional", 1)])
def test_who_begins(sheet, seat):
    assert turned_up(sheet, "red 5").seat == seat  # seat 0 deals


def test_the_robot_names_who_begins():
    game = turned_up("robot", "red 5")
    assert game.seat == 1


@pytest.mark.parametrize("text", ["red skip", "blue reverse", "red draw two", "wild"])
def test_robot_puts_action_cards_back(text):
    with pytest.raises(AssertionError, match="never turned up"):
        turned_up("robot", text)


def test_a_card_put_back_stays_in_the_game():
    for seed in range(300):
        game = laid_out("robot", "red 5", ["red 1", "red 2"], seed=seed)
        assert all_cards(game) == sorted(DECK)


@pytest.mark.parametrize("sheet", ["robot", "classic", "traditional"])
def test_a_first_wild_draw_four_goes_back(sheet):
    with pytest.raises(AssertionError, match="never turned up"):
        turned_up(sheet, "wild draw four")


@pytest.mark.parametrize(
    "sheet, text, seat, direction, drawer",
    [
        ("classic", "red skip", 2, 1, None),
        ("classic", "red draw two", 2, 1, 1),
        ("classic", "red reverse", 3, -1, None),  # the player on the right, to the right
        ("compact", "red skip", 2, -1, None),  # begins right of the dealer, to the right
        ("compact", "red draw two", 2, -1, 3),
        ("compact", "red reverse", 1, 1, None),
        ("traditional", "red reverse", 0, -1, None),  # the dealer; the next is on the right
        ("traditional", "red skip", 2, 1, None),
    ],
)
def test_a_first_action_card(sheet, text, seat, direction, drawer):
    game = turned_up(sheet, text)
    assert (game.seat, game.direction) == (seat, direction)
    expected = [7 + 2 * (who == drawer) for who in range(4)]
    assert [len(hand) for hand in game.hands] == expected
    assert game.owed == 0


def test_after_a_first_reverse_play_goes_on_to_the_right():
    game = turned_up("traditional", "red reverse")
    game.turn()
    if game.effect == 0 and not is_action(game.discard[-1]):
        assert game.seat == 3


def test_a_first_wild_is_named_by_the_first_player():
    players = [Told(colour=seat % 4) for seat in range(4)]
    game = turned_up("classic", "wild", players=players)
    assert game.face == WILD + 1
    assert game.seat == 1


def test_compact_a_first_wild_draw_four_acts():
    players = [Told(colour=seat, challenges=True) for seat in range(4)]
    game = turned_up("compact", "wild draw four", players=players)
    assert len(game.hands[3]) == 11  # right of the dealer; there is nobody to challenge
    assert game.seat == 2
    assert game.face == WILD + 0  # the dealer names the colour


def test_a_first_draw_two_is_answered_like_any_other():
    """Where draw twos stack, whoever the first one concerns may lay one on it, and so on."""
    game = turned_up("traditional", "red draw two")
    assert (game.seat, game.owed) == (1, 2)
    game.hands[1][0] = parse("blue draw two")
    game.hands[2] = cards("red 3, blue 5")
    assert {name(card) for card in game.legal(1)} <= {
        "blue draw two", "red draw two", "green draw two", "yellow draw two"
    }  # fmt: skip
    game.players[1].moves = ["blue draw two"]
    game.turn()
    assert (game.seat, game.owed) == (2, 4)
    game.turn()
    assert (len(game.hands[2]), game.owed, game.seat) == (6, 0, 3)


def test_who_cannot_answer_the_first_draw_two_takes_it_and_is_passed_over():
    game = turned_up("traditional", "red draw two")
    game.hands[1] = cards("red 3, blue 5")
    game.turn()
    assert (len(game.hands[1]), game.seat) == (4, 2)


def test_compact_goes_on_to_the_right():
    game = turned_up("compact", "red 5", players=[Told(lays_drawn=False) for _ in range(4)])
    for hand in game.hands:
        hand[:] = cards("blue 1, blue 2, green 1")
    seats = []
    for _ in range(5):
        seats.append(game.seat)
        game.turn()
    assert seats == [3, 2, 1, 0, 3]


# A turn


def test_colour_number_symbol_or_wild():
    game = laid_out("robot", "red 7", ["red 1, blue 7, blue 1, wild, red skip", "red 2"])
    assert names(game.legal(0)) == ["blue 7", "red 1", "red skip", "wild"]
    game = laid_out("robot", "red skip", ["red 1, blue skip, blue 1", "red 2"])
    assert names(game.legal(0)) == ["blue skip", "red 1"]


def test_after_a_wild_the_named_colour_counts():
    game = laid_out(
        "robot",
        "red 7",
        ["wild, red 1, red 2", "red 3, green 7, green 5"],
        [Told("wild", colour=1), Told()],
    )
    game.turn()
    assert names(game.legal(1)) == ["green 5", "green 7"]


def test_draw_one_and_lay_it_if_it_fits():
    game = laid_out("robot", "red 7", ["blue 1, blue 2", "red 3"], draws="red 9")
    game.turn()
    assert name(game.discard[-1]) == "red 9"
    assert names(game.hands[0]) == ["blue 1", "blue 2"]
    assert game.seat == 1


def test_a_drawn_card_that_does_not_fit_stays_and_the_turn_passes():
    game = laid_out("robot", "red 7", ["blue 1, blue 2", "red 3"], draws="green 9")
    game.turn()
    assert name(game.discard[-1]) == "red 7"
    assert len(game.hands[0]) == 3
    assert game.seat == 1


def test_a_drawn_card_may_be_kept_but_the_classic_sheet_says_lay_it():
    for sheet, left in [("robot", 3), ("compact", 3), ("traditional", 3), ("classic", 2)]:
        players = [Told(lays_drawn=False), Told()]
        game = laid_out(sheet, "red 7", ["blue 1, blue 2", "red 3"], players, draws="red 9")
        game.turn()
        assert len(game.hands[0]) == left, sheet


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_card_drawn_by_choice_may_always_be_kept(sheet):
    """The classic sheet, too: after declining, the drawn card may be laid, not must."""
    for keeps, left in [(True, 3), (False, 2)]:
        players = [Told("draw", lays_drawn=not keeps), Told()]
        game = laid_out(sheet, "red 7", ["red 1, blue 2", "red 3"], players, draws="red 9")
        game.turn()
        assert len(game.hands[0]) == left
        assert (game.counts["declined"], game.counts["kept"]) == (1, int(keeps))


def test_drawing_by_choice_only_the_drawn_card_may_follow():
    players = [Told("draw"), Told()]
    game = laid_out("robot", "red 7", ["red 1, blue 2", "red 3"], players, draws="green 9")
    game.turn()
    assert names(game.hands[0]) == ["blue 2", "green 9", "red 1"]  # red 1 may not follow
    players = [Told("draw"), Told()]
    game = laid_out("robot", "red 7", ["red 1, blue 2", "red 3"], players, draws="red 9")
    game.turn()
    assert name(game.discard[-1]) == "red 9"


def test_the_discard_pile_less_its_top_becomes_the_draw_pile():
    game = laid_out("robot", "blue 3, blue 4, blue 5, red 7", ["green 1, green 2", "red 3"])
    game.discard[:-1] += game.pile
    game.pile.clear()
    total = len(game.discard)
    game.turn()
    assert game.counts["reshuffles"] == 1
    assert len(game.pile) + len(game.discard) + len(game.hands[0]) == total + 2
    assert all_cards(game) == sorted(DECK)
    assert "red 7" in names(game.discard)


def test_all_cards_in_hands_and_none_fits_ends_the_game():
    game = laid_out("robot", "red 7", ["blue 1, blue 2", "green 3, green 4"])
    rest = [
        card for card in game.pile if card < WILD and name(card).split()[0] in ("blue", "green")
    ]
    game.hands[0] += [c for c in rest if name(c).split()[1] not in ("7",)]
    game.pile.clear()
    game.play()
    assert game.blocked
    assert game.winner is None
    assert game.turns == 2


def test_drawing_more_than_there_is_draws_what_there_is():
    game = laid_out("robot", "red 7", ["blue 1", "green 3"])
    del game.pile[3:]
    assert game.draw(0, 10) == 3
    assert game.draw(0, 1) == 0


# Action cards


def test_draw_two_the_next_draws_two_and_loses_the_turn():
    game = laid_out(
        "robot",
        "red 7",
        ["red draw two, red 1", "red 3", "red 4"],
        [Told("red draw two"), Told(), Told()],
    )
    game.turn()
    assert [len(hand) for hand in game.hands] == [1, 3, 1]
    assert game.seat == 2


def test_reverse_and_skip():
    hands = ["red reverse, red skip, red 1, red 2", "red 3", "red 4"]
    game = laid_out("robot", "red 7", hands, [Told("red reverse"), Told(), Told()])
    game.turn()
    assert (game.seat, game.direction) == (2, -1)
    game = laid_out("robot", "red 7", hands, [Told("red skip"), Told(), Told()])
    game.turn()
    assert (game.seat, game.direction) == (2, 1)


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("text", ["red reverse", "red skip", "red draw two"])
def test_with_two_players_the_layer_goes_on(sheet, text):
    game = laid_out(
        sheet, "red 7", [f"{text}, red 1, red 2", "red 3, blue 5"], [Told(text), Told()]
    )
    if sheet == "traditional" and text == "red draw two":
        game.hands[1] = cards("red 3, blue 5")
    game.turn()
    while game.seat == 1 and game.owed:  # traditional: the other may answer first
        game.turn()
    assert game.seat == 0


def test_draw_twos_are_answered_only_in_the_traditional_game():
    hands = [
        "red draw two, red 1",
        "blue draw two, red 3",
        "green draw two, red 4",
        "red 5, red 6",
    ]
    game = laid_out("traditional", "red 7", hands)
    game.players = [Told("red draw two"), Told("blue draw two"), Told("green draw two"), Told()]
    for _ in range(4):
        game.turn()
    assert [len(hand) for hand in game.hands] == [1, 1, 1, 8]  # the last takes all six
    assert game.seat == 0
    assert game.owed == 0
    game = laid_out("robot", "red 7", hands, [Told("red draw two"), Told(), Told(), Told()])
    game.turn()
    assert len(game.hands[1]) == 4
    assert game.seat == 2


def test_wild_draw_four_only_without_the_colour():
    for sheet in ("robot", "classic", "compact"):
        game = laid_out(sheet, "red 7", ["wild draw four, red 1", "red 2"])
        assert names(game.legal(0)) == ["red 1"]
        # Cards of the same number or another wild do not forbid it.
        game = laid_out(sheet, "red 7", ["wild draw four, blue 7, wild", "red 2"])
        assert "wild draw four" in names(game.legal(0))
    game = laid_out("traditional", "red 7", ["wild draw four, red 1", "red 2"])
    assert "wild draw four" in names(game.legal(0))


def test_wild_draw_four_the_next_draws_four():
    game = laid_out(
        "robot",
        "red 7",
        ["wild draw four, blue 1", "red 3", "red 4"],
        [Told("wild draw four", colour=3), Told(), Told()],
    )
    game.turn()
    assert [len(hand) for hand in game.hands] == [1, 5, 1]
    assert game.seat == 2
    assert game.face == WILD + 3


@pytest.mark.parametrize(
    "other, sizes, seat",
    [
        ("red 1", [5, 1, 1], 1),  # guilty: draws the four, and the challenger plays
        ("blue 1", [1, 7, 1], 2),
    ],  # innocent: the challenger draws six and loses the turn
)
def test_a_challenge(other, sizes, seat):
    players = [Told("wild draw four"), Told(challenges=True), Told(challenges=True)]
    game = laid_out("robot", "red 7", [f"wild draw four, {other}", "red 3", "red 4"], players)
    game.turn()
    assert [len(hand) for hand in game.hands] == sizes
    assert game.seat == seat
    assert game.counts["challenges"] == 1


@pytest.mark.parametrize("other", ["red 1", "blue 1", "blue 1, wild, green 3"])
def test_the_challenged_shows_the_hand(other):
    players = [Told("wild draw four"), Told(challenges=True), Told()]
    game = laid_out("robot", "red 7", [f"wild draw four, {other}", "red 3", "red 4"], players)
    lines = []
    game.log = lines.append
    game.turn()
    shown = lines.index(f"seat 0 shows seat 1 {in_words(cards(other))}")
    assert lines[shown + 1].startswith("seat 1 challenges seat 0, who had")


def test_the_hand_is_shown_as_it_was_when_the_four_was_laid():
    """Caught without UNO the layer has drawn since; those cards prove nothing."""
    players = [Told("wild draw four", calls_uno=False), Told(notices=True, challenges=True)]
    hands = ["wild draw four, blue 1", "green 3"]
    game = laid_out("robot", "red 7", hands, players, draws="red 1, red 2")
    lines = []
    game.log = lines.append
    game.turn()
    assert "seat 0 shows seat 1 blue 1" in lines
    assert "seat 1 challenges seat 0, who had not the colour" in lines


def test_bluffing_is_judged_by_the_colour_before_the_wild():
    players = [Told("wild draw four", colour=0), Told(challenges=True)]
    game = laid_out("robot", "red 7", ["wild draw four, blue 1", "red 3"], players)
    game.turn()
    assert not game.bluffed  # blue is what was named, not what lay there


def test_the_traditional_game_knows_no_challenge():
    players = [Told("wild draw four"), Told(challenges=True)]
    game = laid_out("traditional", "red 7", ["wild draw four, red 1", "red 3"], players)
    game.turn()
    assert game.counts["challenges"] == 0
    assert len(game.hands[1]) == 5


def test_a_wrong_card_is_no_move_where_the_sheet_has_no_penalty():
    game = laid_out("robot", "red 7", ["blue 1, red 2", "red 3"], [Told("blue 1"), Told()])
    with pytest.raises(IllegalMove, match="seat 0 lays blue 1 on red 7"):
        game.turn()
    game = laid_out("robot", "red 7", ["blue 1, red 2", "red 3"], [Told("green 1"), Told()])
    with pytest.raises(IllegalMove, match="has no green 1"):
        game.turn()


def test_a_wrong_card_caught():
    hands = ["blue 1, red 2", "red 3", "red 4"]
    players = [Told("blue 1"), Told(notices=True), Told()]
    game = laid_out("compact", "red 7", hands, players)
    game.turn()
    assert name(game.discard[-1]) == "red 7"  # taken back,
    assert len(game.hands[0]) == 4  # two drawn,
    assert game.seat == 1  # the turn passes
    players = [Told("blue 1"), Told(notices=True), Told()]
    game = laid_out("traditional", "red 7", hands, players)
    game.turn()
    assert name(game.discard[-1]) == "blue 1"
    assert len(game.hands[0]) == 3


def test_a_wrong_card_that_nobody_notices_stays():
    game = laid_out("compact", "red 7", ["blue 1, red 2", "red 3"], [Told("blue 1"), Told()])
    game.turn()
    assert name(game.discard[-1]) == "blue 1"
    assert len(game.hands[0]) == 1


def test_advice_costs_two_cards_when_heard():
    players = [Told(), Told(), Told(notices=True)]
    players[1].advises_share = 1.0
    for sheet, drawn in [("compact", 2), ("traditional", 2), ("robot", 0), ("classic", 0)]:
        game = laid_out(sheet, "red 7", ["red 1, red 2, red 5", "red 3", "red 4"], players)
        game.turn()
        assert len(game.hands[1]) == 1 + drawn, sheet


# UNO


@pytest.mark.parametrize(
    "sheet, penalty", [("robot", 2), ("classic", 4), ("compact", 2), ("traditional", 2)]
)
def test_caught_without_uno(sheet, penalty):
    players = [Told(calls_uno=False), Told(notices=True)]
    game = laid_out(sheet, "red 7", ["red 1, red 2", "blue 3, blue 4"], players)
    game.turn()
    assert len(game.hands[0]) == 1 + penalty
    assert game.counts["uno_caught"] == 1


def test_called_in_time_is_safe():
    game = laid_out("robot", "red 7", ["red 1, red 2", "blue 3"], [Told(), Told(notices=True)])
    game.turn()
    assert len(game.hands[0]) == 1
    game = laid_out("robot", "red 7", ["red 1, red 2", "blue 3"], [Told(calls_uno=False), Told()])
    game.turn()
    assert game.call_uno(0)  # late, but before anybody noticed
    assert not game.catch(1, 0)
    assert len(game.hands[0]) == 1


def test_catching_has_its_time():
    players = [Told(calls_uno=False), Told()]
    game = laid_out("robot", "red 7", ["red 1, red 2", "blue 3, red 4"], players)
    assert not game.catch(1, 0)  # before the card has touched the pile
    game.turn()
    assert game.catchable == {0}
    game.turn()  # the next has begun
    assert not game.catch(1, 0)
    assert not game.call_uno(0)
    assert len(game.hands[0]) == 1


@pytest.mark.parametrize("lays", [False, True])
def test_traditional_one_may_be_caught_until_one_lays_again(lays):
    players = [Told(calls_uno=False), Told("draw"), Told("draw")]
    hands = ["red 1, red 2, blue 5", "red 8, blue 3", "red 4, red 5"]
    draws = "green 9, green 8, green 6"
    game = laid_out("traditional", "red 7", hands, players, draws=draws)
    game.hands[0].remove(parse("blue 5"))
    for _ in range(3):
        game.turn()
    assert (game.seat, game.catchable) == (0, {0})  # a round later
    if lays:
        game.hands[0].append(parse("yellow 1"))
        game.lay_by_command(0, parse("yellow 1"))  # forgotten anew
        assert game.catchable == {0}
        game.hands[0] += cards("yellow 2, yellow 3")
        game.lay_by_command(0, parse("yellow 2"))
        assert not game.catch(1, 0)
    else:
        players[0].moves = ["draw"]
        game.turn()  # drawing is not laying
        assert game.catch(1, 0)
        assert len(game.hands[0]) == 4


@pytest.mark.parametrize("who", [0, 2])
def test_traditional_a_late_look_catches_or_saves(who):
    """Others, and the player, look again whenever it is their turn."""
    players = [Told(calls_uno=False), Told("draw"), Told("draw")]
    hands = ["red 1, red 2", "red 8, blue 3", "red 4, red 5"]
    draws = "green 9, green 8, green 6, green 5, green 4"
    game = laid_out("traditional", "red 7", hands, players, draws=draws)
    game.turn()
    game.turn()
    if who == 2:
        players[2].answers["notices"] = True
        game.turn()
        assert (len(game.hands[0]), game.counts["uno_caught"]) == (3, 1)
    else:
        game.turn()
        players[0].answers["remembers_uno"] = True
        players[0].moves = ["draw"]
        game.turn()
        assert (game.counts["uno_caught"], game.catchable) == (0, set())


def test_partners_do_not_catch_one_another():
    hands = ["red 1, red 2", "blue 3", "blue 4", "blue 5"]
    for watcher, caught in [(1, 1), (2, 0), (3, 1)]:
        players = [Told(calls_uno=False, notices=seat == watcher) for seat in range(4)]
        game = laid_out("robot", "red 7", hands, players, pairs=True)
        game.turn()
        assert game.counts["uno_caught"] == caught


def test_nobody_catches_oneself():
    game = laid_out("robot", "red 7", ["red 1, red 2", "blue 3"], [Told(calls_uno=False), Told()])
    game.turn()
    assert not game.catch(0, 0)
    assert game.catch(1, 0)
    assert not game.catch(1, 0)  # once is enough


@pytest.mark.parametrize("text, n_cards", [("red draw two", 2), ("wild draw four", 4)])
def test_the_last_card_still_makes_the_next_draw(text, n_cards):
    players = [Told(), Told(challenges=True), Told()]
    for sheet in SHEETS:
        game = laid_out(sheet, "red 7", [text, "red 3", "blue draw two"], players)
        game.turn()
        assert game.winner == 0
        assert [len(hand) for hand in game.hands] == [0, 1 + n_cards, 1]


def test_a_stack_ended_by_the_last_card_is_drawn_whole():
    game = laid_out(
        "traditional",
        "red 7",
        ["red draw two, red 1", "blue draw two", "red 3"],
        [Told("red draw two"), Told(), Told()],
    )
    game.turn()
    game.turn()
    assert game.winner == 1
    assert len(game.hands[2]) == 5


# Around the robot


def test_a_card_laid_by_command_cancels_the_one_it_covers():
    players = [Told("wild draw four", colour=1), Told(), Told(), Told()]
    hands = ["wild draw four, blue 1", "red 3", "yellow draw two, red 4", "red 5"]
    game = laid_out("robot", "red 7", hands, players)
    game.take_turn()
    game.lay_by_command(2, parse("yellow draw two"))
    game.go_on(3)
    assert [len(hand) for hand in game.hands] == [1, 1, 1, 3]  # two, not four
    assert game.seat == 0
    assert game.legal(0) == {card for card in game.hands[0] if card in BY_COLOUR[3]}


def test_nothing_laid_by_command_the_player_called_draws_four():
    players = [Told("wild draw four", colour=1), Told(), Told(), Told()]
    hands = ["wild draw four, blue 1", "red 3", "yellow draw two, red 4", "red 5"]
    game = laid_out("robot", "red 7", hands, players)
    game.take_turn()
    game.go_on(3)
    assert len(game.hands[3]) == 5
    assert game.face == WILD + 1  # the layer's colour
    assert game.seat == 0


@pytest.mark.parametrize(
    "text, called, seat, direction",
    [("red 1", 2, 2, 1), ("red skip", 2, 3, 1), ("red reverse", 2, 2, -1)],
)
def test_the_top_card_binds_whoever_is_called(text, called, seat, direction):
    hands = [f"{text}, red 2", "red 3", "red 4", "red 5"]
    game = laid_out("robot", "blue 7", hands)
    game.lay_by_command(0, parse(text))
    game.go_on(called)
    assert (game.seat, game.direction) == (seat, direction)


def test_a_stack_covered_by_command_is_owed_no_more():
    hands = ["red draw two, red 1", "blue draw two, red 2", "red 3, red 4", "red 5"]
    game = laid_out(
        "traditional",
        "red 7",
        hands,
        [Told("red draw two"), Told("blue draw two"), Told(), Told()],
    )
    game.turn()
    game.take_turn()
    game.lay_by_command(2, parse("red 3"))
    game.go_on(3)
    assert game.owed == 0
    assert game.effect == 0


def test_several_laid_by_command_one_at_a_time_with_uno_after_the_last_but_one():
    players = [Told(calls_uno=False), Told(notices=True)]
    game = laid_out("robot", "red 7", ["blue 1, blue 2, blue 3", "red 3"], players)
    game.lay_by_command(0, parse("blue 1"))
    assert not game.catchable
    assert game.counts["uno_missed"] == 0
    game.lay_by_command(0, parse("blue 2"))
    assert game.counts["uno_caught"] == 1
    assert len(game.hands[0]) == 3


def test_going_out_by_command_wins():
    game = laid_out("robot", "red 7", ["blue 1", "red 3"])
    game.lay_by_command(0, parse("blue 1"))
    assert game.winner == 0


def test_trades_and_turning_round():
    game = laid_out("robot", "red 7", ["blue 1", "red 3, red 4", "green 5"])
    game.trade(0, 1)
    assert [names(hand) for hand in game.hands] == [["red 3", "red 4"], ["blue 1"], ["green 5"]]
    game.trade_all(1)  # to the left: seat 1 gets what seat 0 had
    assert [names(hand) for hand in game.hands] == [["green 5"], ["red 3", "red 4"], ["blue 1"]]
    game.trade_all(-1)
    assert [names(hand) for hand in game.hands] == [["red 3", "red 4"], ["blue 1"], ["green 5"]]
    game.turn_round()
    assert game.direction == -1


# Blank cards: a family's rule


def blanks(**what):
    return replace(named("robot"), blank_cards=2, **what)


def test_blank_cards_are_in_the_deck_as_the_rules_say():
    assert Counter(blanks().deck) == Counter([*DECK, BLANK, BLANK])
    lost = replace(named("robot"), lost_cards=tuple(cards("red 7, red 7, wild")))
    assert Counter(lost.deck) == Counter(DECK)  # spare cards stand in
    none_left = replace(lost, spare_cards=1)
    assert Counter(DECK) - Counter(none_left.deck) == Counter(cards("red 7, wild"))
    played_with = replace(lost, blank_cards=4)
    assert len(played_with.deck) == 108 - 3 + 4


@pytest.mark.parametrize(
    "does, sizes, seat, direction",
    [
        ("wild", [2, 1, 1, 1], 1, 1),
        ("skip", [2, 1, 1, 1], 2, 1),
        ("reverse", [2, 1, 1, 1], 3, -1),
        ("draw_two", [2, 3, 1, 1], 2, 1),
        ("draw_four", [2, 5, 1, 1], 2, 1),
        ("others_draw", [2, 2, 2, 2], 1, 1),
    ],
)
def test_a_blank_lies_on_everything_names_a_colour_and_does_what_the_family_says(
    does, sizes, seat, direction
):
    players = [Told("blank", colour=3), *[Told(challenges=True) for _ in range(3)]]
    hands = ["blank, blue 1, blue 2", "red 3", "red 4", "red 5"]
    game = laid_out(blanks(blank_does=does), "red 7", hands, players)
    game.turn()
    assert [len(hand) for hand in game.hands] == sizes
    assert (game.seat, game.direction) == (seat, direction)
    assert game.face == WILD + 3
    assert game.counts["challenges"] == 0


def test_a_blank_counts_what_the_family_says():
    game = laid_out(blanks(blank_points=7), "red 7", ["blank, blank, red 9, wild", "red 3"])
    assert game.points(0) == 14 + 9 + 50
    assert game.points(1) == 3


def test_a_blank_is_never_the_first_card():
    with pytest.raises(AssertionError, match="never turned up"):
        turned_up(blanks(), "blank")


def test_two_to_ten_players():
    for n_players in (1, 11):
        with pytest.raises(ValueError, match="2 to 10 players"):
            laid_out("robot", "red 7", ["blue 1"] * n_players)


def test_a_rule_set_without_voluntary_drawing_wants_a_card():
    rules = replace(named("robot"), voluntary_draw=False)
    game = laid_out(rules, "red 7", ["red 1, red 2", "red 3"], [Told("draw"), Told()])
    with pytest.raises(IllegalMove, match="must lay"):
        game.turn()


def test_highest_card_deals():
    """The classic sheet counts action cards, the others do not: both must deal fairly."""
    for sheet in ("classic", "compact"):
        dealers = [0] * 3
        import random

        from sim.table.game import Game
        from sim.table.players import RandomPlayer

        for seed in range(900):
            game = Game(load()[sheet], [RandomPlayer()] * 3, random.Random(seed))
            dealers[game.dealer] += 1
        assert all(240 < n < 360 for n in dealers)
