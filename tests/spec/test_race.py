"""SPEC section 2, play: a race takes its time. Each control in the time in which it waits."""

import pytest

from .conftest import clips_of, phrases_of
from .voices import said, voice

RACES = ("duel", "house_rule")


@pytest.fixture
def race(table):
    """A table at which a race is on: the command has been said, and the robot waits."""

    def sit(kind="duel", **options):
        t = table(seed=1, **options)
        t.to_play(3, rule=said(voice(1.0)))
        say = t.surprise(kind)
        t.quiet(0.1)
        return t, say

    return sit


def called(t, since):
    """The call of the player who goes on: a say of its own, and nothing else."""
    say = t.said(since)[-1]
    assert say["kind"] is None and not say["race"]
    assert phrases_of(say)[-1].startswith("go_on.") and len(say["players"]) == 1
    return say


@pytest.mark.parametrize("kind", RACES)
def test_the_tray_says_that_it_is_over(race, kind):
    """ "the robot says the command and waits. The plate, pressed once, says that the race is over,
    and only then the robot calls the player who goes on" """
    t, say = race(kind)
    assert say["race"] and not any(id.startswith("go_on.") for id in phrases_of(say))
    since = t.mark()
    t.wait(12.0)
    assert not t.said(since)
    t.press("plate").wait(0.5)
    t.one("tone", since, tone="plate")
    call = called(t, since)
    assert phrases_of(call) == [phrases_of(call)[0]]
    t.quiet(0.1).wait(35.0)
    assert len(t.said(since)) == 1  # once


def test_30_s_say_so_too(race):
    """ "after 30 s it calls without being told" """
    t, _ = race()
    ended_ms = t.all("quiet")[-1]["t"]
    since = t.mark()
    t.wait(31.0)
    assert 29900 <= called(t, since)["t"] - ended_ms <= 30400


def test_that_press_counts_for_nothing(table):
    """ "That press beeps and counts for nothing else." """

    def presses_to_the_next(told):
        t = table(seed=5, flash=f"flash-{told}")
        t.to_play(3)
        t.surprise("duel")
        t.quiet(0.1)
        if told:
            t.press("plate")
        else:
            t.wait(30.2)
        t.quiet(0.1).wait(11.0)
        for n in range(1, 20):
            since = t.mark()
            t.press("plate").wait(0.4)
            if any(say["kind"] for say in t.said(since)):
                return n
        raise AssertionError("no surprise")

    assert presses_to_the_next(True) == presses_to_the_next(False)


def test_a_press_while_the_command_is_said_does_not_end_it(table):
    """ "none of the presses made while a command is being spoken" does more than beep."""
    t = table(seed=1)
    t.to_play(3)
    t.surprise("duel")
    since = t.mark()
    for _ in range(3):
        t.wait(0.5).press("plate")
    t.quiet(0.1).wait(5.0)
    assert len(t.all("tone", since, tone="plate")) == 3
    assert not t.said(since)


def test_the_first_race_ends_with_a_word_about_the_tray(table):
    """ "The first race after switching on ends with a word about the tray." """
    t = table(seed=2)
    t.to_play(3)
    hints = []
    for _ in range(3):
        hints.append(phrases_of(t.surprise("duel"))[-1] == "race.hint")
        t.quiet(0.1).press("plate").quiet(0.1).wait(10.0)
    t.press("win").wait(1.6).press("plate").wait(1.6).press("plate").quiet(0.1)
    hints.append(phrases_of(t.surprise("duel"))[-1] == "race.hint")
    assert hints == [True, False, False, False]
    t.switch("off").wait(1.0)
    t.switch("on").quiet(0.1)
    t.to_play(3)
    assert phrases_of(t.surprise("duel"))[-1] == "race.hint"


def test_all_other_commands_call_at_once(table):
    """ "All other commands call at once, in the same utterance." """
    t = table(seed=1)
    t.to_play(3)
    for kind in ("order", "swap"):
        say = t.surprise(kind)
        assert not say["race"] and phrases_of(say)[-1].startswith("go_on.")
        t.quiet(0.1).wait(11.0)


def test_white_takes_the_command_back(race):
    t, _ = race()
    since = t.mark()
    t.press("mode").wait(0.5)
    say = called(t, since)
    assert phrases_of(say)[0].startswith("veto.")
    t.quiet(0.1).wait(35.0)
    assert len(t.said(since)) == 1


def test_blue_is_a_win(race):
    t, _ = race()
    since = t.mark()
    t.press("win").wait(0.5)
    assert t.state == "won"
    t.quiet(0.1).wait(35.0)
    assert not any(phrases_of(say)[-1].startswith("go_on.") for say in t.said(since))


def test_green_says_the_command_again_and_the_time_begins_anew(race):
    t, say = race()
    t.wait(25.0)
    since = t.mark()
    t.press("replay").quiet(0.1)
    again = t.said(since)[-1]
    assert phrases_of(again) == phrases_of(say) and again["race"]
    t.wait(25.0)
    assert len(t.said(since)) == 1
    t.wait(6.0)
    called(t, since)


def test_yellow_and_red_do_what_they_always_do(race):
    t, _ = race()
    since = t.mark()
    t.press("volume").wait(0.5)
    t.one("tone", since, tone="volume")
    t.hold("record", 0.5).wait(0.5)
    t.one("tone", since, tone="not_now")
    assert not t.said(since) and not t.all("record", since)
    t.press("plate").wait(0.5)
    called(t, since)


def test_after_the_menu_the_command_is_said_again(race):
    t, say = race()
    t.press("mode", 2.2).quiet(0.1)
    since = t.mark()
    t.wait(21.0)
    again = t.said(since)[-1]
    assert phrases_of(again) == phrases_of(say)
    t.quiet(0.1).press("plate").wait(0.5)
    called(t, since)


def test_the_switch_ends_it(race):
    t, _ = race()
    t.switch("try-me").wait(1.0)
    assert t.state == "demo"


@pytest.mark.parametrize("how", ("cut short", "said"))
def test_settings_do_not_swallow_a_command(table, how):
    """White held while a command is being said: after the menu it is said again, and somebody is
    called."""
    t = table(seed=1)
    t.to_play(3)
    say = t.surprise("order")
    t.wait(0.2)
    t.press("mode", 2.2).wait(0.3)
    assert phrases_of(t.said()[-1])[0] == "menu.open"
    since = t.mark()
    if how == "said":
        t.press("mode", 2.2)
    t.wait(25.0)
    again = [s for s in t.said(since) if s["kind"]]
    assert len(again) == 1 and phrases_of(again[0]) == phrases_of(say)
    assert phrases_of(again[0])[-1].startswith("go_on.")


def test_the_house_rule_is_announced_with_the_words_of_the_sheet(race):
    """ "The House Rule is announced with the words of the sheet and no other attention call." """
    _, say = race("house_rule")
    phrases = phrases_of(say)
    assert phrases[0].startswith("house_rule.") and clips_of(say) == ["house_rule"]
    assert not any(id.startswith("attention.") for id in phrases)


@pytest.mark.parametrize("seed", range(6))
def test_a_recorded_house_rule_comes(table, seed):
    """ "A recorded House Rule comes for the first time as one of the second to fifth surprise of
    its game" """
    t = table(seed=seed)
    t.to_play(4, rule=said(voice(1.0)))
    kinds = []
    while "house_rule" not in kinds:
        kinds.append(t.surprise()["kind"])
        t.quiet(0.1).wait(3.0).press("plate").quiet(0.1).wait(10.0)
        assert len(kinds) <= 5
    assert len(kinds) >= 2
