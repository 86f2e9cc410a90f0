"""The listening test: what the device would play is understood. Minutes long, prints its rates."""

import numpy as np
import pytest

from host_tools.voice import build, cache_dir, catalogue, check, effects, engines, hear
from tests.conftest import need
from tests.voice.test_adpcm import speechlike

# Least shares of all phrases that must be understood: by the recogniser, by comparison.
LEAST = {
    ("en", 16000): (0.95, 0.9),
    ("en", 8000): (0.9, 0.9),
    ("es", 16000): (0.85, 0.9),
    ("es", 8000): (0.65, 0.9),
}


@pytest.mark.slow
@pytest.mark.parametrize("lang, rate_hz", LEAST)
def test_the_robot_is_understood(lang, rate_hz, tmp_path):
    need("pocketsphinx", "pip install pocketsphinx")
    need("py_nanotts", "pip install py-nanotts")
    preset = effects.presets()["robot"]
    phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
    voice = build.Voice(lang, preset, rate_hz, engines.choose("auto", lang, preset))
    path = tmp_path / f"{lang}.pack"
    path.write_bytes(build.make(voice, phrases, cache_dir() / "pieces"))
    heard = check.listen(path, phrases, cache_dir() / "pieces")
    assert heard.recognised is not None
    print(
        f"{lang} at {rate_hz // 1000} kHz: recognised {heard.recognised}, "
        f"nearest {heard.nearest} of {heard.total}; not understood: {'; '.join(heard.missed)}"
    )
    recognised, nearest = LEAST[lang, rate_hz]
    assert heard.recognised >= recognised * heard.total
    assert heard.nearest >= nearest * heard.total


def test_spanish_words_in_english_sounds():
    assert hear.spanish_sounds("quien") == "K Y EH N"
    assert hear.spanish_sounds("guerra") == "G EH R AA"
    assert hear.spanish_sounds("cabeza") == "K AA B EH TH AA"
    assert hear.spanish_sounds("año") == "AA N Y OW"
    assert hear.spanish_sounds("ahí") == "AA IY"
    assert hear.words("¡{0}, descarta DOS cartas! [300] ¿Sí?") == "descarta dos cartas sí"


def test_the_comparison_knows_a_sound_again_and_tells_others_apart():
    sounds = [speechlike(0.6 + 0.1 * k, 10 + k).astype(float) for k in range(4)]
    for k, x in enumerate(sounds):
        hz = np.cumsum(np.abs(np.random.default_rng(k).normal(600, 400, len(x)))) / 16000
        sounds[k] = x * (1 + np.sin(2 * np.pi * hz))
    comparer = hear.Comparer([hear.cepstra(x) for x in sounds])
    for k, x in enumerate(sounds):
        slower = np.interp(np.arange(0, len(x), 0.93), np.arange(len(x)), x)
        noisy = slower + np.random.default_rng(k).normal(0, 60, len(slower))
        distances = comparer.distances(hear.cepstra(noisy))
        assert int(np.argmin(distances)) == k
        assert np.isfinite(distances).all()
