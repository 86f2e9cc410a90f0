"""The inner loops of sound, written to be read. Bit for bit what the fast ones compute.

Samples are int16, little-endian, in bytearrays; counts and offsets are in samples unless they say
bytes. The kernels that work all the time take (source, destination, n, state), the state being an
array('i'), because four arguments are what assembler can be given. Nothing here allocates on
MicroPython.
"""

from .tables import MOVES, STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

    from ..shapes import Buffer, Bytes

_KNEE = 24576  # -2.5 dBFS: from here on the limiter bends


def decode(src: "Bytes", dst: "Buffer", n: int, state: "array[int]") -> None:
    """Decode n (even, at least 2) samples of IMA ADPCM.

    state, all brought up to date: predictor, index, byte of src to begin with, sample of dst to
    begin with; and the address of MOVES, see tables.codec_state().
    """
    predictor = state[0]
    row = state[1] << 4
    at_byte = state[2]
    to = state[3]
    for i in range(n):
        codes = src[at_byte + (i >> 1)]
        move = MOVES[row + (codes & 15 if i & 1 else codes >> 4)]
        row = move & 2047
        predictor += move >> 11
        if predictor > 32767:
            predictor = 32767
        elif predictor < -32768:
            predictor = -32768
        j = 2 * (to + i)
        dst[j] = predictor & 255
        dst[j + 1] = predictor >> 8 & 255
    state[0] = predictor
    state[1] = row >> 4
    state[2] = at_byte + (n >> 1)
    state[3] = to + n


def encode(src: "Bytes", dst: "Buffer", n: int, state: "array[int]") -> None:
    """Encode n (even, at least 2) samples as IMA ADPCM.

    state, all brought up to date: predictor, index, sample of src to begin with, byte of dst to
    begin with; and the address of MOVES.
    """
    predictor = state[0]
    row = state[1] << 4
    at = state[2]
    to_byte = state[3]
    high = 0
    for i in range(n):
        difference = _sample(src, at + i) - predictor
        step = STEPS[row >> 4]
        code = 0
        if difference < 0:
            difference = -difference
            code = 8
        if difference >= step:
            difference -= step
            code += 4
        step >>= 1
        if difference >= step:
            difference -= step
            code += 2
        if difference >= step >> 1:
            code += 1
        move = MOVES[row + code]
        row = move & 2047
        predictor += move >> 11
        if predictor > 32767:
            predictor = 32767
        elif predictor < -32768:
            predictor = -32768
        if i & 1:
            dst[to_byte + (i >> 1)] = high | code
        else:
            high = code << 4
    state[0] = predictor
    state[1] = row >> 4
    state[2] = at + n
    state[3] = to_byte + (n >> 1)


def ramp(samples: "Buffer", n: int, state: "array[int]") -> int:
    """Give n (at least 1) samples a gain that grows by step at each.

    state, left as it is: gain and step, both q10 with 15 more bits; sample to begin with. Gains
    run from 0 to 31.99 (+30 dB).

    Loud samples are bent by three knees, each halving the slope: 5 dB over full scale still fit,
    what is louder than that is held at full scale. Returns the peak before the gain.
    """
    gain = state[0]
    step = state[1]
    at = state[2]
    peak = 0
    for i in range(at, at + n):
        sample = _sample(samples, i)
        if sample > peak:
            peak = sample
        elif -sample > peak:
            peak = -sample
        out = sample * (gain >> 15) >> 10
        gain += step
        if out > _KNEE:
            out = _bend(out)
        elif out < -_KNEE:
            out = -_bend(-out)
        _store(samples, i, out)
    return peak


def double(src: "Buffer", n: int, dst: "Buffer", to: int) -> None:
    """Upsample by two: src holds the last 7 samples of the previous call, then n new ones;
    2 * n go to dst.

    A half-band filter of 8 taps, 3.5 samples late; images of what lies below 3 kHz at 8 kHz come
    out 34 dB down. The last 7 samples move to the front of src.
    """
    for i in range(n):
        y = 161 * (_sample(src, i + 3) + _sample(src, i + 4))
        y -= 47 * (_sample(src, i + 2) + _sample(src, i + 5))
        y += 21 * (_sample(src, i + 1) + _sample(src, i + 6))
        y -= 7 * (_sample(src, i) + _sample(src, i + 7))
        _store(dst, to + 2 * i, _sample(src, i + 3))
        _store(dst, to + 2 * i + 1, _clamp(y + 128 >> 8))
    for i in range(14):
        src[i] = src[2 * n + i]


def halve(src: "Buffer", n: int, dst: "Buffer", to: int) -> None:
    """Downsample by two: src holds 14 samples of before and n (even) new ones; n / 2 go to dst.

    A half-band filter of 15 taps, 7 samples late: double()'s, and each sample beside. What lies
    above 5 kHz at 16 kHz, and would fold to below 3 kHz, comes out 34 dB down. The last 14
    samples move to the front of src.
    """
    for i in range(0, n, 2):
        y = 256 * _sample(src, i + 7)
        y += 161 * (_sample(src, i + 6) + _sample(src, i + 8))
        y -= 47 * (_sample(src, i + 4) + _sample(src, i + 10))
        y += 21 * (_sample(src, i + 2) + _sample(src, i + 12))
        y -= 7 * (_sample(src, i) + _sample(src, i + 14))
        _store(dst, to, _clamp(y + 256 >> 9))
        to += 1
    for i in range(28):
        src[i] = src[2 * n + i]


