"""`roboto voice` as people call it."""

import os
import subprocess
import sys
import wave
from pathlib import Path

import pytest

from tests.conftest import need

ROOT = Path(__file__).resolve().parents[2]


def roboto(*words: str, cache: Path | None = None):
    environment = os.environ | ({"ROBOTO_CACHE": str(cache)} if cache else {})
    return subprocess.run(
        [sys.executable, "-m", "host_tools", "voice", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )


WRONG = [
    (["build", "--lang", "xx"], "no phrases for xx; there are de, en, es, fr, it, pt"),
    (["build", "--lang", "es", "--preset", "angry"], "unknown preset angry; take one of robot"),
    (["build", "--lang", "es", "--rate", "11025"], "--rate 11025: the device plays 16000 and"),
    (["build", "--lang", "es", "--encoder", "mp3"], "unknown encoder mp3; take one of plain"),
    (["build", "--lang", "es", "--fit", "much"], "--fit much: write bytes or one of pico"),
    (["say", "...", "-o", "x.wav"], "nothing to say: the text has no letters"),
    (["listen", "nothing.pack"], "nothing.pack: cannot be read"),
    (["check", "README.md"], "README.md: not a voice pack"),
]


@pytest.mark.parametrize(
    "words, told", WRONG, ids=lambda w: " ".join(w) if type(w) is list else ""
)
def test_what_is_wrong_is_one_line_and_status_2(words, told):
    done = roboto(*words)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_say_writes_a_wav(tmp_path):
    need("py_nanotts", "pip install py-nanotts")
    path = tmp_path / "x.wav"
    done = roboto("say", "Roba dos cartas. [300] ¡Ya!", "-o", str(path), "--preset", "robot")
    assert done.returncode == 0, done.stderr
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2)
        assert 1 < file.getnframes() / 16000 < 4


def test_check_and_list_say_what_there_is():
    done = roboto("check", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 languages in order" in done.stdout
    shown = roboto("list").stdout
    for word in ("w25q128", "robot", "friendly", "plain", "pt", "pico-16mb"):
        assert word in shown
    assert "pierde quien parpadee" in roboto("list", "es").stdout


def test_no_colours_where_nobody_looks():
    assert "\x1b[" not in roboto("list").stdout


@pytest.mark.slow
def test_fit_tells_what_it_cost(tmp_path):
    need("py_nanotts", "pip install py-nanotts")
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "1000000", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "en.pack").stat().st_size <= 1000000
    assert "8 kHz" in done.stdout
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "pico", cache=tmp_path)
    assert (tmp_path / "en.pack").stat().st_size <= 720 * 1024
    assert "commands left out" in done.stdout
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "300000", cache=tmp_path)
    assert done.returncode == 2
    assert "the smallest pack has" in done.stderr
