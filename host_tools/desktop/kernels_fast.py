"""The inner loops of sound for a desktop: audioop (C) and numpy, bit for bit as plain.py.

What each does is told in firmware/roboto/sound/plain.py. Those that record are kernels_quiet.py's,
which are all that a run needs that nobody listens to.
"""

from types import SimpleNamespace

import numpy as np

from . import firmware, mdct_fast
from .kernels_quiet import (  # noqa: F401 - the kernels are taken by name below
    audioop,
    clean,
    copy,
    encode,
    energy,
    halve,
    place,
    silence,
)

firmware.make_importable()
from roboto.sound import kernels, mdct  # noqa: E402

_STEADY_MAX = 24576  # from here on the limiter bends
_COUNT = np.arange(1024, dtype=np.int64)


def decode(src, dst, n, state):
    predictor, index, at, to = state[:4]
    pcm, (state[0], state[1]) = audioop.adpcm2lin(src[at : at + (n >> 1)], 2, (predictor, index))
    dst[2 * to : 2 * (to + n)] = pcm
    state[2] = at + (n >> 1)
    state[3] = to + n


def ramp(samples, n, state):
    gain, step, at = state
    part = samples[2 * at : 2 * (at + n)]
    peak = audioop.max(part, 2)
    if not step and peak * (gain >> 15) >> 10 < _STEADY_MAX:
        # mul() floors, as the shift does
        samples[2 * at : 2 * (at + n)] = audioop.mul(part, 2, (gain >> 15) / 1024)
        return peak
    gains = (gain + step * _COUNT[:n]) >> 15
    out = (np.frombuffer(part, "<i2") * gains) >> 10
    size = np.abs(out)
    if size.max(initial=0) > _STEADY_MAX:
        for knee in (_STEADY_MAX, 28672, 30720):
            size = np.where(size > knee, knee + ((size - knee) >> 1), size)
        out = np.where(out < 0, -1, 1) * np.minimum(size, 32767)
    samples[2 * at : 2 * (at + n)] = out.astype("<i2").tobytes()
    return peak


def double(src, n, dst, to):
    x = np.frombuffer(src, "<i2", n + 7).astype(np.int32)
    y = 161 * (x[3 : n + 3] + x[4 : n + 4]) - 47 * (x[2 : n + 2] + x[5 : n + 5])
    y += 21 * (x[1 : n + 1] + x[6 : n + 6]) - 7 * (x[:n] + x[7:])
    out = np.empty(2 * n, "<i2")
    out[::2] = x[3 : n + 3]
    out[1::2] = _clamp(y + 128 >> 8)
    dst[2 * to : 2 * to + 4 * n] = out.tobytes()
    src[:14] = src[2 * n : 2 * n + 14]


def squeeze(src, n, dst, to):
    x = np.frombuffer(src, "<i2", n + 3).astype(np.int32)
    a, b, c, d, e, f = (x[k : k + n - 4 : 5] for k in range(1, 7))
    out = np.empty((n // 5, 4), np.int32)
    out[:, 0] = a
    out[:, 1] = (105 * b + 35 * c - 7 * a - 5 * d + 64) >> 7
    out[:, 2] = (72 * (c + d) - 8 * (b + e) + 64) >> 7
    out[:, 3] = (35 * d + 105 * e - 5 * c - 7 * f + 64) >> 7
    dst[2 * to : 2 * to + n // 5 * 8] = _clamp(out).astype("<i2").tobytes()
    src[:6] = src[2 * n : 2 * n + 6]


def tone(wave, phase, pitch, dst, n, gain, step):
    phases = (phase + pitch * _COUNT[:n]) & 65535
    gains = (gain + step * _COUNT[:n]) >> 15
    samples = (np.frombuffer(wave, "<i2")[phases >> 7] * gains) >> 15
    out = np.frombuffer(dst, "<i2", n) + samples
    dst[: 2 * n] = _clamp(out).astype("<i2").tobytes()
    return (phase + pitch * n) & 65535


def _clamp(samples):
    return np.minimum(np.maximum(samples, -32768), 32767)  # half the time of np.clip


def install():
    """Let all mixers and recorders of this process compute with these kernels from now on.

    The bits are those of the firmware's own kernels; only the time is not.
    """
    kernels.use(_FAST)
    mdct.use(mdct_fast.Decoder)


_FAST = SimpleNamespace(**{name: globals()[name] for name in kernels.NAMES})
