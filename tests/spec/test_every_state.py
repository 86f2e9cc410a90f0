"""SPEC section 2, in every state."""

import numpy as np
import pytest

from .conftest import NAME, clips_of, phrases_of

STATES = ("names", "house_rule", "play", "nickname", "won", "demo")
CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")


@pytest.fixture
def reach(table):
    def sit(state, **options):
        t = table(seed=3, switch="try-me" if state == "demo" else "on", **options)
        if state == "house_rule":
            t.names(2).press("plate").wait(1.6)
        elif state in ("play", "nickname", "won"):
            t.to_play(3)
        if state == "won":
            t.press("win").wait(1.7)
        if state == "nickname":
            t.surprise("nickname")
        t.wait(0.3)
        assert t.state == state
        return t

    return sit


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("control", CONTROLS)
def test_buttons_act_at_once_also_while_it_talks(reach, state, control):
    """ "Buttons act at once, also while it talks." Each is answered by light, tone or speech."""
    t = reach(state)
    t.press("replay").wait(0.5)
    assert t.ear.talking
    since = t.mark()
    t.down(control).wait(0.15).up(control)
    t.wait(0.6)
    answers = [
        e
        for e in t.events[since:]
        if e["event"] in ("tone", "say") or e["event"] == "led" and e["led"] == "record"
    ]
    assert answers, t.events[since:]
    tone = [e["t"] for e in answers if e["event"] == "tone"]
    # a short press of mode acts when it is let go
    start = t.one("release" if control == "mode" else "press", since)["t"]
    if tone:
        assert tone[0] - start <= 30


@pytest.mark.parametrize("state", ("names", "house_rule", "nickname", "demo"))
def test_red_cuts_the_speech(reach, state):
    """ "Red where a recording is possible cuts the speech: the robot falls silent
    and listens." """
    t = reach(state)
    t.press("replay").wait(0.5)
    since = t.mark()
    t.down("record").wait(0.3)
    assert t.first("quiet", since)["cut"] is True
    assert t.one("led", since, led="record", on=True)["t"] - t.one("press", since)["t"] <= 100
    t.none("say", since)


def test_silence_when_red_cuts(table):
    """The robot does not hear itself: when the LED lights, the last of its words has left the
    loudspeaker."""
    t = table(listen=True)
    t.wait(1.0)
    t.down("record").wait(0.5)
    lit_s = t.one("led", led="record", on=True)["t"] / 1000
    assert np.abs(t.samples(lit_s, lit_s + 0.4)).max() == 0


@pytest.mark.parametrize("state", ("names", "house_rule", "nickname", "won"))
def test_plate_cuts_what_no_longer_fits(reach, state):
    """ "The plate in names, house_rule, nickname and won cuts what no longer fits." """
    t = reach(state)
    if state == "nickname":  # its request is a command: the tray only beeps until 3 s after it
        t.quiet().wait(3.0).hold("record", 0.6).wait(0.3)
    else:
        t.press("replay").wait(0.5)
    since = t.mark()
    t.press("plate")
    assert t.all("quiet", since)[0]["cut"] is True


@pytest.mark.parametrize("state", STATES)
def test_green(reach, state):
    """ "Green: says the last utterance again, whole, in the same order, with the same names and
    at the present volume." """
    t = reach(state)
    if state == "demo":
        t.press("plate")
    t.quiet()
    last = t.said()[-1]
    t.press("volume") if state != "demo" else None
    since = t.mark()
    t.press("replay").quiet()
    again = t.said(since)[-1]
    assert [again[k] for k in ("parts", "text", "players", "ms")] == [
        last[k] for k in ("parts", "text", "players", "ms")
    ]
    assert t.all("quiet")[-1]["cut"] is False


