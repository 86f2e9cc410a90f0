"""SPEC section 2, demo (try-me)."""

import pytest

from .conftest import clips_of, phrases_of
from .voices import said, voice


def test_one_name(table):
    """ "Records the name of one player only." """
    t = table(switch="try-me")
    assert t.state == "demo"
    for _ in range(3):
        since = t.mark()
        t.record().quiet()
        record = t.one("record", since)
        assert (record["what"], record["player"], record["result"]) == ("name", 0, "stored")
        assert clips_of(t.said(since)[-1]) == ["name/0"]


@pytest.mark.parametrize("control", ("plate", "replay", "volume", "win", "mode"))
def test_show(table, control):
    """ "Plate or any button gives a short show: a greeting and a sample command with that name
    (or "you" if none was
    recorded)." """
    t = table(switch="try-me")
    since = t.mark()
    t.press(control).quiet()
    show = t.said(since)[-1]
    assert phrases_of(show)[0] == "demo.greeting" and phrases_of(show)[-1].startswith(
        "demo.sample_you."
    )
    assert clips_of(show) == []
    t.record()
    since = t.mark()
    t.press(control).quiet()
    show = t.said(since)[-1]
    assert phrases_of(show)[-1].startswith("demo.sample.") and clips_of(show) == ["name/0"]


def test_nothing_is_kept(table):
    """ "Nothing recorded here is kept." """
    t = table(switch="try-me")
    before = {path.name for path in t.flash.iterdir()}
    t.record().quiet(1.0)
    assert {path.name for path in t.flash.iterdir()} <= before | {"settings", "log-0"}
    t.switch("on").wait(1.0).press("plate").quiet()
    assert t.phrases()[-1] == "names.missing_two"
    t.switch("try-me").wait(1.0)
    since = t.mark()
    t.press("plate").quiet()
    assert t.phrases(since)[-1].startswith("demo.sample_you.")


def test_a_kept_game_survives_a_show(table):
    """Somebody plays with the switch: the kept game of the others is still there, with its own
    names."""
    t = table()
    t.robot.app.settings.set("keep_game", True)
    t.robot.app.saver.add(t.robot.app.settings.save())
    t.to_play(2).quiet(1.0)
    names = [(t.flash / f"name-{p}.clip").read_bytes() for p in (0, 1)]
    t.switch("try-me").wait(1.0)
    t.record(said(voice(1.4, pitch_hz=300))).quiet(1.0)
    t.press("plate").quiet()
    t.switch("on").wait(1.0)
    assert t.phrases()[-1] == "resume.ask"
    assert names == [(t.flash / f"name-{p}.clip").read_bytes() for p in (0, 1)]
    t.press("plate").quiet()
    assert t.state == "play"


def test_sleeps(table):
    """ "Sleeps like every state." """
    t = table(switch="try-me")
    t.quiet().wait(75.0)
    t.one("tone", tone="sleep_warning")
    t.one("sleep")
    t.press("plate").wait(0.5)
    t.one("wake")
    assert t.state == "demo"
