"""What the mixer takes with its bytecode in RAM and with it run in flash: `roboto doctor`."""

import gc
import sys
import time

from .. import bundle
from ..sound.format import CHUNK_BYTES
from ..unload import unload

_CHUNKS = 10  # of a tone, each of 8 ms


def measured() -> dict[str, int]:
    """Return the microseconds that 8 ms of a tone take both ways; 0 where they cannot be run in
    flash. The next start must be a fresh one: nobody may rewrite the bundle until then."""
    copied_us = _mixing_us()
    if bundle.mounted is None:
        return {"copied_us": copied_us, "in_place_us": 0}
    for name in [name for name in sys.modules if name.startswith("roboto.sound.mixer")]:
        unload(name)
    bundle.mounted.run_in_place()
    return {"copied_us": copied_us, "in_place_us": _mixing_us()}


def _mixing_us() -> int:
    from ..sound.mixer import Mixer

    mixer = Mixer()
    out = bytearray(CHUNK_BYTES)
    mixer.tone("sleep_warning")
    gc.collect()
    started = time.ticks_us()
    for _ in range(_CHUNKS):
        mixer.render(out)
    return time.ticks_diff(time.ticks_us(), started) // _CHUNKS
