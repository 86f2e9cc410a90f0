"""SPEC section 3, what some commands do after they were said, as seen and heard. tests/game has
the statistics."""

import pytest

from .conftest import phrases_of


@pytest.fixture
def act(table):
    """A table at which a command with this act has just been said."""

    def sit(command, players=3, **options):
        t = table(seed=1, **options)
        t.to_play(players)
        say = draw(t, command)
        t.quiet(0.05)
        return t, say

    return sit


def draw(t, command):
    """Play on until this command comes: the bag of its kind is made to bring it next."""
    kind = command.partition(".")[0]
    surprises = t.robot.app.game.surprises
    pack = t.robot.app.speech.pack
    ids = [pack.command(kind, i) for i in range(pack.kinds(kind))]
    for _ in range(40):
        surprises._bag(kind).left = [ids.index(command)]
        say = t.surprise(kind)
        if say["command"] == command:
            return say
        t.quiet(0.1).press("plate").quiet(0.1).wait(10.0)
    raise AssertionError(f"no {command}")


def loser_is(say, player):
    phrases = phrases_of(say)
    if "go_on.loses" in phrases:
        assert say["players"] == [player]
    else:
        assert set(phrases) & {"act.first_loses", "act.second_loses"}
    assert phrases[-1].startswith("go_on.") and len(say["players"]) == 1


# ---- stopwatch


@pytest.mark.parametrize(
    "seconds, words, loser",
    [(6.0, "act.early", 0), (10.0, "act.on_time", 1), (14.0, "act.late", 0)],
)
def test_the_press_that_ends_the_race_is_the_answer(act, seconds, words, loser):
    t, say = act("duel.stopwatch")
    assert say["act"] == "stopwatch" and say["kind"] == "duel" and say["race"]
    assert phrases_of(say)[-1] == "act.go"
    ended_ms = t.all("quiet")[-1]["t"]
    since = t.mark()
    t.wait(seconds - (t.now_s - ended_ms / 1000))
    assert not t.said(since)
    t.press("plate").wait(0.5)
    t.one("tone", since, tone="plate")
    told = t.one("act", since, act="stopwatch")
    assert abs(told["ms"] - (t.one("press", since)["t"] - ended_ms)) <= 40
    assert told["loser"] == say["players"][loser]
    verdict = t.one("say", since)
    assert verdict["kind"] is None and phrases_of(verdict)[0] == words
    loser_is(verdict, told["loser"])
    t.quiet(0.1).wait(35.0)
    assert len(t.said(since)) == 1  # and the game goes on as ever


def test_taken_back_there_is_no_verdict(act):
    t, _ = act("duel.stopwatch")
    since = t.mark()
    t.press("mode").quiet(0.1).wait(35.0)
    t.none("act", since)
    assert len(t.said(since)) == 1


def test_a_gentle_table_is_spared(table, packs):
    from roboto.storage.pack import Pack

    pack = Pack(str(packs["en"]))
    ids = [pack.command("duel", i) for i in range(pack.kinds("duel"))]
    assert ids.index("duel.stopwatch") not in pack.fitting("duel", pack.unfit(4, True))


def test_all_other_commands_have_no_act(table):
    t = table(seed=3)
    t.to_play(3)
    say = t.surprise("order")
    assert say["act"] is None and not t.all("act")


# ---- verdict


def test_the_sensors_decide(act):
    t, say = act("duel.sensors")
    t.wait(5.0)
    since = t.mark()
    t.press("plate").wait(0.5)
    loser = t.one("act", since, act="verdict")["loser"]
    assert loser in say["players"]
    verdict = t.one("say", since)
    assert phrases_of(verdict)[0] == "act.sensors"
    loser_is(verdict, loser)


# ---- potato


def test_a_potato_ticks_bangs_and_waits_for_the_tray(act):
    t, say = act("everyone.potato")
    assert say["race"] and phrases_of(say)[-1] in ("everyone.potato", "race.hint")
    ended_ms = t.all("quiet")[-1]["t"]
    since = t.mark()
    t.until(lambda: t.all("act", since, act="potato"), 21)
    bang = t.one("act", since)
    assert 6000 <= bang["ms"] <= 20040 and abs(bang["t"] - ended_ms - bang["ms"]) <= 40
    assert not t.said(since) and not t.all("tone", since)
    t.press("plate").wait(0.5)
    t.one("tone", since, tone="plate")
    assert phrases_of(t.one("say", since))[-1].startswith("go_on.")


def test_its_ticks_are_heard(table):
    import numpy as np

    t = table(seed=1, listen=True)
    t.to_play(3)
    draw(t, "everyone.potato")
    t.quiet(0.05)
    began_s = t.now_s
    t.wait(5.0)
    heard = t.samples(began_s, began_s + 5.0)
    loud = np.abs(heard).reshape(-1, 160).max(axis=1) > 0.02
    ticks = int(np.sum(loud[1:] & ~loud[:-1]))
    assert 5 <= ticks <= 12


# ---- mess


def test_in_a_mess_every_card_is_followed_by_a_call(act):
    t, say = act("everyone.random_order", players=4)
    assert say["act"] == "mess" and not say["race"]
    assert phrases_of(say)[-1].startswith("go_on.")
    t.wait(3.5)
    since = t.mark()
    t.press("plate").quiet(0.1)
    t.one("tone", since, tone="plate")
    call = t.one("say", since)
    assert call["kind"] is None and len(call["players"]) == 1
    assert phrases_of(call) == [phrases_of(call)[0]] and phrases_of(call)[0].startswith("go_on.")
    assert t.one("act", since)["left"] == 4
