"""What `roboto doctor` makes of what it sees, and what a session says of boards it cannot use."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roboto.board import pins
from serial.tools import list_ports

from host_tools.maker import board as boards
from host_tools.maker import checks, judge, keys
from host_tools.maker.door import Door
from host_tools.maker.errors import BoardError
from host_tools.maker.repl import Repl
from host_tools.places import VERSION

from .fake_board import FakeBoard, VirtualClock

QUIET = {"n": 800, "changes": 790, "low": -400, "high": 400, "mean": 0.0, "rms": 230.0}
ZEROS = {"n": 800, "changes": 0, "low": 0, "high": 0, "mean": 0.0, "rms": 0.0}


def heard(left: dict, right: dict = ZEROS) -> checks.Finding:
    return checks.judge_microphone({"woke_ms": 19, "left": left, "right": right})


@pytest.mark.parametrize(
    ("finding", "name"),
    [
        (heard(QUIET), ""),
        (heard(ZEROS), "microphone-unpowered"),
        (heard({**ZEROS, "low": -1, "high": -1}, ZEROS), "microphone-unpowered"),
        (heard(ZEROS, QUIET), "microphone-other-channel"),
        (heard({**QUIET, "rms": 4.0e6}), "microphone-noise"),
        (heard({**QUIET, "rms": 2.0}), "microphone-quiet"),
        (heard({"n": 0}), "i2s-dead"),
        (checks.judge_loop(20.0, 90000.0), ""),
        (checks.judge_loop(20.0, 25.0), "amplifier-silent"),
        (checks.judge_loop(0.0, 0.0), "amplifier-silent"),
        (checks.judge_battery(4500), ""),
        (checks.judge_battery(2950), "battery-low"),
        (checks.judge_battery(12), "battery-sense"),
        (checks.judge_storage(600_000, 1_441_792), ""),
        (checks.judge_storage(9_000, 1_441_792), "flash-full"),
        (checks.judge_viper([], "a board"), ""),
        (checks.judge_viper(["decode"], "a board"), "viper-fault"),
        (checks.judge_press("record", "red", "GP2", ["record"]), ""),
        (checks.judge_press("record", "red", "GP2", []), "button-open"),
        (checks.judge_press("plate", "the tray", "GP7", []), "tray-open"),
        (checks.judge_press("record", "red", "GP2", ["replay"]), "swapped"),
        (checks.judge_press("record", "red", "GP2", ["record", "replay"]), "bridged"),
        (checks.judge_led("the light", "GP9", True, True), ""),
        (checks.judge_led("the light", "GP9", False, True), "led-dark"),
        (checks.judge_led("the light", "GP9", True, False), "led-lit"),
        (checks.judge_spi_flash({"error": "SPI flash answers ff ff ff"}), "no-spi-chip"),
        (checks.judge_spi_flash({"error": "SPI flash answers c2 20 19"}), "wrong-spi-chip"),
        (checks.judge_speed(600, 650), ""),
        (checks.judge_speed(600, 0), ""),
        (checks.judge_speed(600, 1000), "flash-slow"),
        (checks.judge_speed(2900, 3100), "flash-slow"),
        (checks.judge_sleep(None), "no-wake"),
        (checks.judge_sleep(False), "no-sleep"),
    ],
)
def test_a_fault_has_its_name(finding: checks.Finding, name: str) -> None:
    assert finding.name == name
    assert (finding.status == "good") == (name == "")
    assert finding.what and "\n" not in finding.what


def test_an_old_or_half_flashed_firmware_is_told() -> None:
    wanted = {"main.py": b"new", "roboto/app.mpy": b"new"}
    import hashlib

    same = {path: hashlib.sha256(data).hexdigest() for path, data in wanted.items()}
    assert checks.judge_firmware(wanted, {}, same).status == "good"
    old = checks.judge_firmware(wanted, {}, {**same, "main.py": "0"})
    assert old.name == "old-firmware" and "main.py" in old.what
    told = checks.judge_firmware(wanted, {}, {**same, "main.py": "0"}, "0.0.7")
    assert f"the robot has 0.0.7, this checkout {VERSION}" in told.what
    assert checks.judge_firmware(wanted, {"next/unfit": 0}, same).name == "half-flashed"
    loose = checks.judge_firmware(wanted, {"roboto/start.py": 9}, same)
    assert loose.name == "old-firmware" and "roboto/start.py" in loose.what


def a_board_that_says(answer: str, folder: Path) -> tuple[FakeBoard, Callable[[], boards.Board]]:
    """A port with a board that answers so to the question who it is; and a session with it."""
    clock = VirtualClock()
    board = FakeBoard(folder, clock)
    board.lie = lambda kind, out, err: (answer if kind == "identity" else out, err)
    return board, lambda: boards.Board(Repl(Door(board, "the port", clock), "the port"))


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("rp2|1.24.1|e661|Raspberry Pi Pico with RP2040", "1.24.1 .* is too old"),
        ("rp2|1.28.0|e661|Raspberry Pi Pico 2 with RP2350", "not a board with an RP2040"),
        ("esp32|1.28.0|24a1|Generic ESP32 module with ESP32", "not a board with an RP2040"),
    ],
)
def test_a_board_that_cannot_be_used_is_let_go(answer: str, line: str, tmp_path: Path) -> None:
    board, session = a_board_that_says(answer, tmp_path)
    with pytest.raises(BoardError, match=line) as error:
        session()
    assert "\n" not in str(error.value)
    assert board.closed


def test_a_usable_board_says_who_it_is(tmp_path: Path) -> None:
    board = a_board_that_says("rp2|1.29.0|e661|Raspberry Pi Pico with RP2040", tmp_path)[1]()
    assert board.identity.version == (1, 29, 0)
    assert str(board.identity) == "Raspberry Pi Pico with RP2040, MicroPython 1.29.0"


@pytest.mark.parametrize("vids", [[], [(0x2E8A, 5), (0x2E8A, 5)], [(0x303A, 1)]])
def test_none_or_several_boards_are_said(vids: list, monkeypatch) -> None:
    from types import SimpleNamespace

    ports = [
        SimpleNamespace(device=f"/dev/ttyACM{i}", vid=vid, pid=pid, serial_number=f"E66{i}")
        for i, (vid, pid) in enumerate(vids)
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    with pytest.raises(BoardError, match="several boards" if len(vids) == 2 else "no board found"):
        boards.find("auto")
    if ports:
        assert boards.find("serial:e660") == "/dev/ttyACM0"
    with pytest.raises(BoardError, match="no board with the serial number"):
        boards.find("serial:nobody")


def test_what_goes_over_the_wire_never_interrupts() -> None:
    every = bytes(range(256)) * 2 + b"\x1b1\x1b2\x03\x1b\x03"
    sent = boards.encode(every)
    assert b"\x03" not in sent
    assert sent.replace(b"\x1b1", b"\x03").replace(b"\x1b2", b"\x1b") == every


def test_letters_press_buttons() -> None:
    assert keys.command("r 2.5") == "press record 2500"
    assert keys.command("plate") == "press plate 100"
    assert keys.command("") is None
    for wrong in ("x", "r soon"):
        with pytest.raises(ValueError, match="no button|how many seconds"):
            keys.command(wrong)


def _everything_judged() -> list[str]:
    """What doctor says of every fault that is about a wire."""
    loud, quiet = {**QUIET, "rms": 4.0e6}, {**ZEROS, "low": -1}
    findings = [heard(ZEROS), heard(quiet), heard(loud), checks.judge_battery(12)]
    findings += [checks.judge_press(c, "it", judge.at(c), []) for c in judge.CONTROLS]
    findings += [checks.judge_press("record", "red", judge.at("record"), ["mode"])]
    findings += [checks.judge_led("it", judge.at("talk_led"), False, True)]
    findings += [checks.judge_led("it", judge.at("record_led"), False, True)]
    findings += [checks.judge_speaker(False), checks.judge_loop(1.0, 1.0)]
    findings += [checks.judge_spi_flash({"error": "SPI flash answers ff ff ff"})]
    findings += [checks.judge_sleep(None)]
    return [finding.what for finding in findings]


NOT_DOCTOR_S = {"USB_PRESENT"}  # what no finding is about
PINS = [n for n, v in vars(pins).items() if n.isupper() and type(v) is int]
PINS = [n for n in PINS if not n.endswith(("_I2S", "_SPI")) and n not in NOT_DOCTOR_S]


@pytest.mark.parametrize("name", PINS)
def test_a_pin_that_moves_moves_in_what_doctor_says(name: str, monkeypatch) -> None:
    old = f"GP{getattr(pins, name)}"
    before = sum(
        line.replace(",", " ").replace("?", " ").split().count(old) > 0 or old + ")" in line
        for line in _everything_judged()
    )
    assert before, f"doctor never names {name}"
    monkeypatch.setattr(pins, name, 77)
    assert any("GP77" in line for line in _everything_judged())


def _boot(mv: int | None, seconds: int = 7) -> list[str]:
    """What a start leaves in the robot's log; mv: of its cells, None on USB."""
    return ["0 roboto 1.0"] + ([] if mv is None else [f"{seconds} cells {mv} mV"])


