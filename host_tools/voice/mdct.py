"""Encodes the speech codec: samples to the bytes that firmware/roboto/sound/mdct.py decodes.

All the judgement is here: how coarse each band may be, so that the noise hides under the sound
beside it. The decoder does what the bytes say. docs/voice.md tells the format; mdct.toml holds the
settings, firmware/roboto/sound/mdct_tables.py the tables.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from roboto.sound import mdct_tables as tables
from roboto.sound.format import MDCT_FRAME_BYTES_MOST, MDCT_FRAME_SAMPLES

FRAME = MDCT_FRAME_SAMPLES
BANDS = tables.BANDS
EDGES = np.frombuffer(tables.EDGES, np.uint8).astype(int)
BINS = int(EDGES[-1])
ESCAPE = 15  # a size of 15 or more: further bits tell which
SIZE_MOST = 269  # 3 bits that say how many more come, and 7 of these
CHANGE_MOST = 16  # of a level, against what is expected of it
_BAND_OF = np.repeat(np.arange(BANDS), np.diff(EDGES))
_THIRD = np.minimum(np.arange(BANDS) // 8, 2)
_SETTINGS = Path(__file__).with_name("mdct.toml")


@dataclass(frozen=True)
class Settings:
    """How the encoder listens. Levels are halves of a power of two: 3 dB.

    coarse: log2 of the step at loudness 1; follow: how the step grows with the loudness, as a
    power of it; smooth: share that each neighbour in time and in pitch has in that loudness;
    dead: what is taken off before a bin is rounded, in steps; quiet: loudness of the noise in a
    band without a single step, of its true one.
    """

    coarse: float
    follow: float
    smooth: float
    dead: float
    quiet: float


@cache
def qualities() -> dict[str, Settings]:
    """Return the qualities at hand by name, the best first."""
    with _SETTINGS.open("rb") as file:
        told = tomllib.load(file)
    common = told.pop("common")
    return {name: Settings(**common, **own) for name, own in told.items()}


@dataclass(frozen=True)
class Frames:
    """A piece as whole numbers, a row a frame: sizes with their signs (n, BINS), levels and
    whether there is a step at all (n, BANDS)."""

    sizes: np.ndarray
    levels: np.ndarray
    loud: np.ndarray


def encode(samples: np.ndarray, settings: Settings) -> bytes:
    """Return int16 samples at 16 kHz as an even number of bytes."""
    return write(analyse(samples, settings))


def analyse(samples: np.ndarray, settings: Settings) -> Frames:
    """Return what is to be written: the samples' spectra in steps."""
    spectra = transform(samples)[:, :BINS]
    power = np.add.reduceat(spectra**2, EDGES[:-1], axis=1) / np.diff(EDGES) + 1
    loudness = np.log2(power) / 2
    heard = _smoothed(_smoothed(loudness, settings.smooth, 0), settings.smooth, 1)
    levels = np.round(2 * (settings.coarse + settings.follow * heard)).astype(int)
    peaks = np.maximum.reduceat(np.abs(spectra), EDGES[:-1], axis=1)
    levels = np.maximum(levels, np.ceil(2 * np.log2(np.maximum(peaks, 1) / SIZE_MOST)).astype(int))
    levels = np.clip(levels, 0, tables.LEVEL_MOST)
    loud = _loud(_in_steps(spectra, levels, settings.dead))
    # a band without a step needs a level for the noise that it becomes
    noise = np.round(2 * (loudness + np.log2(settings.quiet * 256 / tables.FAINT_QUIET)))
    noise = np.clip(noise.astype(int), 0, levels)
    levels = _within_reach(np.where(loud, levels, noise))
    sizes = _in_steps(spectra, levels, settings.dead) * loud[:, _BAND_OF]
    return Frames(np.clip(sizes, -SIZE_MOST, SIZE_MOST), levels, _loud(sizes))


