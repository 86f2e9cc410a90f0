"""The maker's tools on an emulated board, over the same transport as on a real one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host_tools.image import PICO, SECTOR_BYTES, merge, read_stock, room_taken
from host_tools.maker import board as boards
from host_tools.maker import checks, clips, device_files, firmware
from host_tools.maker import flash as flashing
from host_tools.maker.errors import BoardError
from host_tools.maker.link import Link
from sim.emulated import install
from tests.conftest import need
from tests.host_tools.test_clips_wav import tone_wav

from .images import robot_files, robot_image
from .robot import ROOT, EmulatedRobot


@pytest.fixture(scope="module", autouse=True)
def _emulator() -> Iterator[None]:
    need("rp2040py", "pip install rp2040py")
    try:
        install.image()
    except install.NoImage as error:
        need("MicroPython image", str(error), found="")
    patience, boards.PATIENCE = boards.PATIENCE, 20.0
    yield
    boards.PATIENCE = patience


@pytest.fixture
def start(tmp_path: Path) -> Iterator:
    """Starts an emulated robot: its port and its bench."""
    running: list[EmulatedRobot] = []

    def starts(files: bytes | None = None, **options) -> EmulatedRobot:
        image = None
        if files is not None:
            image = tmp_path / "files.img"
            image.write_bytes(files)
        running.append(EmulatedRobot(image, **options))
        return running[-1]

    yield starts
    for robot in running:
        robot.close()


def roboto(
    robot: EmulatedRobot, *arguments: str, player: Path | None = None
) -> subprocess.CompletedProcess:
    """Runs the command. player: a folder for the loudspeaker of this computer, which keeps what it
    was given as heard.wav."""
    environment = {**os.environ, "ROBOTO_PORT": robot.port, "ROBOTO_PATIENCE": "20"}
    if player:
        program = player / "afplay"
        program.write_text(f'#!/bin/sh\ncp "$1" "{player}/heard.wav"\n')
        program.chmod(0o755)
        environment["PATH"] = f"{player}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "host_tools", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
    )


def test_an_image_is_dropped_and_the_robot_greets(start, tmp_path: Path) -> None:
    uf2 = tmp_path / "roboto.uf2"
    stock = read_stock(install.image().read_bytes())
    uf2.write_bytes(merge(stock, robot_files()))
    assert uf2.read_bytes() == merge(stock, robot_files())
    robot = start(drop=uf2, pace=2.0)
    transport = boards.open_port(robot.port)
    said = Link(transport.serial).wait_for_greeting(60)
    transport.close()
    assert said
    deadline = time.monotonic() + 120
    while robot.heard(os.devnull) is None:
        assert time.monotonic() < deadline, "nothing was heard"


def test_flash_with_the_plug_pulled_then_completed_then_nothing_to_do(start) -> None:
    recording = clips.from_wav("name/0", tone_wav())
    data = {
        "data/name-0.clip": device_files.as_file(recording.payload),
        "data/settings": device_files.settings_file({"language": "en", "volume": 3}),
    }
    old = {"roboto/app.mpy": b"old", "main.py": b"old", "roboto/gone.mpy": b"old"}
    robot = start(robot_image({**data, **old}), pace=1.0)
    wanted = robot_files()

    def attempt() -> flashing.Plan:
        board = boards.connect(robot.port)
        try:
            flashing.complete(board)
            board.make_spi_flash()
            todo = flashing.plan(board, wanted)
            flashing.flash(board, wanted, todo)
            return todo
        finally:
            board.close()

    robot.unplug(9000)  # while sending; test_interrupted.py has many more points
    with pytest.raises(BoardError) as error:
        attempt()
    assert "\n" not in str(error.value)
    there = {path: bytes.fromhex(text) for path, text in robot.files().items()}
    assert there["main.py"] == there["roboto/app.mpy"] == b"old"
    todo = attempt()
    assert todo.staged and todo.remove == ["/voice/en.pack", "roboto/app.mpy", "roboto/gone.mpy"]
    there = {path: bytes.fromhex(text) for path, text in robot.files().items()}
    voice = wanted.pop("voice/en.pack")
    assert there == {**wanted, **data}
    assert bytes.fromhex(robot.chip_files()["voice/en.pack"]) == voice
    wanted["voice/en.pack"] = voice

    # A second run finds nothing to do, soon: the board's time, and the computer's own.
    board = boards.connect(robot.port)
    began_ms, began_s = robot.ms(), time.process_time()
    assert flashing.plan(board, wanted).nothing
    seconds = (robot.ms() - began_ms) / 1000 + time.process_time() - began_s
    board.close()
    print(f"unchanged: {seconds:.2f} s")
    assert seconds < 3
    _compare_with_mpremote(robot)


def _compare_with_mpremote(robot: EmulatedRobot) -> None:
    """Ours against `mpremote cp`, from connecting on, in the board's own time. See
    tests/bench/bench_flash.py for all of `roboto flash`."""
    path = ROOT / "build" / "hil" / "payload.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.urandom(12_000))
    began = robot.ms()
    subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", robot.port, "cp", path, ":theirs.bin"],
        check=True,
        timeout=400,
    )
    theirs_ms = robot.ms() - began
    board = boards.connect(robot.port)
    board.write({"ours.bin": path.read_bytes()})
    ours_ms = robot.ms() - began - theirs_ms
    assert board.digests(["ours.bin"]) == {"ours.bin": board.digests(["theirs.bin"])["theirs.bin"]}
    board.close()
    print(f"12 KB and connecting: mpremote cp {theirs_ms:.0f} ms, roboto {ours_ms:.0f} ms")
    assert ours_ms < theirs_ms


@pytest.mark.slow
def test_a_bare_board_with_an_spi_flash_becomes_a_robot(start) -> None:
    """All by the command. The voice goes to the SPI flash, though the board cannot find that
    before it has the firmware."""
    robot = start(pace=1.0)
    pack = ("--pack", str(_pack_file()))
    assert "would send main.py" in roboto(robot, "flash", *pack, "--dry-run").stdout
    assert robot.chip_writes() == 0 and not robot.files()
    done = roboto(robot, "flash", *pack)
    assert done.returncode == 0, done.stderr
    assert "the robot says: " in done.stdout
    wanted = robot_files()
    voice = wanted.pop("voice/en.pack")
    assert {path: bytes.fromhex(text) for path, text in robot.files().items()} == wanted
    assert bytes.fromhex(robot.chip_files()["voice/en.pack"]) == voice
    done = roboto(robot, "flash", *pack)
    assert "up to date: " in done.stdout, done.stdout


def test_clips_come_back_as_they_went(start, tmp_path: Path) -> None:
    robot = start(robot_image())
    made = {key: clips.from_wav(key, tone_wav()) for key in ("name/0", "nickname/0")}
    with boards.connect(robot.port) as board:
        clips.push(board, made)
        pulled, _ = clips.pull(board, tmp_path)
        first = {p: board.read(p) for p in board.tree() if p.endswith(".clip")}
        assert clips.wipe(board) == 2
        again = {
            clips.key_of(p.name): clips.from_wav(clips.key_of(p.name), p.read_bytes())
            for p in pulled
        }
        clips.push(board, again)
        assert {p: board.read(p) for p in first} == first
        assert again == made
        # What the robot itself makes of it:
        line = board.exec(
            "from roboto.storage.clips import Clips\nfrom roboto.storage.volume import Volume\n"
            f"c = Clips(Volume({board._there('data/')[:-1]!r}))\n"
            "print(c.keys(), c.load('name/0').n_samples)"
        )
        assert line.strip() == f"['name/0', 'nickname/0'] {made['name/0'].n_samples}"
        board.leave()


def _other_thumb() -> dict[str, bytes | None]:
    """A firmware on a MicroPython whose compiler gets a loop wrong."""
    source = (ROOT / "firmware/roboto/sound/thumb_record.py").read_bytes()
    source += b"\n\ndef energy(src, n):\n    return 1\n"
    name = "roboto/sound/thumb_record"
    if not firmware.has_compiler():
        return {name + ".py": source}
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return {name + ".mpy": firmware.compile_mpy(name + ".py", source, Path(folder))}


class BenchFinger:
    """Presses on the bench; sees and hears nothing."""

    def __init__(self, robot: EmulatedRobot) -> None:
        self._robot = robot

    def press(self, control: str, what: str) -> None:
        self._robot.press(control, 800.0, 800.0)

    def sees(self, led: str, question: str) -> bool | None:
        return None

    def hears(self, question: str) -> bool | None:
        return None

    def on_cells(self) -> bool:
        return False


def test_clips_by_the_command_line(start, tmp_path: Path) -> None:
    """Looking never writes, whatever is on the SPI flash: the firmware is on this board, but has
    not started yet."""
    robot = start(robot_image({"main.py": None}), pace=5.0)

    def command(*arguments: str) -> str:
        done = roboto(robot, "clips", *arguments, player=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    assert "no recordings" in command("list")
    assert robot.chip_writes() == 0
    wav = tmp_path / "player-1-name.wav"
    wav.write_bytes(tone_wav())
    assert "player 1, name: 0.7 s" in command("push", str(wav))
    writes = robot.chip_writes()
    assert writes > 0
    command("play", "player-1-name.wav")
    heard = (tmp_path / "heard.wav").read_bytes()
    assert clips.from_wav("name/0", heard) == clips.from_wav("name/0", wav.read_bytes())
    assert robot.chip_writes() == writes


# What is broken, the part that doctor looks at, and the name it must give the fault.
FAULTS = {
    "microphone-unpowered": ("microphone", "microphone-unpowered"),
    "microphone-other-channel": ("microphone", "microphone-other-channel"),
    "microphone-quiet": ("microphone", "microphone-quiet"),
    "amplifier-silent": ("loop", "amplifier-silent"),
    "button-stuck": ("buttons", "button-stuck"),
    "tray-open": ("buttons", "tray-open"),
    "wrong-spi-chip": ("spi flash", "wrong-spi-chip"),
    "battery-low": ("battery", "battery-low"),
}
CONTENTS: dict[str, tuple[str, str, Any]] = {
    "flash-full": ("storage", "flash-full", lambda: {"data/log-0": bytes(_all_but_16_kb())}),
    "old-firmware": ("firmware", "old-firmware", {"roboto/start.mpy": b"of last year"}),
    "no-voice": ("firmware", "no-voice", {"voice/en.pack": None}),
    "viper-fault": ("viper", "viper-fault", _other_thumb),
}


def _all_but_16_kb() -> int:
    """The size of a file that leaves 16 KB of a stock Pico's flash beside the firmware."""
    taken = room_taken((path, len(data)) for path, data in robot_files().items())
    return (PICO.n_blocks - 4) * SECTOR_BYTES - taken


