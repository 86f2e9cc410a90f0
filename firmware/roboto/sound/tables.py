"""Tables of the IMA ADPCM codec and the waves of the tones, computed once at import.

Source of the codec: IMA Digital Audio Focus and Technical Working Groups, "Recommended Practices
for Enhancing Digital Audio Compatibility in Multimedia Systems", revision 3.00 (1992).
"""

from array import array

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


def _wave(quarter):
    """One period from its first quarter, whose peak is 32000; it is symmetric about that peak.

    The samples are written out because a board without floating point takes half a second over
    512 sines, and leaves its heap in pieces.
    """
    half = list(quarter) + [quarter[i] for i in range(len(quarter) - 2, 0, -1)]
    return array("h", half + [-sample for sample in half])


# sin(x)
SINE = _wave((
    0, 393, 785, 1178, 1570, 1962, 2354, 2746, 3137, 3527, 3917, 4307, 4695, 5083, 5471, 5857,
    6243, 6628, 7011, 7394, 7775, 8156, 8535, 8913, 9289, 9664, 10038, 10410, 10780, 11149,
    11517, 11882, 12246, 12608, 12968, 13326, 13682, 14036, 14388, 14737, 15085, 15430, 15773,
    16113, 16451, 16787, 17120, 17450, 17778, 18103, 18426, 18746, 19062, 19376, 19687, 19996,
    20301, 20603, 20902, 21197, 21490, 21779, 22065, 22348, 22627, 22903, 23176, 23445, 23710,
    23972, 24231, 24485, 24736, 24984, 25227, 25467, 25703, 25935, 26163, 26387, 26607, 26823,
    27035, 27243, 27447, 27647, 27843, 28034, 28221, 28404, 28583, 28758, 28928, 29093, 29255,
    29412, 29564, 29712, 29856, 29995, 30129, 30259, 30385, 30506, 30622, 30734, 30841, 30943,
    31041, 31134, 31222, 31306, 31385, 31459, 31529, 31594, 31654, 31709, 31759, 31805, 31846,
    31882, 31913, 31940, 31961, 31978, 31990, 31998, 32000,
))  # fmt: skip

# hoarse, for what is not allowed: sin(x) + sin(3 x) / 2 + 3 sin(5 x) / 10
REED = _wave((
    0, 1353, 2704, 4050, 5388, 6715, 8029, 9327, 10608, 11867, 13104, 14316, 15501, 16655,
    17779, 18869, 19923, 20940, 21919, 22858, 23754, 24608, 25418, 26183, 26902, 27574, 28200,
    28777, 29306, 29787, 30220, 30605, 30941, 31230, 31472, 31667, 31817, 31922, 31982, 32000,
    31976, 31912, 31809, 31669, 31492, 31282, 31039, 30766, 30464, 30136, 29782, 29406, 29010,
    28594, 28163, 27717, 27259, 26790, 26314, 25832, 25346, 24858, 24371, 23886, 23404, 22929,
    22461, 22002, 21555, 21120, 20699, 20293, 19904, 19533, 19180, 18848, 18536, 18245, 17977,
    17731, 17509, 17309, 17134, 16982, 16855, 16750, 16670, 16612, 16577, 16565, 16574, 16604,
    16654, 16723, 16811, 16917, 17038, 17175, 17326, 17490, 17666, 17851, 18046, 18248, 18457,
    18670, 18887, 19105, 19325, 19543, 19760, 19974, 20182, 20385, 20581, 20769, 20948, 21116,
    21273, 21418, 21550, 21668, 21772, 21860, 21934, 21991, 22033, 22057, 22066,
))  # fmt: skip