def test_green_at_the_present_volume(table):
    t = table(listen=True)
    t.quiet(0.1)
    loud = []
    for _ in range(3):
        t.press("volume").quiet(0.5)
        since_s = t.now_s
        t.press("replay").quiet(0.2)
        loud.append(20 * np.log10(np.sqrt(np.mean(t.samples(since_s) ** 2))))
    assert 7 < loud[0] - loud[2] < 11 and 7 < loud[2] - loud[1] < 11  # high, low, medium


def test_beeps_are_not_utterances(table):
    """ "Beeps are not utterances." """
    t = table()
    t.to_play(2)
    last = t.said()[-1]
    t.press("plate").wait(0.5).press("volume").wait(0.5)
    since = t.mark()
    t.press("replay").wait(0.5)
    assert t.one("say", since)["text"] == last["text"]


@pytest.mark.parametrize("state", STATES)
def test_yellow(reach, state):
    """ "Yellow: next of 3 volumes (low, medium, high, then low again) ... beeps at the new
    volume" """
    t = reach(state)
    since = t.mark()
    for _ in range(4):
        t.press("volume").wait(0.1)
    assert [e["level"] for e in t.all("volume", since)] == [3, 1, 2, 3]
    assert len(t.all("tone", since, tone="volume")) == 4


def test_yellow_takes_effect_on_what_is_being_said(table):
    t = table(listen=True)
    t.wait(1.0)
    since = t.mark()
    t.press("volume").wait(1.2).press("volume").wait(1.5)
    t.none("quiet", since)
    first, second = (e["t"] / 1000 for e in t.all("tone", since))
    rms = [np.sqrt(np.mean(t.samples(a, a + 1.0) ** 2)) for a in (first + 0.3, second + 0.3)]
    assert rms[0] > 4 * rms[1]


@pytest.mark.parametrize("state", ("names", "house_rule"))
def test_win_outside_play(reach, state):
    """ "Win outside play and won: the "not now" tone." """
    t = reach(state)
    since = t.mark()
    t.press("win")
    t.one("tone", since, tone="not_now")
    assert t.state == state


@pytest.mark.parametrize("state", STATES)
def test_moving_the_switch(reach, state):
    """ "moving the switch at any time restarts in the state it points at" """
    t = reach(state)
    t.switch("on" if state == "demo" else "try-me").wait(0.6)
    assert t.state == ("names" if state == "demo" else "demo")
    t.quiet(0.5)
    t.switch("try-me" if state == "demo" else "on").wait(0.6)
    assert t.state == ("demo" if state == "demo" else "names")


def test_moving_the_switch_while_recording(table):
    t = table()
    t.down("record").wait(0.5)
    t.switch("try-me").wait(0.6)
    assert t.one("record")["result"] == "cancelled" and t.state == "demo"
    t.one("led", led="record", on=False)
    t.up("record").wait(0.2)
    t.record()
    assert t.all("record")[-1]["result"] == "stored"


@pytest.mark.parametrize("state", STATES)
def test_menu(reach, state):
    """ "hold 2 s = spoken settings menu", in every state; it changes what it says, and the game
    is as it was."""
    t = reach(state)
    since = t.mark()
    t.press("mode", 2.2).wait(0.3)
    opened = t.said(since)[-1]
    assert phrases_of(opened)[0] == "menu.open"
    values = t.robot.app.settings.values()
    for key in ("language", "game", "pace", "names_voice", "keep_game", "gentle"):
        before = values[key]
        t.press("record").wait(0.3)
        assert t.robot.app.settings.values()[key] != before, key
        assert phrases_of(t.said()[-1])[0] == f"menu.{key}"
        t.press("mode").wait(0.3)
    t.none("record", since)
    t.press("mode", 2.2).wait(0.3)
    if state == "nickname":  # what the menu interrupted is said again
        assert t.said()[-1]["kind"] == "nickname"
    elif state == "play":  # another game was chosen: its rules
        assert phrases_of(t.said()[-1])[0] == f"{t.robot.app.settings.game}.rules"
    else:
        assert phrases_of(t.said()[-1])[0] == "menu.close"
    assert t.state == state
    t.quiet()
    t.none("fault")
    t.none("tone", tone="missing")


