"""Tables of the IMA ADPCM codec and the waves of the tones, computed once at import.

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

_INDEX_MOVES = (-1, -1, -1, -1, 2, 4, 6, 8)


def _moves():
    """What each code does at each step size: (change of the predictor) << 11 | next row.

    A row is 16 * index, so that row + code is the place of an entry: one look-up does what the
    reference does with three tests and two clamps. 89 * 16 entries of 4 bytes are 5.7 KB.
    """
    moves = array("i", bytes(4 * 16 * len(STEPS)))
    at = 0
    for index in range(len(STEPS)):
        step = STEPS[index]
        half = step >> 1
        quarter = step >> 2
        change = step >> 3
        code = 0
        for more in (0, quarter, half, half + quarter):
            for whole in (0, 4):
                following = min(max(index + _INDEX_MOVES[code + whole], 0), 88) << 4
                total = change + more + (step if whole else 0)
                moves[at + whole] = total << 11 | following
                moves[at + whole + 8] = -total << 11 | following
            at += 1
            code += 1
        at += 12
    return moves


MOVES = _moves()


def codec_state():
    """A state for kernels.decode and encode: predictor, index, two places, address of MOVES."""
    address = 0
    if sys.implementation.name == "micropython" and sys.maxsize == 0x7FFFFFFF:  # 32 bits
        from uctypes import addressof

        address = addressof(MOVES)
    return array("i", (0, 0, 0, 0, address))


def _sine():
    """A period of 512 samples, from a quarter of it."""
    wave = array("h", bytes(2 * 512))
    for i in range(129):
        # rounded half up, so that single and double precision agree
        sample = int(32000 * sin(pi * i / 256) + 0.5)
        wave[i] = wave[256 - i] = sample
        wave[256 + i] = wave[511 & 512 - i] = -sample
    return wave


SINE = _sine()
REED = array(
    "h", (max(-32000, min(4 * sample, 32000)) for sample in SINE)
)  # hoarse: a clipped sine
