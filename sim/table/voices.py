"""What players say into the microphone: not words, but the sound of a voice, made of numbers.

A name needs no text-to-speech here: the robot stores sound. Each is syllables of a voiced tone
with formants, so that trimming and loudness have something to work on.
"""

from __future__ import annotations

import functools
from array import array

import numpy as np
from roboto.sound.format import RATE_HZ

_FORMANTS_HZ = ((730, 1090), (270, 2290), (570, 840), (530, 1840), (440, 1020))  # a i o e u


@functools.lru_cache(maxsize=256)
def voice(person: int, seconds: float) -> array[int]:
    """Return int16 samples at 16 kHz, peak at half of full scale; the same for the same
    arguments."""
    rng = np.random.default_rng(person)
    n = int(seconds * RATE_HZ)
    t = np.arange(n) / RATE_HZ
    pitch_hz = rng.uniform(95, 300) * (1 + 0.03 * np.sin(2 * np.pi * 4 * t) - 0.1 * t / seconds)
    phase = 2 * np.pi * np.cumsum(pitch_hz) / RATE_HZ
    n_syllables = max(1, round(seconds / 0.22))
    which = rng.integers(0, len(_FORMANTS_HZ), n_syllables)
    at = np.minimum((t / seconds * n_syllables).astype(int), n_syllables - 1)
    sound = np.zeros(n)
    for harmonic in range(1, 20):
        hz = harmonic * pitch_hz
        strength = np.zeros(n)
        for formant in range(2):
            centre = np.array([f[formant] for f in _FORMANTS_HZ])[which][at]
            strength += np.exp(-(((hz - centre) / 180) ** 2)) / (1 + formant)
        sound += np.where(hz < 7000, strength + 0.02, 0) * np.sin(harmonic * phase)
    within = (t / seconds * n_syllables) % 1
    sound *= np.sin(np.pi * within) ** 0.5  # syllables swell and fade
    sound += 0.003 * rng.normal(size=n)  # breath
    return array("h", (sound / np.abs(sound).max() * 16000).astype("<i2").tobytes())
