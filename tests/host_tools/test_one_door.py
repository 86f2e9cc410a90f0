"""However a board misbehaves, each command ends in one line and in its time."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host_tools.maker import board as boards
from host_tools.maker import clips, device_files
from sim.emulated.install import small_pack

from .fake_board import HARMLESS_TALK, WAYS, FakeBoard, VirtualClock, Way
from .test_clips_wav import tone_wav
from .test_commands import run

# Two minutes of all exchanges, and what may come on top: letting go of a board that hangs, one
# exchange that waits for a person, a session that begins anew.
ENDS_S = 240.0
FIRMWARE = {
    "boot.py": b"",
    "main.py": b"new",
    "roboto/app.mpy": b"M\x06new",
    "roboto/board/flash.mpy": b"M\x06x",
}
COMMANDS = {
    "flash": ["flash", "--pack", "es.pack"],
    "flash --dry-run": ["flash", "--pack", "es.pack", "--dry-run"],
    "clips list": ["clips", "list"],
    "clips pull": ["clips", "pull", "party"],
    "clips push": ["clips", "push", "player-1-name.wav"],
    "clips play": ["clips", "play", "player-1-name.wav"],
    "clips wipe": ["clips", "wipe", "--yes"],
    "backup": ["clips", "pull", "--backup", "new.zip"],
    "restore": ["clips", "push", "--restore", "robot.zip"],
    "doctor": ["doctor", "--no-ask"],
    "log": ["log"],
    "log --follow": ["log", "--follow"],
    "set": ["set"],
    "set volume": ["set", "volume", "3"],
    "set language": ["set", "language", "es"],
    "console": ["console"],
}


class Typist(io.StringIO):
    """Somebody who presses green, and later goes."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def __iter__(self) -> Iterator[str]:
        import time

        yield "g\n"
        until_s = time.monotonic() + 20  # as long as the talk goes on in virtual time
        while self._clock.now_s < 100 and time.monotonic() < until_s:
            time.sleep(0.001)
        yield "q\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch) -> Callable[[Way | None], FakeBoard]:
    """Puts a board on the desk that misbehaves in a way."""
    from host_tools.maker import backup, player
    from host_tools.maker import firmware as firmwares

    (tmp_path / "es.pack").write_bytes(small_pack("es", 20))
    (tmp_path / "player-1-name.wav").write_bytes(tone_wav())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(firmwares, "collect", lambda compiled=None: dict(FIRMWARE))
    monkeypatch.setattr(player, "play", lambda path: None)
    monkeypatch.setattr(boards, "PATIENCE", 1.0)  # whatever an emulated board was given
    recording = clips.from_wav("name/0", tone_wav())
    there = {
        **FIRMWARE,
        "main.py": b"old",
        "voice/es.pack": small_pack("es", 20),
        "data/name-0.clip": device_files.as_file(recording.payload),
        "data/settings": device_files.settings_file(device_files.default_settings()),
        "data/log-0": device_files.as_file(b"# 1\n5 low battery\n"),
    }
    n = 0

    def put(way: Way | None) -> FakeBoard:
        nonlocal n
        n += 1
        clock = VirtualClock(ends_s=ENDS_S)
        board = FakeBoard(tmp_path / f"board-{n}", clock)
        board.files.put(there)
        if not (tmp_path / "robot.zip").exists():
            (tmp_path / "robot.zip").write_bytes(backup.take(board.files))
        if way:
            way(board)

        def opened(device: str, write_timeout_s: float) -> FakeBoard:
            return board

        monkeypatch.setattr(boards, "open_serial", opened)
        monkeypatch.setattr(boards, "open_port", lambda device, _=None: _OPEN(device, clock))
        monkeypatch.setattr(sys, "stdin", Typist(clock))
        return board

    return put


_OPEN = boards.open_port


def _is_clean(text: str) -> bool:
    return all(c == "\n" or c.isprintable() or c in "·" for c in text)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_honest_board_serves_each_command(command: str, desk, monkeypatch, capsys) -> None:
    board = desk(None)
    status, out, err = run(monkeypatch, capsys, *COMMANDS[command], "--port", "x")
    assert status in (0, 1) and "roboto: " not in err, err
    assert out or command == "clips play"
    assert _is_clean(out)
    assert board.closed
    if command in ("log --follow", "console"):
        assert board.clock.now_s > 99, "it goes on for as long as somebody wants"
        assert out.count("tone tone=plate") > 50


@pytest.mark.parametrize("command", COMMANDS)
def test_a_board_that_misbehaves_ends_each_command(
    command: str, desk, monkeypatch, capsys, request
) -> None:
    """Each command meets every eighth way, and each way two commands; with --slow all meet all."""
    assert len(WAYS) >= 50
    wrong = []
    step = 1 if request.config.getoption("--slow") else 8
    first = list(COMMANDS).index(command) % step
    for name, way in list({**WAYS, **HARMLESS_TALK}.items())[first::step]:
        board = desk(way)
        status, out, err = run(monkeypatch, capsys, *COMMANDS[command], "--port", "x")
        lines = [line for line in err.splitlines() if line.startswith("roboto: ")]
        problems = []
        if status not in (0, 1, 2) or (status == 2) != (len(lines) == 1):
            problems.append(f"status {status}, {err[-400:]!r}")
        if status == 2 and not err.endswith(lines[-1] + "\n"):
            problems.append(f"more than a line: {err!r}")
        if not _is_clean(out + err):
            problems.append(f"not clean: {(out + err)[-300:]!r}")
        if status == 1 and command != "doctor":
            problems.append("status 1")
        if board.clock.interrupted and not (name in HARMLESS_TALK and "log -" in command):
            talk = command in ("log --follow",) and _is_a_robot(out)
            if not talk:
                problems.append(f"did not end in {ENDS_S:.0f} s: {out[-200:]!r}")
        if max(map(len, lines), default=0) > 700:
            problems.append(f"a line of {max(map(len, lines))}")
        if any(word in err for word in ("[Errno", "Traceback", "unpack", "KeyError", "Error:")):
            problems.append(f"says not what: {err!r}")
        if not board.closed:
            problems.append("the port stays open")
        wrong += [f"{name}: {problem}" for problem in problems]
    assert not wrong, "\n".join(wrong)


def _is_a_robot(out: str) -> bool:
    return out.count("tone tone=plate") > 50
