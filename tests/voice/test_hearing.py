"""The listening test: what the device would play is understood. Its rates stand in the summary."""

import numpy as np
import pytest

from host_tools.voice import build, cache_dir, catalogue, check, effects, engines, hear
from tests.conftest import need
from tests.voice.test_adpcm import speechlike

# Least shares that must be understood: by the recogniser, by comparison. Spanish it hears as
# English sounds, and at 8 kHz without the band above 4 kHz that it was trained on;
# single words, such as the count of victories, have little to be told apart by.
LEAST = {
    ("en", 16000): (0.95, 0.98),
    ("en", 8000): (0.9, 0.98),
    ("es", 16000): (0.8, 0.98),
    ("es", 8000): (0.65, 0.97),
}
SOME = 6  # the recogniser needs half a second a phrase: it hears each sixth, of every kind some


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lang, rate_hz", LEAST)
def test_the_robot_is_understood(lang, rate_hz, every, tmp_path, record_property):
    need("pocketsphinx", "pip install pocketsphinx")
    need("py_nanotts", "pip install py-nanotts")
    preset = effects.presets()["robot"]
    phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
    voice = build.Voice(lang, preset, rate_hz, engines.choose("auto", lang, preset))
    path = tmp_path / f"{lang}.pack"
    path.write_bytes(build.make(voice, phrases, cache_dir() / "pieces"))
    heard = check.listen(path, phrases, cache_dir() / "pieces", every=every)
    missed = "; ".join(heard.missed) or "nothing"
    record_property(
        "figure", f"{lang} at {rate_hz // 1000} kHz: {heard.told()}; not understood: {missed}"
    )
    recognised, nearest = LEAST[lang, rate_hz]
    assert heard.asked == -(-heard.total // every) and heard.other == 0
    assert heard.recognised >= recognised * heard.asked
    assert heard.nearest >= nearest * heard.total


def test_a_pack_with_fewer_or_other_phrases_is_heard_as_far_as_it_goes(pack_path, phrases):
    """As --fit makes it, or an edit after it was built."""
    edited = dict(phrases, sorry=catalogue.Phrase("sorry", "ours", "Perdón."))
    del edited["order.red"], edited["name.alone"]
    espeak = need("espeakng_loader", "pip install espeakng-loader") and "espeak"
    heard = check.listen(pack_path, edited, pack_path.parent, espeak, every=10**6)
    assert (heard.total, heard.asked, heard.other) == (len(phrases) - 3, 1, 3)
    none = {"sorry": edited["sorry"]}
    with pytest.raises(ValueError, match="none of its phrases is in the phrase file"):
        check.listen(pack_path, none, pack_path.parent)


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
