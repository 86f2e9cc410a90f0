"""Any robot, real or emulated: does it do what a robot does? See plugin.py for how to run this."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

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


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Command:
    """`roboto` as a process of its own, at a running robot."""

    def __init__(self, port: str, *arguments: str) -> None:
        from host_tools.maker.board import PATIENCE

        self._patience = PATIENCE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "host_tools", *arguments],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "ROBOTO_PORT": port, "ROBOTO_PATIENCE": str(PATIENCE)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            # A run in the background ignores Ctrl-C, and so would what it starts.
            preexec_fn=None if os.name == "nt" else _heed_ctrl_c,
        )
        self.printed: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        self.printed.extend(iter(self._process.stdout.readline, ""))

    def type(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def prints(self, text: str, timeout_s: float = 10.0) -> bool:
        """Whether a line with that text comes."""
        end = time.monotonic() + timeout_s * self._patience
        while time.monotonic() < end:
            if any(text in line for line in list(self.printed)):
                return True
            time.sleep(0.05)
        return False

    def end(self, interrupt: bool = False) -> int:
        """Its exit status."""
        if interrupt:
            self._process.send_signal(signal.SIGINT)
        try:
            return self._process.wait(10 * self._patience)
        finally:
            self._process.kill()


def test_the_console_presses_and_tells(bay) -> None:
    with bay.lent() as port:
        console = Command(port, "console")
        assert console.prints("state state="), console.printed
        console.type("b")
        assert console.prints("tone tone=not_now"), console.printed
        console.type("x")
        assert console.prints("no button x"), console.printed
        console.type("t 99")
        assert console.prints("how many seconds? At most 20"), console.printed
        console.type("q")
        assert console.end() == 0, console.printed


def test_the_log_is_followed_while_the_game_goes_on(bay) -> None:
    with bay.lent() as port:
        log = Command(port, "log", "--follow")
        assert log.prints("following"), log.printed
        # Only one program has the port: another one's press would come by finger.
        if bay.hands:
            bay.hands.press("win", "the blue button")
            assert log.prints("tone tone=not_now", 20), log.printed
        assert log.end(interrupt=True) == 0, log.printed
        console = Command(port, "console")
        assert console.prints("state state="), console.printed
        console.type("q")
        assert console.end() == 0, console.printed


def test_settings_are_kept(session) -> None:
    values = device_files.settings_of(session)
    other = {**values, "sleep_s": 77 if values["sleep_s"] != 77 else 78}
    session.replace(device_files.SETTINGS, device_files.settings_file(other))
    assert device_files.settings_of(session) == other
    session.replace(device_files.SETTINGS, device_files.settings_file(values))


@pytest.mark.limit_s(120)
@pytest.mark.parametrize(
    "part", ["storage", "viper", "battery", "microphone", "spi flash", "speed"]
)
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
