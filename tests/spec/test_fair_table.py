"""SPEC, what keeps a table from being cheated: keep-awake, one press is one press, nicknames that
may be refused, calls that nobody can foresee, bags that last, gentle tables."""

import pytest
from roboto.storage.pack import Pack

from host_tools.voice.commands import Commands

from .conftest import clips_of, phrases_of
from .voices import said, voice


def warn(t):
    since = t.mark()
    t.quiet(0.1).until(lambda: t.all("tone", since, tone="sleep_warning"), 70)
    return t.wait(2.0)


# ---- keep awake


@pytest.mark.parametrize("state", ["names", "house_rule", "play", "won"])
def test_the_tray_keeps_it_awake_and_does_nothing_else(table, state):
    """ "The plate keeps it awake, and does nothing else: between warning and sleep a press of it
    is answered by the beep, and neither counts as a card, nor skips, closes or begins
    anything" """
    t = table(seed=2)
    t.names(2)
    if state != "names":
        t.press("plate").wait(1.6)
    if state in ("play", "won"):
        t.press("plate").quiet(0.1)
    if state == "won":
        t.press("win").quiet(0.1)
    for _ in range(10):
        warn(t)
        since = t.mark()
        t.press("plate").wait(0.5)
        t.one("tone", since, tone="plate")
        assert t.state == state and not t.said(since) and not t.all("sleep")
    t.wait(2.0).press("plate").wait(0.5)  # and then it is a press like any other
    assert t.state == {"names": "house_rule", "house_rule": "play", "play": "play"}.get(
        state, "house_rule"
    )


@pytest.mark.parametrize("control", ["replay", "volume", "record", "win", "mode"])
def test_any_button_keeps_it_awake_and_does_what_it_always_does(table, control):
    """ "Any button keeps it awake, too, and does what it always does" """
    t = table(seed=2)
    t.to_play(2)
    warn(t)
    since = t.mark()
    t.press(control).wait(0.5)
    assert t.all("tone", since) or t.said(since)
    t.wait(20.0)
    assert not t.all("sleep")


def test_its_own_talking_is_activity_after_the_warning_too(table):
    """ "Activity is any press, any switch move, recording, and the robot's own talking: the 60 s
    count from the last of them." """
    t = table(seed=2)
    t.to_play(2)
    warn(t)
    t.robot.app.game.handle(("trouble", "low_battery"), t.robot.app.now_ms)
    t.press("replay").quiet(0.1)
    ended_ms = t.all("quiet")[-1]["t"]
    since = t.mark()
    t.wait(75.0)
    assert 59900 <= t.one("tone", since, tone="sleep_warning")["t"] - ended_ms <= 61100


# ---- one press is one press


def test_a_bouncing_hand_does_not_skip_the_house_rule(table):
    """ "A press within 1.5 s of the press that led here is a hand that bounced: it only
    beeps." """
    t = table(seed=2)
    t.names(2)
    since = t.mark()
    t.press("plate").wait(0.2).press("plate").wait(0.9).press("plate").wait(0.2)
    assert t.state == "house_rule" and len(t.all("tone", since, tone="plate")) == 3
    t.wait(1.0).press("plate").wait(0.2)
    assert t.state == "play"


def test_nor_after_a_win(table):
    t = table(seed=2)
    t.to_play(2).press("win").wait(0.5).press("plate").wait(0.5)
    assert t.state == "won"
    t.wait(1.0).press("plate").wait(0.4).press("plate").wait(0.2)
    assert t.state == "house_rule"


@pytest.mark.parametrize("state", ["names", "house_rule", "play", "nickname", "won"])
def test_every_tray_press_beeps(table, state):
    """ "Every plate press is answered by its beep, in every state but asleep and the demo." """
    t = table(seed=3)
    if state == "names":
        t.quiet()
    elif state == "house_rule":
        t.names(2).press("plate")
    else:
        t.to_play(3)
    if state == "nickname":
        t.surprise("nickname")
    if state == "won":
        t.press("win")
    since = t.mark()
    t.press("plate").press("plate")
    t.down("record").wait(0.3).press("plate").up("record").wait(0.2)
    t.press("mode", 2.2).press("plate").wait(0.2)
    presses = t.all("press", since, control="plate")
    assert len(t.all("tone", since, tone="plate")) == len(presses) == 4


def test_no_beep_in_the_demo(table):
    t = table(switch="try-me")
    t.quiet().press("plate").wait(0.5)
    assert not t.all("tone", tone="plate")


# ---- nicknames


@pytest.fixture
def asked(table):
    t = table(seed=1)
    t.to_play(3)
    return t, t.surprise("nickname")


def test_a_stray_press_does_not_kill_the_request(asked):
    """ "Presses made while the request is spoken, and in the 3 s after it, only beep" """
    t, _ = asked
    since = t.mark()
    t.wait(0.8).press("plate").quiet(0.1).wait(2.5).press("plate").wait(0.2)
    assert t.state == "nickname" and not t.said(since)
    assert len(t.all("tone", since, tone="plate")) == 2
    t.wait(0.5).press("plate").wait(0.3)
    assert t.state == "play"


