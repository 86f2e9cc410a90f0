"""Speech to test with: names and a sentence from the voices that pip brings, at 16 kHz."""

import dataclasses
import functools

import numpy as np

from host_tools.voice import effects, engines

RATE_HZ = 16000
NAMES = ("Ana", "Bartolomé", "Sofía", "Christopher", "Zoe")
SENTENCE = "Baila como un pollo alrededor de la mesa y canta una canción muy corta"


@functools.cache
def speech(engine: str, text: str, lang: str, pitch: float = 1.0) -> np.ndarray:
    """float samples, full scale 1, of "pico" or "espeak", brought to 16 kHz."""
    preset = dataclasses.replace(effects.presets()["plain"], pitch=pitch, speed=1.0)
    speaker = engines.choose(engine, lang, preset)
    samples, rate_hz = speaker.synth(text, lang)
    speaker.close()
    return effects.resample(samples / 32768, rate_hz, RATE_HZ)


def with_room(speech: np.ndarray, before_s: float = 0.5, after_s: float = 0.4) -> np.ndarray:
    """Silence before and after."""
    return np.concatenate(
        (np.zeros(int(before_s * RATE_HZ)), speech, np.zeros(int(after_s * RATE_HZ)))
    )


def room_noise(n: int, rms_db: float, seed: int = 1) -> np.ndarray:
    """Noise that falls towards high frequencies as that of rooms does."""
    white = np.fft.rfft(np.random.default_rng(seed).normal(size=n))
    pink = np.fft.irfft(white / np.sqrt(1 + np.arange(len(white)) * RATE_HZ / n / 60), n)
    return pink * 10 ** (rms_db / 20) / np.sqrt(np.mean(pink**2))
