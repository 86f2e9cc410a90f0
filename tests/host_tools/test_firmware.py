"""The firmware's files on their way to the board."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor

from host_tools.maker import constants, firmware


def test_private_numbers_are_folded_and_nothing_else():
    source = (
        "_A = 3\n_B = _A * (2 + 1)\nC = 5\n_NAME = 'x'\n_AGAIN = 1\n_AGAIN = 2\n"
        "_LARGE = 1 << 30\n_LIST = [1]\n"
    )
    assert constants.fold(source) == (
        "_A = const(3)\n_B = const(9)\nC = 5\n_NAME = 'x'\n_AGAIN = 1\n_AGAIN = 2\n"
        "_LARGE = 1 << 30\n_LIST = [1]\n"
    )


def test_threads_that_fold_do_not_disturb_each_other():
    """Python 3.11's ast forgets how deep it is when a collection lets another thread run."""
    source = (firmware.SOURCES / "roboto" / "sound" / "mixer.py").read_text()
    alone = constants.fold(source)

    def look(phase: str, info: dict) -> None:
        time.sleep(0)  # as any Python code here may: another thread's turn

    before = gc.get_threshold()
    gc.callbacks.append(look)
    gc.set_threshold(60)
    try:
        with ThreadPoolExecutor(3) as pool:
            assert set(pool.map(constants.fold, [source] * 12)) == {alone}
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(look)
