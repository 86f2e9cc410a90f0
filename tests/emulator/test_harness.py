"""The board under test is what it claims to be: its parts agree with bare MicroPython, bit by bit.

No firmware of ours takes part here but the numbers of the pins.
"""

import re

import numpy as np
import pytest
from roboto.board import pins

from sim.emulated.board import EmulatedBoard
from sim.emulated.parts import SpiFlash


@pytest.fixture
def board(image):
    board = EmulatedBoard(usb=True, spi_flash=b"roboto")
    board.power_on()
    board.run(500)  # MicroPython formats the blank flash and greets
    return board


def test_a_press_bounces_and_leaves_its_edge_in_the_latch(board):
    board.python(f"""
from machine import Pin, mem32
import time
p = Pin({pins.PLATE}, Pin.IN, Pin.PULL_UP)
mem32[0x400140F0] = 0xCCCCCCCC
""")
    board.press("plate", 30, in_ms=20)
    seen = board.python("""
before, levels = mem32[0x400140F0] >> 28 & 15, []
for i in range(100):
    levels.append(p.value())
    time.sleep_us(500)
print(before, ''.join(map(str, levels)), mem32[0x400140F0] >> 28 & 15)
""").split()
    assert seen[0] == "2", "level high, no edge"
    assert re.fullmatch("1+0+1+0+[01]*0{10,}1+0*1+", seen[1]), "bounces at both ends"
    assert seen[2] == "14", "level high, both edges latched"


def test_the_amplifier_hears_every_sample_of_i2s(board):
    board.python(f"""
from machine import I2S, Pin
import array, time
on = Pin({pins.AMP_SHUTDOWN}, Pin.OUT, value=1)
out = array.array('h', [(i * 4099 & 0xFFFF) - 32768 or 1 for i in range(400)])
i2s = I2S({pins.AMP_I2S}, sck=Pin({pins.AMP_SCK}), ws=Pin({pins.AMP_WS}), sd=Pin({pins.AMP_SD}),
          mode=I2S.TX, bits=16, format=I2S.MONO, rate=16000, ibuf=2048)
i2s.write(out)
time.sleep_ms(40)
i2s.deinit()
""")
    sent = [(i * 4099 & 0xFFFF) - 32768 or 1 for i in range(400)]
    words = np.array(board.amplifier.words)
    first = np.flatnonzero(words)[0]
    # the ring keeps its last 127 bytes or fewer
    n = 400 - 64
    assert list(words[first : first + n]) == sent[:n]
    heard = board.amplifier.heard()
    assert np.count_nonzero(heard) >= n
    periods_us = np.diff(np.array(board.amplifier.times_ns)) / 1e3
    assert abs(np.mean(periods_us) - 62.5) < 0.05
    assert np.max(np.abs(periods_us - 62.5)) < 0.5


_LISTEN = f"""
from machine import I2S, Pin
import array, time
power = Pin({pins.MIC_POWER}, Pin.OUT, value=1)
words = array.array('i', bytes(4 * 800))
def listen(ms):
    i2s = I2S({pins.MIC_I2S}, sck=Pin({pins.MIC_SCK}), ws=Pin({pins.MIC_WS}),
    sd=Pin({pins.MIC_SD}),
              mode=I2S.RX, bits=32, format=I2S.MONO, rate=16000, ibuf=8192)
    for i in range(ms // 50):
        i2s.readinto(words)
    i2s.deinit()
"""


def test_the_firmware_hears_every_word_of_the_microphone(board):
    board.python(_LISTEN)
    board.microphone.say((np.arange(16000) % 30000 - 15000).astype(np.int16))
    heard = board.python("listen(100)\nprint(list(words))", 2000)
    words = [int(word) for word in heard.strip("[] \n").split(",")]
    sent = [word << 8 for word in board.microphone.sent]
    place = sent.index(words[0])
    assert words == sent[place : place + len(words)]
    assert len(set(words)) > 700


@pytest.mark.parametrize("kind, wakes_ms", [("ICS-43434", 20), ("INMP441", 256)])
def test_a_microphone_takes_its_time_to_wake(image, kind, wakes_ms):
    board = EmulatedBoard(usb=True, microphone=kind)
    board.power_on()
    board.run(500)
    board.python(_LISTEN)
    start_ms = board.ms
    board.python("listen(300)" if kind == "INMP441" else "listen(50)")
    assert board.microphone.first_word_ms is not None
    assert wakes_ms <= board.microphone.first_word_ms - start_ms < wakes_ms + 20


