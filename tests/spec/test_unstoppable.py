"""Whatever raises, anywhere in a step of the loop, costs what it was about: the robot goes on."""

from __future__ import annotations

import random
from typing import Any

import pytest

# Whatever the app calls in its steps, by its place in the app.
PARTS = (
    "board.inputs.scan", "board.inputs.take", "board.speaker.step", "board.speaker.close",
    "board.lights.talk", "board.lights.record", "board.microphone.warm", "board.microphone.hold",
    "board.power.low_battery", "mixer.say", "mixer.tone", "mixer.render", "mixer.cut",
    "mixer.set_volume", "recordings.capture", "recordings.listen", "recordings.finish",
    "recordings.cancel", "recordings.keep", "recordings.load", "recordings.forget",
    "recordings.ready", "recordings.in_silence", "recordings.let_go",
    "recordings.clips.load", "recordings.clips.save", "recordings._recorder.feed",
    "recordings._recorder.finish", "speech.say", "speech.tone", "speech.hush", "speech.prepare",
    "speech.begin", "speech.step", "speech._find", "speech._tell_say", "speech.pack.phrase",
    "saver.step", "saver.add", "log.save", "settings.save", "settings.set", "collect",
    "game.handle", "game._controls.press", "game._spoken", "game._recorded", "game._pass_time",
    "game.say", "game.go", "game.tone", "game.surprises.draw",
)  # fmt: skip
ERRORS = (ValueError, MemoryError, OSError, RuntimeError, ZeroDivisionError, AssertionError)


def _spoil(app: Any, part: str, error: type[Exception], times: int) -> list[int]:
    """Let a part raise the next so many times it is called; return how often it has, so far."""
    owner, names = app, part.split(".")
    for name in names[:-1]:
        owner = getattr(owner, name)
    if not hasattr(owner, names[-1]):
        pytest.skip(f"there is no {part}")
    real = getattr(owner, names[-1])
    raised = [0]

    def spoiled(*arguments: Any, **named: Any) -> Any:
        if raised[0] < times:
            raised[0] += 1
            raise error("spoiled")
        return real(*arguments, **named)

    setattr(owner, names[-1], spoiled)
    return raised


def _use_everything(t: Any) -> None:
    """Do for a while what people do, whatever the robot answers, in a new game and in it."""
    t.record().wait(0.2).record().wait(0.5)
    t.press("plate").wait(0.3).record().wait(0.3)
    for control in ("volume", "plate", "replay", "win", "plate", "plate"):
        t.press(control).wait(0.2)
    t.down("mode").wait(1.2)
    t.up("mode").wait(1.0).press("volume").press("mode").press("plate").wait(4.0)
    for _ in range(12):
        t.press("plate").wait(4.0)


def _it_lives(t: Any) -> None:
    """A press is heard, and a new game can be played from its beginning."""
    t.wait(30.0)
    since = t.mark()
    t.press("volume").wait(0.3)
    assert t.all("volume", since) and t.all("tone", since), t.events[-12:]
    t.switch("try-me").wait(1.0)
    t.switch("on").wait(1.0)
    t.quiet(0.5)
    since = t.mark()
    t.names(2).press("plate").wait(1.6).press("plate").wait(0.5)
    assert t.state == "play" and len(t.all("record", since, result="stored")) == 2


@pytest.mark.parametrize("part", PARTS)
def test_what_raises_once_costs_what_it_was_about(table, part):
    t = table(seed=PARTS.index(part)).quiet()
    app = t.robot.app
    since = t.mark()
    raised = _spoil(app, part, ERRORS[PARTS.index(part) % len(ERRORS)], 1)
    _use_everything(t)
    assert t.robot.app is app, "not even restarted"
    assert raised[0], "nobody has called it"
    told = [e["what"] for e in t.all("fault", since) if "spoiled" in e["what"]]
    assert len(told) == 1, t.all("fault", since)
    assert any("spoiled" in line for line in app.log.lines())
    _it_lives(t)


