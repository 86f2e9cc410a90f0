"""A whole game in words, checked by a reader that knows the rules only as the sheets put them.

Nothing here uses the tables of sim/table: the reader holds hands of strings.
"""

import random
import re
from collections import Counter
from itertools import chain

import pytest

from sim.table.game import Game
from sim.table.players import seat_players
from sim.table.rules import load


def transcript(sheet, n_players, seed, kind="sensible"):
    lines = []
    players = seat_players([kind], n_players)
    Game(load()[sheet], players, random.Random(seed), log=lines.append).play()
    return lines


def read(lines):
    """Follow a transcript with hands of words; AssertionError at the first line that cannot be.

    Returns what was counted: laid, drawn, uno.
    """
    hands, top, colour = {}, None, None
    counted = Counter()
    sheet = re.match(r"rules (\w+),", lines[0])[1]
    laid_last = colour_before = shown = guilty = None
    left = {}  # how many cards each had after laying last
    for line in lines:
        if m := re.fullmatch(r"seat (\d+) has (.*)", line):
            hands[int(m[1])] = m[2].split(", ")
            assert len(hands[int(m[1])]) == 7
        elif m := re.fullmatch(r"(.*) is turned up", line):
            top, _, named = m[1].partition(", ")
            colour = named or top.split()[0]
        elif m := re.fullmatch(r"seat (\d+) lays (.*?)(?:, names (\w+))?, (\d+) left", line):
            seat, card = int(m[1]), m[2]
            hand = hands[seat]
            assert card in hand, line
            its_colour, _, symbol = card.partition(" ")
            same_symbol = not top.startswith("wild") and symbol == top.partition(" ")[2]
            assert its_colour in ("wild", colour) or same_symbol, f"{line} on {top} {colour}"
            if card == "wild draw four" and sheet != "traditional":
                bluff = any(c.split()[0] == colour for c in hand)
                counted["bluffs"] += bluff
            hand.remove(card)
            assert len(hand) == int(m[4])
            colour_before = colour
            top, colour = card, m[3] or its_colour
            laid_last = seat
            left[seat] = len(hand)
            counted["laid"] += 1
        elif m := re.fullmatch(r"seat (\d+) draws (\d+): (.*)", line):
            drawn = m[3].split(", ")
            assert len(drawn) == int(m[2])
            hands[int(m[1])] += drawn
            counted["drawn"] += len(drawn)
        elif m := re.fullmatch(r"seat (\d+) draws (.*)", line):
            hands[int(m[1])].append(m[2])
            counted["drawn"] += 1
        elif m := re.fullmatch(r"seat (\d+) calls UNO.*", line):
            # Only in the traditional game may one call, or be caught, after others have played.
            assert left[int(m[1])] == 1 and (sheet == "traditional" or laid_last == int(m[1]))
            counted["uno"] += 1
        elif m := re.fullmatch(r"seat (\d+) catches seat (\d+) without UNO", line):
            assert left[int(m[2])] == 1 and (sheet == "traditional" or laid_last == int(m[2]))
            assert m[1] != m[2]
        elif m := re.fullmatch(r"seat (\d+) shows seat \d+ (.*)", line):
            assert int(m[1]) == laid_last and top == "wild draw four"
            shown = m[2].split(", ")
            guilty = any(c.split()[0] == colour_before for c in shown)
            counted["shown"] += 1
        elif m := re.fullmatch(r"seat \d+ challenges seat (\d+), who had( not)? the colour", line):
            assert shown is not None and guilty == (m[2] is None)
            shown = None
            counted["challenged"] += 1
        elif m := re.fullmatch(r"seat (\d+) is out", line):
            assert hands[int(m[1])] == []
            counted["out"] += 1
    # No card twice: the deck of 108 covers all hands.
    for card, n in Counter(chain(*hands.values())).items():
        assert n <= (4 if card.startswith("wild") else 1 if card.endswith(" 0") else 2)
    assert counted["out"] == 1
    assert counted["shown"] == counted["challenged"]
    return counted


@pytest.mark.parametrize("sheet", ["robot", "classic", "compact", "traditional"])
@pytest.mark.parametrize("n_players", [2, 3, 6, 10])
def test_transcripts_follow_the_rules(sheet, n_players):
    total = Counter()
    for seed in range(40):
        total += read(transcript(sheet, n_players, seed))
    assert total["laid"] > 500
    assert total["drawn"] > 100
    assert total["uno"] > 20
    assert (total["shown"] > 0) == (sheet != "traditional")


def test_the_reader_notices_a_forged_transcript():
    """A reader that lets everything pass would prove nothing."""
    lines = transcript("robot", 3, 1)
    laid = [
        i for i, line in enumerate(lines) if re.search(r"lays (blue|red|green|yellow) \d", line)
    ]
    noticed = 0
    for i in laid:
        forged = list(lines)
        forged[i] = re.sub(r"lays \w+ (\d)", "lays yellow 0", forged[i])
        try:
            read(forged)
        except AssertionError:
            noticed += 1
    assert noticed >= len(laid) - 2
    with pytest.raises(AssertionError):
        read(lines[:-1])
