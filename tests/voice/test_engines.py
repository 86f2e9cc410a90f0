"""Speech engines: which one speaks, and what is told when none can."""

import importlib.util
import sys
import time
import wave
from pathlib import Path

import numpy as np
import pytest
import scipy.io.wavfile

from host_tools.voice import effects, engines
from tests.conftest import need
from tests.voice.conftest import tone

PLAIN = effects.presets()["plain"]


def without(monkeypatch, *packages):
    """As on a computer where these are not installed."""
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in packages else real(name)
    )


def test_pico_speaks_where_it_can():
    need("py_nanotts", "pip install py-nanotts")
    notes = []
    for lang in ("es", "en", "fr", "de", "it"):
        assert engines.choose("auto", lang, PLAIN, notes.append).name == "pico"
    assert notes == []


def test_espeak_steps_in_and_says_so(monkeypatch):
    need("espeakng_loader", "pip install espeakng-loader")
    without(monkeypatch, "py_nanotts")
    notes = []
    assert engines.choose("auto", "es", PLAIN, notes.append).name == "espeak"
    assert notes == ["es: SVOX Pico is not installed here; eSpeak NG speaks, less clearly"]


@pytest.mark.parametrize("lang", ["pt", "pt-br", "ca", "nl", "fi"])
def test_what_espeak_alone_speaks_is_called_a_draft(lang):
    need("espeakng_loader", "pip install espeakng-loader")
    notes = []
    assert engines.choose("auto", lang, PLAIN, notes.append).name == "espeak"
    assert len(notes) == 1 and notes[0].startswith(f"{lang}: a draft: eSpeak NG alone speaks it")
    notes.clear()
    assert engines.choose("espeak", lang, PLAIN, notes.append).name == "espeak"
    assert notes == []  # it was asked for


WRONG = [
    ("auto", "es", "no speech engine for es: pip install py-nanotts"),
    ("pico", "es", "SVOX Pico is not installed: pip install py-nanotts"),
    ("loud", "es", "unknown engine loud; take auto, pico, espeak, wavdir:DIR, cmd:PROGRAM, kok"),
    ("auto", "../es", '"../es" is no language; write a code like es or en'),
    ("wavdir:nowhere", "es", "wavdir:nowhere: no such folder"),
]


@pytest.mark.parametrize("wish, lang, told", WRONG)
def test_without_any_engine_there_is_one_clear_line(monkeypatch, wish, lang, told):
    without(monkeypatch, "py_nanotts", "espeakng_loader")
    with pytest.raises(engines.EngineError) as caught:
        engines.choose(wish, lang, PLAIN)
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_pico_has_no_portuguese():
    need("py_nanotts", "pip install py-nanotts")
    with pytest.raises(engines.EngineError, match="no pt voice; take espeak"):
        engines.choose("pico", "pt", PLAIN)


@pytest.mark.parametrize("name, package", [("pico", "py_nanotts"), ("espeak", "espeakng_loader")])
def test_what_is_spoken_depends_on_nothing_spoken_before(name, package):
    need(package, f"pip install {package}")
    engine = engines.choose(name, "es", PLAIN)
    try:
        first = engine.synth("roba dos cartas", "es")
        engine.synth("cambia tus cartas con", "es")
        again = engine.synth("roba dos cartas", "es")
    finally:
        engine.close()
    assert first[1] == again[1]
    assert np.array_equal(first[0], again[0])
    assert 0.5 < len(first[0]) / first[1] < 3
    assert np.abs(first[0].astype(int)).max() < 32767, "clipped"


@pytest.mark.parametrize("name, lang", [("auto", "es"), ("espeak", "es"), ("espeak", "pt")])
def test_letters_of_another_script_are_neither_left_out_nor_spelled(name, lang):
    need("py_nanotts", "pip install py-nanotts")
    need("espeakng_loader", "pip install espeakng-loader")
    with pytest.raises(engines.EngineError, match=f'no letter of {lang} is "日"'):
        engines.choose(name, lang, PLAIN).synth("hola 日本", lang)


def test_what_pico_cannot_say_is_no_silence():
    need("py_nanotts", "pip install py-nanotts")
    engine = engines.choose("pico", "es", PLAIN)
    with pytest.raises(engines.EngineError, match="pico says nothing for"):
        engine.synth("...", "es")
    engine.close()


def test_espeak_does_not_go_on_in_another_voice():
    need("espeakng_loader", "pip install espeakng-loader")
    engine = engines.choose("espeak", "qqq", PLAIN)
    with pytest.raises(engines.EngineError, match="has no voice qqq"):
        engine.synth("hola", "qqq")
    engine.close()


SPEAKER = """
import sys, wave
words = sys.stdin.buffer.read().decode()
with wave.open(sys.stdout.buffer, "wb") as file:
    file.setnchannels(1); file.setsampwidth(2); file.setframerate(22050)
    file.writeframes(bytes([1, 20]) * (100 * len(words) + (sys.argv[1] == "es")))
"""


