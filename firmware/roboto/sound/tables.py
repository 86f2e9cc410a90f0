"""Tables of the IMA ADPCM codec and the waves of the tones, computed once at import.

Source of the codec: IMA Digital Audio Focus and Technical Working Groups, "Recommended Practices
for Enhancing Digital Audio Compatibility in Multimedia Systems", revision 3.00 (1992).
"""

from array import array
from math import pi, sin

STEPS = array(
    "H",
    (
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66,
        73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408,
        449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066,
        2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630,
        9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
        32767,
    ),
)  # fmt: skip

_INDEX_MOVES = (-1, -1, -1, -1, 2, 4, 6, 8)


def _moves():
    """What each code does at each step size: (change of the predictor) << 11 | next row.

    A row is 16 * index, so that row + code is the place of an entry: one look-up does what the
    reference does with three tests and two clamps. 89 * 16 entries of 4 bytes are 5.7 KB.
    """
    moves = array("i", bytes(4 * 16 * len(STEPS)))
    for index in range(len(STEPS)):
        step = STEPS[index]
        for code in range(16):
            change = step >> 3
            if code & 4:
                change += step
            if code & 2:
                change += step >> 1
            if code & 1:
                change += step >> 2
            if code & 8:
                change = -change
            following = min(max(index + _INDEX_MOVES[code & 7], 0), len(STEPS) - 1)
            moves[16 * index + code] = change << 11 | following << 4
    return moves


MOVES = _moves()

WAVE_LENGTH = 512


def _wave(harmonics):
    """One period of a sum of (number, share) harmonics, its peak at full scale."""
    period = [
        sum(share * sin(2 * pi * number * i / WAVE_LENGTH) for number, share in harmonics)
        for i in range(WAVE_LENGTH)
    ]
    peak = max(period)
    # rounded through a fixed grid, so that single and double precision agree
    return array("h", (int(32000 * s / peak + 32768.5) - 32768 for s in period))


SINE = _wave(((1, 1.0),))
REED = _wave(((1, 1.0), (3, 0.5), (5, 0.3)))  # hoarse, for what is not allowed
