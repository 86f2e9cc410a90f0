"""Power-on on the device: takes the big buffer, makes the board, runs the app."""

import gc
import os

from .storage.volume import Volume

VOICE_FOLDER = "voice"
_TIDY_BYTES = (
    32768  # garbage allowed while importing: more, and what stays lies scattered over the heap
)


def packs(folder=VOICE_FOLDER):
    """The voice packs at hand: language -> path. A pack's file is named for its language:
    es.pack."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    return {name[:-5]: folder + "/" + name for name in names if name.endswith(".pack")}


def run(notify=None):
    """Does not return. `notify`: see App."""
    recording = bytearray(80000)  # first: later the heap has no hole of that size left
    gc.threshold(_TIDY_BYTES)
    from .app import App
    from .board import Board

    board = Board()
    volume = Volume("data", board.guard)
    app = App(board, volume, packs(), recording, int.from_bytes(os.urandom(4), "little"), notify)
    gc.collect()
    gc.threshold(-1)
    app.run()
