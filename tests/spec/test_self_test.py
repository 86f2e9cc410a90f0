"""The self-test aloud: white held at power-on, and what a robot says of itself then."""

from __future__ import annotations

import random

import pytest

from .conftest import phrases_of

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
NAMES = [f"test.{control}" for control in CONTROLS]


def begun(table, **options):
    """A robot that was switched on with white held, up to where it waits for presses."""
    t = table(switch="off", start=False, **options)
    t.down("mode")
    return t.switch("on").wait(0.1)


def self_tested(table, presses=CONTROLS, mv=4300, listen=False, lang="en"):
    """A self-test in which these controls are pressed, to its end: the table, in names again."""
    t = begun(table, listen=listen, lang=lang)
    t.robot.chip.microvolts[29] = mv * 1000 // 3
    t.quiet()
    if "mode" in presses:
        t.up("mode").wait(0.1).quiet()
    for control in presses:
        if control != "mode":
            t.press(control).quiet()
    return t.until(lambda: t.state == "names", at_most=60)


def words(t):
    """The phrases of the self-test, in order."""
    ids = t.phrases()
    return ids[: ids.index("names.greeting")] if "names.greeting" in ids else ids


def test_a_good_robot_names_everything_and_ends_with_a_fanfare(table):
    t = self_tested(table)
    assert [e["state"] for e in t.all("state")] == ["self_test", "names"]
    said = words(t)
    assert said[0] == "test.ask" and sorted(said[1:7]) == sorted(NAMES)
    assert said[7:] == [
        "test.heard", "test.cells", "count.4", "test.point", "count.3", "test.volts", "test.good",
    ]  # fmt: skip
    assert [e["tone"] for e in t.all("tone")][-1] == "fanfare"
    t.none("fault")
    lit = t.first("led", led="record", on=True)["t"]
    assert t.first("led", led="record", on=False)["t"] - lit < 3000
    t.quiet().names(2).press("plate").wait(1)
    assert t.state == "house_rule"


@pytest.mark.parametrize("seed", range(4))
def test_buttons_in_any_order_are_each_named_as_they_are_pressed(table, seed):
    order = list(CONTROLS)
    random.Random(seed).shuffle(order)
    t = begun(table).quiet().up("mode").wait(0.1)
    for control in order:
        since = t.mark()
        t.press(control).quiet(0.1)
        if control != order[-1]:
            assert t.phrases(since)[-1] == f"test.{control}"
    t.until(lambda: t.state == "names")
    assert "test.good" in t.phrases()


def test_presses_while_it_talks_are_all_named(table):
    """Nothing that is pressed in a hurry is lost, and nothing is said twice."""
    t = begun(table).up("mode")
    for control in CONTROLS:
        if control != "mode":
            t.press(control)
    t.until(lambda: t.state == "names")
    assert sorted(id for id in words(t) if id in NAMES) == sorted(NAMES)
    assert "test.good" in words(t)


@pytest.mark.parametrize("absent", CONTROLS)
def test_what_is_not_pressed_is_named_as_the_fault(table, absent):
    t = self_tested(table, [control for control in CONTROLS if control != absent])
    wrong = "test.stuck" if absent == "mode" else "test.silent"
    assert words(t)[-3:] == ["test.fault", f"test.{absent}", wrong]
    t.one("fault", what=f"self-test: test.{absent} {wrong}")
    assert len(t.all("tone", tone="fanfare")) == 1, "the one it listened to"


@pytest.mark.parametrize("stuck", ["record", "win", "plate"])
def test_a_contact_that_never_opens_is_stuck(table, stuck):
    t = begun(table).quiet().up("mode").wait(0.1).down(stuck)
    for control in CONTROLS:
        if control not in ("mode", stuck):
            t.press(control).quiet()
    t.until(lambda: t.state == "names")
    assert words(t)[-3:] == ["test.fault", f"test.{stuck}", "test.stuck"]


@pytest.mark.parametrize("broken", ["microphone", "loudspeaker"])
def test_it_says_when_it_does_not_hear_itself(table, broken):
    t = begun(table)
    if broken == "microphone":
        t.robot.room.alive = False
    else:
        t.robot.room.mute = True
    t.quiet().up("mode").wait(0.1)
    for control in CONTROLS:
        t.press(control).quiet()
    t.until(lambda: t.state == "names")
    fault = "deaf" if broken == "microphone" else "test.unheard"
    assert words(t)[-2:] == ["test.fault", fault]


@pytest.mark.parametrize(
    ("mv", "spoken"),
    [
        (4700, ["count.4", "test.point", "count.7"]), (4020, ["count.4"]),
        (3960, ["count.4"]), (3140, ["count.3", "test.point", "count.1"]),
        (2910, ["count.2", "test.point", "count.9"]),
    ],
)  # fmt: skip
def test_the_cells_voltage_is_said_to_a_tenth(table, mv, spoken):
    t = self_tested(table, mv=mv)
    said = words(t)
    at = said.index("test.cells")
    assert said[at + 1 : said.index("test.volts")] == spoken
    assert (said[-1] == "low_battery") == (mv < 3100)


def test_on_usb_it_is_silent_about_cells(table):
    t = begun(table)
    t.robot.chip.drive(24, None)
    t.robot.chip.driven[24] = 1
    t.quiet().up("mode").wait(0.1)
    for control in CONTROLS:
        t.press(control).quiet()
    t.until(lambda: t.state == "names")
    assert "test.cells" not in t.phrases() and "test.good" in t.phrases()


def test_it_speaks_the_language_of_its_voice(table):
    t = self_tested(table, lang="es")
    assert "Todo funciona" in " ".join(e["text"] for e in t.said())


def test_without_a_voice_it_beeps(table, packs, tmp_path):
    t = table(packs={})
    t.robot.switch("off")
    t.wait(1)
    since = t.mark()
    t.down("mode").switch("on").wait(0.5)
    t.up("mode").wait(0.3)
    for control in CONTROLS:
        if control != "mode":
            t.press(control).wait(0.5)
    t.until(lambda: t.state == "names")
    tones = [e["tone"] for e in t.all("tone", since)]
    assert tones.count("plate") == 1 and tones.count("volume") == 5
    assert "fanfare" in tones
    t.none("say", since, text="test.ask")


def test_moving_the_switch_ends_it(table):
    t = begun(table).wait(1).switch("try-me").wait(1)
    assert t.state == "demo"


def test_it_is_for_power_on_alone(table):
    """Not for white held while it wakes, nor another button at power-on, nor white later."""
    t = table(switch="off", start=False)
    t.down("win").switch("on").wait(1).up("win")
    assert t.state == "names"
    t.quiet().wait(75)
    assert t.robot.asleep
    t.down("mode").press("plate").wait(1)
    assert t.state == "names"
    t.up("mode").quiet().down("mode").wait(0.5).up("mode")
    assert "self_test" not in [e["state"] for e in t.all("state")]


def test_somebody_who_walks_away_leaves_a_robot_that_plays_and_sleeps(table):
    t = begun(table).wait(200)
    assert [e["state"] for e in t.all("state")] == ["self_test", "names", "asleep"]


def test_every_phrase_is_one_of_the_voice(table):
    for lang in ("es", "en"):
        t = self_tested(table, ["record"], mv=2900, lang=lang)
        t.none("tone", tone="missing")
        assert any("test.silent" in phrases_of(e) for e in t.said())
