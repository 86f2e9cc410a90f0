"""SPEC section 2, play."""

from .conftest import clips_of, phrases_of
from .voices import said, voice


def test_first_player(table):
    """ "The robot calls a random player to go first." """
    called = set()
    for seed in range(8):
        t = table(f"flash{seed}", seed=seed)
        t.to_play(3)
        first = t.said()[-1]
        assert phrases_of(first)[-1].startswith("first.") and len(first["players"]) == 1
        called.add(first["players"][0])
    assert called == {0, 1, 2}


def test_plate_beeps(table):
    """ "Plate press: exactly one confirming beep, at once, for every press, also while the robot
    talks." """
    t = table()
    t.names(2).press("plate").wait(1.6).press("plate").wait(1.6).press("replay")
    # "x begins!" is being said
    since = t.mark()
    for _ in range(40):
        t.press("plate").wait(0.07)
    presses, beeps = t.all("press", since), t.all("tone", since, tone="plate")
    assert len(beeps) == len(presses) == 40
    for press, beep in zip(presses, beeps, strict=True):
        assert 0 <= beep["t"] - press["t"] <= 16
    assert t.all("quiet", since)[0]["cut"] is False  # the beep does not cut what is being said


def test_surprise(table):
    """ "After a plate press the robot may interrupt with a surprise command, and names the player
    who goes on." """
    t = table()
    t.to_play(3)
    say = t.surprise()
    press = [e for e in t.all("press", control="plate") if e["t"] <= say["t"]][-1]
    assert say["t"] - press["t"] < 500
    assert clips_of(say)[-1] == f"name/{say['players'][-1]}"
    assert phrases_of(say)[-1].startswith("go_on") or say["kind"] == "nickname"


def test_presses_during_a_command_only_beep(table):
    """ "a press all the same only beeps: none of the presses made while a command is being
    spoken, nor in the 3 s after
    it, brings the next command nearer" """

    def presses_to_the_next(nervous):
        t = table(f"flash{nervous}", seed=5)
        t.to_play(3)
        end_s = t.now_s + t.surprise("order")["ms"] / 1000 + 2.85
        since = t.mark()
        while t.now_s < end_s:
            if nervous:
                t.press("plate", 0.03)
            else:
                t.wait(0.08)
        assert len(t.all("tone", since, tone="plate")) == len(
            t.all("press", since, control="plate")
        )
        t.wait(12.0)
        since = t.mark()
        t.surprise()
        return len(t.all("press", since, control="plate"))

    assert presses_to_the_next(False) == presses_to_the_next(True)


def test_win(table):
    """ "Win: fanfare and congratulations, state won." """
    t = table()
    t.to_play()
    since = t.mark()
    t.press("win").quiet()
    assert t.state == "won"
    fanfare = t.one("tone", since, tone="fanfare")
    assert fanfare["t"] - t.one("press", since)["t"] <= 16
    assert t.phrases(since)[0].startswith("won.")


def test_red(table):
    """ "Red in play (with no nickname asked for): the "not now" tone; nothing is recorded." """
    t = table()
    t.to_play()
    since = t.mark()
    t.hold("record", 0.5, said(voice(0.8))).wait(1.0)
    t.one("tone", since, tone="not_now")
    t.none("record", since)
    t.none("led", since, led="record")


def test_veto(table):
    """ "short press = veto the surprise command just given" """
    t = table(seed=2)
    t.to_play(3)
    t.surprise("order")
    since = t.mark()
    t.press("mode").wait(0.5)
    say = t.first("say", since)
    assert phrases_of(say)[0].startswith("veto.") and phrases_of(say)[-1].startswith("go_on.")
    assert len(say["players"]) == 1 and say["kind"] is None
    assert t.first("quiet", since)["cut"] is True  # the command was being said
    t.quiet()
    since = t.mark()
    t.press("mode").wait(0.5)  # there is nothing left to veto
    t.one("tone", since, tone="not_now")
    assert t.state == "play"


def test_nothing_to_veto(table):
    """Before any command, and after a card was laid, a veto has nothing to take back."""
    t = table(seed=2)
    t.to_play(3)
    for _ in range(2):
        since = t.mark()
        t.press("mode")
        t.one("tone", since, tone="not_now")
        t.none("say", since)
        t.surprise("order")
        t.quiet().wait(3.5)
        t.press("plate")
