"""What the firmware's work costs in time.

On the board code takes time; in the simulator it would take none, and no beep could ever be late.
So the simulator charges for what takes longest: reading files, collecting garbage, and each step
in which something is done. Feeding the loudspeaker is left out, since its ring covers it; so a run
that nobody listens to takes the same time as one that somebody hears.
"""

from __future__ import annotations


class Costs:
    """Costs in microseconds. The defaults are those of the emulated RP2040: see
    tests/bench/bench_board.py, "cost of"."""

    def __init__(
        self,
        read_us: int = 60,
        read_kb_us: int = 240,
        collection_us: int = 25_000,
        step_us: int = 2_000,
    ) -> None:
        self.read_us = read_us  # a read of a file, of whatever length
        self.read_kb_us = read_kb_us  # and each KB of it
        self.collection_us = collection_us  # a garbage collection
        self.step_us = step_us  # a step that takes inputs, looks up a part or begins to speak
