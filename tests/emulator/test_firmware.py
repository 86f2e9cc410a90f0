"""The firmware on the emulated board where it gets difficult: sleep, hangs, power cuts, bad parts.

Most begin with a kept game, since the robot then boots with its microphone off.
"""

from __future__ import annotations

import numpy as np
import pytest
from roboto.board import pins
from roboto.sound.clip import Clip, RamBlob

from host_tools.image import Layout, make_filesystem, read_filesystem
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from sim.emulated.parts import SpiFlash
from tests.conftest import need

from . import people


def _of(board: EmulatedBoard, event: str) -> list[dict]:
    return [entry for entry in people.trace(board) if entry["event"] == event]


def _asks_whether_to_go_on(board: EmulatedBoard) -> bool:
    return any("go on" in entry["text"] for entry in _of(board, "say"))


def _boot(board: EmulatedBoard) -> EmulatedBoard:
    """Until its first words are over."""
    board.power_on()
    board.until(lambda: board.amplifier.on, 4000, step_ms=5)
    board.until(lambda: not board.amplifier.on, 4000, step_ms=5)
    return board


def _spi_flash(data: dict[str, bytes]) -> bytes:
    """The contents of a W25Q128 that has been in use."""
    files = {f"data/{name}": content for name, content in data.items()}
    return make_filesystem(files, Layout(0, SpiFlash.SIZE // 4096))


def test_it_sleeps_with_everything_off_and_the_tray_wakes_it(image):
    board = _boot(people.robot(spi_flash=_spi_flash(people.kept_game(sleep_s=20))))
    board.until(lambda: board.dormant, 40_000, step_ms=50)
    assert 28_000 < board.ms < 34_000, "20 s, the warning, and 10 s more"
    assert [entry["tone"] for entry in _of(board, "tone")] == ["sleep_warning"]
    assert not board.amplifier.on and not board.microphone.powered and not board.record_led.on
    assert board.talk_led.share_on(board.ms - 5, board.ms) == 0
    assert board.spi_flash.asleep
    before = board.ms
    board.press("record", 100)
    board.run(60_000)
    assert board.dormant, "buttons do not wake it"
    board.press("plate", 200)
    board.run(50)
    assert not board.dormant and board.resets[-1][1] == "watchdog"
    board.until(lambda: (board.amplifier.first_sound_ms(before) or 0) > 0, 3000, step_ms=5)
    assert not board.spi_flash.faults


def test_a_plate_pressed_while_it_sleeps_is_no_press_of_the_game(image):
    board = _boot(people.robot(data=people.kept_game(sleep_s=20)))
    board.until(lambda: board.dormant, 40_000, step_ms=50)
    del board.console[:]
    board.press("plate", 300)
    board.run(2500)
    assert [entry["state"] for entry in _of(board, "state")] == ["names"]
    assert _asks_whether_to_go_on(board)


def test_usb_keeps_it_awake(image):
    board = EmulatedBoard(
        {
            **install.robot_files(),
            **{f"data/{name}": data for name, data in people.kept_game(sleep_s=20).items()},
        },
        usb=True,
    )
    _boot(board)
    board.run(33_000)
    assert not board.dormant and not board.amplifier.on
    board.press("plate", 100)
    board.run(100)
    assert [cause for _, cause in board.resets] == ["power", "watchdog"], "woken by a restart"


_HANGING_MAIN = """
import json
import time
from machine import mem32
from roboto import start

bitten = mem32[0x40058008] & 1

def tell(event, fields):
    fields["event"] = event
    print(json.dumps(fields))
    if event == "tone" and not bitten:
        while True:
            time.sleep_ms(100)

start.run(tell, seed=1)
"""


def test_a_hung_loop_is_restarted_says_sorry_and_goes_on(image):
    files = install.robot_files()
    files["main.py"] = _HANGING_MAIN.encode()
    files.update({f"data/{name}": data for name, data in people.kept_game().items()})
    board = _boot(EmulatedBoard(files, console=True))
    hung_ms = board.press("volume", 60)
    board.run(8200)
    assert board.resets[-1][1] == "watchdog"
    assert 7900 < board.resets[-1][0] - hung_ms < 8400
    board.until(lambda: any("Sorry" in entry["text"] for entry in _of(board, "say")), 4000)
    assert _of(board, "state")[-1]["state"] == "play"


def test_talking_leaves_the_processor_nine_tenths_of_its_time(image, record_property):
    """8 % at most, of which a function too many whose frame is on the heap would take a part: see
    docs/architecture.md."""
    pack = install.small_pack("en", 500)
    board = EmulatedBoard(
        {
            **install.robot_files(**{"voice/en.pack": pack}),
            **{f"data/{name}": data for name, data in people.kept_game().items()},
        }
    )
    board.power_on()
    board.until(lambda: board.amplifier.on, 4000, step_ms=5)
    board.run(60)
    share = board.busy_share(300)
    record_property("figure", f"CPU while talking: {100 * share:.1f} %")
    assert 0.03 < share <= 0.08


def test_a_loop_that_hangs_while_it_talks_falls_silent(image):
    files = install.robot_files()
    files["main.py"] = _HANGING_MAIN.encode()
    files.update({f"data/{name}": data for name, data in people.kept_game().items()})
    board = EmulatedBoard(files, console=True)
    board.power_on()
    board.until(lambda: board.amplifier.on, 4000, step_ms=5)
    board.run(50)
    hung_ms = board.press("volume", 60)
    board.run(1000)
    assert board.amplifier.heard(hung_ms, hung_ms + 100).any()
    assert not board.amplifier.heard(hung_ms + 600, hung_ms + 1000).any()


def test_on_a_low_battery_nothing_is_written(image):
    board = people.robot(data=people.kept_game())
    board.set_battery(2550)
    _boot(board)
    written = len(board.flash_log)
    board.press("volume", 80)
    board.run(1500)
    assert _of(board, "volume")[-1]["level"] == 3
    assert len(board.flash_log) == written
    assert any("battery" in entry["what"] for entry in _of(board, "fault"))


def test_a_dead_microphone_is_said_and_the_game_goes_on(image):
    board = people.robot(data=people.saved(language="en"), dead_microphone=True)
    _boot(board)
    board.press("record", 1300)
    board.until(lambda: any("hear nothing" in entry["text"] for entry in _of(board, "say")), 4000)
    assert not board.record_led.edges, "never lit: no sample was real"


@pytest.mark.parametrize("after_writes", [0, 1, 2])
def test_a_power_cut_while_saving_leaves_the_old_volume_or_the_new(image, after_writes):
    board = _boot(people.robot(data=people.kept_game()))
    written = len(board.flash_log)
    board.press("volume", 60)
    board.until(lambda: len(board.flash_log) > written + after_writes, 2000, step_ms=0.1)
    board.power_cut()
    board.run(300)
    del board.console[:]
    _boot(board)
    assert not _of(board, "fault")
    board.press("volume", 60)
    board.run(300)
    assert _of(board, "volume")[-1]["level"] in (3, 1), "one on from the old or from the new"


def test_packs_and_recordings_lie_on_the_spi_flash_where_one_is_fitted(image):
    board = _boot(people.robot(data=people.saved(language="en"), spi_flash=b""))
    assert board.spi_flash.erases, "a blank chip is made a file system"
    internal = len(board.flash_log)
    board.press("volume", 60)
    board.run(900)
    assert board.spi_flash.programs and len(board.flash_log) == internal
    assert not board.spi_flash.faults
    contents = bytes(board.spi_flash.memory)
    again = read_filesystem(contents, Layout(0, SpiFlash.SIZE // 4096))
    assert "data/settings" in again


def test_an_spi_flash_that_cannot_be_read_is_left_as_it_is(image):
    """A file system is made on a chip that never had one, and on no other."""
    contents = bytearray(_spi_flash(people.saved(language="en")))
    for block in (0, 1):
        contents[block * 4096 + 24 : block * 4096 + 60] = bytes(36)
    board = _boot(people.robot(spi_flash=bytes(contents)))
    assert not board.spi_flash.erases and not board.spi_flash.programs
    assert "SPI flash" in _of(board, "fault")[0]["what"]


_SLOW = pytest.mark.slow  # each has to be built, and differs from 16 MB by one number


@pytest.mark.parametrize(
    "mb", [pytest.param(4, marks=_SLOW), pytest.param(8, marks=_SLOW), 16], ids="{} MB".format
)
def test_a_board_with_more_flash_uses_it(image, mb):
    large = install.CACHE / f"image-{mb}M" / "firmware.uf2"
    variant = "" if mb == 16 else f" VARIANT=FLASH_{mb}M"
    need(
        f"MicroPython for a {mb} MB board",
        f"BOARD=WEACTSTUDIO{variant} tests/emulator/build_image.sh {large.parent}",
        found=large.is_file(),
    )
    board = EmulatedBoard(
        {**install.robot_files(), "main.py": b""}, image=large, console=True, flash_times=False
    )
    n_blocks = (mb - 1) * 256
    assert board.layout.n_blocks == n_blocks
    board.power_on()
    board.run(300)
    answer = board.python("""
import os
print(os.statvfs("/")[:3])
from roboto.storage.settings import Settings
from roboto.storage.volume import Volume
settings = Settings(Volume("data"))
settings.set("volume", 3)
job = settings.save()
while not job.step():
    pass
""")
    assert answer == f"(4096, 4096, {n_blocks})\n"
    assert "data/settings" in board.files()
    board.power_cut()
    board.power_on()
    board.run(300)
    answer = board.python("""
from roboto.storage.settings import Settings
from roboto.storage.volume import Volume
settings = Settings(Volume("data"))
settings.load()
print(settings.volume)
""")
    assert answer == "3\n"


_BARE = """
import gc, time
from roboto.board import Board
from roboto.sound.mixer import Mixer
from roboto.sound.clip import Clip, RamBlob
from roboto.storage.volume import Volume
board = Board()
"""


@pytest.fixture(scope="module")
def bare(image) -> EmulatedBoard:
    """The board's drivers without the game, at the REPL."""
    board = EmulatedBoard({**install.robot_files(), "main.py": b""}, console=True)
    board.power_on()
    board.run(500)
    board.python(_BARE)
    return board


@pytest.mark.parametrize("sound", ["speaker", "microphone"])
def test_the_guard_refuses_flash_while_sound_is_open(bare, sound):
    written = len(bare.flash_log)
    answer = bare.python(f"""
from roboto.storage.broken import Refused
mixer = Mixer()
mixer.tone('plate')
board.speaker.step(mixer) if {sound!r} == 'speaker' else board.microphone.warm(True)
job = Volume('data', board.guard).replace('x', [b'abc'])
try:
    while not job.step():
        pass
    print('written')
except Refused as error:
    print(error)
board.quiet()
""")
    assert answer == f"save x: flash is not written while sound is open: {sound}\n"
    assert len(bare.flash_log) == written


def test_playing_never_runs_dry_and_allocates_nothing_while_gc_is_forced(bare):
    """Bit for bit what the mixer makes on this computer came out of the pins."""
    start_ms = bare.ms
    answer = bare.python(
        """
sound = bytes((i * 37 + (i >> 3)) & 255 for i in range(8000))
clip = Clip(RamBlob(bytearray(sound)), 0, 16000, 16000, 0, 40, 400)
mixer = Mixer()
junk = [bytearray(200) for i in range(150)] + [(i, str(i)) for i in range(300)]
mixer.say([clip, clip])
speaker, n = board.speaker, 0
gc.collect()
speaker.step(mixer)
worst = 0
while speaker.is_open:
    time.sleep_ms(8)
    speaker.step(mixer)
    n += 1
    if n == 10:
        before = gc.mem_alloc()
    if n == 110:
        allocated = gc.mem_alloc() - before
    if n > 110 and n % 20 == 0:
        t = time.ticks_us()
        gc.collect()
        worst = max(worst, time.ticks_diff(time.ticks_us(), t))
print(allocated, worst)
junk = None
""",
        10_000,
    )
    allocated, worst_gc_us = map(int, answer.split())
    assert worst_gc_us > 5000, "it was a real one"
    sound = bytes((i * 37 + (i >> 3)) & 255 for i in range(8000))
    clip = Clip(RamBlob(bytearray(sound)), 0, 16000, 16000, 0, 40, 400)
    wanted = np.trim_zeros(people.rendered([clip, clip]))
    heard = np.trim_zeros(bare.amplifier.played(start_ms))
    assert len(heard) == len(wanted) > 31_500 and (heard == wanted).all()
    assert allocated == 0, f"{allocated} bytes in 100 steps"


def test_the_battery_is_read_in_millivolts(bare):
    bare.set_battery(3700)
    assert abs(int(bare.python("print(board.power.battery_mv())")) - 3700) < 15


def test_scanning_the_contacts_allocates_nothing(bare):
    bare.press("plate", 40, in_ms=20)
    answer = bare.python("""
inputs, seen = board.inputs, []
gc.collect()
before, now = gc.mem_alloc(), 0
for i in range(20):
    now += 8
    time.sleep_ms(8)
    inputs.scan(now)
print(gc.mem_alloc() - before, inputs.take(), inputs.take(), inputs.take())
""")
    assert answer == "0 ('plate', True) ('plate', False) None\n"
    assert pins.PLATE < 8


@pytest.mark.slow
def test_white_held_at_power_on_has_the_board_test_itself_aloud(image):
    """No acoustics on this bench: that it does not hear itself is the one fault."""
    board = people.robot(data=people.saved(language="en"))
    board.hold("mode")
    _boot(board)
    board.release("mode")
    board.run(1200)
    for control in ("record", "replay", "volume", "win", "plate"):
        board.press(control, 80)
        board.run(1200)
    board.until(lambda: _of(board, "state")[-1]["state"] == "names", 12_000, step_ms=50)
    said = [part["phrase"] for entry in _of(board, "say") for part in entry["parts"]]
    for control in ("record", "replay", "volume", "win", "mode", "plate"):
        assert f"test.{control}" in said
    assert said[said.index("test.cells") + 1] == "count.4"
    assert said[said.index("test.fault") + 1 :][0] == "test.unheard"
    assert board.record_led.edges, "lit while it listened"
