"""SPEC section 8, launcher: sentence by sentence, with a whole robot."""

import pytest

from .conftest import phrases_of
from .test_games import play


@pytest.fixture
def sit(table):
    return lambda **options: play(table, "launcher", **options)


def test_white_is_a_whirr_and_then_how_many_cards(sit):
    """ "White: a whirr, and then the robot says how many cards: none to seven." """
    t = sit()
    for _ in range(8):
        since = t.mark()
        t.press("mode").quiet(0.4)
        tone = t.one("tone", since, tone="whirr")
        cards = int(t.one("outcome", since, game="launcher")["outcome"])
        say = t.one("say", since)
        assert 0 <= cards <= 7 and say["t"] - tone["t"] >= t.robot.tone_ms("whirr")
        words = ("none", "one", "two", "three", "four", "five", "six", "seven")
        assert phrases_of(say)[0].split(".")[1] == words[cards]
        assert say["kind"] is None and not say["players"]


def test_a_run_of_luck_ends(sit):
    """ "three times running it throws nothing at most" and "a round of twenty launches throws 33
    cards, whoever presses" """
    t = sit()
    thrown = []
    for _ in range(60):
        since = t.mark()
        t.press("mode").quiet(0.4)
        thrown.append(int(t.one("outcome", since)["outcome"]))
    assert [sum(thrown[at : at + 20]) for at in (0, 20, 40)] == [33, 33, 33]
    assert "0000" not in "".join(map(str, thrown))
    assert sum(cards <= 2 for cards in thrown) == 45