def transform(samples: np.ndarray) -> np.ndarray:
    """Return the MDCT: a frame more than the samples fill, 256 bins each, of their loudness."""
    n = -(-len(samples) // FRAME) + 1
    padded = np.pad(samples.astype(float), (FRAME, n * FRAME - len(samples)))
    at = np.arange(n)[:, None] * FRAME + np.arange(2 * FRAME)
    return padded[at] @ _basis()


@cache
def _basis() -> np.ndarray:
    t = np.arange(2 * FRAME) + 0.5
    window = np.sin(np.pi / 2 * np.sin(np.pi * t / (2 * FRAME)) ** 2)
    bins = np.arange(FRAME) + 0.5
    waves = np.cos(np.pi / FRAME * np.outer(t + FRAME / 2, bins))
    return np.sqrt(2 / FRAME) * window[:, None] * waves


def _smoothed(x: np.ndarray, share: float, axis: int) -> np.ndarray:
    edge = [(0, 0), (0, 0)]
    edge[axis] = (1, 1)
    wide = np.moveaxis(np.pad(x, edge, mode="edge"), axis, 0)
    return np.moveaxis((1 - 2 * share) * wide[1:-1] + share * (wide[:-2] + wide[2:]), 0, axis)


def _in_steps(spectra: np.ndarray, levels: np.ndarray, dead: float) -> np.ndarray:
    steps = 2.0 ** (levels[:, _BAND_OF] / 2)
    return (np.sign(spectra) * np.floor(np.abs(spectra) / steps + 0.5 - dead)).astype(int)


def _loud(sizes: np.ndarray) -> np.ndarray:
    return np.add.reduceat(np.abs(sizes), EDGES[:-1], axis=1) > 0


def changes(levels: np.ndarray, means: np.ndarray | None = None) -> np.ndarray:
    """Return what is written of levels: less what the frame before and the band below foretell."""
    off = levels - (table_of_means() if means is None else means)
    before = np.pad(off, ((1, 0), (0, 0)))[:-1]
    low = np.pad(off, ((0, 0), (1, 0)))[:, :-1]
    low_before = np.pad(before, ((0, 0), (1, 0)))[:, :-1]
    return off - ((6 * before + 5 * low - 3 * low_before) >> 3)


def _within_reach(levels: np.ndarray) -> np.ndarray:
    """Return levels that all can be written: the first that is too far off comes nearer."""
    levels = levels.copy()
    while True:
        change = changes(levels)
        too_far = np.argwhere(np.abs(change) > CHANGE_MOST)
        if not len(too_far):
            return levels
        frame, band = too_far[0]
        over = change[frame, band]
        levels[frame, band] -= over - CHANGE_MOST * np.sign(over)


def rows(sizes: np.ndarray) -> np.ndarray:
    """Return which table each size is coded by: it goes by the two bins below, and by itself and
    the bin above in the frame before."""
    size = np.minimum(np.abs(sizes), ESCAPE)
    below = np.pad(size, ((0, 0), (2, 0)))
    before = np.pad(size, ((1, 0), (0, 1)))[:-1]
    near = 2 * below[:, 1:-1] + below[:, :-2] + before[:, :-1] + before[:, 1:]
    low = np.frombuffer(tables.ROWS, np.uint8).astype(int)[near]
    return low + tables.ROWS_EACH * (_BAND_OF >= tables.HIGH_FROM)


def loud_rows(loud: np.ndarray) -> np.ndarray:
    """Return which table tells whether a band is loud: its third, the frame before, the band
    below."""
    number = loud.astype(int)
    before = np.pad(number, ((1, 0), (0, 0)))[:-1]
    low = np.pad(number, ((0, 0), (1, 0)))[:, :-1]
    return 4 * _THIRD + 2 * before + low


def folded(change: np.ndarray) -> np.ndarray:
    """Return whole numbers as 0, 1, 2 … for 0, -1, 1 …"""
    return np.where(change < 0, -2 * change - 1, 2 * change)


def write(frames: Frames) -> bytes:
    """Return frames as bytes: rANS, the last symbol first, in words of 16 bits. Raise ValueError
    when a frame takes more than a robot has room for."""
    starts, counts, bits, ends = _symbols(frames)
    number = 1 << 16
    words: list[int] = []
    marks = [0] * len(ends)  # words that are left when a frame has been read
    frame = len(ends) - 1
    at = len(starts)
    for start, count, n in zip(reversed(starts), reversed(counts), reversed(bits), strict=True):
        while frame >= 0 and ends[frame] == at:
            marks[frame] = len(words)
            frame -= 1
        at -= 1
        if number >= count << (32 - n):
            words.append(number & 0xFFFF)
            number >>= 16
        number = (number // count << n) + number % count + start
    words += [number & 0xFFFF, number >> 16]
    taken = -np.diff([len(words), *marks])
    if 2 * taken.max() > MDCT_FRAME_BYTES_MOST:
        raise ValueError(f"a frame of {2 * taken.max()} bytes: take a lower quality")
    return np.array(words[::-1], "<u2").tobytes()


def _symbols(frames: Frames) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return all symbols in their order: where each begins, how wide it is, of how many bits; and
    how many there are up to the end of each frame."""
    n = len(frames.sizes)
    size = np.abs(frames.sizes)
    # a column for each place where a symbol may be, in the order of the decoder
    width = 2 * BANDS + 4 * BINS
    start = np.zeros((n, width), int)
    count = np.zeros((n, width), int)  # 0: there is none
    bits = np.full((n, width), 10)
    band_at = 2 * np.arange(BANDS) + 4 * EDGES[:-1]
    bin_at = 2 * (_BAND_OF + 1) + 4 * np.arange(BINS)

    def put(columns: np.ndarray, table: np.ndarray, row: np.ndarray, symbol: np.ndarray) -> None:
        start[:, columns] = table[row, symbol]
        count[:, columns] = table[row, symbol + 1] - table[row, symbol]

    change = folded(changes(frames.levels))
    put(band_at, table_of("LEVELS"), np.broadcast_to(_THIRD, change.shape), change)
    put(band_at + 1, table_of("LOUD"), loud_rows(frames.loud), frames.loud.astype(int))
    put(bin_at, table_of("SIZES"), rows(frames.sizes), np.minimum(size, ESCAPE))
    more = np.maximum(size - ESCAPE + 1, 1)
    n_more = np.floor(np.log2(more)).astype(int)
    escaped = size >= ESCAPE
    for column, value, has, n_bits in (
        (1, n_more, escaped, np.full(size.shape, 3)),
        (2, more - (1 << n_more), escaped & (n_more > 0), n_more),
        (3, (frames.sizes < 0).astype(int), size > 0, np.ones(size.shape, int)),
    ):
        start[:, bin_at + column] = value
        count[:, bin_at + column] = has
        bits[:, bin_at + column] = n_bits
    for column in range(4):
        count[:, bin_at + column] *= frames.loud[:, _BAND_OF]
    there = count > 0
    ends = np.cumsum(there.sum(axis=1))
    return start[there].tolist(), count[there].tolist(), bits[there].tolist(), ends.tolist()


@cache
def table_of_means() -> np.ndarray:
    """Return the level that each band has as a rule."""
    return np.frombuffer(tables.MEANS, np.uint8).astype(int)


@cache
def table_of(name: str) -> np.ndarray:
    """Return one of the decoder's tables of symbols, a row each: where they begin, and 1024."""
    columns = {"LEVELS": 2 * CHANGE_MOST + 2, "LOUD": 3, "SIZES": ESCAPE + 2}[name]
    return np.frombuffer(getattr(tables, name), "<u2").astype(int).reshape(-1, columns)
