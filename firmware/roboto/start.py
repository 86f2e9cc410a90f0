"""Power-on on the device: takes the big buffer, makes the board, runs the app."""

import gc
import os

from .storage.volume import Volume

VOICE_FOLDER = "voice"


def packs(folder=VOICE_FOLDER):
    """The voice packs at hand: language -> path. A pack's file is named for its language:
    es.pack."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    return {name[:-5]: folder + "/" + name for name in names if name.endswith(".pack")}


def run():
    """Does not return."""
    recording = bytearray(80000)  # first: later the heap has no hole of that size left
    from .app import App
    from .board import Board

    gc.collect()
    board = Board()
    volume = Volume("data", board.guard)
    App(board, volume, packs(), recording, int.from_bytes(os.urandom(4), "little")).run()
