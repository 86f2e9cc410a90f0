"""Speech to test with: names and a sentence from the voices that pip brings, at 16 kHz."""

import ctypes
import functools

import numpy as np

RATE_HZ = 16000
NAMES = ("Ana", "Bartolomé", "Sofía", "Christopher", "Zoe")
SENTENCE = "Baila como un pollo alrededor de la mesa y canta una canción muy corta"


@functools.cache
def pico(text: str, voice: str, pitch: float = 1.0) -> np.ndarray:
    """float samples, full scale 1, of SVOX Pico. voice: es-ES, en-GB, de-DE, it-IT, ..."""
    import py_nanotts

    pcm = py_nanotts.NanoTTS().speak(text, voice=voice, pitch=pitch, volume=0.5)
    return np.frombuffer(pcm, "<i2") / 32768


@functools.cache
def espeak(text: str, voice: str) -> np.ndarray:
    """float samples, full scale 1, of eSpeak NG, brought to 16 kHz."""
    import espeakng_loader
    import soxr

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    heard: list[np.ndarray] = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
    def take(samples, n, _events):
        if samples and n > 0:
            heard.append(np.ctypeslib.as_array(samples, shape=(n,)).copy())
        return 0

    data = espeakng_loader.get_data_path().encode()
    rate_hz = library.espeak_Initialize(2, 0, data, 0)
    library.espeak_SetSynthCallback(take)
    if library.espeak_SetVoiceByName(voice.encode()):
        raise ValueError(voice)
    spoken = text.encode()
    library.espeak_Synth(spoken, len(spoken) + 1, 0, 0, 0, 1, None, None)
    library.espeak_Synchronize()
    return soxr.resample(np.concatenate(heard) / 32768, rate_hz, RATE_HZ)


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
