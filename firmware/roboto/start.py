"""Power-on on the device: takes the big buffer, makes the board, runs the app."""

import gc
import os
import time

from . import bundle
from .unload import unload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .console import Console
    from .shapes import Notify

# A House Rule of 10 s at 8000 samples a second and two names of 2 s at 16000; or three of 3 s, two
# of them at 8000: see sound/recorder.py rate_for().
RECORDING_BYTES = 56000

# Garbage allowed while importing. With more, what stays lies scattered over the heap.
_TIDY_BYTES = 65536
# Room at the very start of the heap. MicroPython lays the frame of every larger call on the heap,
# in the first place that is wide enough: without this one it would look through all that stays,
# at each call.
_HOLE_BYTES = 4096


def run(notify: "Notify | None" = None, seed: int | None = None) -> None:  # noqa: C901 - one thing after the other
    """Does not return, unless a computer interrupts it (KeyboardInterrupt): then all is quiet.

    `notify`: see App; else the console hears what happens. `seed`: of all chance, else no two
    games are alike.
    """
    hole = bytearray(_HOLE_BYTES)
    gc.threshold(_TIDY_BYTES)
    if bundle.mounted:
        bundle.mounted.run_in_place()
    from .storage.volume import Volume

    unload("roboto.board.safe_window")
    from .app import STEP_MS, App
    from .board import Board

    recording = bytearray(RECORDING_BYTES)
    board = Board()
    from .switch_in import faults

    unload("roboto.switch_in")
    fault = _wrong()
    if fault:  # better no sound than noise, and a computer can still get in
        print("roboto: this MicroPython computes %s wrong: install 1.28 or newer" % fault)
        return
    volume = Volume(board.data, board.guard)
    console = None
    if board.power.usb_present():
        try:
            console = _console()
        except Exception as error:
            faults.append(f"console: {type(error).__name__} {error}")
    if notify is None and console is not None:
        notify = console.notify
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    try:
        voices = _voices(board.voice)
        app = App(board, volume, voices, recording, seed, notify)
        if console is not None:
            console.attach(app)
        if board.fault:
            faults.append(board.fault)
        for line in faults:
            app.fault(line)
        hole = None  # noqa: F841
        gc.threshold(-1)  # the first word brings a collection
        talking_ms = 0  # before that, no computer is listened to: the console has failed
        while True:
            app.step()
            try:
                if app.now_ms < talking_ms:
                    pass
                elif console is not None:
                    if console.step():
                        time.sleep_ms(STEP_MS)  # a computer is talking: answer it at once
                        continue
                elif board.power.usb_present():
                    console = _console()
                    console.attach(app)
                    console.notify("state", {"state": app.game.state.phase})
                    if app.notify is None:
                        app.notify = console.notify
                app.rest()
            except Exception as error:
                talking_ms = app.now_ms + app.failed(error, "console")
                if console is not None:
                    console.reset()
                time.sleep_ms(STEP_MS)
    finally:
        board.power.stop_watchdog()  # whoever has interrupted it has a long talk in mind
        board.quiet()  # an open microphone would overwrite memory while the computer writes flash


def _voices(folder: str) -> dict[str, str]:
    """Return the voice packs at hand: see storage/packs.py, which the app unloads."""
    from .storage.packs import packs

    return packs(folder)


def _console() -> "Console":
    """Loaded when there is somebody to talk to: on batteries its room is better left free."""
    from .console import Console

    return Console()


def _wrong() -> str | None:
    """The first inner loop of sound that this MicroPython computes wrong, or None."""
    from .sound import selftest

    wrong = selftest.wrong()
    unload("roboto.sound.selftest")
    return wrong[0] if wrong else None
