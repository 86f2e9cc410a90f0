"""A robot and its jig on two emulated boards, wired pin to pin: the jig's own firmware (tests/hil/
jig) speaks in the microphone's place into the robot's PIO, hears what goes to its amplifier, and
cuts its power. What went in is what comes out, bit by bit."""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Callable

import numpy as np
import pytest
from roboto.board import pins

from host_tools.image import make_filesystem
from host_tools.maker.errors import BoardError
from sim.device import wires
from sim.device.jig import Heard, Jig
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from sim.emulated.chip import USB_PACKET_BYTES, Chip
from sim.emulated.pair import Pair
from tests.hil.test_jig import jig_files

ICS_43434_START = 320  # frames of zeros: 20 ms
LISTEN = """
from machine import Pin
from roboto.board.i2s import Input
import array
supply = Pin(pins.MIC_POWER, Pin.OUT, value=1)
source = Input(pins.MIC_I2S, pins.MIC_SCK, pins.MIC_SD, 16000)
source.open()
got = array.array('i', bytes(4 * COUNT))
n = 0
while n < COUNT:
    come = source.read()
    for i in range(min(come, COUNT - n)):
        got[n] = source.words[source.at + i]
        n += 1
source.close()
supply.value(0)
print(list(got))
"""
PLAY = """
from roboto.board import guard, speaker
class Sound:
    busy = True
    n = 0
    def render(self, out):
        self.n += 1
        for i in range(len(out)):
            out[i] = (self.n * 7 + i * i) & 255 if self.n < 9 else 0
        return self.n < 9
sound = Sound()
s = speaker.Speaker(guard.Guard())
import time
while True:
    s.step(sound)
    if sound.n >= 9: sound.busy = False
    if not s.is_open: break
    time.sleep_ms(4)
print('played')
"""


class Side:
    """One board's USB, as a port for sim.device.jig.Jig and as its clock: both boards live while
    somebody waits."""

    def __init__(self, pair: Pair, chip: Chip) -> None:
        self.pair, self.chip = pair, chip

    @property
    def in_waiting(self) -> int:
        return len(self.chip.console)

    def read(self, n: int) -> bytes:
        data = bytes(self.chip.console[:n])
        del self.chip.console[:n]
        return data

    def write(self, data: bytes) -> None:
        for start in range(0, len(data), USB_PACKET_BYTES):
            self.pair.until(self.chip.can_type, 2000, 0.1)
            self.chip.type(data[start : start + USB_PACKET_BYTES])

    def now(self) -> float:
        return self.chip.ms / 1000

    def sleep(self, seconds: float) -> None:
        self.pair.run(1000 * seconds)

    def close(self) -> None:
        pass


class Bench:
    def __init__(self) -> None:
        image = install.image()
        jig = Chip(image, make_filesystem(jig_files()), files_at=0xA0000, usb=True)
        self.robot = EmulatedBoard(
            {**install.firmware(), "main.py": b""}, microphone=None, usb=True
        )
        for chip, ms in ((jig, 900), (self.robot, 300)):
            chip.power_on()
            chip.run(ms)
        self.pair = Pair(self.robot, jig)
        self.side = Side(self.pair, jig)
        self.jig = Jig(self.side, self.side, "the emulated jig")

    def robot_does(self, code: str, meanwhile: Callable[[], object] = lambda: None) -> str:
        """What code prints in the robot's raw REPL."""
        robot, wire = self.robot, Side(self.pair, self.robot)
        code = re.sub(r"pins\.(\w+)", lambda name: str(getattr(pins, name[1])), code)
        wire.write(b"\r\x03")
        self.pair.run(5)
        robot.console.clear()
        wire.write(b"\x01")
        self.pair.until(lambda: robot.console.endswith(b"exit\r\n>"), 2000)
        robot.console.clear()
        wire.write(code.encode() + b"\x04")
        meanwhile()
        self.pair.until(lambda: robot.console.endswith(b"\x04>"), 5000)
        printed, _, error = bytes(robot.console).partition(b"OK")[2][:-1].partition(b"\x04")
        assert error == b"\x04", error
        wire.write(b"\x02")
        return printed.decode()


@pytest.fixture(scope="module")
def bench(image) -> Bench:
    return Bench()


def test_what_the_jig_says_is_what_the_robots_pio_reads_bit_by_bit(bench: Bench) -> None:
    random = np.random.default_rng(5)
    name = random.integers(-32768, 32768, 200, dtype=np.int16)
    name[:4] = (-32768, 32767, 1, -1)
    bench.jig.ask("microphone ICS-43434 0")
    bench.jig.ask("words " + base64.b64encode(name.tobytes()).decode())
    bench.jig.ask("watch on")

    def speak() -> None:
        bench.pair.until(lambda: bench.jig.look() or bench.jig.edges, 2000)
        assert bench.jig.edges[0][1:] == ("supply", True)
        bench.pair.run(24)
        bench.jig.ask("go")

    printed = bench.robot_does(LISTEN.replace("COUNT", "1100"), speak)
    got = np.array(ast.literal_eval(printed.strip()), np.int64)
    assert not np.any(got[:ICS_43434_START]), "it starts as the part does"
    first = int(np.flatnonzero(got)[0])
    np.testing.assert_array_equal(got[first : first + 200], name.astype(np.int64) << 16)
    assert not np.any(got[first + 200 :])


