"""Tables of the IMA ADPCM codec and the waves of the tones.

They are computed at import; on the board that takes 50 ms, so a bundle brings them along.

Source of the codec: IMA Digital Audio Focus and Technical Working Groups, "Recommended Practices
for Enhancing Digital Audio Compatibility in Multimedia Systems", revision 3.00 (1992).
"""

import sys
from array import array
from math import pi, sin

STEPS = array(
    "H",
    (
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60,
        66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337,
        371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552,
        1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894,
        6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350,
        22385, 24623, 27086, 29794, 32767,
    ),
)  # fmt: skip


MOVES = array("i", bytes(4 * 16 * len(STEPS)))
SINE = array("h", bytes(2 * 512))  # a period
REED = array("h", bytes(2 * 512))  # hoarse: a sine driven into clipping
COMPUTED = (MOVES, SINE, REED)

_FILE = "/fw/roboto/sound/tables.bin"  # COMPUTED, one after the other; see roboto/bundle.py


def _fill_moves() -> None:
    """Say what each code does at each step size: (change of the predictor) << 11 | next row.

    A row is 16 * index, so that row + code is the place of an entry: one look-up does what the
    reference does with three tests and two clamps. 89 * 16 entries of 4 bytes are 5.7 KB.
    """
    at = 0
    for index in range(len(STEPS)):
        step = STEPS[index]
        half = step >> 1
        quarter = step >> 2
        down = max(index - 1, 0) << 4  # codes 0..3 make the step smaller
        up = index  # 4..7 larger, by 2, 4, 6, 8 places
        for more in (0, quarter, half, half + quarter):
            change = (step >> 3) + more
            MOVES[at] = change << 11 | down
            MOVES[at + 8] = -change << 11 | down
            change += step
            up = min(up + 2, 88)
            MOVES[at + 4] = change << 11 | up << 4
            MOVES[at + 12] = -change << 11 | up << 4
            at += 1
        at += 12


def codec_state() -> "array[int]":
    """Return a state for kernels.decode and encode: predictor, index, two places, address of
    MOVES."""
    address = 0
    if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:  # 32 bits
        from uctypes import addressof

        address = addressof(MOVES)
    return array("i", (0, 0, 0, 0, address))


def _fill_waves() -> None:
    for i in range(129):  # a quarter tells the rest
        # rounded half up, so that single and double precision agree
        sample = int(32000 * sin(pi * i / 256) + 0.5)
        reed = min(4 * sample, 32000)
        SINE[i] = SINE[256 - i] = sample
        SINE[256 + i] = SINE[512 - i & 511] = -sample
        REED[i] = REED[256 - i] = reed
        REED[256 + i] = REED[512 - i & 511] = -reed


try:
    with open(_FILE, "rb") as _file:
        for _table in COMPUTED:
            _file.readinto(_table)
except OSError:  # no bundle: a desktop, or a board with loose files
    _fill_moves()
    _fill_waves()
del _fill_moves, _fill_waves  # on the device, their room is wanted
