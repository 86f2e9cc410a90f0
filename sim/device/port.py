"""A robot on a port: its settings are those of the scenario while it is played, and its own again
afterwards. Pressed by wire where nobody has hands: through its console."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from host_tools.maker import board as boards
from host_tools.maker import device_files, packs
from host_tools.maker.door import clean
from host_tools.maker.errors import BoardError
from host_tools.maker.link import Link

from .jig import Jig, JigHands
from .robot import greeted

_HELD_MS = 20_000  # the console's longest


class WireHands:
    """Presses by wire: the console does what a finger would. Nobody speaks, looks or listens."""

    presses = "wire"
    microphone: str | None = None
    hears: str | None = None
    sees_light = has_switch = has_power = False

    def __init__(self) -> None:
        self.link: Link | None = None

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a contact, for 20 s at most."""
        if self.link:
            self.link.send(f"press {control} {_HELD_MS}" if closed else f"release {control}")

    def say(self, samples: array[int]) -> None:
        """Say nothing: people.check() has refused such a scenario."""
        raise AssertionError("no microphone")

    def switch(self, position: str) -> None:
        """Leave the robot's own switch where it is."""

    def power(self, on: bool) -> None:
        """Leave the robot's supply as it is."""

    def light(self) -> list[tuple[float, bool]]:
        """Return no light: nobody looks."""
        return []

    def sound(self, start_s: float, end_s: float) -> bytes:
        """Return no sound: run.py has refused to write a WAV."""
        raise AssertionError("no ears")

    def close(self) -> None:
        """Hold on to nothing."""


def open_jig(port: str, robots: str) -> JigHands:
    """Return the hands of a jig on a port. Raise BoardError when there is none."""
    name = boards.find(port)
    if name == robots:
        raise BoardError(f"--jig {clean(port)} is the robot's own port: give the other Pico's")
    door = boards.open_port(name).serial
    try:
        return JigHands(Jig(door, door.clock, name))
    except BaseException:
        door.close()
        raise


class PortRobot:
    """The way to a robot on a port."""

    def __init__(self, port: str) -> None:
        self.port = boards.find(port)
        self._session: boards.Board | None = None
        self._started: boards.Board | None = None

    @contextmanager
    def with_settings(self, chosen: Mapping[str, Any]) -> Iterator[boards.Board]:
        """Give the robot the settings of one that nobody has set, and these; and its own back at
        the end. It stands in this session, until console() starts it. Raise BoardError."""
        board = self._session = boards.connect(self.port)
        there = packs.languages(board.tree())
        if chosen["language"] not in there:
            self.close_gently()
            raise BoardError(
                f"the robot has no voice for {chosen['language']}, but "
                f"{' '.join(there) or 'none at all'}: `roboto flash --lang {chosen['language']}`, "
                "or give --lang"
            )
        before = device_files.settings_of(board)
        values = {**device_files.default_settings(), **chosen}
        try:
            if values != before:
                board.replace(device_files.SETTINGS, device_files.settings_file(values))
            yield board
        finally:
            self.close()
            if values != before:
                with boards.connect(self.port) as board:
                    board.replace(device_files.SETTINGS, device_files.settings_file(before))

    def console(self) -> Link:
        """Return the console of the robot, started anew. Raise BoardError."""
        board = self._session or boards.connect(self.port)
        self._session = board
        board.restart(go_on=False)
        board.leave()
        self._session = None
        self._started = board
        return greeted(Link(board.serial), board.serial.clock)

    def close_gently(self) -> None:
        """Let the port go; a robot in a session starts again, where it was."""
        if self._session:
            self._session.restart()
        self.close()

    def close(self) -> None:
        """Let the port go."""
        for board in (self._session, self._started):
            if board:
                board.close()
        self._session = self._started = None

    @property
    def clock(self) -> Any:
        """Return the clock of its port."""
        assert self._session
        return self._session.serial.clock