def test_its_noise_is_the_parts_and_has_24_bits(bench: Bench) -> None:
    bench.jig.ask("microphone ICS-43434")
    got = np.array(
        ast.literal_eval(bench.robot_does(LISTEN.replace("COUNT", "1100")).strip()), np.int64
    )
    assert set(got & 0xFF) <= {0, 0xFF}, "after 24 bits it lets go, and the line keeps its level"
    hiss = got[ICS_43434_START:] >> 8
    rms_dbfs = 20 * np.log10(np.sqrt(np.mean(hiss.astype(float) ** 2)) / (1 << 23))
    assert -92 < rms_dbfs < -90 and abs(np.mean(hiss)) < 40


def test_what_goes_to_the_amplifier_is_what_the_jig_hears_bit_by_bit(bench: Bench) -> None:
    bench.jig.heard = Heard()
    bench.jig.edges.clear()
    bench.jig.ask("watch on")
    bench.jig.ask("listen on")
    bench.jig.tune()
    before_ms, start_s = bench.robot.ms, bench.side.now()
    assert "played" in bench.robot_does(PLAY)
    bench.pair.run(20)
    bench.jig.look()
    bench.jig.ask("listen off")
    played = bench.robot.amplifier.played(before_ms)
    heard = np.frombuffer(bench.jig.heard.between(start_s, bench.side.now()), np.int16)
    there, here = np.flatnonzero(played), np.flatnonzero(heard)
    assert len(there) > 900 and bench.jig.heard.lost == 0
    np.testing.assert_array_equal(heard[here[0] : here[-1] + 1], played[there[0] : there[-1] + 1])
    # and at the time it was there, on the jig's own clock, but for how the two were set
    word = len(bench.robot.amplifier.times_ns) - len(played) + there[0]
    was_s = bench.robot.amplifier.times_ns[word] / 1e9 - (bench.robot.ms / 1e3 - bench.side.now())
    assert abs(start_s + here[0] / 16000 - was_s) < 0.0005
    edges = [(when_s, level) for when_s, name, level in bench.jig.edges if name == "amplifier"]
    on = next(when_s for when_s, level in edges if level)
    off = next(when_s for when_s, level in edges if not level and when_s > on)
    (on_ms, _), (off_ms, _) = bench.robot.amplifier.switched[-2:]
    assert abs((off - on) - (off_ms - on_ms) / 1000) < 100e-6


def test_a_contact_reaches_the_robot_within_100_us(bench: Bench) -> None:
    pin = bench.robot.mcu.gpio[pins.PLATE]
    bench.jig.ask("close plate")
    assert not pin.input_value
    bench.jig.ask("open plate")
    bench.pair.run(1)
    assert bench.pair.error_us < 100


def test_wires_are_looked_at_and_those_that_are_wrong_are_named(bench: Bench) -> None:
    wires.check(bench.robot_does, bench.jig)
    pair = bench.pair
    pair.to_robot.update({pins.WIN: pins.PLATE, pins.PLATE: pins.WIN, pins.MODE: None})
    pair.to_jig.update({pins.AMP_SCK: pins.AMP_WS, pins.AMP_WS: pins.AMP_SCK})
    with pytest.raises(BoardError) as refused:
        wires.check(bench.robot_does, bench.jig)
    for pin in (pins.WIN, pins.PLATE, pins.MODE):
        pair.to_robot[pin] = pin
    for pin in (pins.AMP_SCK, pins.AMP_WS):
        pair.to_jig[pin] = pin
    line = str(refused.value)
    assert "\n" not in line
    for told in (
        "the jig's WIN goes to the robot's PLATE",
        "the jig's PLATE goes to the robot's WIN",
        "the jig's MODE goes nowhere",
        "the robot's AMP_SCK goes to the jig's AMP_WS",
    ):
        assert told in line
    for name in ("RECORD", "REPLAY", "VOLUME", "TALK_LED"):
        assert f"{name} goes" not in line


def test_the_jig_cuts_the_power_and_gives_it_back(bench: Bench) -> None:
    bench.jig.ask("power off")
    bench.pair.run(1)
    assert not bench.robot.powered
    bench.pair.run(20)
    bench.jig.ask("power on")
    bench.pair.run(1)
    assert bench.robot.powered
    assert [cause for _, cause in bench.robot.resets] == ["power", "power"]
