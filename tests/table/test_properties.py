"""What must hold in every game, whatever the rules, the players and the cards."""

import random
from dataclasses import fields, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.table.cards import DECK, name
from sim.table.game import Game
from sim.table.players import KINDS, RandomPlayer, seat_players
from sim.table.rules import CHOICES, Rules, load
from tests.table.table_helpers import all_cards

SHEETS = load()


_NUMBERS = {"hand_cards": st.integers(1, 7), "blank_cards": st.integers(0, 4)}


@st.composite
def families(draw):
    """Draw any rules that the file may say: every key with any value that it may have."""
    rules = SHEETS[draw(st.sampled_from(sorted(SHEETS)))]
    said = {"name": "family", "spare_cards": 4}
    for field in fields(Rules):
        if field.name in CHOICES:
            said[field.name] = draw(st.sampled_from(CHOICES[field.name]))
        elif field.type == "bool":
            said[field.name] = draw(st.booleans())
        elif field.name in _NUMBERS:
            said[field.name] = draw(_NUMBERS[field.name])
        elif field.name.endswith(("_draws", "_penalty")):
            said[field.name] = draw(st.integers(0, 6))
    return replace(rules, **said)


class Watched(RandomPlayer):
    """A random player that checks what it may lay against the rules said in words."""

    def choose(self, game, seat, legal):
        assert seat == game.seat
        hand = [name(card) for card in game.hands[seat]]
        top = name(game.discard[-1])
        faceless = top in ("wild", "wild draw four", "blank")
        colour, symbol = (None, None) if faceless else top.split(" ", 1)
        if colour is None:
            colour = ("blue", "green", "red", "yellow")[game.face - 52]
        has_colour = any(card.split(" ")[0] == colour for card in hand)
        expected = set()
        for card in hand:
            its_colour, _, its_symbol = card.partition(" ")
            if game.owed:
                good = its_symbol == "two" or card.endswith("draw two")
            elif card in ("wild", "blank"):
                good = True
            elif card == "wild draw four":
                good = game.rules.name == "traditional" or not has_colour
            else:
                good = its_colour == colour or its_symbol == symbol
            if good:
                expected.add(card)
        assert {name(card) for card in legal} == expected
        return super().choose(game, seat, legal)


@given(
    sheet=st.sampled_from(sorted(SHEETS)),
    n_players=st.integers(2, 10),
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_cards_are_conserved_and_the_game_ends(sheet, n_players, kinds, seed):
    game = Game(SHEETS[sheet], seat_players(kinds, n_players), random.Random(seed))
    deck = sorted(DECK)
    assert all_cards(game) == deck
    while game.winner is None and not game.blocked:
        before = [len(hand) for hand in game.hands]
        seat, laid = game.seat, game.laid
        game.turn()
        assert all_cards(game) == deck
        assert game.discard
        assert game.laid - laid in (0, 1)
        assert all(len(hand) > 0 for who, hand in enumerate(game.hands) if who != game.winner)
        assert len(game.hands[seat]) >= before[seat] - 1
        assert game.turns < 20_000
    if game.winner is not None:
        assert game.hands[game.winner] == []


@given(
    rules=families(),
    n_players=st.integers(2, 10),
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3),
    pairs=st.booleans(),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_whatever_a_family_plays_by(rules, n_players, kinds, pairs, seed):
    """Cards are conserved, turns pass, nobody raises; most games end, and those that could not
    (where what is drawn by far outweighs what is laid) still go on by the rules."""
    people = seat_players(kinds, n_players)
    game = Game(rules, people, random.Random(seed), pairs=pairs and n_players % 2 == 0)
    deck = sorted(rules.deck)
    while game.winner is None and not game.blocked and game.turns < 600:
        assert all_cards(game) == deck
        game.turn()
        assert 0 <= game.seat < n_players
        assert game.catchable <= set(range(n_players))
    assert all_cards(game) == deck
    assert game.counts["kept"] == 0 or "may" in (rules.drawn_card, rules.declined_card)
    assert game.counts["declined"] == 0 or rules.voluntary_draw or rules.stack_draw_twos


@given(
    sheet=st.sampled_from(sorted(SHEETS)),
    n_players=st.integers(2, 10),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=100, deadline=None)
def test_every_legal_move_and_only_legal_moves(sheet, n_players, seed):
    Game(SHEETS[sheet], [Watched() for _ in range(n_players)], random.Random(seed)).play()


@given(
    sheet=st.sampled_from(sorted(SHEETS)),
    n_players=st.integers(2, 10),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=60, deadline=None)
def test_turn_order(sheet, n_players, seed):
    """Who goes on, worked out from what was laid alone."""
    game = Game(SHEETS[sheet], [RandomPlayer() for _ in range(n_players)], random.Random(seed))
    while game.winner is None and not game.blocked:
        seat, direction, laid = game.seat, game.direction, game.laid
        game.turn()
        if game.winner is not None:
            break
        top = name(game.discard[-1]) if game.laid > laid else ""
        step = 1
        if top.endswith("reverse"):
            if n_players == 2:
                step = 2
            else:
                direction = -direction
        elif (
            top.endswith("skip")
            or top == "wild draw four"
            or (top.endswith("draw two") and sheet != "traditional")
        ):
            step = 2
        assert game.seat == (seat + step * direction) % n_players


@given(seed=st.integers(0, 2**32), n_players=st.integers(2, 10), moves=st.data())
@settings(max_examples=60, deadline=None)
def test_commands_conserve_cards(seed, n_players, moves):
    """Whatever a robot orders in the middle of a game, the 108 stay 108 and play goes on."""
    rng = random.Random(seed)
    game = Game(SHEETS["robot"], seat_players(["sensible"], n_players), rng)
    seats = st.integers(0, n_players - 1)
    for _ in range(20):
        if game.winner is not None:
            break
        game.take_turn()
        for what in moves.draw(
            st.lists(st.sampled_from(["lay", "draw", "trade", "all", "round"]), max_size=3)
        ):
            if game.winner is not None:
                break
            seat = moves.draw(seats)
            if what == "lay":
                game.lay_by_command(seat, game.hands[seat][-1])
            elif what == "draw":
                game.draw(seat, 2)
            elif what == "trade":
                game.trade(seat, moves.draw(seats))
            elif what == "all":
                game.trade_all(moves.draw(st.sampled_from([1, -1])))
            else:
                game.turn_round()
        if game.winner is None:
            game.go_on(moves.draw(seats))
        assert all_cards(game) == sorted(DECK)


def test_a_seed_gives_the_same_game_again():
    def transcript(seed):
        lines = []
        players = seat_players(["human"], 5)
        Game(SHEETS["compact"], players, random.Random(seed), log=lines.append).play()
        return lines

    assert transcript(4) == transcript(4)
    assert transcript(4) != transcript(5)
