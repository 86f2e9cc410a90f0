"""The speech codec's decoder for a desktop: a clip at once, by numpy, to the firmware's very bits.

What it does is told in firmware/roboto/sound/mdct_plain.py. Only what one symbol has to do with
the next is left to Python; the transform takes all frames together.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from . import firmware

firmware.make_importable()
from roboto.sound import mdct_tables as tables  # noqa: E402
from roboto.sound.format import MDCT_FRAME_SAMPLES, RATE_HZ  # noqa: E402

_FRAME = MDCT_FRAME_SAMPLES
_HALF = _FRAME // 2
_CLIPS_KEPT = 512  # about what a pack has: they are said again and again
_ESCAPE = 15
_MASK = 0xFFFFFFFF
_WORDS_MOST = 1000  # that a frame can take, whatever its bytes: one for each of its symbols


class Decoder:
    """Plays one clip at a time, from its beginning on; see firmware/roboto/sound/mdct.py."""

    def __init__(self) -> None:
        self.last = 0
        self._samples = b""
        self._at = 0
        self._whole = True

    def begin(self, clip) -> None:
        """Take up a clip. Raise ValueError when it cannot be one."""
        if clip.rate_hz != RATE_HZ:
            raise ValueError
        wanted = clip.mdct_bytes & -2
        data = bytearray(wanted)
        try:
            n = clip.blob.read_at(clip.start_byte, data)
        except Exception:  # a file system may raise anything
            n = 0
        n_frames = -(-clip.n_samples // _FRAME) + 1
        self._samples, ends = decode(bytes(data), n_frames)
        if n < wanted:
            # a robot reads as it goes: it has what comes before the bytes that are not there
            good = sum(end <= n - n % 2 for end in ends)
            self._samples = self._samples[: 2 * _FRAME * max(good - 1, 0)]
        self._at = self.last = 0

    def take(self, out, at: int, n: int) -> bool:
        """Put the next n samples into out from sample `at` on; False when the clip breaks off."""
        start = self._at
        end = start + 2 * n
        if end > len(self._samples):
            before = self._samples[max(start - 2, 0) : start]
            self.last = int.from_bytes(before, "little", signed=True)
            return False
        out[2 * at : 2 * (at + n)] = self._samples[start:end]
        self._at = end
        return True


@lru_cache(_CLIPS_KEPT)
def decode(data: bytes, n_frames: int) -> tuple[bytes, list[int]]:
    """Return the 16-bit samples of n frames but the first, which gives none, and the place in data
    behind each frame. Behind the end of data there are zeros."""
    bins, ends = _bins(data, n_frames)
    return _samples(bins).astype("<i2").tobytes(), ends


@cache
def _lists() -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Return the tables of levels, of loud bands and of sizes, each symbol by where the number of
    the coder stands: symbol | how wide it is << 6 | how far behind its start << 17."""

    def by_place(table: bytes, columns: int) -> list[list[int]]:
        rows = np.frombuffer(table, "<u2").astype(int).reshape(-1, columns)
        places = np.arange(1024)
        found = []
        for row in rows:
            symbol = np.searchsorted(row, places, side="right") - 1
            width = np.diff(row)[symbol]
            found.append((symbol | width << 6 | (places - row[symbol]) << 17).tolist())
        return found

    return by_place(tables.LEVELS, 34), by_place(tables.LOUD, 3), by_place(tables.SIZES, 17)


def _bins(data: bytes, n_frames: int) -> tuple[np.ndarray, list[int]]:
    """Return all bins (n_frames, 256), in sixteenths, and the place in data behind each frame."""
    sizes, levels, loud, ends = _symbols(data, n_frames)
    edges = np.frombuffer(tables.EDGES, np.uint8).astype(int)
    band_of = np.repeat(np.arange(tables.BANDS), np.diff(edges))
    steps = np.frombuffer(tables.STEPS, "<u4").astype(np.int64)[levels]
    faint = np.where(loud, tables.FAINT, tables.FAINT_QUIET) * steps >> 8
    size = np.abs(sizes)
    step = steps[:, band_of]
    bins = np.where(size == 1, step * tables.ONE >> 8, step * size)
    bins = np.where(size == 0, faint[:, band_of], bins) + 128 >> 8
    # the noise's number goes on with each bin of no step
    none = size == 0
    bins = np.where(sizes < 0, -bins, bins)
    signs = _noise(int(none.sum()))
    bins[none] *= signs
    return np.pad(bins, ((0, 0), (0, _FRAME - len(band_of)))), ends


@lru_cache(8)
def _noise_numbers(n: int) -> np.ndarray:
    numbers = np.empty(n, np.uint32)
    numbers[0] = 1
    factor, more, done = 69069, 1, 1  # what `done` turns at once do
    while done < n:
        some = min(done, n - done)
        numbers[done : done + some] = numbers[:some] * np.uint32(factor) + np.uint32(more)
        more = (more * factor + more) & _MASK
        factor = factor * factor & _MASK
        done += some
    return numbers


def _noise(n: int) -> np.ndarray:
    room = 1 << max(n + 1, 2).bit_length()
    return 1 - 2 * (_noise_numbers(room)[1 : n + 1] >> 31).astype(np.int64)


