"""`roboto voice` as people call it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import wave
import zlib
from pathlib import Path

import pytest
import scipy.io.wavfile

from host_tools import cli
from host_tools.voice import catalogue, engines, plans
from tests.conftest import need
from tests.voice.conftest import DRAFTS, THERE, tone

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


@pytest.fixture
def called(monkeypatch, capsys, tmp_path):
    """Calls the command in this process: (exit status, standard output, standard error)."""
    monkeypatch.setenv("ROBOTO_CACHE", str(tmp_path / "cache"))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["roboto", "voice", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return call


WRONG = [
    (["build", "--lang", "xx"], "no phrases for xx; there are de, en, es"),
    (["build", "--lang", "es", "--preset", "angry"], "unknown preset angry; take one of robot"),
    (["build", "--lang", "es", "--rate", "11025"], "--rate 11025: the device plays 16000 and"),
    (["build", "--lang", "es", "--encoder", "mp3"], "unknown encoder mp3; take one of plain"),
    (["build", "--lang", "es", "--fit", "much"], "--fit much: write bytes or one of pico"),
    (["say", "...", "-o", "x.wav"], "nothing to say: the text has no letters"),
    (["build"], "Missing option '--lang' / '-l'. See "),
    (["build", "--lang", "es", "--rate", "eight"], "Invalid value for '--rate': "),
    (["check", "--fit", "pico"], "--fit tells what a language leaves out: name one with --lang"),
    (["check", "--fit", "x", "--lang", "es"], "--fit x: write bytes or one of pico"),
    (["build", "--lang", "es", "--speed", "9"], "--speed 9.0: take 0.5 to 1.5"),
    (["build", "--lang", "es", "--fit", "0"], "--fit 0: write bytes or one of pico"),
    (["build", "--lang", "es", "--fit", "9", "--rate", "9"], "--rate 9: the device plays 16000"),
    (["build", "--lang", "es", "--engine", "loud"], "unknown engine loud; take auto, pico"),
    (["build", "--lang", "es", "--engine", "cmd:'"], "cmd:': No closing quotation"),
    (["build", "--lang", "es", "--engine", "wavdir:no/where"], "wavdir:no/where: no such folder"),
    (["build", "--lang", "es", "-o", "README.md"], "README.md: a file; -o wants a folder"),
    (["build", "--lang", "es", "-o", "README.md/x"], "README.md/x: Not a directory"),
    (["build", "--lang", "../es"], "no phrases for ../es; there are de"),
    (["frob"], "No such command 'frob'. See "),
    (["say", "", "-o", "x.wav"], "nothing to say: the text has no letters"),
    (["say", "[300]", "-o", "x.wav"], "nothing to say: the text has no letters"),
    (["say", "a [9999999] b"], "the text has a pause of [9999999] ms, which is too long"),
    (["say", "hello, {0}"], 'the text has a stray "{"'),
    (["say", "hello", "--lang", "../es"], '"../es" is no language; write a code like es'),
    (["listen", "nothing.pack"], "nothing.pack: no such file, nor a language; there are de"),
    (["listen", "docs"], "docs: is a folder: give a plain file: give a voice pack"),
    (["check", "README.md"], "README.md: not a voice pack"),
    (["check", "--lang", "xx"], "no phrases for xx"),
    (["list", "xx"], "no phrases for xx; there are de, en, es, fr, it, pt"),
]


@pytest.mark.parametrize("words, told", WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_what_is_wrong_is_one_line_and_status_2(called, words, told):
    status, _, line = called(*words)
    assert status == 2
    assert line.startswith("roboto: ") and told in line
    assert line.count("\n") == 1 and "Errno" not in line


def test_a_shell_sees_the_same():
    done = roboto("build", "--lang", "xx")
    assert done.returncode == 2
    assert done.stderr == f"roboto: no phrases for xx; there are {THERE}\n"


@pytest.mark.parametrize("command", ["", "build", "say", "listen", "check", "list"])
def test_every_command_helps(called, command):
    status, shown, _ = called(*command.split(), "-h")
    assert status == 0 and "Usage: " in shown
    assert called(*command.split(), "--help")[1] == shown


BROKEN = [
    ("empty", lambda data: b"", "cut short"),
    ("short", lambda data: data[:1000], "cut short or too long (1000 bytes instead of "),
    ("cut", lambda data: data[:-1], "cut short or too long"),
    ("longer", lambda data: data + b"hi", "cut short or too long"),
    ("foreign", lambda data: b"RIFF" + data[4:], "not a voice pack"),
    ("newer", lambda data: data[:4] + b"\x09" + data[5:], "format 9, this firmware reads 1"),
    ("directory", lambda data: data[:60] + b"\x55" + data[61:], "the directory is damaged"),
    ("sound", lambda data: data[:-9] + bytes(9), "is damaged"),
]


@pytest.mark.parametrize("command", ["check", "listen"])
@pytest.mark.parametrize("name, spoil, told", BROKEN, ids=[name for name, *_ in BROKEN])
def test_a_broken_pack_is_one_line_and_status_2(
    called, pack_path, pack_data, command, name, spoil, told
):
    pack_path.write_bytes(spoil(pack_data))
    status, _, line = called(command, str(pack_path))
    assert status == 2
    assert line.startswith(f"roboto: {pack_path}: ") and told in line and line.count("\n") == 1
    assert not pack_path.with_suffix(".html").exists()


def test_a_phrase_that_cannot_be_spoken_names_itself(called, monkeypatch, tmp_path):
    """As a family may leave it: emptied, in an unknown script, or without its file."""
    lines = (catalogue.PHRASES / "es.txt").read_text("utf-8")
    monkeypatch.setattr(catalogue, "PHRASES", tmp_path)

    def built(text: str) -> tuple[int, str, str]:
        edited = re.sub(r"(?m)^(sorry .*\|).*$", rf"\1 {text}", lines)
        (tmp_path / "es.txt").write_text(edited, "utf-8")
        return called("build", "--lang", "es", "-o", str(tmp_path))

    status, _, line = built("")
    assert status == 2 and "sorry has no text; write what is to be said" in line
    need("py_nanotts", "pip install py-nanotts")
    monkeypatch.setattr(engines.WorkerEngine, "synth", _foreign_or_a_tone)
    status, _, line = built("Простите")
    assert (status, line) == (
        2,
        'roboto: sorry: pico cannot speak "Простите": no letter of es is "П"\n',
    )


_synth = engines.WorkerEngine.synth


def _foreign_or_a_tone(self, text, lang):
    """The engine's own answer to what it cannot speak; a tone, which is quicker, for the rest."""
    return _synth(self, text, lang) if "П" in text else (tone(440, 0.5), 16000)


