"""The robot's end of the line protocol, with its app and its clock made of Python."""

import json
from types import SimpleNamespace

import pytest
from roboto import console as console_module
from roboto.version import VERSION


class Pressed(list):
    def put(self, control, pressed):
        if control not in ("record", "plate"):
            raise ValueError(control)
        self.append((control, pressed))


@pytest.fixture
def table(monkeypatch):
    """A console with an app, a clock to set, and what a computer types."""
    clock = SimpleNamespace(ms=0)
    monkeypatch.setattr(
        console_module,
        "time",
        SimpleNamespace(
            ticks_ms=lambda: clock.ms,
            ticks_add=lambda ticks, ms: ticks + ms,
            ticks_diff=lambda one, other: one - other,
        ),
    )
    typed: list[str] = []
    monkeypatch.setattr(
        console_module,
        "select",
        SimpleNamespace(
            POLLIN=1,
            poll=lambda: SimpleNamespace(
                register=lambda *_: None, ipoll=lambda _: iter([1] if typed else [])
            ),
        ),
    )
    monkeypatch.setattr(
        console_module, "sys", SimpleNamespace(stdin=SimpleNamespace(read=lambda _: typed.pop(0)))
    )
    console = console_module.Console()
    usb = SimpleNamespace(present=True)
    app = SimpleNamespace(
        board=SimpleNamespace(
            inputs=Pressed(),
            power=SimpleNamespace(usb_present=lambda: usb.present, battery_mv=lambda: 4500),
        ),
        settings=SimpleNamespace(language="es"),
        log=SimpleNamespace(lines=lambda: ["5 low battery"]),
    )
    console.attach(app)
    return SimpleNamespace(console=console, app=app, clock=clock, typed=typed, usb=usb)


def answers(table, capsys, text: str = "") -> list[dict]:
    table.typed.extend(text)
    while True:
        table.console.step()
        if not table.typed:
            break
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("~") for line in lines)
    return [json.loads(line[1:]) for line in lines]


def test_nothing_is_told_unasked(table, capsys) -> None:
    table.console.notify("tone", {"tone": "plate"})
    assert answers(table, capsys) == []
    assert table.console.step() is False


def test_hello_and_follow(table, capsys) -> None:
    table.console.notify("state", {"state": "names"})
    table.console.notify("say", {"text": "Hello!", "players": []})
    assert answers(table, capsys, "hello\n") == [
        {
            "event": "hello",
            "version": VERSION,
            "state": "names",
            "language": "es",
            "said": 1,
            "last": "Hello!",
        }
    ]
    assert answers(table, capsys, "follow on\n") == [{"event": "follow", "on": True}]
    table.console.notify("tone", {"tone": "plate"})
    assert answers(table, capsys) == [{"event": "tone", "tone": "plate"}]
    assert table.console.step() is True


def test_a_press_lasts_as_long_as_it_was_asked_to(table, capsys) -> None:
    answers(table, capsys, "press record 300\n")
    assert table.app.board.inputs == [("record", True)]
    table.clock.ms = 299
    table.console.step()
    assert table.app.board.inputs == [("record", True)]
    table.clock.ms = 300
    table.console.step()
    assert table.app.board.inputs == [("record", True), ("record", False)]


@pytest.mark.parametrize("line", ["press", "press nose", "press plate 0", "press plate x", "fly"])
def test_what_is_not_understood_is_an_error_and_no_more(table, capsys, line: str) -> None:
    (answer,) = answers(table, capsys, line + "\n")
    assert answer["event"] == "error" and answer["what"]
    assert not table.console._held
    assert answers(table, capsys, "battery\r\n") == [{"event": "battery", "mv": 4500}]


def test_a_line_without_end_takes_no_memory(table, capsys) -> None:
    answers(table, capsys, "x" * 5000)
    assert len(table.console._line) <= 80
    assert answers(table, capsys, "\nlog\n")[-1] == {"event": "log", "lines": ["5 low battery"]}


def test_without_usb_nothing_is_read(table, capsys) -> None:
    answers(table, capsys, "follow on\n")
    table.usb.present = False
    table.typed.extend("hello\n")
    assert table.console.step() is False
    assert len(table.typed) == 6
    table.console.notify("tone", {"tone": "plate"})
    assert capsys.readouterr().out == ""