def test_language_change_and_replay(table):
    """What was said in one language is not said again in pieces of the other."""
    t = table(seed=3)
    t.to_play(3)
    t.surprise()
    t.press("mode", 2.2).wait(0.3).press("record").wait(0.5)
    assert t.robot.app.settings.language == "es"
    t.press("replay").quiet()
    t.press("plate").quiet().press("replay").quiet()
    t.wait(10)
    for _ in range(3):
        t.surprise()
        t.press("replay").quiet().wait(8)
    t.none("fault")
    t.none("tone", tone="missing")


def test_holding_everything(table):
    """All six contacts at once, in every state, and let go: it answers as before."""
    t = table()
    for _ in range(4):
        for control in CONTROLS:
            t.down(control)
        t.wait(4)
        for control in CONTROLS:
            t.up(control).wait(0.01)
        t.wait(1)
        since = t.mark()
        t.press("volume")
        t.one("tone", since, tone="volume")
    t.switch("try-me").wait(1)
    t.switch("on").wait(1)
    since = t.mark()
    t.record()
    assert t.one("record", since)["result"] == "stored"


def test_overlapping_buttons_while_recording(table):
    """Presses while somebody records: the recording goes on, and none is stuck."""
    t = table()
    t.down("record").wait(0.3)
    t.robot.room.say(t.robot.chip.now_us, NAME)
    for control in ("plate", "replay", "win", "mode", "volume"):
        t.press(control, 0.05)
    t.wait(0.5).up("record").wait(0.5)
    assert t.one("record")["result"] == "stored"
    assert clips_of(t.said()[-1]) == ["name/0"]


def test_plate_hammered_at_20_hz(table):
    t = table(seed=3)
    t.to_play(3)
    since = t.mark()
    for _ in range(200):
        t.press("plate", 0.025)
        if t.state != "play":
            break
    presses = t.all("press", since)
    beeps = t.all("tone", since, tone="plate")
    assert len(beeps) == len(presses)


@pytest.mark.parametrize("state", STATES)
def test_random_hands(reach, state):
    """Half a minute of a toddler; then the robot still plays. Nothing is written while sound is
    open: that would raise."""
    dice = np.random.default_rng(7)
    t = reach(state)
    for _ in range(150):
        control = CONTROLS[int(dice.integers(6))]
        t.robot.contact(control, bool(dice.integers(2)))
        t.wait(float(dice.uniform(0.005, 0.4)))
        if dice.integers(40) == 0:
            t.switch(("on", "try-me")[int(dice.integers(2))])
    for control in CONTROLS:
        t.robot.contact(control, False)
    t.wait(25)
    t.switch("try-me").wait(1)
    t.switch("on").wait(1)
    t.none("fault")
    since = t.mark()
    t.to_play(2)
    assert len(t.all("record", since, result="stored")) == 2


def test_the_mouth_keeps_its_frequency_and_no_clock_runs_into_a_dead_microphone(table):
    """What saving does to the microphone's clock never reaches the lights, nor a microphone that
    has no supply."""
    t = table(listen=True)
    chip, pins = t.robot.chip, t.robot._pins
    seen = []

    def look(level):
        seen.append((chip.clock_hz(pins.TALK_LED), chip.output[pins.MIC_POWER]))
        if not chip.output[pins.MIC_POWER]:
            assert not chip.clock_hz(pins.MIC_SCK) and pins.MIC_SCK not in chip.pwm_pins

    chip.watchers[pins.TALK_LED] = look
    t.to_play(3).surprise()
    t.quiet().wait(110)
    t.one("sleep")
    assert len({hz for hz, _ in seen}) == 1 and seen[0][0] == 1000
    assert {0, 1} <= {power for _, power in seen}
