"""Tests on a robot: pytest --device auto | PORT | serial:NUMBER | socket://HOST:PORT | emulator.

Without --device the tests that want a robot are skipped, each with the flag that would run it. A
robot that was asked for and is not found ends the run at once. Fixtures:

    robot       the running robot's line protocol (host_tools.maker.link.Link)
    session     a session in its raw REPL (host_tools.maker.board.Board)
    hands       whoever presses: a person (--human), a jig (--jig PORT), or the emulator's bench
    run_folder  where this run's serial log and WAV lie: build/hil/…

Markers: needs_jig (somebody must press), needs_speaker (somebody must listen), slow, erases
(recordings go).
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
_LIMIT_S = 60.0

_MARKERS = {
    "needs_device": "wants a robot: --device",
    "needs_jig": "wants somebody who presses: --jig, --human, or --device emulator",
    "needs_speaker": "wants somebody who listens: --jig, --human, or --device emulator",
    "erases": "deletes recordings: --wipe",
    "slow": "takes more than a minute: --slow",
    "limit_s(seconds)": f"time limit of a test on a robot; default {_LIMIT_S:.0f}",
}
_KEY = pytest.StashKey["Bay"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("robot", "tests on a robot")
    group.addoption(
        "--device",
        default=os.environ.get("ROBOTO_DEVICE"),
        help="auto, a port, serial:NUMBER, socket://HOST:PORT, emulator, labgrid:TARGET, "
        "or jumpstarter",
    )
    group.addoption(
        "--jig",
        metavar="PORT",
        help="a second Pico with tests/hil/jig, wired as hardware/jig.md says",
    )
    group.addoption("--human", action="store_true", help="ask a person to press, look and listen")
    group.addoption("--wipe", action="store_true", help="allow tests that delete recordings")
    group.addoption("--slow", action="store_true", help="run tests of more than a minute, too")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in _MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    if not config.getoption("--device") or hasattr(config, "workerinput"):
        return
    if not getattr(config.option, "numprocesses", None):
        _bay(config)
    elif config.getoption("--device") != "emulator":
        raise pytest.UsageError("a board cannot be shared by several processes: run with -n 0")


def _bay(config: pytest.Config) -> Bay:
    """The robot under test, looked for once a process. Each process of pytest-xdist that has a
    test for it starts an emulated one of its own."""
    if _KEY not in config.stash:
        config.stash[_KEY] = Bay(config)
    return config.stash[_KEY]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _KEY in config.stash:
        config.stash[_KEY].close()


def pytest_report_header(config: pytest.Config) -> str | None:
    return config.stash[_KEY].header if _KEY in config.stash else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    for item in items:
        if item.get_closest_marker("needs_device"):
            why = _why_skipped(config, item)
            if why:
                item.add_marker(pytest.mark.skip(reason=why))


def _why_skipped(config: pytest.Config, item: pytest.Item) -> str | None:
    """The flag that would run a test."""
    option = config.getoption
    if not option("--device"):
        return "run with --device auto (or emulator)"
    emulated = option("--device") == "emulator"
    somebody = emulated or option("--jig") or option("--human")
    for marker in ("needs_jig", "needs_speaker"):
        if item.get_closest_marker(marker) and not somebody:
            return "run with --human, or --jig PORT"
    if item.get_closest_marker("erases") and not (emulated or option("--wipe")):
        return "deletes recordings: run with --wipe"
    return None


class Bay:
    """The robot under test and what is around it, for one run of pytest."""

    def __init__(self, config: pytest.Config) -> None:
        from host_tools.maker import board as boards
        from host_tools.maker.errors import MakerError

        from .bench_engines import port_of

        name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{os.getpid()}"
        self.folder = ROOT / "build" / "hil" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        device = str(config.getoption("--device"))
        self.emulated = device == "emulator"
        self._emulator = None
        self.hands = None
        self._board = self._link = None
        self._lent = False
        self._engine = contextlib.ExitStack()
        self._log = (self.folder / "serial.log").open("ab")
        try:
            if self.emulated:
                boards.PATIENCE = max(boards.PATIENCE, 10.0)
                device = self._start_emulator()
            self.port = boards.find(port_of(device, config, self._engine))
            session = self.raw_repl()
            tree = [path.lstrip("/") for path in session.tree()]
            firmware = f"{sum(p.startswith('roboto/') for p in tree)} firmware files, " + (
                " ".join(sorted(p[6:-5] for p in tree if p.startswith("voice/"))) or "no voice"
            )
            self.header = (
                f"robot: {session.identity}, {firmware}, on {self.port}; log: {self.folder}"
            )
            self._choose_hands(config)
        except MakerError as error:
            self.close()
            raise pytest.UsageError(f"--device {config.getoption('--device')}: {error}") from error

    def _start_emulator(self) -> str:
        from .images import robot_image
        from .robot import EmulatedRobot

        image = self.folder / "robot.img"
        image.write_bytes(robot_image())
        self._emulator = EmulatedRobot(image, pace=2.0)
        return self._emulator.port

    def _choose_hands(self, config: pytest.Config) -> None:
        if self._emulator:
            self.hands = BenchHands(self._emulator)
        elif config.getoption("--jig"):
            from .jig_hands import JigHands

            self.hands = JigHands(str(config.getoption("--jig")), self.folder)
        elif config.getoption("--human"):
            self.hands = HumanHands(config)

    def raw_repl(self):
        """The session in the raw REPL; begun when the robot was running."""
        from host_tools.maker import board as boards

        if self._link or not self._board:
            self._lent = False
            self.let_go()
            transport = boards.open_port(self.port)
            transport.serial = Logged(transport.serial, self._log)
            self._board = boards.Board(transport)
        return self._board

    def running(self):
        """The line protocol of the running robot; restarted when it was in the raw REPL."""
        from host_tools.maker.link import Link

        if not self._link:
            board = self.raw_repl()
            board.restart()
            link = Link(board.serial)
            link.wait_for_greeting(30)
            self._link = link
        return self._link

    @contextlib.contextmanager
    def lent(self) -> Iterator[str]:
        """The running robot's port, let go for another process; the robot runs on."""
        if not self._lent:
            self.running()
            self.let_go()
            self._lent = True
        yield self.port

    def let_go(self) -> None:
        """Closes the port."""
        if self._board:
            self._board.close()
        self._board = self._link = None

    def close(self) -> None:
        """The robot runs again, and everything is let go."""
        from host_tools.maker.errors import BoardError

        if self._board and not self._link:
            with contextlib.suppress(BoardError):
                self._board.restart()
        self.let_go()
        self._engine.close()
        if self._emulator:
            self._emulator.heard(str(self.folder / "heard.wav"))
            self._emulator.close()
        if self.hands:
            self.hands.close()
        self._log.close()


