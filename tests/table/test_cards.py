"""The deck as the sheets describe it."""

import random
from collections import Counter

import pytest

from sim.table import cards
from sim.table.cards import BOX, DECK, FITS, N_FACES, POINTS, name, parse


def test_the_box_holds_112_cards_and_108_are_played_with():
    assert len(BOX) == 112
    assert BOX.count(cards.BLANK) == 4
    assert len(DECK) == 108 == cards.N_IN_PLAY


def test_each_colour_has_19_numbers_and_two_of_each_action():
    counted = Counter(name(card) for card in DECK)
    for colour in ("blue", "green", "red", "yellow"):
        assert counted[f"{colour} 0"] == 1
        assert all(counted[f"{colour} {n}"] == 2 for n in range(1, 10))
        assert sum(counted[f"{colour} {n}"] for n in range(10)) == 19
        for action in ("skip", "reverse", "draw two"):
            assert counted[f"{colour} {action}"] == 2
    assert counted["wild"] == counted["wild draw four"] == 4


@pytest.mark.parametrize(
    "text, points",
    [
        ("red 0", 0),
        ("blue 9", 9),
        ("green skip", 20),
        ("red reverse", 20),
        ("yellow draw two", 20),
        ("wild", 50),
        ("wild draw four", 50),
    ],
)
def test_points(text, points):
    assert POINTS[parse(text)] == points


def test_what_fits_agrees_with_the_words():
    """FITS against the rule said in words: same colour, same symbol, or a wild."""

    def split(card):
        colour, _, symbol = name(card).partition(" ")
        return (None, name(card)) if colour == "wild" else (colour, symbol)

    for face in range(N_FACES):
        if face >= cards.WILD:
            colour, symbol = cards.COLOURS[face - cards.WILD], None
        else:
            colour, symbol = split(face)
        for card in range(cards.N_KINDS):
            its_colour, its_symbol = split(card)
            fits = its_colour is None or its_colour == colour or its_symbol == symbol
            assert (card in FITS[face]) == fits, (cards.face_name(face), name(card))


def test_names_go_both_ways():
    for card in range(cards.N_KINDS):
        assert parse(name(card)) == card
    with pytest.raises(ValueError, match="purple 7"):
        parse("purple 7")


def test_shuffling_puts_every_card_everywhere():
    """Each of 5 cards comes to each of 5 places about as often (chi-squared, 16 df, p > 0.001)."""
    rng = random.Random(3)
    seen = Counter()
    for _ in range(5000):
        five = [0, 1, 2, 3, 4]
        cards.shuffle(five, rng)
        seen.update(enumerate(five))
    assert sum((seen[p, c] - 1000) ** 2 / 1000 for p in range(5) for c in range(5)) < 39.3
