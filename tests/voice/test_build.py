"""Building: the same bytes each time, and nothing spoken twice."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from host_tools.voice import adpcm, build, check, effects, engines
from host_tools.voice.catalogue import Phrase
from tests.conftest import need
from tests.voice.conftest import tone

ROOT = Path(__file__).resolve().parents[2]


class Singer(engines.Engine):
    """An engine that sings: each letter is a tone. It counts how often it is asked."""

    name = key = "singer"

    def __init__(self):
        self.asked = []

    def synth(self, text, lang):
        self.asked.append(text)
        return np.concatenate([tone(200 + 30 * (ord(c) % 32), 0.06) for c in text]), 16000


def voice(engine, rate_hz=16000, encoder="plain", preset="robot"):
    return build.Voice("es", effects.presets()[preset], rate_hz, engine, encoder)


@pytest.mark.parametrize("encoder", ["plain", "search"])
def test_the_same_inputs_give_the_same_bytes(tmp_path, phrases, encoder):
    one = build.make(voice(Singer(), encoder=encoder), phrases, tmp_path / "a")
    two = build.make(voice(Singer(), encoder=encoder), phrases, tmp_path / "b")
    assert one == two


def test_an_edited_line_is_all_that_is_spoken_again(tmp_path, phrases):
    engine = Singer()
    seen = []
    build.make(voice(engine), phrases, tmp_path, lambda done, of: seen.append((done, of)))
    pieces = sum(len(p.segments()) for p in phrases.values())
    assert seen[0] == (0, pieces) and seen[-1] == (pieces, pieces)
    assert len(engine.asked) == pieces + 1  # a pause cuts one in two
    engine.asked.clear()
    edited = dict(phrases, sorry=Phrase("sorry", "ours", "Perdón. [300] Me he perdido."))
    build.make(voice(engine), edited, tmp_path)
    assert engine.asked == ["Me he perdido."]


def test_another_rate_or_effect_has_no_word_spoken_again(tmp_path, phrases):
    engine = Singer()
    build.make(voice(engine), phrases, tmp_path)
    engine.asked.clear()
    again = build.make(voice(engine, rate_hz=8000, preset="plain"), phrases, tmp_path)
    assert engine.asked == []
    assert again == build.make(voice(Singer(), 8000, preset="plain"), phrases, tmp_path / "new")
    for path in tmp_path.rglob("*.speech"):
        path.write_bytes(path.read_bytes()[:-5])
    for path in tmp_path.rglob("*.seg"):
        path.unlink()
    assert build.make(voice(engine, rate_hz=8000, preset="plain"), phrases, tmp_path) == again
    assert engine.asked


def test_a_text_that_cannot_be_spoken_is_told_with_its_phrase(tmp_path, phrases):
    class Mute(Singer):
        def synth(self, text, lang):
            if text == "Perdón.":
                raise engines.EngineError("not a word")
            return super().synth(text, lang)

    with pytest.raises(engines.EngineError, match="^sorry: not a word$"):
        build.make(voice(Mute()), phrases, tmp_path)


def test_whatever_changes_the_sound_makes_another_key():
    keys = {
        voice(Singer()).key(),
        voice(Singer(), rate_hz=8000).key(),
        voice(Singer(), encoder="search").key(),
        voice(Singer(), preset="plain").key(),
    }
    assert len(keys) == 4


def test_a_cache_that_lost_bytes_is_made_anew(tmp_path, phrases):
    whole = build.make(voice(Singer()), phrases, tmp_path)
    for path in tmp_path.rglob("*.seg"):
        path.write_bytes(path.read_bytes()[:-5])
    assert build.make(voice(Singer()), phrases, tmp_path) == whole


def test_pauses_are_as_long_as_written(tmp_path):
    robot = voice(Singer())
    without = len(robot.sound("uno dos"))
    with_pause = len(robot.sound("uno [500] dos"))
    assert 0.35 < (with_pause - without) / 16000 < 0.65
    silence = robot.sound("[400]")
    assert len(silence) == 6400 and not silence.any()


def test_a_pack_is_as_loud_as_promised_and_clips_nothing(tmp_path, phrases):
    path = tmp_path / "es.pack"
    path.write_bytes(build.make(voice(Singer()), phrases, tmp_path))
    found = check.measure(path)
    assert found.mistakes == []
    assert found.loudness_lufs == pytest.approx(-16, abs=0.3)
    assert found.loudness_spread_db < 0.5
    assert found.n_phrases == len(phrases)


def test_what_the_codec_overshoots_is_limited_more(monkeypatch):
    class Crackling(engines.Engine):
        """As eSpeak NG at 8 kHz: peaks far above the rest."""

        def synth(self, text, lang):
            dice = np.random.default_rng(len(text))
            x = dice.normal(0, 900, 16000) + 30000 * (dice.random(16000) < 0.004)
            return np.clip(x, -32768, 32767).astype(np.int16), 16000

    def clipped() -> int:
        sounds = [voice(Crackling(), 8000).sound("x" * n) for n in range(1, 9)]
        decoded = [adpcm.decode(adpcm.encode(x), len(x)).astype(int) for x in sounds]
        return sum(np.abs(x).max() >= 32767 for x in decoded)

    assert clipped() == 0
    monkeypatch.setattr(effects, "PEAKS", effects.PEAKS[:1])
    assert clipped() > 0


def test_check_finds_what_is_too_long_too_quiet_or_clipped(tmp_path):
    from host_tools.voice import packfile

    loud = np.full(16000, 32767, np.int16)
    loud[::2] = -32768
    sounds = {"a.long": tone(440, 9.0), "a.quiet": tone(440, 1.0) // 20, "a.loud": loud}
    phrases = {id: Phrase(id, "ours", "x") for id in sounds}
    segments = {id: [packfile.Segment(adpcm.encode(x), len(x))] for id, x in sounds.items()}
    path = tmp_path / "es.pack"
    path.write_bytes(packfile.pack_bytes("es", 16000, 1, phrases, segments))
    told = "\n".join(check.measure(path).mistakes)
    assert "es.pack: a.long lasts 9.0 s, at most 8; write it shorter" in told
    assert "es.pack: a.loud is clipped" in told
    assert "es.pack: a.quiet has -" in told and "LUFS instead of -16" in told


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROBOTO_CACHE", str(tmp_path))
    return tmp_path


def test_ensure_pack_builds_once_and_again_when_the_phrases_change(cache, monkeypatch, phrases):
    import host_tools.voice as voice_package
    from host_tools.voice import catalogue

    engine = Singer()
    monkeypatch.setattr(engines, "choose", lambda *args: engine)
    monkeypatch.setattr(catalogue, "read", lambda path: phrases)
    seen = []
    path = voice_package.ensure_pack("es", lambda done, of: seen.append(done))
    assert path == cache / "es.pack" and seen
    engine.asked.clear()
    before = path.read_bytes()
    assert voice_package.ensure_pack("es") == path and engine.asked == []
    monkeypatch.setattr(voice_package, "_fingerprint", lambda lang: "other\n")
    changed = dict(phrases, sorry=Phrase("sorry", "ours", "¡Ay!"))
    monkeypatch.setattr(catalogue, "read", lambda path: changed)
    voice_package.ensure_pack("es")
    assert engine.asked == ["¡Ay!"]
    assert path.read_bytes() != before
    assert not list(cache.rglob("*.tmp"))


def test_ensure_pack_tells_of_a_language_that_there_is_not(cache):
    from host_tools.voice import ensure_pack

    with pytest.raises(FileNotFoundError, match="no phrases for xx"):
        ensure_pack("xx")


FAST = """
import sys, time
import host_tools.voice as voice
heavy = {"numpy", "scipy", "rich", "typer", "soxr", "pyloudnorm"} & set(sys.modules)
assert not heavy, heavy
(voice.cache_dir() / "es.pack").write_bytes(b"x")
(voice.cache_dir() / "es.stamp").write_text(voice._fingerprint("es"))
times = []
for _ in range(5):
    start = time.perf_counter()
    voice.ensure_pack("es")
    times.append(time.perf_counter() - start)