def test_recordings_that_nothing_plays_are_told(called, monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "choose", lambda wish, *_: engines.WavDirEngine(tmp_path, Hum()))
    for name in ("sorry", "sory", "swap.one_card-1", "swap.one_card"):
        scipy.io.wavfile.write(tmp_path / f"{name}.wav", 16000, tone(440, 0.5))
    status, _, told = called("build", "-l", "es", "-o", str(tmp_path), "--engine", "wavdir:x")
    assert status == 0
    assert "sory.wav: no phrase has this name; it is not used" in told
    assert "swap.one_card.wav: no phrase" in told
    assert "sorry.wav" not in told and "swap.one_card-1.wav" not in told
    scipy.io.wavfile.write(tmp_path / "sorry.wav", 16000, 0 * tone(440, 0.5))
    status, _, told = called("build", "-l", "es", "-o", str(tmp_path), "--engine", "wavdir:x")
    assert status == 2 and "sorry.wav: holds only silence; record it again or remove it" in told


class Hum(engines.Engine):
    name = key = "hum"

    def synth(self, text, lang):
        return tone(200 + len(text), 0.5), 16000


class Talk(Hum):
    """Other words, another sound, the longer the more of them."""

    def synth(self, text, lang):
        return tone(200 + zlib.crc32(text.encode()) % 999, 0.02 * len(text)), 16000


