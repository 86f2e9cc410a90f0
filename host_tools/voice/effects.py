"""From an engine's voice to the robot's: trim, character, loudness. Mono float64, 1.0 full scale.

All lengths are in samples of the signal's own rate unless the name says otherwise.
"""

import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyloudnorm
import scipy.ndimage
import scipy.signal
import soxr

LOUDNESS_LUFS = -16.0
# ADPCM overshoots: mostly by less than 1 dB, and where by more the next peak is taken.
PEAKS = tuple(10 ** (-db / 20) for db in (1, 2, 3, 4.5))
FADE_MS = 5
PAUSE_MOST_MS = 120  # pauses that the engine makes by itself are shortened to this

_LOOK_MS = 3  # how far the limiter sees ahead
_PRESETS = Path(__file__).with_name("presets.toml")


@dataclass(frozen=True)
class Preset:
    """One character of presets.toml, where its fields are explained."""

    name: str
    pitch: float
    speed: float
    ring_hz: float
    ring_mix: float
    comb_ms: float
    comb_gain: float
    low_hz: float
    high_hz: float


def presets() -> dict[str, Preset]:
    """Return every preset of presets.toml by its name."""
    tables = tomllib.loads(_PRESETS.read_text(encoding="utf-8"))
    return {name: Preset(name, **table) for name, table in tables.items()}


def resample(x: np.ndarray, from_hz: int, to_hz: int) -> np.ndarray:
    return x if from_hz == to_hz else soxr.resample(x, from_hz, to_hz, "VHQ")


def _frame_levels(x: np.ndarray, rate_hz: int) -> tuple[np.ndarray, int]:
    """RMS of frames of 10 ms, and how many samples a frame has."""
    n = rate_hz // 100
    frames = np.pad(x, (0, -len(x) % n)).reshape(-1, n)
    return np.sqrt((frames**2).mean(axis=1) + 1e-12), n


def trim(x: np.ndarray, rate_hz: int, below_db: float = -45.0, margin_ms: int = 15) -> np.ndarray:
    """Cut the silence at both ends: what is below_db under the loudest 10 ms."""
    levels, n = _frame_levels(x, rate_hz)
    loud = np.flatnonzero(levels > levels.max() * 10 ** (below_db / 20))
    margin = rate_hz * margin_ms // 1000
    return x[max(0, loud[0] * n - margin) : (loud[-1] + 1) * n + margin]


def shorten_pauses(x: np.ndarray, rate_hz: int, below_db: float = -45.0) -> np.ndarray:
    """Cuts the middle out of pauses longer than PAUSE_MOST_MS."""
    levels, n = _frame_levels(x, rate_hz)
    silent = levels < levels.max() * 10 ** (below_db / 20)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], silent.view(np.int8), [0]))))
    keep = np.ones(len(levels), bool)
    half = PAUSE_MOST_MS // 10 // 2
    for start, end in edges.reshape(-1, 2):
        keep[start + half : max(start + half, end - half)] = False
    return x[np.repeat(keep, n)[: len(x)]]


def character(x: np.ndarray, rate_hz: int, preset: Preset) -> np.ndarray:
    """Ring modulation, comb and band-pass of a preset."""
    if preset.ring_mix:
        tone = np.sin(2 * np.pi * preset.ring_hz * np.arange(len(x)) / rate_hz)
        # A sine halves the power of what it multiplies: 1.4 keeps it as loud.
        x = (1 - preset.ring_mix) * x + preset.ring_mix * 1.4 * x * tone
    if preset.comb_gain:
        delay = int(rate_hz * preset.comb_ms / 1000)
        forward = np.zeros(delay + 1)
        forward[0], forward[-1] = 1.0, preset.comb_gain
        back = np.zeros(delay + 1)
        back[0], back[-1] = 1.0, -0.6 * preset.comb_gain
        x = np.asarray(scipy.signal.lfilter(forward, back, np.pad(x, (0, 4 * delay))))
    band = (preset.low_hz, min(preset.high_hz, 0.45 * rate_hz))
    sections = scipy.signal.butter(2, band, "bandpass", fs=rate_hz, output="sos")
    return np.asarray(scipy.signal.sosfilt(sections, x))


def loudness_lufs(x: np.ndarray, rate_hz: int) -> float:
    """Integrated loudness (ITU-R BS.1770). What is shorter than its 400 ms block is one block."""
    block_s = min(0.4, (len(x) - 1) / rate_hz)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyloudnorm warns of clipping that it does not do
        return float(pyloudnorm.Meter(rate_hz, block_size=block_s).integrated_loudness(x))


def limit(x: np.ndarray, rate_hz: int, peak: float) -> np.ndarray:
    """Limit the peaks with a look ahead: the gain sinks smoothly before a peak, so nothing is
    clipped."""
    look = max(1, rate_hz * _LOOK_MS // 1000)
    gain = np.minimum(1.0, peak / np.maximum(np.abs(x), 1e-9))
    # The least gain within reach, then an average over the reach: never above what a peak needs.
    window = 2 * look + 1
    least = scipy.ndimage.minimum_filter1d(gain, window, mode="nearest")
    smooth = scipy.ndimage.uniform_filter1d(least, window, mode="nearest")
    return np.clip(x * smooth, -peak, peak)


def to_loudness(x: np.ndarray, rate_hz: int, peak: float = PEAKS[0]) -> np.ndarray:
    """Brought to LOUDNESS_LUFS; the limiter takes some away, so it is measured time and again."""
    gain_db = 0.0
    y = x
    for _ in range(12):
        off_db = LOUDNESS_LUFS - loudness_lufs(y, rate_hz)
        if abs(off_db) < 0.05 or not np.isfinite(off_db):
            break
        gain_db = min(gain_db + off_db, 60.0)
        y = limit(x * 10 ** (gain_db / 20), rate_hz, peak)
    return y


def fade(x: np.ndarray, rate_hz: int) -> np.ndarray:
    """Fades both ends in and out, so that no joint clicks."""
    n = min(rate_hz * FADE_MS // 1000, len(x) // 2)
    ramp = np.sin(np.linspace(0, np.pi / 2, n)) ** 2
    y = x.copy()
    y[:n] *= ramp
    y[len(y) - n :] *= ramp[::-1]
    return y


def to_int16(x: np.ndarray) -> np.ndarray:
    return np.clip(np.round(x * 32767), -32768, 32767).astype(np.int16)