class Logged:
    """A serial port that keeps what goes over it."""

    def __init__(self, port, log) -> None:
        self._port, self._log = port, log

    def __getattr__(self, name: str):
        return getattr(self._port, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            setattr(self._port, name, value)

    def read(self, n: int = 1) -> bytes:
        data = self._port.read(n)
        if not self._log.closed:
            self._log.write(data)
        return data

    def write(self, data: bytes) -> int | None:
        if not self._log.closed:
            self._log.write(b"\n>> " + repr(data).encode() + b"\n")
        return self._port.write(data)


class BenchHands:
    """The emulator's bench as host_tools.maker.checks.Hands."""

    def __init__(self, robot) -> None:
        self.robot = robot

    def press(self, control: str, what: str = "") -> None:
        self.robot.press(control, 800.0, 800.0)

    def sees(self, led: str, question: str = "") -> bool | None:
        return self.robot.leds()[led]

    def hears(self, question: str = "") -> bool | None:
        """Whether the loudspeaker played anything since it was last asked."""
        began, self._asked_ms = getattr(self, "_asked_ms", 0.0), self.robot.ms()
        return self.robot.heard(os.devnull, began) is not None

    def on_cells(self) -> bool:
        return False  # its cable is the link to it

    def close(self) -> None:
        pass


class HumanHands:
    """A person at the terminal; pytest's capture is lifted while they are asked."""

    def __init__(self, config: pytest.Config) -> None:
        from rich.console import Console

        from host_tools.maker.checks import Person

        self._person = Person(Console(stderr=True))
        self._capture: Any = config.pluginmanager.getplugin("capturemanager")

    def press(self, control: str, what: str = "") -> None:
        with self._capture.global_and_fixture_disabled():
            self._person.press(control, what or control)

    def sees(self, led: str, question: str = "") -> bool | None:
        with self._capture.global_and_fixture_disabled():
            return self._person.sees(led, question or f"is the {led} light lit?")

    def hears(self, question: str = "") -> bool | None:
        with self._capture.global_and_fixture_disabled():
            return self._person.hears(question or "did it say something?")

    def on_cells(self) -> bool:
        with self._capture.global_and_fixture_disabled():
            return self._person.on_cells()

    def close(self) -> None:
        pass


# ---- fixtures


@pytest.fixture(scope="session")
def bay(request: pytest.FixtureRequest) -> Bay:
    """The robot under test, with its surroundings."""
    return _bay(request.config)


@pytest.fixture
def run_folder(bay: Bay) -> Path:
    return bay.folder


@pytest.fixture
def hands(bay: Bay):
    return bay.hands


@pytest.fixture
def session(bay: Bay, request: pytest.FixtureRequest) -> Iterator:
    """The raw REPL. The same session goes on from test to test; at the end of the run the robot
    runs again."""
    with _limited(request, bay):
        yield bay.raw_repl()


@pytest.fixture
def robot(bay: Bay, request: pytest.FixtureRequest) -> Iterator:
    """The running robot, when it has greeted; it is restarted only where a session went before."""
    with _limited(request, bay):
        yield bay.running()


class _limited:
    """After the time limit the port is closed under the test, so that whatever waits for it "
    "fails."""

    def __init__(self, request: pytest.FixtureRequest, bay: Bay) -> None:
        from host_tools.maker.board import PATIENCE

        marker = request.node.get_closest_marker("limit_s")
        self._seconds = (marker.args[0] if marker else _LIMIT_S) * PATIENCE
        self._late = False
        self._bay = bay

    def __enter__(self) -> None:
        self._timer = threading.Timer(self._seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        self._late = True
        self._bay.let_go()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._late:
            pytest.fail(f"not done in {self._seconds:.0f} s", pytrace=False)