def _faults_found(robot: EmulatedRobot, part: str) -> list[str]:
    board = boards.connect(robot.port)
    try:
        hands = BenchFinger(robot) if part == "buttons" else None
        return [f.name for f in checks.examine(board, hands, [part]) if f.status == "fault"]
    finally:
        board.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_doctor_names_a_broken_part(start, fault: str, monkeypatch) -> None:
    monkeypatch.setattr(checks, "PRESS_TIMEOUT_MS", 4000)
    monkeypatch.setattr(checks, "ASKED_FOR", ("record", "plate", "try_me"))
    part, name = FAULTS[fault]
    robot = start(robot_image(), faults=(fault,), pace=1.0)
    assert _faults_found(robot, part) == [name]


@pytest.mark.parametrize("fault", CONTENTS)
def test_doctor_names_a_wrong_content(start, fault: str) -> None:
    part, name, changed = CONTENTS[fault]
    robot = start(robot_image(changed() if callable(changed) else changed), pace=5.0)
    assert _faults_found(robot, part) == [name]


def test_the_commands_end_with_one_line_when_the_port_is_taken(start) -> None:
    robot = start()
    taken = boards.open_port(robot.port)
    done = roboto(robot, "set")
    taken.close()
    assert done.returncode == 2
    assert done.stderr.startswith("roboto: ") and done.stderr.count("\n") == 1


def test_another_program_is_not_overwritten(start) -> None:
    from host_tools.image import make_filesystem

    robot = start(make_filesystem({"main.py": b"print('a weather station')\n"}))
    done = roboto(robot, "flash", "--pack", str(_pack_file()))
    assert done.returncode == 2 and "--force" in done.stderr


def _pack_file() -> Path:
    path = ROOT / "build" / "hil" / "en.pack"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(robot_files()["voice/en.pack"])
    return path
