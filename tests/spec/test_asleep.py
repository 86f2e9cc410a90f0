"""SPEC section 2, asleep."""

import pytest

from .conftest import NAME
from .voices import said, voice

WARNING_MS, SLEEP_MS = 60000, 70000


def warned(t, since=0):
    return t.one("tone", since, tone="sleep_warning")["t"]


def test_60_s_warning_10_s_sleep(table):
    """ "60 s without activity: a warning beep." "10 s after the warning it sleeps." The count
    begins with the end of "the
    robot's own talking"."""
    t = table()
    t.quiet().wait(80)
    spoken = t.one("quiet")["t"]
    assert abs(warned(t) - spoken - WARNING_MS) <= 300
    assert abs(t.one("sleep")["t"] - spoken - SLEEP_MS) <= 600
    assert t.state == "asleep"


@pytest.mark.parametrize("control", ("plate", "volume", "replay", "win", "mode", "record"))
def test_activity_is_any_press(table, control):
    """ "Activity is any press"; "The plate keeps it awake; so does any button." """
    t = table()
    t.quiet().wait(58)
    t.press(control).quiet(0.1)
    last = max(e["t"] for e in t.all("quiet") + t.all("press"))
    t.wait(75)
    assert abs(warned(t) - last - WARNING_MS) <= 1500


@pytest.mark.parametrize("control", ("plate", "volume", "replay", "win", "mode", "record"))
def test_kept_awake_after_the_warning(table, control):
    t = table()
    t.quiet().wait(65)
    warned(t)
    t.press(control)
    t.wait(30)
    t.none("sleep")
    since = t.mark()
    t.wait(60)
    warned(t, since)
    t.one("sleep", since)


def test_activity_is_any_switch_move(table):
    t = table()
    t.quiet().wait(55)
    t.switch("try-me").wait(2)
    assert t.state == "demo"
    t.wait(30)
    t.none("tone", tone="sleep_warning")


def test_activity_is_recording(table):
    """ "recording": the count begins after its end, though the press was long before."""
    t = table()
    t.names(2).press("plate").quiet()
    t.wait(55)
    t.hold("record", 9.5, said(voice(9.4)))
    t.none("tone", tone="sleep_warning")


@pytest.mark.parametrize("reach", ("names", "house_rule", "play", "nickname", "won", "demo"))
def test_any_state_sleeps(table, reach):
    """ "asleep <── 60 s idle + warning ── any state" """
    t = table(seed=3, switch="try-me" if reach == "demo" else "on")
    if reach == "house_rule":
        t.names(2).press("plate")
    elif reach in ("play", "won", "nickname"):
        t.to_play(3)
    if reach == "won":
        t.press("win")
    if reach == "nickname":
        t.surprise("nickname")
    assert t.state == reach
    t.quiet().wait(110)
    t.one("sleep")


def test_all_is_off_and_the_cpu_stopped(table):
    """ "Record LED and talk LED are off, the amplifier and the microphone are off, the CPU is
    stopped." """
    t = table()
    t.quiet().wait(80)
    t.one("sleep")
    chip, pins = t.robot.chip, t.robot._pins
    for gpio in (pins.RECORD_LED, pins.TALK_LED, pins.AMP_SHUTDOWN, pins.MIC_POWER):
        assert not chip.output[gpio]
    assert not any(map(chip.clock_hz, range(30))) and not chip.i2s
    assert t.robot.app is None
    since = t.mark()
    t.wait(3600)
    for control in ("record", "replay", "volume", "win", "mode"):
        t.down(control).wait(1).up(control)
    assert {e["event"] for e in t.events[since:]} == {"press", "release"}


def test_wakes_as_at_power_on(table):
    """ "Asleep: the game is lost." "Press the plate to wake: it starts as at power-on." """
    t = table()
    t.to_play(2).wait(80)
    t.one("sleep")
    since = t.mark()
    t.press("plate").wait(1.0)
    t.one("wake", since)
    assert [e["state"] for e in t.all("state", since)] == ["names"]
    assert t.phrases(since) == ["names.greeting"]
    t.none("fault")
    t.quiet(1)
    assert not list(t.flash.glob("name*")) and not (t.flash / "game").exists()


def test_the_press_that_wakes_is_no_press(table):
    """The tray's press starts the robot, and does nothing more, however long it lasts."""
    t = table()
    t.quiet().wait(80)
    since = t.mark()
    t.down("plate").wait(4).up("plate").quiet()
    assert t.phrases(since) == ["names.greeting"]


def test_moving_the_switch_wakes(table):
    """ "(moving the switch at any time restarts in the state it points at)" """
    t = table()
    t.quiet().wait(80)
    t.one("sleep")
    t.switch("try-me").wait(1)
    assert t.state == "demo"


def test_cards_heavy_on_the_tray(table):
    """A tray that stays pressed neither keeps it awake nor wakes it; let go and pressed again, it
    wakes."""
    t = table()
    t.to_play(2).down("plate").quiet().wait(100)
    assert t.state == "asleep"
    t.none("wake")
    t.up("plate").wait(1)
    t.one("sleep")
    t.press("plate").wait(1)
    t.one("wake")
    assert t.state == "names"


def test_the_switch_is_heeded_while_cards_lie_on_the_tray(table):
    t = table()
    t.to_play(2).down("plate").quiet().wait(100)
    assert t.state == "asleep"
    t.switch("try-me").wait(1)
    assert t.state == "demo"


def test_a_low_battery_does_not_keep_it_awake(table):
    """What a low battery keeps from being saved must not keep the robot from sleeping."""
    t = table()
    t.quiet()
    t.robot.chip.microvolts[29] = 2_500_000 // 3
    t.wait(35).names(2)
    t.first("fault", what="low battery: nothing is saved any more")
    t.quiet().wait(110)
    t.one("sleep")


def test_on_usb_it_only_seems_to_sleep(table):
    """With USB plugged in the CPU goes on for the computer's sake; all else is as asleep, and the
    plate wakes it."""
    t = table()
    t.robot.chip.drive(24, None)
    t.robot.chip.driven[24] = 1
    t.to_play(2).wait(85)
    assert t.state == "asleep"
    t.none("sleep")
    since = t.mark()
    t.press("volume").wait(1)
    t.none("tone", since)
    t.press("plate").wait(1)
    assert t.state == "names"
    t.none("fault")


def test_nothing_is_recorded_asleep(table):
    t = table()
    t.quiet().wait(80)
    since = t.mark()
    t.hold("record", 1.0, NAME)
    t.none("record", since)
    t.none("led", since)
