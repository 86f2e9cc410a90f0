"""What the robot costs on an RP2040, in emulated time: latency, load, memory, cycles.

    python -m tests.bench.bench_board [PART ...]

Prints one line a figure, with what is asked of it; exits 1 when one is missed. Takes some minutes.
Parts: see PARTS at the end; all of them by default.
"""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2] / "firmware")]

from roboto.storage.pack import Pack  # noqa: E402

from host_tools.image import room_taken  # noqa: E402
from host_tools.maker.firmware import modules  # noqa: E402
from host_tools.voice import packfile, plans  # noqa: E402
from sim.emulated import install  # noqa: E402
from sim.emulated.board import EmulatedBoard  # noqa: E402
from tests.emulator import people  # noqa: E402

MHZ = 125
_missed: list[str] = []


def report(what: str, figure: float, unit: str, at_most: float | None = None, at_least=None):
    """One line."""
    demand = ""
    if at_most is not None:
        demand = f"at most {at_most:g}"
        if figure > at_most:
            _missed.append(what)
    if at_least is not None:
        demand = f"at least {at_least:g}"
        if figure < at_least:
            _missed.append(what)
    mark = "MISSED" if what in _missed else ""
    print(f"{what:52} {figure:10.1f} {unit:10} {demand:16} {mark}", flush=True)