def test_any_program_can_speak(tmp_path):
    script = tmp_path / "speaker.py"
    script.write_text(SPEAKER)
    engine = engines.choose(f'cmd:"{sys.executable}" "{script}" {{lang}}', "es", PLAIN)
    samples, rate_hz = engine.synth("año", "es")
    assert (len(samples), rate_hz) == (301, 22050)


@pytest.mark.parametrize(
    "command, told",
    [
        ("nothing-like-this", "cmd:nothing-like-this: cannot be started"),
        ("false", "cmd:false: exit 1: no reason given"),
        ("echo hello", "cmd:echo: its output: not a WAV file that can be read"),
        ("", "cmd: names no program"),
    ],
)
def test_a_program_that_does_not_speak_is_one_line(command, told):
    with pytest.raises(engines.EngineError) as caught:
        engines.choose(f"cmd:{command}", "es", PLAIN).synth("hola", "es")
    assert told in str(caught.value) and "\n" not in str(caught.value)


ENDLESS = {
    "a sound without end": ("while True: sys.stdout.buffer.write(bytes(1 << 16))", "an answer"),
    "errors without end": ("while True: sys.stderr.write('no' * 9999)", "no answer within 2 s"),
    "silence": ("time.sleep(100)", "no answer within 2 s"),
    "no ear": ("sys.stdin.close(); time.sleep(100)", "no answer within 2 s"),
    "a child that goes on": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])",
        "no answer within 2 s",
    ),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_program_that_does_not_end_is_ended(kind, tmp_path, monkeypatch):
    code, told = ENDLESS[kind]
    script = tmp_path / "endless.py"
    script.write_text(f"import subprocess, sys, time\n{code}\n")
    monkeypatch.setattr(engines, "_COMMAND_S", 2)
    monkeypatch.setattr(engines, "_SOUND_MOST_BYTES", 1 << 20)
    began_s = time.monotonic()
    with pytest.raises(engines.EngineError, match=told) as caught:
        engines.choose(f'cmd:"{sys.executable}" "{script}"', "es", PLAIN).synth("hola", "es")
    assert "\n" not in str(caught.value) and str(caught.value).endswith("it was ended")
    assert time.monotonic() - began_s < 20


def test_of_many_errors_the_last_is_told(tmp_path):
    script = tmp_path / "wordy.py"
    script.write_text("import sys\nsys.exit('line\\n' * 100_000 + 'no such model')")
    with pytest.raises(engines.EngineError, match="exit 1: no such model$"):
        engines.choose(f'cmd:"{sys.executable}" "{script}"', "es", PLAIN).synth("hola", "es")


class Silent(engines.Engine):
    key = "silent"

    def synth(self, text, lang):
        return np.zeros(10, np.int16), 16000


def test_own_recordings_go_before_the_engine(tmp_path):
    scipy.io.wavfile.write(tmp_path / "sorry.wav", 44100, tone(440, 0.5, 44100))
    scipy.io.wavfile.write(tmp_path / "swap.hands-2.wav", 16000, tone(440, 0.25))
    engine = engines.WavDirEngine(tmp_path, Silent())
    found = engine.recording("sorry", 0, 1)
    assert found is not None and (len(found[0]), found[1]) == (22050, 44100)
    assert engine.recording("swap.hands", 0, 2) is None
    assert engine.recording("swap.hands", 1, 2) is not None
    assert engine.recording("deaf", 0, 1) is None


@pytest.mark.parametrize("kind", ["uint8", "int16", "int32", "float32", "stereo"])
def test_wavs_of_all_kinds_are_read(tmp_path, kind):
    x = np.array([0, 0.25, -0.5, 0.75, 0.0, 0.5])
    data = {
        "uint8": (x * 127 + 128).round().astype(np.uint8),
        "int16": (x * 32767).round().astype(np.int16),
        "int32": (x * 2**31 * 0.9999).astype(np.int32),
        "float32": x.astype(np.float32),
        "stereo": np.stack([x, x], axis=1).astype(np.float32),
    }[kind]
    scipy.io.wavfile.write(tmp_path / "x.wav", 48000, data)
    samples, rate_hz = engines.read_wav(tmp_path / "x.wav", "x.wav")
    assert rate_hz == 48000
    assert samples / 32768 == pytest.approx(x, abs=0.01)


def test_wavs_that_are_none(tmp_path: Path):
    path = tmp_path / "x.wav"
    for data in (b"", b"RIFF", b"hello world, hello world, hello world, hello"):
        path.write_bytes(data)
        with pytest.raises(engines.EngineError, match="x.wav: "):
            engines.read_wav(path, "x.wav")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
    with pytest.raises(engines.EngineError, match="x.wav: holds no sound"):
        engines.read_wav(path, "x.wav")


@pytest.mark.parametrize("lang", ["es", "en", "fr", "de", "it", "pt"])
def test_espeak_has_a_voice_for_every_language(lang):
    need("espeakng_loader", "pip install espeakng-loader")
    engine = engines.choose("espeak", lang, PLAIN)
    samples, rate_hz = engine.synth("Roboto", lang)
    engine.close()
    assert 0.2 < len(samples) / rate_hz < 1.5
