"""The inner loops of a run that nobody listens to: recordings bit for bit as plain.py, no playing.

Without numpy, whose import alone would take a third of such a run.
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
    state[2] = total + sum([word >> 12 for word in part])
    end = offset + step * n
    state[0] = end
    offsets = range(offset, end, step) if step else [offset] * n
    samples = [(word >> 8) - (off >> 8) >> shift for word, off in zip(part, offsets)]
    if max(samples) > 32767 or min(samples) < -32768:
        samples = [min(max(sample, -32768), 32767) for sample in samples]
    dst[2 * to : 2 * (to + n)] = array("h", samples).tobytes()


def energy(src, n):
    x = array("h", src[: 2 * (n + 3)])
    src[:6] = src[2 * n : 2 * n + 6]
    filtered = [
        46 * a - 8 * b - 5 * c - 3 * d >> 6 for a, b, c, d in zip(x[3:], x[2:], x[1:], x)
    ]
    return sum([y * y + 128 >> 8 for y in filtered])


def silence(dst, to, n):
    dst[2 * to : 2 * (to + n)] = bytes(2 * n)


def copy(src, at_byte, dst, n_bytes):
    dst[:n_bytes] = src[at_byte : at_byte + n_bytes]
