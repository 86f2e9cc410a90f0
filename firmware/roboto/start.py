"""Power-on on the device: takes the big buffer, makes the board, runs the app."""

import gc
import os

from .storage.volume import Volume

VOICE_FOLDER = "voice"
# Garbage allowed while importing. With more, what stays lies scattered over the heap.
_TIDY_BYTES = 32768


def packs(folder=VOICE_FOLDER):
    """The voice packs at hand: language -> path. A pack's file is named for its language:
    es.pack."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    return {name[:-5]: folder + "/" + name for name in names if name.endswith(".pack")}


def run(notify=None, seed=None):
    """Does not return. `notify`: see App; `seed`: of all chance, else no two games are alike."""
    recording = bytearray(80000)  # first: later the heap has no hole of that size left
    gc.threshold(_TIDY_BYTES)
    from .app import App
    from .board import Board

    board = Board()
    volume = Volume("data", board.guard)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    app = App(board, volume, packs(), recording, seed, notify)
    gc.collect()
    gc.threshold(-1)
    app.run()
