"""The two inner loops of the speech codec, written to be read; docs/voice.md tells the format.

Whole numbers only. On the RP2040 thumb_mdct.py does the same in assembler, bit for bit, for any
bytes whatever: sums of products wrap at 32 bits as they do there, and nothing is read behind the
end that is given.
"""

from .mdct_tables import (
    BANDS,
    EDGES,
    FAINT,
    FAINT_QUIET,
    FFT,
    HIGH_FROM,
    LEVEL_MOST,
    LEVELS,
    LOUD,
    MEANS,
    ONE,
    ROWS,
    SIZES,
    STEPS,
    SWAP,
    TURN,
    WINDOW,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

    from ..shapes import Buffer, Bytes

FRAME = 256  # samples
HALF = FRAME // 2
ESCAPE = 15  # a size of 15 or more: further bits tell which
SIZES_AT = 48  # where in memory the sizes of the bins begin, with two zeros before them
MEMORY_BYTES = SIZES_AT + FRAME


def bins(src: "Bytes", dst: "array[int]", memory: "Buffer", state: "array[int]") -> None:
    """Decode a frame's 256 bins, in sixteenths, to the front of dst.

    memory: what is kept from frame to frame, zeros at the start. A byte a band: its level, less
    the mean; from 23 on, a byte a band: whether it was loud; from 48 on, a byte a bin: its size.
    state, all brought up to date: the coder's number (0 at the start), byte of src to go on with,
    end of the bytes (even), the noise's number; then what mdct.py says.
    """
    if not state[0]:
        _feed(src, state, 0)
        _feed(src, state, state[0])
    low = low_before = loud = 0
    for band in range(BANDS):
        third = band >> 3
        code = _symbol(src, state, LEVELS, 34 * third)
        before = (memory[band] ^ 128) - 128
        level = MEANS[band] + (6 * before + 5 * low - 3 * low_before >> 3)
        level += -(code + 1 >> 1) if code & 1 else code >> 1
        level = min(max(level, 0), LEVEL_MOST)
        low = level - MEANS[band]
        low_before = before
        memory[band] = low & 255
        loud = _symbol(src, state, LOUD, 3 * (4 * third + 2 * memory[BANDS + band] + loud))
        memory[BANDS + band] = loud
        step = STEPS[4 * level] | STEPS[4 * level + 1] << 8 | STEPS[4 * level + 2] << 16
        rows = 17 * 12 * (band >= HIGH_FROM)
        for k in range(EDGES[band], EDGES[band + 1]):
            at = SIZES_AT + k
            size = 0
            if loud:
                near = 2 * memory[at - 1] + memory[at - 2] + memory[at] + memory[at + 1]
                size = _symbol(src, state, SIZES, rows + 17 * ROWS[near])
            memory[at] = size
            if size:
                if size == ESCAPE:
                    n = _bits(src, state, 3)
                    size += (1 << n) - 1 + _bits(src, state, n)
                bin = step * ONE >> 8 if size == 1 else step * size
                negative = _bits(src, state, 1)
            else:
                bin = step * (FAINT if loud else FAINT_QUIET) >> 8
                state[3] = state[3] * 69069 + 1 & 0xFFFFFFFF
                negative = state[3] >> 31
            bin = bin + 128 >> 8
            dst[k] = -bin if negative else bin
    for k in range(EDGES[BANDS], FRAME):
        dst[k] = 0


def _symbol(src: "Bytes", state: "array[int]", table: "Bytes", at: int) -> int:
    """Take a symbol. table: from number `at` on, where each symbol begins of 1024, and 1024."""
    slot = state[0] & 1023
    symbol = at
    while slot >= _pair(table, symbol + 1):
        symbol += 1
    start = _pair(table, symbol)
    _feed(src, state, (_pair(table, symbol + 1) - start) * (state[0] >> 10) + slot - start)
    return symbol - at


def _bits(src: "Bytes", state: "array[int]", n: int) -> int:
    """Take a number of n bits."""
    number = state[0] & (1 << n) - 1
    _feed(src, state, state[0] >> n)
    return number


def _feed(src: "Bytes", state: "array[int]", number: int) -> None:
    """Set the coder's number; when it has become small it takes two more bytes, or zeros."""
    if number < 65536:
        number <<= 16
        at = state[1]
        if at < state[2]:
            number |= _pair(src, at >> 1)
            state[1] = at + 2
    state[0] = number


def samples(work: "array[int]", before: "array[int]", out: "Buffer", state: "array[int]") -> None:
    """Turn the 256 bins at the front of work into 256 samples: a DCT-IV by way of a complex FFT
    of 128 points, and the window over it and the frame before.

    work: 512 numbers, of which those from 256 on are room to work. before: 128 numbers, zeros at
    the start, of the frame before; brought up to date.
    """
    for k in range(HALF):
        at = FRAME + 2 * SWAP[k]
        _turn(work, 2 * k, FRAME - 1 - 2 * k, TURN, k, at, at + 1)
    half = 1
    while half < HALF:
        for j in range(half):
            for p in range(FRAME + 2 * j, 2 * FRAME, 4 * half):
                q = p + 2 * half
                if half > 2:
                    _turn(work, q, q + 1, FFT, j * (HALF // 2 // half), q, q + 1)
                elif j:  # a quarter of a turn needs no multiplication
                    work[q], work[q + 1] = work[q + 1], -work[q]
                real, imaginary = work[q], work[q + 1]
                work[q] = work[p] - real
                work[q + 1] = work[p + 1] - imaginary
                work[p] += real
                work[p + 1] += imaginary
        half *= 2
    for k in range(HALF):
        at = FRAME + 2 * k
        _turn(work, at, at + 1, TURN, k, 2 * k, FRAME - 1 - 2 * k)
        work[FRAME - 1 - 2 * k] = -work[FRAME - 1 - 2 * k]
    for j in range(HALF):
        now, then = work[HALF + j], before[HALF - 1 - j]
        rise, fall = _signed(WINDOW, j), _signed(WINDOW, FRAME - 1 - j)
        _store(out, j, _product(rise, now, -fall, then))
        _store(out, FRAME - 1 - j, _product(-fall, now, -rise, then))
    for j in range(HALF):
        before[j] = work[j]


def _turn(
    work: "array[int]", real_at: int, imaginary_at: int, table: "Bytes", i: int, to: int, to_i: int
) -> None:
    """Multiply a complex number by the i-th of a table."""
    real, imaginary = work[real_at], work[imaginary_at]
    cosine, sine = _signed(table, 2 * i), _signed(table, 2 * i + 1)
    work[to] = _product(real, cosine, imaginary, -sine)
    work[to_i] = _product(real, sine, imaginary, cosine)


def _product(a: int, b: int, c: int, d: int) -> int:
    """Return a * b + c * d in 32 bits, that wrap, over 8192, rounded."""
    return ((a * b + c * d + 4096 + 0x80000000 & 0xFFFFFFFF) - 0x80000000) >> 13


def _pair(table: "Bytes", i: int) -> int:
    return table[2 * i] | table[2 * i + 1] << 8


def _signed(table: "Bytes", i: int) -> int:
    return ((table[2 * i] | table[2 * i + 1] << 8) ^ 0x8000) - 0x8000


def _store(out: "Buffer", i: int, sample: int) -> None:
    sample = min(max(sample, -32768), 32767)
    out[2 * i] = sample & 255
    out[2 * i + 1] = sample >> 8 & 255
