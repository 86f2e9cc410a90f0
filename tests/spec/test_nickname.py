"""SPEC section 2, nickname (inside play)."""

import pytest

from .conftest import NAME, clips_of, phrases_of


@pytest.fixture
def asked(table):
    """A robot that has just asked for a nickname, and its words."""
    t = table(seed=3)
    t.to_play(3)
    say = t.surprise("nickname")
    assert t.state == "nickname"
    return t, say


def test_asks(asked):
    """ "A surprise command asks player A to record a nickname for player B." """
    t, say = asked
    a, b = say["players"]
    assert a != b and clips_of(say) in ([f"name/{a}", f"name/{b}"], [f"name/{b}", f"name/{a}"])
    assert any(p.startswith("nickname.") for p in phrases_of(say))


def test_recorded(asked):
    """ "From then on, until the game ends, B is called by the nickname. Afterwards the robot says
    it back and calls a
    player to go on." """
    t, say = asked
    b = say["players"][1]
    since = t.mark()
    t.record()
    record = t.one("record", since)
    assert (record["what"], record["player"], record["result"]) == ("nickname", b, "stored")
    assert t.state == "play"
    t.quiet()
    back = t.said(since)[-1]
    assert phrases_of(back)[0] == "nick.heard" and phrases_of(back)[-1].startswith("go_on.")
    assert clips_of(back)[0] == f"nickname/{b}" and back["players"][0] == b
    since = t.mark()
    t.wait(10)
    for _ in range(8):
        t.surprise()
    clips = [clip for say in t.said(since) for clip in clips_of(say)]
    assert f"nickname/{b}" in clips and f"name/{b}" not in clips
    # "until the game ends"
    since = t.mark()
    t.press("win").press("plate").press("plate")
    t.quiet()
    for _ in range(3):
        t.surprise()
    clips = [clip for say in t.said(since) for clip in clips_of(say)]
    assert f"nickname/{b}" not in clips
    assert not (t.flash / f"nickname-{b}.clip").exists()


def test_three_seconds(asked):
    """ "Hold red as for a name (3 s)." """
    from .voices import said, voice

    t, _ = asked
    since = t.mark()
    t.hold("record", 5.0, said(voice(5.0)))
    assert 2950 <= t.one("record", since)["ms"] <= 3000
    t.one("tone", since, tone="limit")


def never_mind(t, since):
    say = t.all("say", since)[-1]
    assert phrases_of(say)[0] == "nick.never_mind" and phrases_of(say)[-1].startswith("go_on.")
    assert t.state == "play"


def test_plate(asked):
    """ "Plate ... : never mind, the game goes on, B keeps the old name." """
    t, say = asked
    t.quiet(0.1).wait(3.0)
    since = t.mark()
    t.press("plate").wait(0.5)
    t.one("tone", since, tone="plate")
    never_mind(t, since)
    t.quiet()
    assert not list(t.flash.glob("nickname*"))


def test_20_s(asked):
    """ "or 20 s without a recording: never mind" """
    t, _ = asked
    t.quiet(0.1)
    asked_ms = t.all("quiet")[-1]["t"]
    since = t.mark()
    t.wait(22.0)
    never_mind(t, since)
    assert 19900 <= t.all("say", since)[-1]["t"] - asked_ms <= 20400


def test_a_recording_that_fails_may_be_tried_again(asked):
    t, _ = asked
    t.quiet(0.1).wait(15.0)
    t.hold("record", 0.6).quiet()
    assert t.phrases()[-1] == "heard_nothing" and t.state == "nickname"
    t.wait(15.0)
    assert t.state == "nickname"
    t.record(NAME)
    assert t.state == "play"


def test_win_and_veto(asked):
    """Nobody has to record in order to win, or to be rid of it; a half-made recording is
    dropped."""
    t, _ = asked
    t.down("record").wait(0.5)
    since = t.mark()
    t.press("win").up("record")
    assert t.one("record", since)["result"] == "cancelled"
    assert t.state == "won"


def test_veto(asked):
    t, _ = asked
    since = t.mark()
    t.press("mode").wait(0.3)
    never_mind(t, since)