def squeeze(src: "Buffer", n: int, dst: "Buffer", to: int) -> None:
    """Five samples to four: src holds 3 samples of before and n new ones (n a multiple of 5).

    4 * n / 5 samples go to dst. Cubic Lagrange interpolation. The last 3 samples move to the
    front of src.
    """
    for i in range(0, n, 5):
        a = _sample(src, i + 1)
        b = _sample(src, i + 2)
        c = _sample(src, i + 3)
        d = _sample(src, i + 4)
        e = _sample(src, i + 5)
        f = _sample(src, i + 6)
        _store(dst, to, a)
        _store(dst, to + 1, _clamp(105 * b + 35 * c - 7 * a - 5 * d + 64 >> 7))
        _store(dst, to + 2, _clamp(72 * (c + d) - 8 * (b + e) + 64 >> 7))
        _store(dst, to + 3, _clamp(35 * d + 105 * e - 5 * c - 7 * f + 64 >> 7))
        to += 4
    for i in range(6):
        src[i] = src[2 * n + i]


def tone(
    wave: "array[int]", phase: int, pitch: int, dst: "Buffer", n: int, gain: int, step: int
) -> int:
    """Mix n samples of a wave of 512 samples over dst, clamped. Returns the phase it ends at.

    phase and pitch, the growth of the phase at each sample, are 65536ths of a period. The gain,
    q15 with 15 more bits, grows by step at each sample.
    """
    for i in range(n):
        out = _sample(dst, i) + (wave[phase >> 7] * (gain >> 15) >> 15)
        _store(dst, i, _clamp(out))
        gain += step
        phase = phase + pitch & 65535
    return phase


def clean(words: "array[int]", dst: "Buffer", n: int, state: "array[int]") -> None:
    """Make n (at least 1) microphone words (24 bit left-justified in int32) samples.

    state: the offset to take off, in units of a word; what it grows by at each sample; the sum of
    words >> 12 so far; word and sample to begin with; shift: 8 keeps the upper 16 of the 24 bits,
    each less doubles. Offset, sum and both places are brought up to date.
    """
    offset = state[0]
    step = state[1]
    total = state[2]
    at = state[3]
    to = state[4]
    shift = state[5]
    for i in range(n):
        word = words[at + i]
        total += word >> 12
        _store(dst, to + i, _clamp((word >> 8) - (offset >> 8) >> shift))
        offset += step
    state[0] = offset
    state[2] = total
    state[3] = at + n
    state[4] = to + n


def energy(src: "Buffer", n: int) -> int:
    """Return the loudness of n samples that follow 3 of before: the sum of squares / 256
    after a filter.

    The filter y = (46 x[0] - 8 x[-1] - 5 x[-2] - 3 x[-3]) / 64 follows the K weighting of
    ITU-R BS.1770 within 0.3 dB from 150 Hz up at 16 kHz, but for 6.07 dB that it is lower.
    The last 3 samples move to the front of src.
    """
    x3 = _sample(src, 0)
    x2 = _sample(src, 1)
    x1 = _sample(src, 2)
    total = 0
    for i in range(3, n + 3):
        x = _sample(src, i)
        y = 46 * x - 8 * x1 - 5 * x2 - 3 * x3 >> 6
        total += y * y + 128 >> 8
        x3 = x2
        x2 = x1
        x1 = x
    for i in range(6):
        src[i] = src[2 * n + i]
    return total


def silence(dst: "Buffer", to: int, n: int) -> None:
    """Set n samples from `to` on to zero."""
    for i in range(2 * to, 2 * (to + n)):
        dst[i] = 0


def copy(src: "Bytes", at_byte: int, dst: "Buffer", n_bytes: int) -> None:
    """Copy bytes."""
    for i in range(n_bytes):
        dst[i] = src[at_byte + i]


def place(src: "Buffer", dst: "Buffer", n: int, state: "array[int]") -> None:
    """Copy n (at least 1) samples. state, both brought up to date: sample of src to begin with,
    sample of dst to begin with."""
    at = 2 * state[0]
    to = 2 * state[1]
    for i in range(2 * n):
        dst[to + i] = src[at + i]
    state[0] += n
    state[1] += n


def _sample(buffer: "Bytes", i: int) -> int:
    return ((buffer[2 * i] | buffer[2 * i + 1] << 8) ^ 0x8000) - 0x8000


def _store(buffer: "Buffer", i: int, sample: int) -> None:
    buffer[2 * i] = sample & 255
    buffer[2 * i + 1] = sample >> 8 & 255


def _clamp(sample: int) -> int:
    if sample > 32767:
        return 32767
    if sample < -32768:
        return -32768
    return sample


def _bend(sample: int) -> int:
    sample = _KNEE + (sample - _KNEE >> 1)
    if sample > 28672:
        sample = 28672 + (sample - 28672 >> 1)
        if sample > 30720:
            sample = 30720 + (sample - 30720 >> 1)
            sample = min(sample, 32767)
    return sample
