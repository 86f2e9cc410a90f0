"""The inner loops that record, by audioop (C), bit for bit as plain.py; none that play.

Without numpy, whose import alone would take a third of a run that nobody listens to.
"""

from __future__ import annotations

import warnings
from array import array

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import audioop  # in Python 3.13 and later from the package audioop-lts


def encode(src, dst, n, state):
    predictor, index, at, to = state[:4]
    pcm = src[2 * at : 2 * (at + n)]
    dst[to : to + (n >> 1)], (state[0], state[1]) = audioop.lin2adpcm(pcm, 2, (predictor, index))
    state[2] = at + n
    state[3] = to + (n >> 1)


def clean(words, dst, n, state):
    offset, step, total, at, to, shift = state
    part = words[at : at + n]
    state[2] = total + sum(array("i", audioop.mul(part, 4, 1 / 4096)))  # mul() floors
    end = state[0] = offset + step * n
    # The offset's fraction goes, as it does there; its sign turns. Clamping to 32 bits and taking
    # the upper half is clamping to 16.
    offsets = array("i", range(offset, end, step) if step else [offset] * n)
    offsets = audioop.mul(audioop.mul(offsets, 4, 1 / 256), 4, -256)
    samples = audioop.mul(audioop.add(part, offsets, 4), 4, 256 >> shift)
    dst[2 * to : 2 * (to + n)] = audioop.lin2lin(samples, 4, 2)
    state[3], state[4] = at + n, to + n


def halve(src, n, dst, to):
    even = audioop.lin2lin(audioop.tomono(src[: 2 * (n + 14)], 2, 1, 0), 2, 4)
    odd = audioop.lin2lin(audioop.tomono(src[: 2 * (n + 14)], 2, 0, 1), 2, 4)
    y = audioop.mul(odd[12 : 12 + 2 * n], 4, 256 / 65536)
    for at, tap in enumerate((-7, 21, -47, 161, 161, -47, 21, -7)):
        y = audioop.add(y, audioop.mul(even[4 * at : 4 * at + 2 * n], 4, tap / 65536), 4)
    y = audioop.mul(audioop.bias(y, 4, 256), 4, 1 / 512)
    dst[2 * to : 2 * to + n] = audioop.lin2lin(audioop.mul(y, 4, 65536), 4, 2)
    src[:28] = src[2 * n : 2 * n + 28]


def energy(src, n):
    # Each sample in 32 bits is itself times 65536: the tap's factor takes that off again.
    x = audioop.lin2lin(src[: 2 * (n + 3)], 2, 4)
    filtered = bytes(4 * n)
    for tap, before in ((46, 0), (-8, 1), (-5, 2), (-3, 3)):
        at = 4 * (3 - before)
        filtered = audioop.add(filtered, audioop.mul(x[at : at + 4 * n], 4, tap / 65536), 4)
    src[:6] = src[2 * n : 2 * n + 6]
    return sum([y * y + 128 >> 8 for y in array("i", audioop.mul(filtered, 4, 1 / 64))])


def silence(dst, to, n):
    dst[2 * to : 2 * (to + n)] = bytes(2 * n)


def copy(src, at_byte, dst, n_bytes):
    dst[:n_bytes] = src[at_byte : at_byte + n_bytes]


def place(src, dst, n, state):
    at, to = state
    dst[2 * to : 2 * (to + n)] = src[2 * at : 2 * (at + n)]
    state[0] = at + n
    state[1] = to + n