def _symbols(data: bytes, n_frames: int):
    """Return sizes with their signs (n_frames, 224), levels and loudness of the bands, and the
    places behind the frames."""
    level_tables, loud_tables, size_tables = _lists()
    words = np.frombuffer(data[: len(data) & -2], "<u2").tolist()
    n_words = len(words)
    edges, means, rows = list(tables.EDGES), list(tables.MEANS), list(tables.ROWS)
    n_bins = edges[-1]
    high_rows = tables.ROWS_EACH
    before = [0] * (n_bins + 3)  # sizes of the frame before, behind two zeros
    offs = [0] * tables.BANDS
    louds = [0] * tables.BANDS
    all_sizes, all_levels, all_louds, ends = [], [], [], []
    at = 0
    x = 0

    for _ in range(n_frames):
        if len(words) - at < _WORDS_MOST:
            words += [0] * _WORDS_MOST
        if not x:
            x = words[at]
            x = x << 16 | words[at + 1]
            at += 2
        now = [0] * (n_bins + 3)
        signed = [0] * n_bins
        low = low_before = loud = 0
        frame_levels = []
        for band in range(tables.BANDS):
            third = band >> 3
            entry = level_tables[third][x & 1023]
            x = (entry >> 6 & 2047) * (x >> 10) + (entry >> 17)
            if x < 65536:
                x = x << 16 | words[at]
                at += 1
            code = entry & 63
            was = offs[band]
            level = means[band] + (6 * was + 5 * low - 3 * low_before >> 3)
            level += -(code + 1 >> 1) if code & 1 else code >> 1
            level = min(max(level, 0), tables.LEVEL_MOST)
            offs[band] = low = level - means[band]
            low_before = was
            frame_levels.append(level)
            entry = loud_tables[4 * third + 2 * louds[band] + loud][x & 1023]
            x = (entry >> 6 & 2047) * (x >> 10) + (entry >> 17)
            if x < 65536:
                x = x << 16 | words[at]
                at += 1
            louds[band] = loud = entry & 63
            if not loud:
                continue
            first = high_rows if band >= tables.HIGH_FROM else 0
            start = edges[band]
            one, two = now[start + 1], now[start]
            for k in range(start, edges[band + 1]):
                near = 2 * one + two + before[k + 2] + before[k + 3]
                entry = size_tables[first + rows[near]][x & 1023]
                x = (entry >> 6 & 2047) * (x >> 10) + (entry >> 17)
                if x < 65536:
                    x = x << 16 | words[at]
                    at += 1
                two = one
                one = entry & 63
                if one:
                    now[k + 2] = size = one
                    if one == _ESCAPE:
                        n = x & 7
                        x >>= 3
                        if x < 65536:
                            x = x << 16 | words[at]
                            at += 1
                        size += (1 << n) - 1 + (x & (1 << n) - 1)
                        x >>= n
                        if x < 65536:
                            x = x << 16 | words[at]
                            at += 1
                    signed[k] = -size if x & 1 else size
                    x >>= 1
                    if x < 65536:
                        x = x << 16 | words[at]
                        at += 1
        before = now
        all_sizes.append(signed)
        all_levels.append(frame_levels)
        all_louds.append(louds.copy())
        ends.append(2 * min(at, n_words))
    return np.array(all_sizes), np.array(all_levels), np.array(all_louds, bool), ends


def _wrapped(numbers: np.ndarray) -> np.ndarray:
    """Return sums of products over 8192, rounded, as 32 bits have them."""
    return (numbers + 4096).astype(np.int32).astype(np.int64) >> 13


def _turned(real, imaginary, cosine, sine):
    return _wrapped(real * cosine - imaginary * sine), _wrapped(real * sine + imaginary * cosine)


def _samples(bins: np.ndarray) -> np.ndarray:
    """Return the samples of all frames but the first; bins: (n_frames, 256)."""
    cosine, sine = np.frombuffer(tables.TURN, "<i2").astype(np.int64).reshape(-1, 2).T
    angles = np.frombuffer(tables.FFT, "<i2").astype(np.int64).reshape(-1, 2).T
    swap = np.frombuffer(tables.SWAP, np.uint8)
    window = np.frombuffer(tables.WINDOW, "<i2").astype(np.int64)
    real, imaginary = _turned(bins[:, 0::2], bins[:, ::-2], cosine, sine)
    real, imaginary = real[:, swap], imaginary[:, swap]
    half = 1
    while half < _HALF:
        shape = (len(bins), -1, 2, half)
        r, i = real.reshape(shape), imaginary.reshape(shape)
        r_far, i_far = r[:, :, 1], i[:, :, 1]
        if half > 2:
            r_far, i_far = _turned(r_far, i_far, *angles[:, :: _HALF // 2 // half])
        elif half == 2:  # a quarter of a turn needs no multiplication
            r_far, i_far = (
                np.stack([r_far[..., 0], i_far[..., 1]], axis=-1),
                np.stack([i_far[..., 0], -r_far[..., 1]], axis=-1),
            )
        real = np.stack([r[:, :, 0] + r_far, r[:, :, 0] - r_far], axis=2).reshape(real.shape)
        imaginary = np.stack([i[:, :, 0] + i_far, i[:, :, 0] - i_far], axis=2)
        imaginary = imaginary.reshape(real.shape)
        half *= 2
    real, imaginary = _turned(real, imaginary, cosine, sine)
    numbers = np.empty(bins.shape, np.int64)
    numbers[:, 0::2] = real
    numbers[:, ::-2] = -imaginary
    now, then = numbers[1:, _HALF:], numbers[:-1, _HALF - 1 :: -1]
    rise, fall = window[:_HALF], window[: _HALF - 1 : -1]
    out = np.empty((len(bins) - 1, _FRAME), np.int64)
    out[:, :_HALF] = _wrapped(rise * now - fall * then)
    out[:, : _HALF - 1 : -1] = _wrapped(-fall * now - rise * then)
    return np.minimum(np.maximum(out, -32768), 32767)
