"""What sound costs: on a desktop, and in cycles on an emulated RP2040 beside C.

python tests/bench/bench_sound.py
"""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from roboto.sound import kernels, mixer, recorder  # noqa: E402
from roboto.sound.clip import Clip, RamBlob  # noqa: E402
from roboto.sound.tables import codec_state  # noqa: E402

from host_tools.desktop import kernels_fast, kernels_quiet  # noqa: E402
from sim.unheard import UnheardMixer  # noqa: E402
from tests.bench import sound_cycles  # noqa: E402


def _best(run: Callable[[], int], runs: int = 15) -> float:
    """Microseconds a chunk of 8 ms of a run that returns how many chunks it made."""
    best = 1.0
    for _ in range(runs):
        start = time.process_time()
        chunks = run()
        best = min(best, (time.process_time() - start) / chunks)
    return best * 1e6


def _play(kind, blob: RamBlob, rate_hz: int, squeaky: int) -> int:
    player = kind(3)
    player.say([Clip(blob, 0, 8 * rate_hz, rate_hz)], [squeaky])
    out = bytearray(256)
    chunks = 0
    while player.render(out):
        chunks += 1
    return chunks


def _record(listener, words: array) -> int:
    listener.start(10_000)
    while not listener.full:
        listener.feed(words, 128)
    return listener.heard_ms // 8


def desktop() -> None:
    kernels_fast.install()
    wave = (9000 * np.sin(np.arange(8 * 16000) * 0.2)).astype(np.int16)
    codes = bytearray(len(wave) // 2)
    kernels.encode(bytearray(wave.tobytes()), codes, len(wave), codec_state())
    blob = RamBlob(codes)
    for name, kind in (("heard", mixer.Mixer), ("unheard", partial(UnheardMixer, mixer))):
        for rate_hz in (16000, 8000):
            for squeaky in (0, 1):
                took = _best(partial(_play, kind, blob, rate_hz, squeaky))
                what = f"{name}, {rate_hz // 1000} kHz{' squeaky' * squeaky}"
                print(f"  {'render us a chunk, ' + what:42} {took:8.2f}")
    words = array("i", (int(sample) << 13 for sample in wave[:128]))
    for name, module in (("heard", kernels_fast), ("unheard", kernels_quiet)):
        kernels.use(module)
        took = _best(partial(_record, recorder.Recorder(bytearray(80_000), 10_000), words))
        print(f"  {'feed us a chunk, ' + name:42} {took:8.2f}")


def board() -> None:
    figures = sound_cycles.measure()
    for name, figure in figures.items():
        if name != "agree":
            print(f"  {name:42} {figure:8.1f}")
    if "C ramp" not in figures:
        print("  (no arm-none-eabi-gcc: no C beside them)")
        return
    play = figures["decode"] + figures["ramp"]
    c_play = figures["C decode_reference"] + figures["C ramp"]
    c_table = figures["C decode_table"] + figures["C ramp"]
    print(f"  decode, volume, level: {play:.0f} cycles of 120 allowed; C {c_play:.0f}, with the")
    print(f"    same table {c_table:.0f}: {play / c_play:.2f} and {play / c_table:.2f} times C")
    record = figures["clean"] + figures["energy"] + figures["encode"]
    c_record = figures["C clean"] + figures["C energy"] + figures["C encode_reference"]
    print(f"  clean-up, loudness, encode: {record:.0f} cycles of 250 allowed; C {c_record:.0f}:")
    print(f"    {record / c_record:.2f} times C")


if __name__ == "__main__":
    print("desktop")
    desktop()
    print("emulated RP2040, cycles a sample unless it says us or ms")
    board()
