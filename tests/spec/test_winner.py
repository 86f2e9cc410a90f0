"""SPEC section 2, won: blue again asks who it was."""

import json

import pytest

from .conftest import clips_of, phrases_of


@pytest.fixture
def asking(table):
    """A table of three in `won`, asked who it was; the first name is being said."""

    def sit(**options):
        t = table(seed=4, **options)
        t.to_play(3).press("win").quiet(0.1)
        ask(t)
        return t

    return sit


def ask(t):
    since = t.mark()
    t.press("win").quiet(0.1)
    assert phrases_of(t.said(since)[0]) == ["win.ask"]


def name_begins(t, player):
    """Until the robot says the name of that player alone."""
    since = t.mark()
    t.until(lambda: [s for s in t.said(since) if clips_of(s) == [f"name/{player}"]], 30)


def test_the_names_come_one_after_the_other(asking):
    """ "the robot asks who it was and says the names one after the other"; "when all names are
    through without an answer it stays in won" """
    t = asking()
    t.wait(20.0)
    said = t.said()[-3:]
    assert [clips_of(say) for say in said] == [["name/0"], ["name/1"], ["name/2"]]
    assert [say["players"] for say in said] == [[0], [1], [2]]
    assert t.state == "won" and not t.all("victory")
    since = t.mark()
    t.wait(20.0)
    assert not t.said(since)


@pytest.mark.parametrize("after_s", [0.05, 1.1, 1.22])
def test_blue_after_a_name_notes_a_victory(asking, after_s):
    """ "blue within 1.2 s after a name's end notes that player's victory, said back with the
    number of victories since switching on" """
    t = asking()
    name_begins(t, 1)
    ended = t.mark()
    t.until(lambda: t.all("quiet", ended))
    since = t.mark()
    t.wait(after_s - 0.05).press("win").wait(0.5)
    assert t.one("victory", since)["player"] == 1
    say = t.said(since)[-1]
    assert phrases_of(say) == ["win.noted", "count.1"] and say["players"] == [1]
    t.wait(20.0)
    assert len(t.said(since)) == 1 and t.state == "won"


def test_later_than_that_it_means_the_next_one(asking):
    t = asking()
    name_begins(t, 1)
    ended = t.mark()
    t.until(lambda: t.all("quiet", ended)).wait(1.3)
    t.press("win").wait(0.5)
    assert t.all("victory")[-1]["player"] == 2


def test_while_the_question_is_said_blue_is_too_early(table):
    t = table(seed=4)
    t.to_play(2).press("win").quiet(0.1)
    since = t.mark()
    t.press("win").wait(0.3).press("win").wait(0.3)
    t.one("tone", since, tone="not_now")
    assert not t.all("victory")


def test_the_tray_ends_it_and_begins_the_new_game(asking):
    """ "the plate ends the asking and begins the new game" """
    t = asking()
    since = t.mark()
    t.press("plate").wait(0.5)
    t.one("tone", since, tone="plate")
    assert t.state == "house_rule"
    t.quiet(0.1).wait(20.0)
    assert not t.all("victory") and clips_of(t.said()[-1]) != ["name/0"]


@pytest.mark.parametrize("control", ["record", "mode"])
def test_red_and_white_are_not_now_and_it_goes_on(asking, control):
    t = asking()
    since = t.mark()
    t.press(control).wait(0.3)
    t.one("tone", since, tone="not_now")
    name_begins(t, 2)


def test_green_says_the_name_again(asking):
    t = asking()
    name_begins(t, 1)
    since = t.mark()
    t.quiet(0.1).press("replay").wait(0.3)
    assert clips_of(t.said(since)[-1]) == ["name/1"]
    t.quiet(0.1).press("win").wait(0.3)
    assert t.all("victory")[-1]["player"] == 1


def test_yellow_changes_the_volume_and_it_goes_on(asking):
    t = asking()
    t.press("volume")
    name_begins(t, 2)


def test_the_menu_ends_it(asking):
    t = asking()
    t.press("mode", 2.2).quiet(0.1).press("mode", 2.2).quiet(0.1)
    since = t.mark()
    t.wait(20.0)
    assert not t.said(since) and t.state == "won"


def win_of(t, player):
    ask(t)
    if player:
        name_begins(t, player)
    t.quiet(0.1).press("win").quiet(0.1)


def test_who_asks_again_corrects_it(asking):
    t = asking()
    t.quiet(0.1).press("win").quiet(0.1)
    win_of(t, 1)
    assert [(e["player"], e["victories"]) for e in t.all("victory")] == [(0, 1), (1, 1)]


def test_victories_outlive_games_and_not_the_power(asking):
    """ "new game after a win: victories kept"; "sleep, power off: dropped, with the victories" """
    t = asking()
    t.quiet(0.1).press("win").quiet(0.1)
    t.press("plate").wait(1.6).press("plate").quiet(0.1).press("win").quiet(0.1)
    win_of(t, 0)
    assert phrases_of(t.said()[-1]) == ["win.noted", "count.2"]
    t.switch("off").wait(1.0)
    t.switch("on").wait(1.0)
    t.to_play(3).press("win").quiet(0.1)
    win_of(t, 0)
    assert phrases_of(t.said()[-1]) == ["win.noted", "count.1"]


def test_with_keep_game_beyond_it(asking):
    """ "keep_game: kept" """
    t = asking()
    t.robot.app.game.change_setting("keep_game", True)
    t.quiet(0.1).press("win").quiet(2.0)
    t.switch("off").wait(1.0)
    t.switch("on").quiet(0.1)
    t.press("plate").quiet(0.1)
    assert t.state == "won"
    win_of(t, 0)
    assert phrases_of(t.said()[-1]) == ["win.noted", "count.2"]


def test_more_than_ten(asking):
    t = asking()
    t.robot.app.game.victories[0] = 10
    t.quiet(0.1).press("win").quiet(0.1)
    assert phrases_of(t.said()[-1]) == ["win.noted", "count_many"]


def test_the_trace_is_plain_values(asking):
    t = asking()
    t.quiet(0.1).press("win").quiet(0.1)
    json.dumps(t.events)