@given(
    before=st.lists(st.one_of(st.none(), st.integers(2600, 4800)), max_size=8),
    after=st.lists(st.one_of(st.none(), st.integers(2600, 4800)), max_size=4),
    lost=st.integers(0, 6),
)
def test_the_newest_voltage_since_is_found_whatever_the_log_has_lost(before, after, lost) -> None:
    old = [line for mv in before for line in _boot(mv)]
    new = [line for mv in after for line in _boot(mv)]
    found = checks._noted_mv(checks._new_lines(old, (old + new)[min(lost, len(old)) :]))
    wanted = [mv for mv in after if mv is not None]
    if len(set(old + new)) == len(old + new):
        assert found == (wanted[-1] if wanted else None)
    else:  # lines that are alike may be told apart only by their number
        assert found in (*wanted, None)


@pytest.mark.parametrize(
    ("mv", "asked", "name"),
    [
        (4310, True, ""), (3600, False, ""), (3299, True, "cells-low"), (2700, False, "cells-low"),
        (5300, True, "cells-high"), (None, True, "cells-dead"),
    ],
)  # fmt: skip
def test_the_way_from_the_cells_is_judged(mv: int | None, asked: bool, name: str) -> None:
    finding = judge.judge_cells(mv, asked)
    assert (finding.name, finding.status == "good") == (name, name == "")
    assert "\n" not in finding.what


