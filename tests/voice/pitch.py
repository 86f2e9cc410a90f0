"""How the melody of a piece ends: a listener for the tests, of the voice alone."""

import numpy as np

HZ = 16000
_HOP, _WINDOW = 80, 640
_LOW_HZ, _HIGH_HZ = 80, 420
_END = 10  # frames with voice: its last 50 ms


def fall(x: np.ndarray) -> float | None:
    """Return by how many semitones a piece of speech ends above its middle; a fall is negative.

    x: at 16 kHz. None where there is too little voice to tell.
    """
    hz = _pitch(np.pad(x, (0, 320)))
    voiced = hz[hz > 0]
    if len(voiced) < 2 * _END:
        return None
    return float(12 * np.log2(np.median(voiced[-_END:]) / np.median(voiced[:-_END])))


def _pitch(x: np.ndarray) -> np.ndarray:
    """Return the pitch in Hz every 5 ms by autocorrelation; 0 where there is no voice."""
    found = []
    least = 0.03 * np.abs(x).max()
    lags = np.arange(HZ // _HIGH_HZ, HZ // _LOW_HZ)
    for k in range(0, max(len(x) - _WINDOW, 0), _HOP):
        frame = x[k : k + _WINDOW] - x[k : k + _WINDOW].mean()
        if np.sqrt((frame**2).mean()) < least:
            found.append(0.0)
            continue
        power = np.abs(np.fft.rfft(frame * np.hanning(_WINDOW), 2048)) ** 2
        echo = np.fft.irfft(power)[: lags[-1] + 1]
        likeness = echo[lags] / echo[0] / np.maximum(1 - lags / _WINDOW, 0.3)
        best = int(np.argmax(likeness))
        # The first peak that is nearly as high, lest it be an octave too low.
        for i in range(1, best):
            peak = likeness[i - 1] <= likeness[i] >= likeness[i + 1]
            if peak and likeness[i] > 0.9 * likeness[best]:
                best = i
                break
        found.append(HZ / lags[best] if likeness[best] > 0.45 else 0.0)
    return np.array(found)