def test_flash_takes_its_time_and_keeps_what_it_holds_over_a_power_cut(board):
    lines = board.python("""
import time
t = time.ticks_ms(); f = open('big', 'wb'); f.write(bytes(range(256)) * 64); f.close()
print(time.ticks_diff(time.ticks_ms(), t))
""")
    erases = [entry for entry in board.flash_log if entry[1] == "erase"]
    assert int(lines) >= 45 * 4
    assert len(erases) >= 4
    board.power_cut()
    board.run(100)
    board.power_on()
    board.run(500)
    assert board.python("print(len(open('big', 'rb').read()), open('big','rb').read()[:3])") == (
        "16384 b'\\x00\\x01\\x02'\n"
    )
    assert board.files()["big"][:512] == bytes(range(256)) * 2


def test_erasing_flash_while_the_microphone_is_open_spoils_the_heap(board):
    """The fault that the guard is there for. See PLATFORM notes in docs/architecture.md."""
    board.python(_LISTEN)
    board.microphone.say(np.full(32000, 9000, np.int16))
    result = board.python(f"""
import os, rp2, gc
flash = rp2.Flash()
i2s = I2S({pins.MIC_I2S}, sck=Pin({pins.MIC_SCK}), ws=Pin({pins.MIC_WS}), sd=Pin({pins.MIC_SD}),
          mode=I2S.RX, bits=32, format=I2S.MONO, rate=16000, ibuf=8192)
blocks = [bytearray(16) for i in range(1500)]
time.sleep_ms(60)
flash.ioctl(6, 300)
i2s.deinit()
print(sum(any(block) for block in blocks), 'spoilt')
""")
    assert int(result.split()[0]) > 0


def test_the_spi_flash_answers_and_takes_its_time(board):
    seen = board.python(f"""
from machine import SPI, Pin
import time
spi = SPI({pins.FLASH_SPI}, baudrate=20_000_000, sck=Pin({pins.FLASH_SCK}),
          mosi=Pin({pins.FLASH_MOSI}), miso=Pin({pins.FLASH_MISO}))
cs = Pin({pins.FLASH_CS}, Pin.OUT, value=1)
def do(command, n=0):
    cs(0); spi.write(command); answer = spi.read(n) if n else b''; cs(1); return answer
print(do(b'\\x9f', 3), do(b'\\x03\\0\\0\\0', 6))
do(b'\\x06'); t = time.ticks_us(); do(b'\\x20\\0\\x10\\0')
while do(b'\\x05', 1)[0] & 1: pass
print(time.ticks_diff(time.ticks_us(), t) // 1000)
do(b'\\x06'); do(b'\\x02\\0\\x10\\0hello')
while do(b'\\x05', 1)[0] & 1: pass
print(do(b'\\x03\\0\\x10\\0', 6))
""").splitlines()
    assert seen == ["b'\\xef@\\x18' b'roboto'", "45", "b'hello\\xff'"]
    assert isinstance(board.spi_flash, SpiFlash) and not board.spi_flash.faults


def test_battery_and_usb_levels_are_read(board):
    board.set_battery(3600)
    millivolts, usb = board.python(f"""
from machine import ADC, Pin
print(ADC(Pin({pins.BATTERY})).read_u16() * 9900 // 65535, Pin({pins.USB_PRESENT}, Pin.IN).value())
""").split()
    assert abs(int(millivolts) - 3600) < 10 and usb == "1"


def test_dormant_ends_with_the_level_asked_for_and_only_with_it(image):
    script = f"""
import machine
from machine import Pin, mem32
plate = Pin({pins.PLATE}, Pin.IN, Pin.PULL_UP)
while not plate.value():
    pass
led = Pin({pins.RECORD_LED}, Pin.OUT, value=1)
mem32[0x40014160] = 1 << 4 * {pins.PLATE}
machine.deepsleep()
"""
    board = EmulatedBoard({"main.py": script.encode()})
    board.power_on()
    board.until(lambda: board.dormant, 1000)
    board.press("record", 200, in_ms=1000)
    board.run(3_600_000)
    assert board.dormant and len(board.resets) == 1
    board.press("plate", 100, bounce=False)  # one that bounced on its way up would wake it again
    board.run(1)
    assert not board.dormant
    board.until(lambda: board.dormant, 1000)
    assert [cause for _, cause in board.resets] == ["power", "watchdog"]


def test_the_watchdog_bites(board):
    board.python("import machine\nw = machine.WDT(timeout=500)")
    board.run(600)
    assert [cause for _, cause in board.resets] == ["power", "watchdog"]