def test_a_robot_that_has_not_run_on_cells_is_not_called_faulty() -> None:
    assert judge.judge_cells(None, asked=False).status == "skipped"


class _AtTheCells:
    """A board whose log grows when somebody lets it run on its cells, and that person."""

    def __init__(self, mv: int | None, willing: bool) -> None:
        self.lines, self._mv, self._willing = _boot(3000), mv, willing
        self.calls: list[str] = []

    def on_cells(self) -> bool:
        self.calls.append("on_cells")
        if self._willing and self._mv:
            self.lines += _boot(self._mv, 8)
        return self._willing

    def restart(self) -> None:
        self.calls.append("restart")

    def close(self) -> None:
        self.calls.append("close")

    def reconnect(self, timeout_s: float) -> None:
        self.calls.append("reconnect")


@pytest.mark.parametrize(
    ("mv", "willing", "name"),
    [(4300, True, ""), (2900, True, "cells-low"), (None, True, "cells-dead")],
)
def test_doctor_asks_for_a_run_on_the_cells(mv, willing, name, monkeypatch) -> None:
    there = _AtTheCells(mv, willing)
    monkeypatch.setattr(checks.device_files, "log_lines", lambda board: list(there.lines))
    (finding,) = checks.examine(there, there, ["cells"])
    assert finding.name == name
    assert there.calls == ["restart", "close", "on_cells", "reconnect"]


def test_without_hands_doctor_tells_the_last_voltage(monkeypatch) -> None:
    there = _AtTheCells(None, False)
    monkeypatch.setattr(checks.device_files, "log_lines", lambda board: list(there.lines))
    (finding,) = checks.examine(there, None, ["cells"])
    assert finding.name == "cells-low" and "3.00 V" in finding.what and not there.calls
