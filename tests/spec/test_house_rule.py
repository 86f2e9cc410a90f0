"""SPEC section 2, house_rule."""

import pytest

from .conftest import clips_of, phrases_of
from .voices import said, voice


def test_a_random_player_is_called(table):
    """ "The robot calls a player, chosen at random, to record the House Rule." """
    called = set()
    for seed in range(8):
        t = table(f"flash{seed}", seed=seed)
        t.names(3).press("plate").wait(0.5)
        ask = t.said()[-1]
        assert phrases_of(ask) == ["rule.ask"]
        assert clips_of(ask) == [f"name/{ask['players'][0]}"]
        called.add(ask["players"][0])
    assert called == {0, 1, 2}


def test_ten_seconds(table):
    """ "Hold red: as for a name, at most 10 s" """
    t = table()
    t.names(2).press("plate")
    since = t.mark()
    t.hold("record", 11.0, said(voice(11.0)))
    lit, out = (
        t.one("led", since, led="record", on=True),
        t.one("led", since, led="record", on=False),
    )
    assert lit["t"] - t.one("press", since)["t"] <= 150
    assert 9980 <= out["t"] - lit["t"] <= 10030
    t.one("tone", since, tone="limit")
    record = t.one("record", since)
    assert 9900 <= record["ms"] <= 10000
    assert (record["what"], record["player"], record["result"]) == ("house_rule", None, "stored")


def test_ten_seconds_at_once_after_long_names(table):
    """The same where the names are so fresh that they are not on flash yet: no second of the rule
    is missing."""
    t = table()
    for _ in range(3):
        t.record(said(voice(2.8))).wait(0.4)
    t.press("plate", 0.03)
    since = t.mark()
    t.hold("record", 11.0, said(voice(11.0)))
    assert t.one("led", since, led="record", on=True)["t"] - t.one("press", since)["t"] <= 150
    assert 9900 <= t.one("record", since)["ms"] <= 10000


def test_said_back_and_play_begins(table):
    """ "One House Rule per game: when it is stored the robot says it back and play begins." """
    t = table()
    t.names(2).press("plate")
    since = t.mark()
    t.record(said(voice(2.0)))
    assert t.state == "play"
    t.quiet()
    first = t.said(since)[-1]
    assert phrases_of(first)[0] == "rule.heard"
    assert clips_of(first)[0] == "house_rule"
    assert phrases_of(first)[-1].startswith("first.")
    t.record(said(voice(1.0)))  # one per game: red in play records none
    assert len(t.all("record", what="house_rule")) == 1


def test_skip(table):
    """ "Plate: skip, play begins without one." """
    t = table()
    t.names(2).press("plate").wait(1.6)
    since = t.mark()
    t.press("plate").quiet()
    assert t.state == "play"
    assert "rule.heard" not in t.phrases(since) and "house_rule" not in clips_of(t.said(since)[-1])
    assert not (t.flash / "house_rule.clip").exists()


@pytest.mark.parametrize("words", (said(voice(0.2)), said(voice(1.0, level=0.0))))
def test_heard_nothing(table, words):
    """ "as for a name": too short or silent is said, and the state stays."""
    t = table()
    t.names(2).press("plate")
    t.hold("record", 1.2, words).quiet()
    assert t.state == "house_rule" and t.phrases()[-1] == "heard_nothing"
    t.record(said(voice(1.0)))
    assert t.state == "play"