@pytest.mark.parametrize("after_s", [None, 1.0, 9.5])
def test_a_nickname_may_be_refused(asked, after_s):
    """ "white within 10 s after it was said back drops it, and the old name stays" """
    t, say = asked
    player = say["players"][1]
    t.quiet(0.1).record().wait(0.5)
    assert f"nickname/{player}" in clips_of(t.said()[-1])
    if after_s is not None:
        t.quiet(0.1).wait(after_s - 0.1)
    since = t.mark()
    t.press("mode").wait(0.5)
    told = t.said(since)[-1]
    assert phrases_of(told)[0] == "nick.refused"
    # somebody is called again where the call had not been heard
    assert phrases_of(told)[-1].startswith("go_on.") == (after_s is None)
    t.quiet(2.0)
    assert not list(t.flash.glob("nickname*"))
    for _ in range(6):
        t.surprise()
        t.quiet(0.1).wait(3.0).press("plate").quiet(0.1).wait(10.0)
    assert not any("nickname/" in clip for s in t.said(since) for clip in clips_of(s))


def test_later_it_stays(asked):
    t, _ = asked
    t.quiet(0.1).record().quiet(0.1).wait(10.5)
    since = t.mark()
    t.press("mode").wait(0.5)
    t.one("tone", since, tone="not_now")
    assert list(t.flash.glob("nickname*"))


@pytest.mark.parametrize("control", ["replay", "volume", "record", "plate"])
def test_other_controls_do_not_close_that_window(asked, control):
    t, _ = asked
    t.quiet(0.1).record().quiet(0.1).wait(1.0)
    t.press(control).quiet(0.1)
    since = t.mark()
    t.press("mode").wait(0.5)
    assert phrases_of(t.said(since)[-1])[0] == "nick.refused"


def test_a_win_closes_it(asked):
    t, _ = asked
    t.quiet(0.1).record().quiet(0.1)
    t.press("win").quiet(0.1)
    since = t.mark()
    t.press("mode").wait(0.5)
    t.one("tone", since, tone="not_now")


# ---- bags and gentle tables


def test_used_commands_do_not_come_again_after_a_power_cut(table, packs):
    """ "no command comes again until all of its kind have been used, over sleep and power-off
    too" """
    used: dict[str, list[str]] = {}
    for _ in range(6):
        t = table(seed=len(used), flash="one")
        t.to_play(5)
        for _ in range(3):
            say = t.surprise()
            used.setdefault(say["kind"], []).append(say["command"])
            t.quiet(0.5)
            if t.state == "nickname":
                t.wait(3.0).press("plate").quiet(0.1)
            t.wait(8.0)
        t.switch("off").wait(0.5)
    pack = Pack(str(packs["en"]))
    for kind, commands in used.items():
        fit = len(pack.fitting(kind, pack.unfit(5, False)))
        assert len(set(commands)) == min(len(commands), fit), kind
    assert len(used["order"]) + len(used["duel"]) > 6


def test_a_gentle_table_is_spared(table):
    """ "gentle (off, on: leaves out what a shy or disabled child cannot or would not do)" """
    commands = Commands()
    rough = set()
    for gentle in (False, True):
        t = table(seed=3, flash=f"gentle-{gentle}")
        t.robot.app.game.change_setting("gentle", gentle)
        t.to_play(4)
        seen = set()
        for _ in range(25):
            seen.add(t.surprise()["command"])
            t.quiet(0.1).wait(3.0).press("plate").quiet(0.1).wait(8.0)
        rough |= {id for id in seen if not commands.traits(id).gentle and not gentle}
        assert not gentle or all(commands.traits(id).gentle for id in seen)
    assert rough


def test_commands_that_want_more_players_are_skipped(table):
    """ "A command that makes no sense for so few players, as its data says, is skipped." """
    commands = Commands()
    for players in (2, 4):
        t = table(seed=9, flash=f"players-{players}")
        t.to_play(players)
        for _ in range(20):
            assert commands.traits(t.surprise()["command"]).players_min <= players
            t.quiet(0.1).wait(3.0).press("plate").quiet(0.1).wait(8.0)


def test_what_binds_a_player_is_not_followed_by_that_player_s_call(table):
    """ "A command that names a player for as long as "until the next beep" is not followed by the
    call of that player." """
    commands = Commands()
    seen = 0
    for seed in range(30):
        t = table(seed=seed, flash=f"holds-{seed}")
        t.to_play(2)
        for _ in range(6):
            say = t.surprise()
            if commands.traits(say["command"]).holds:
                assert say["players"][-1] != say["players"][0]
                seen += 1
            t.quiet(0.1).wait(3.0).press("plate").quiet(0.1).wait(8.0)
        if seen >= 5:
            return
    raise AssertionError("none came")


def test_a_house_rule_is_explained(table):
    """ "says what one is and that the tray skips it": one phrase, in the voice's language."""
    t = table()
    t.names(2).press("plate").wait(0.5)
    assert phrases_of(t.said()[-1]) == ["rule.ask"]
    t.quiet().record(said(voice(1.0)))
    assert t.state == "play"