@pytest.mark.parametrize("part", PARTS)
def test_what_raises_every_time_is_noted_once_and_does_not_stop_the_rest(table, part):
    t = table(seed=PARTS.index(part)).quiet()
    app = t.robot.app
    since = t.mark()
    raised = _spoil(app, part, ERRORS[PARTS.index(part) % len(ERRORS)], 1 << 30)
    _use_everything(t)
    t.wait(20.0)
    _use_everything(t)
    t.wait(20.0)
    places = [e["what"] for e in t.all("fault", since) if "spoiled (" in e["what"]]
    assert len(set(places)) == len(places) <= 6, places
    if t.robot.app is app:  # else the watchdog, which is for what cannot be helped otherwise
        assert raised[0] < 1500, "not at every step"
        steps, wait_s = t.robot.chip.now_us, 5.0
        t.wait(wait_s)
        assert t.robot.chip.now_us - steps < 1.5e6 * wait_s


def test_a_game_that_raises_goes_on_from_the_kept_one_with_an_apology(table):
    t = table().quiet()
    t.to_play(players=3)
    since = t.mark()
    _spoil(t.robot.app, "game._controls.press", ValueError, 1)
    t.press("plate").quiet()
    assert "sorry" in t.phrases(since) and t.state == "play"
    assert t.robot.app.game.players == 3
    assert [e["state"] for e in t.all("state", since)] == ["play"]
    t.none("power", since)


def test_a_game_that_raises_again_at_once_gives_way_to_a_fresh_one(table):
    t = table().quiet()
    t.to_play()
    resume = type(t.robot.app.game.states["resume"])
    real, since = resume.go_on, t.mark()
    try:
        resume.go_on = lambda self: 1 // 0
        _spoil(t.robot.app, "game._controls.press", ValueError, 1)
        t.press("plate").quiet()
    finally:
        resume.go_on = real
    assert t.state == "names" and "sorry" in t.phrases(since)
    _it_lives(t)


def test_when_no_game_can_be_begun_the_robot_waits_and_beeps_and_tries_again(table):
    t = table().quiet()
    game = type(t.robot.app.game)
    real = game.start
    try:
        game.start = lambda *_, **__: 1 // 0
        _spoil(t.robot.app, "game._controls.press", ValueError, 1)
        t.press("plate").wait(1.0)
        since = t.mark()
        t.press("plate").wait(1.0)
        assert t.all("tone", since, tone="not_now")
        t.wait(120.0)
        assert len(t.all("fault", since)) <= 1
    finally:
        game.start = real
    since = t.mark()
    t.until(lambda: t.all("state", since), 400.0, 1.0)
    _it_lives(t)


def test_it_starts_though_the_game_raises_at_the_start(table):
    t = table(start=False)
    from sim import firmware

    module = firmware.load()
    real = module.App.begin
    failing = [True]

    def begin(self, *arguments, **named):
        if failing.pop() if failing else False:
            raise KeyError("spoiled")
        return real(self, *arguments, **named)

    module.App.begin = begin
    try:
        t.wait(1.0)
    finally:
        module.App.begin = real
    assert t.all("fault")[0]["what"].endswith("(game)")
    _it_lives(t)


def test_a_computers_interrupt_goes_through(table):
    t = table().quiet()
    app = t.robot.app

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    app.board.inputs.scan = interrupted
    with pytest.raises(KeyboardInterrupt):
        app.step()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_any_parts_may_raise_at_any_time(table, seed):
    rng = random.Random(seed)
    t = table(seed=seed).quiet()
    t.to_play()
    for _ in range(6):
        for part in rng.sample(PARTS, 3):
            if t.robot.app is not None and hasattr(t.robot.app.game, "surprises"):
                _spoil(t.robot.app, part, rng.choice(ERRORS), rng.choice((1, 2, 30)))
        _use_everything(t)
    _it_lives(t)