assert not {"numpy", "scipy", "rich"} & set(sys.modules)
print(min(times))
"""


def test_ensure_pack_costs_next_to_nothing_when_all_is_there(cache):
    done = subprocess.run(
        [sys.executable, "-c", FAST],
        cwd=ROOT,
        env=os.environ | {"ROBOTO_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.005


@pytest.mark.slow
def test_spanish_and_english_are_built_in_a_minute_and_an_edit_in_seconds(
    tmp_path, record_property
):
    """Measured on the time of two free cores: the processor seconds of all processes, halved."""
    need("py_nanotts", "pip install py-nanotts")
    from host_tools.voice import catalogue

    robot = effects.presets()["robot"]
    before = os.times()
    for lang in ("es", "en"):
        phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
        engine = engines.choose("auto", lang, robot)
        data = build.make(build.Voice(lang, robot, 16000, engine), phrases, tmp_path)
        assert data[:4] == b"RBVP"
    after = os.times()
    cpu = sum(after[:4]) - sum(before[:4])
    assert cpu / 2 < 60
    phrases["sorry"] = Phrase("sorry", "ours", "Oh dear, where was I?")
    before = os.times()
    build.make(build.Voice("en", robot, 16000, engine), phrases, tmp_path)
    after = os.times()
    again = sum(after[:4]) - sum(before[:4])
    record_property(
        "figure",
        f"es and en built in {cpu:.1f} s of processor time, an edited line in {again:.1f} s",
    )
    assert again < 5


def test_what_is_said_on_the_dark_side_is_deeper_by_a_third(tmp_path):
    """A major third: four fifths of the pitch. Said on either side it is a piece of its own."""
    said = {}
    for id in ("flip.still", "flip_dark.still"):
        phrases = {id: Phrase(id, "ours", "aaaaaaaa")}
        made = build.speak(voice(Singer(), preset="plain"), phrases, tmp_path)[id][0]
        said[id] = adpcm.decode(made.data, made.n_samples).astype(float)
    bright, dark = said.values()
    assert 1.24 < len(dark) / len(bright) < 1.26
    hz = [np.argmax(np.abs(np.fft.rfft(x, 1 << 17))) for x in (bright, dark)]
    assert 0.79 < hz[1] / hz[0] < 0.81
