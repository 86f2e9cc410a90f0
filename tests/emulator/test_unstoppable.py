"""The robot on the emulated board where a finger, a cable or a computer could stop it."""

from __future__ import annotations

import json

import pytest

from sim.emulated import install
from sim.emulated.board import EmulatedBoard

from . import people


def _with_game(main: bytes | None = None, **chosen) -> dict[str, bytes]:
    """What a maker's computer lays there, and a kept game: the microphone stays off."""
    files = install.robot_files()
    files.update({f"data/{name}": data for name, data in people.kept_game(**chosen).items()})
    if main is not None:
        files["main.py"] = main
    return files


def _speaks(board: EmulatedBoard, limit_ms: float = 5000) -> None:
    board.until(lambda: board.amplifier.on, limit_ms, step_ms=5)


def _prompts(board: EmulatedBoard) -> bool:
    return bytes(board.console).rstrip().endswith(b">>>")


def test_red_held_at_power_on_leaves_a_prompt_and_let_go_it_stays(image):
    board = EmulatedBoard(_with_game(), usb=True)
    board.hold("record", bounce=False)
    board.power_on()
    board.until(lambda: _prompts(board), 5000, step_ms=20)
    board.release("record")
    board.run(500)
    assert _prompts(board) and board.amplifier.first_sound_ms() is None
    loaded = board.python("import sys\nprint([n for n in sys.modules if n.startswith('roboto')])")
    assert "roboto.start" not in loaded and "roboto.app" not in loaded


def test_on_batteries_red_only_delays_the_start(image):
    board = EmulatedBoard(_with_game())
    board.hold("record", bounce=False)
    board.power_on()
    board.run(1500)
    assert not board.amplifier.on
    board.release("record", bounce=False)
    _speaks(board)


def test_a_finger_on_red_does_not_keep_it_from_waking(image):
    board = EmulatedBoard(_with_game(sleep_s=20))
    board.power_on()
    board.until(lambda: board.dormant, 45_000, step_ms=50)
    board.hold("record", bounce=False)
    board.press("plate", 200)
    board.run(20)
    _speaks(board)


def test_usb_wakes_a_sleeping_robot_and_a_computer_gets_in(image):
    board = EmulatedBoard(_with_game(sleep_s=20))
    board.power_on()
    board.until(lambda: board.dormant, 45_000, step_ms=50)
    board.run(30_000)
    assert board.dormant
    board.plug_usb()
    board.run(10)
    assert not board.dormant
    board.until(lambda: board.amplifier.on, 4000, step_ms=5)
    assert [cause for _, cause in board.resets] == ["power", "watchdog"], "a clean restart"
    board.send(b"hello\n")
    board.until(lambda: b'"state"' in board.console, 3000, step_ms=10)
    assert not board.dormant


_HANGS = b"""
import time
from machine import mem32
from roboto import start
bitten = mem32[0x40058008] & 1

def tell(event, fields):
    if event == "tone" and not bitten:
        while True:
            time.sleep_ms(100)

start.run(tell, seed=1)
"""


@pytest.fixture(scope="module")
def at_a_computer(image) -> EmulatedBoard:
    """A robot that runs while it hangs on a computer."""
    board = EmulatedBoard(_with_game(), usb=True)
    board.power_on()
    _speaks(board)
    board.until(lambda: not board.amplifier.on, 5000, step_ms=10)
    return board


def _answer(board: EmulatedBoard, command: bytes) -> dict:
    del board.console[:]
    board.send(command + b"\n")
    board.until(lambda: board.console.endswith(b"}\r\n"), 3000, step_ms=2)
    return json.loads(bytes(board.console).split(b"~")[-1])


def _beeps(board: EmulatedBoard) -> bool:
    """Whether a press is heard within 50 ms."""
    at_ms = board.press("volume", 60)
    board.run(60)
    heard = board.amplifier.first_sound_ms(at_ms)
    board.run(700)
    return heard is not None and heard - at_ms <= 50


def test_any_byte_from_a_computer_is_dropped(at_a_computer):
    board = at_a_computer
    for garbage in (b"\xff", b"\xc3", b"\xe2\x82", b"\x00" * 70, bytes(range(4, 256)), b"\x80\n"):
        board.send(garbage)
        assert _beeps(board), garbage
    assert _answer(board, b"\nbattery")["event"] == "battery"


def test_a_computer_that_does_not_read_is_not_waited_for(at_a_computer):
    board = at_a_computer
    assert _answer(board, b"follow on") == {"event": "follow", "on": True}
    board.computer_reads(False)
    for _ in range(3):
        board.send(b"log\nhello\n")
        assert _beeps(board)
    board.computer_reads(True)
    board.run(1500)
    del board.console[:]
    assert _beeps(board) and not board.console, "it does not follow any more"
    assert _answer(board, b"battery")["event"] == "battery"


def test_a_computer_that_interrupts_has_all_the_time_it_wants(at_a_computer):
    board = at_a_computer
    resets = len(board.resets)
    assert board.python("import time\ntime.sleep(9)\nprint('still here')") == "still here\n"
    assert len(board.resets) == resets


def test_the_watchdog_guards_at_a_computer_too(image):
    board = EmulatedBoard(_with_game(_HANGS), usb=True)
    board.power_on()
    _speaks(board)
    hung_ms = board.press("volume", 60)
    board.until(lambda: len(board.resets) == 2, 9000, step_ms=20)
    assert board.resets[-1][1] == "watchdog"
    assert 7900 < board.resets[-1][0] - hung_ms < 8400
    _speaks(board)


_STEPS = b"""
import gc, time
hole = bytearray(4096)
recording = bytearray(56000)
gc.threshold(32768)
from roboto.app import App
from roboto.board import Board
from roboto.storage.packs import packs
from roboto.storage.volume import Volume
board = Board()
app = App(board, Volume("data", board.guard), packs("voice"), recording, 1)
board.power.stop_watchdog()
board.power.feed = lambda: None
app.deadline_ms = None
while app.speech.waiting or app.mixer.busy or board.speaker.is_open:
    app.speech.drop()
    board.speaker.close()
app.background_ms = 1 << 29
hole = None
gc.collect()
gc.threshold(-1)

def took(step):
    time.sleep_ms(100)
    gc.collect()
    begun = time.ticks_us()
    for _ in range(100):
        step()
    return time.ticks_diff(time.ticks_us(), begun)

print(min(took(app.step), took(app.step)), min(took(app._turn), took(app._turn)))

def spoiled(now_ms):
    raise MemoryError("spoiled")

board.inputs.scan = spoiled
app.step()
app.step()
print(app.log.lines()[-1])
"""


def test_the_guard_costs_less_than_50_us_a_step_and_knows_the_place(image, record_property):
    board = EmulatedBoard(_with_game(_STEPS), console=True)
    board.power_on()
    board.until(lambda: board.console.endswith(b">>> "), 20_000, step_ms=50)
    told = bytes(board.console).decode()
    assert "Traceback" not in told, told
    figures, line = told.splitlines()[:2]
    guarded, bare = map(int, figures.split())
    cost_us = (guarded - bare) / 100
    record_property("figure", f"the loop's guard: {cost_us:.1f} us a step of {bare / 100:.0f}")
    assert 0 < cost_us < 50
    assert "MemoryError spoiled (step)" in line and "main.py:" in line
