"""The melody before a name: a piece is spoken with a name in its place, and that is cut off again.

Spoken alone, a piece that a recorded name follows ends as a sentence does: the voice falls. SVOX
Pico takes <volume> marks anywhere in a text, and the level in them changes nothing but loudness.
So the piece is spoken twice with a stand-in, once with that as loud as the rest and once quieter:
where the two sounds part, the stand-in begins. What is kept must not depend on the stand-in, so it
is compared with what another one leaves.
"""

from collections.abc import Callable

import numpy as np
import scipy.signal

from . import effects

HZ = 16000  # Pico's rate
Speak = Callable[[str], np.ndarray]  # text with marks -> int16 at HZ

# With plosives in front: before these the voice makes a short silence.
STAND_INS = {
    "es": ("Pepe", "Tito", "Carlos"),
    "en": ("Kate", "Pete", "Tom"),
    "de": ("Kurt", "Pit", "Tom"),
    "fr": ("Patrick", "Thomas", "Camille"),
    "it": ("Pippo", "Tito", "Carlo"),
}
_GLIDING = "aeiouyáéíóúàèìòùâêîôûëïäöürl"
_LOUD, _QUIET = 50, 20  # Pico's levels: the whole text's, and the stand-in's in the second run
_LEAD = 640  # samples by which a mark acts before the sound it belongs to
_FRAME = 80
_PAUSE_FRAMES = 24  # longer than the silence of any plosive
_PAUSE_BELOW_DB = -38.0
_GLIDE, _FADE = 640, 320  # samples cut from such a vowel, and faded before
_GLIDE_BELOW = 0.05  # of the peak: the closing lips are fainter
_EDGE = 1600  # samples at the end of a piece that are compared
_UNLIKE_DB = 8.0  # mean over the bands; with a remnant of a stand-in it is more
_UNLIKE_SAMPLES = 960  # how much longer one may be than the other


def before_name(speak: Speak, text: str, tail: str, names: tuple[str, ...]) -> np.ndarray | None:
    """Return a piece of text as it sounds before a name, int16 at HZ.

    tail: the punctuation behind the name. None where the stand-in cannot be cut off so that
    nothing of it is left.
    """
    cut: list[np.ndarray] = []
    for name in names:
        this = _until_name(speak, text, name, tail)
        if this is None:
            continue
        for other in cut:
            if alike(this, other):
                return other
        cut.append(this)
    return None


def _until_name(speak: Speak, text: str, name: str, tail: str) -> np.ndarray | None:
    """Return what is spoken before a stand-in; None where the marks do not act as they should."""

    def marked(level: int) -> np.ndarray:
        loud = f'<volume level="{_LOUD}">'
        return speak(f'{loud}{text} <volume level="{level}">{name}{tail}{loud}')

    whole, quiet = marked(_LOUD), marked(_QUIET)
    if len(whole) != len(quiet):
        return None
    parted = np.flatnonzero(whole != quiet)
    if not len(parted):
        return None
    x = whole.astype(float)
    frames = x[: len(x) // _FRAME * _FRAME].reshape(-1, _FRAME)
    levels = np.sqrt((frames**2).mean(axis=1))
    silent = levels < levels.max() * 10 ** (_PAUSE_BELOW_DB / 20)
    mark = first = min(int(parted[0]) // _FRAME, len(silent))
    while first > 0 and silent[first - 1]:
        first -= 1
    if mark - first >= _PAUSE_FRAMES:
        end = first * _FRAME + 3 * _FRAME
    else:
        # A mark that acts in utter silence shows with the first sound only.
        hidden = parted[0] and not x[parted[0] - 1]
        begin = int(parted[0]) + (0 if hidden else _LEAD)
        end = _quietest(x, begin - 240, begin + 560)
        if text[-1] in _GLIDING:
            return _less_glide(x[:end])
    kept = whole[:end]
    return kept if kept.any() else None


def _less_glide(x: np.ndarray) -> np.ndarray | None:
    """Return a piece of floats as int16 without the end of its last sound, which already moves to
    the consonant of the stand-in: "para" would be heard as "parap"."""
    loud = np.flatnonzero(np.abs(x) > _GLIDE_BELOW * np.abs(x).max())
    end = int(loud[-1]) - _GLIDE if len(loud) else 0
    if end <= _FADE:
        return None
    x[end - _FADE : end] *= np.cos(np.linspace(0, np.pi / 2, _FADE))
    return np.round(x[:end]).astype(np.int16)


def _quietest(x: np.ndarray, low: int, high: int) -> int:
    """Return the middle of the quietest 10 ms between two samples."""
    n = HZ // 100
    at = np.arange(max(low, 0), max(min(high, len(x) - n), low + 1, 1), 40)
    return int(at[int(np.argmin([(x[k : k + n] ** 2).sum() for k in at]))]) + n // 2


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell whether two stand-ins left the same piece: as long, and alike at its end."""
    one, other = (effects.trim(x.astype(float), HZ) for x in (one, other))
    if abs(len(one) - len(other)) > _UNLIKE_SAMPLES:
        return False
    return apart_db(one[-_EDGE:], other[-_EDGE:]) <= _UNLIKE_DB


def apart_db(one: np.ndarray, other: np.ndarray) -> float:
    """Return how far apart two sounds of 100 ms are, in dB: the mean over the bands of the ear, at
    the best shift of up to 40 ms."""
    a, b = _bands(one), _bands(other)
    found = [np.inf]
    for shift in range(-8, 9):
        p, q = a[max(shift, 0) :], b[max(-shift, 0) :]
        n = min(len(p), len(q))
        if n >= 6:
            found.append(float(np.abs(p[:n] - q[:n]).mean()))
    return min(found)


def _bands(x: np.ndarray) -> np.ndarray:
    """Return the levels of 20 bands up to 7 kHz every 5 ms, in dB: (frames, 20)."""
    window, hop, n_fft = 400, 80, 512
    x = np.pad(x, (0, max(0, window - len(x))))
    frames = np.lib.stride_tricks.sliding_window_view(x, window)[::hop]
    power = np.abs(np.fft.rfft(frames * scipy.signal.windows.hann(window), n_fft)) ** 2
    edges = 700 * (10 ** (np.linspace(0, 2595 * np.log10(1 + 7000 / 700), 22) / 2595) - 1)
    hz = np.fft.rfftfreq(n_fft, 1 / HZ)
    low, mid, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    filters = np.maximum(0, np.minimum((hz - low) / (mid - low), (high - hz) / (high - mid)))
    return 10 * np.log10(np.einsum("fb,mb->fm", power, filters) + 1e3)
