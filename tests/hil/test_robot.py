"""Any robot, real or emulated: does it do what a robot does? See plugin.py for how to run this."""

import time

import pytest

from host_tools.maker import checks, device_files

pytestmark = pytest.mark.needs_device


def await_event(robot, event: str, timeout_s: float = 10.0, **fields) -> dict:
    """The next event of a kind, with these fields."""
    from host_tools.maker.board import PATIENCE

    end = time.monotonic() + timeout_s * PATIENCE
    for told in robot.events(timeout_s * PATIENCE):
        if told["event"] == event and all(told.get(k) == v for k, v in fields.items()):
            return told
        assert time.monotonic() < end, f"no {event} in {timeout_s} s"
    raise AssertionError(f"no {event} in {timeout_s} s")


def test_it_greets_and_waits_for_names(robot) -> None:
    hello = robot.ask("hello")
    assert hello["state"] in ("names", "resume", "demo")
    assert hello["said"] >= 1 and hello["last"]


def test_a_press_by_wire_is_answered(robot) -> None:
    robot.ask("follow on")
    robot.send("press win")
    assert await_event(robot, "tone", tone="not_now")


def test_volume_goes_round(robot) -> None:
    robot.ask("follow on")
    levels = []
    for _ in range(3):
        robot.send("press volume")
        levels.append(await_event(robot, "volume")["level"])
    assert sorted(levels) == [1, 2, 3]


def test_the_console_refuses_what_it_does_not_know(robot) -> None:
    for command in ("press nose", "press plate 99999999", "fly"):
        robot.send(command)
        assert await_event(robot, "error")["what"]
    assert robot.ask("hello")


@pytest.mark.needs_jig
def test_a_finger_is_answered(robot, hands) -> None:
    robot.ask("follow on")
    hands.press("win", "the blue button")
    assert await_event(robot, "tone", 20, tone="not_now")


def test_settings_are_kept(session) -> None:
    values = device_files.settings_of(session)
    other = {**values, "sleep_s": 77 if values["sleep_s"] != 77 else 78}
    session.replace(device_files.SETTINGS, device_files.settings_file(other))
    assert device_files.settings_of(session) == other
    session.replace(device_files.SETTINGS, device_files.settings_file(values))


@pytest.mark.limit_s(120)
@pytest.mark.parametrize("part", ["storage", "viper", "battery", "microphone", "spi flash"])
def test_doctor_finds_nothing_wrong(session, part: str) -> None:
    for finding in checks.examine(session, None, [part]):
        assert finding.status in ("good", "warning", "skipped"), finding.what


@pytest.mark.needs_jig
@pytest.mark.limit_s(240)
@pytest.mark.parametrize("part", ["buttons", "leds"])
def test_doctor_with_hands(session, hands, part: str) -> None:
    for finding in checks.examine(session, hands, [part]):
        assert finding.status in ("good", "skipped"), finding.what


@pytest.mark.limit_s(120)
def test_the_loudspeaker_is_heard_by_the_microphone(session) -> None:
    (finding,) = checks.examine(session, None, ["loop"])
    assert finding.status == "good", finding.what


@pytest.mark.needs_jig
@pytest.mark.limit_s(120)
def test_sleep_and_wake(session, hands) -> None:
    (finding,) = checks.examine(session, hands, ["sleep"])
    assert finding.status == "good", finding.what