def test_fit_keeps_to_the_rate_that_was_asked_for(called, monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "choose", lambda *_: Hum())
    words = ["build", "-l", "es", "-o", str(tmp_path), "--fit", "99999999"]
    status, shown, _ = called(*words, "--rate", "8000")
    assert status == 0 and "8 kHz" in shown and "nothing" in shown
    assert "16 kHz" in called(*words)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_stops_at_once_and_leaves_nothing_half_done(tmp_path):
    need("py_nanotts", "pip install py-nanotts")
    command = [sys.executable, "-m", "host_tools", "voice", "build", "-l", "es"]
    build = subprocess.Popen(
        [*command, "-o", str(tmp_path / "packs")],
        cwd=ROOT,
        env=os.environ | {"ROBOTO_CACHE": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(list(tmp_path.rglob("*.seg"))) < 3 and build.poll() is None:
        time.sleep(0.05)
    os.killpg(build.pid, signal.SIGINT)  # as a terminal does: to all of its group
    _, told = build.communicate(timeout=60)
    assert (build.returncode, told) == (130, "roboto: stopped\n")
    assert not list(tmp_path.rglob("*.tmp")) and not list(tmp_path.rglob("*.pack"))


def test_say_writes_a_wav(tmp_path):
    need("py_nanotts", "pip install py-nanotts")
    path = tmp_path / "x.wav"
    done = roboto("say", "Roba dos cartas. [300] ¡Ya!", "-o", str(path), "--preset", "robot")
    assert done.returncode == 0, done.stderr
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2)
        assert 1 < file.getnframes() / 16000 < 4


def test_check_and_list_say_what_there_is():
    done = roboto("check", *([] if DRAFTS else ["--strict"]))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 languages in order" in done.stdout
    shown = roboto("list").stdout
    for word in ("w25q128", "robot", "friendly", "plain", "pt", "pico-16mb"):
        assert word in shown
    assert "pierde quien parpadee" in roboto("list", "es").stdout


def test_no_colours_where_nobody_looks():
    assert "\x1b[" not in roboto("list").stdout


def test_a_pack_that_fits_leaves_out_what_check_shows_beforehand(called, monkeypatch, tmp_path):
    """And nothing is ever spoken faster than asked."""
    asked = []

    def choose(wish, lang, preset, note):
        asked.append(preset.speed)
        return Talk()

    monkeypatch.setattr(engines, "choose", choose)
    phrases = catalogue.read(catalogue.PHRASES / "es.txt")
    fit = ["--fit", "100000"]
    status, before, _ = called("check", "-l", "es", *fit)
    assert status == 0
    n, gone = re.search(
        r"es for 100000: \d+ KiB, (\d+) commands; leaves out (.*)", before
    ).groups()
    assert "menu.language" in gone and "duel.card_on_head" in gone
    status, built, _ = called("build", "-l", "es", *fit, "-o", str(tmp_path))
    assert status == 0 and "commands left out" in built
    assert (tmp_path / "es.pack").stat().st_size <= 100000
    _, after, _ = called("check", str(tmp_path / "es.pack"))
    shown = re.search(r"es.pack: (\d+) commands; leaves out (.*)", after).groups()
    assert shown[0] == n and sorted(shown[1].split()) == sorted(gone.split())
    assert int(n) == sum(bool(p.kind) for p in phrases.values() if p.id not in gone.split())
    usual = set(asked)
    assert len(usual) == 1
    assert called("build", "-l", "es", "-o", str(tmp_path), "--speed", "1.2")[0] == 0
    assert asked[-1] == pytest.approx(1.2 * usual.pop())


@pytest.mark.slow
def test_fit_tells_what_it_cost(tmp_path, record_property):
    need("py_nanotts", "pip install py-nanotts")
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "1000000", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "en.pack").stat().st_size <= 1000000
    assert "mdct" in done.stdout and "left out" not in done.stdout
    record_property("figure", f"--fit 1000000:\n{done.stdout}")
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "pico", cache=tmp_path)
    assert (tmp_path / "en.pack").stat().st_size <= plans.PLANS["pico"].pack_bytes(8000)
    record_property("figure", f"--fit pico:\n{done.stdout}")
    assert "commands left out" not in done.stdout
    done = roboto("build", "-l", "en", "-o", str(tmp_path), "--fit", "200000", cache=tmp_path)
    assert done.returncode == 2
    assert "the smallest pack has" in done.stderr


def test_a_mistake_is_told_with_its_brackets(called, tmp_path, monkeypatch):
    """A terminal's markup would swallow [order] or [en]."""
    texts = tmp_path / "phrases"
    shutil.copytree(catalogue.PHRASES, texts)
    with (texts / "say_as.toml").open("a", encoding="utf-8") as file:
        file.write('\n[xx]\nRoboto = "x"\n')
    monkeypatch.setattr(catalogue, "PHRASES", texts)
    status, _, told = called("check")
    assert status == 1
    assert "say_as.toml: there are no phrases in xx; correct or remove [xx]" in told