def silent_pack(ms: int) -> bytes:
    """A voice pack of silences, so that a beep over speech is the first sound there is."""
    keep = install.chirp
    n = ms * 16
    install.chirp = lambda number, ms: packfile.Segment(bytes(n // 2), n)
    try:
        return install.small_pack.__wrapped__("en", ms)
    finally:
        install.chirp = keep


def robot(data: dict[str, bytes], **files: bytes) -> EmulatedBoard:
    """The robot as it is installed, without a terminal."""
    everything = {**install.robot_files(), **files}
    everything.update({f"data/{name}": content for name, content in data.items()})
    return EmulatedBoard(everything)


def until_silent(board: EmulatedBoard) -> None:
    board.until(lambda: board.amplifier.on, 4000)
    board.until(lambda: not board.amplifier.on, 9000)


def boot_and_record() -> None:
    board = robot(people.saved(language="en"))
    board.power_on()
    until_silent(board)
    report(
        "boot: reset to the greeting's first sample", board.amplifier.first_sound_ms(), "ms", 900
    )
    board.run(100)
    report("load: waiting, microphone warm", 100 * board.busy_share(100), "% CPU")
    pressed_ms = board.ms
    board.hold("record")
    board.until(lambda: board.record_led.on, 1000, step_ms=0.5)
    report(
        "record: press to LED, microphone warm",
        board.record_led.edges[-1][0] - pressed_ms,
        "ms",
        60,
    )
    report("load: recording", 100 * board.busy_share(200), "% CPU", 20)


def beeps(n_presses: int = 200) -> None:
    """Yellow at moments drawn at random, so that they fall anywhere in the loop's round: on a
    robot that is silent (the amplifier off, nothing left to save), and on one that talks."""
    board = robot(people.kept_game(), **{"voice/en.pack": silent_pack(9000)})
    board.power_on()
    board.until(lambda: board.amplifier.on, 4000)
    board.press("plate", 60)
    board.run(1200)
    chance = random.Random(1)

    def latency_ms() -> float:
        board.run(chance.uniform(0, 40))
        pressed_ms = board.press("volume", 60)
        board.run(190)
        sound_ms = board.amplifier.first_sound_ms(pressed_ms)
        return (sound_ms or pressed_ms + 999) - pressed_ms

    def talking() -> None:
        if not board.amplifier.on:
            board.press("replay", 60)
            board.until(lambda: board.amplifier.on, 2000)
            board.run(300)

    def silent() -> None:
        board.until(lambda: not board.amplifier.on, 40_000, step_ms=10)
        board.run(700)

    for where, ready, limit_ms in (("silent", silent, 30), ("talking", talking, 50)):
        took = []
        for _ in range(n_presses):
            ready()
            took.append(latency_ms())
        what = f"press to beep, {n_presses} while {where}"
        report(f"{what}, 99th percentile", float(np.percentile(took, 99)), "ms")
        report(f"{what}, worst", max(took), "ms", limit_ms)


def playing() -> None:
    board = robot(people.kept_game(), **{"voice/en.pack": install.small_pack("en", 500)})
    board.power_on()
    board.until(lambda: board.amplifier.on, 4000)
    board.run(60)
    report("load: talking, pack at 16 kHz", 100 * board.busy_share(300), "% CPU", 8)


_HEAP_MAIN = """
import gc
from roboto import start

def tell(event, fields):
    if event in ("say", "quiet", "record"):
        gc.collect()
        print("FREE", gc.mem_free(), longest())

def longest():
    # by trying
    low, high = 0, 200000
    while high - low > 256:
        middle = (low + high) // 2
        try:
            bytearray(middle)
            low = middle
        except MemoryError:
            high = middle
    return low

start.run(tell, seed=1)
"""


def heap() -> None:
    files = {**install.robot_files(), "main.py": _HEAP_MAIN.encode()}
    files.update({f"data/{name}": data for name, data in people.kept_game(pace="wild").items()})
    board = EmulatedBoard(files, console=True)
    board.power_on()
    until_silent(board)
    board.press("plate", 60)
    board.run(300)
    board.until(lambda: not board.amplifier.on, 9000, step_ms=10)
    for _ in range(4):
        board.press("plate", 60)
        board.run(500)
    board.until(lambda: not board.amplifier.on, 9000, step_ms=10)
    found = re.findall(rb"FREE (\d+) (\d+)", bytes(board.console))
    free, longest = (min(int(row[column]) for row in found) for column in (0, 1))
    report("heap: free at the peak of a game", free / 1024, "KB", at_least=70)
    report("heap: its longest free stretch then", longest / 1024, "KB")


_KERNELS = """
import time, gc
from roboto.sound import kernels
from roboto.sound.clip import Clip, RamBlob
from roboto.sound.mixer import Mixer
from roboto.sound.recorder import Recorder
from array import array
data = bytes((i * 37 + (i >> 3)) & 255 for i in range(8000))
mixer, out = Mixer(), bytearray(256)
mixer.say([Clip(RamBlob(bytearray(data)), 0, 16000, 16000, 0, 40, 400)])
for i in range(4):
    mixer.render(out)
t = time.ticks_us()
for i in range(50):
    mixer.render(out)
playing = time.ticks_diff(time.ticks_us(), t)
recorder = Recorder(bytearray(16000), 10_000)
recorder.start(1000)
words = array('i', [((i * 7919) % 40000 - 20000) << 12 for i in range(128)])
recorder.feed(words, 128)
t = time.ticks_us()
for i in range(50):
    recorder.feed(words, 128)
print(playing, time.ticks_diff(time.ticks_us(), t))
"""


def cycles() -> None:
    board = EmulatedBoard({**install.robot_files(), "main.py": b""}, console=True)
    board.power_on()
    board.run(500)
    playing_us, recording_us = map(int, board.python(_KERNELS).split())
    samples = 50 * 128
    report("mixer: clip to speaker, all of it", playing_us * MHZ / samples, "cycles/sample")
    report(
        "recorder: microphone to clip, all of it", recording_us * MHZ / samples, "cycles/sample"
    )


_QUEUE = """
import gc, time
from roboto import start
from roboto.storage.packs import packs
recording = bytearray(start.RECORDING_BYTES)
gc.threshold(32768)
from roboto.app import App
from roboto.board import Board
from roboto.storage.volume import Volume
board = Board()
app = App(board, Volume(board.data, board.guard), packs("voice"), recording, 1)
while app.mixer.busy or board.speaker.is_open or app.busy or not app.now_ms > 500:
    app.step()
    app.rest()
clip = app.speech.pack.phrase("names.greeting").clip(0)
app.mixer.say([clip] * %d)
n = 0
while app.mixer.busy or board.speaker.is_open:
    app.step()
    app.rest()
    n += 1
    if n %% 50 == 0:
        app._events = 99  # so much has happened that the next step collects the garbage
t = time.ticks_us()
gc.collect()
print(time.ticks_diff(time.ticks_us(), t))
"""


def queue(seconds: int = 30) -> None:
    """An utterance of 30 s while the game runs and garbage is collected every 0.8 s: each sample
    that leaves the pins is the one that the mixer makes."""
    pack = install.small_pack("en", 500)
    board = EmulatedBoard(
        {**install.robot_files(), "voice/en.pack": pack, "main.py": b""}, console=True
    )
    board.power_on()
    board.run(300)
    answer = board.python(_QUEUE % (2 * seconds), 1000 * seconds + 20_000).split()
    clip = Pack(io.BytesIO(pack)).phrase("names.greeting").clip(0)
    wanted = np.trim_zeros(people.rendered([clip] * 2 * seconds))
    heard = np.trim_zeros(board.amplifier.played(0))[-len(wanted) :]
    report("queue: samples", len(heard), "", at_least=len(wanted))
    report("queue: samples that are not the mixer's", int((heard != wanted).sum()), "", 0)
    report("queue: a garbage collection", int(answer[-1]) / 1000, "ms")


def size() -> None:
    total = sum(len(data) for name, data in modules().items() if name.endswith(".mpy"))
    report("firmware: all .mpy", total / 1024, "KB")  # what a flash has of it has the limit
    taken = room_taken((path, len(data)) for path, data in install.firmware().items())
    report("firmware: what it takes of the flash", taken / 1024, "KB", plans.FIRMWARE_BYTES / 1024)


PARTS = (size, boot_and_record, beeps, playing, heap, cycles, queue)


def main() -> int:
    wanted = sys.argv[1:]
    for part in PARTS:
        if not wanted or part.__name__ in wanted:
            part()
    return 1 if _missed else 0


if __name__ == "__main__":
    sys.exit(main())
