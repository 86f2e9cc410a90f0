"""A language of which only some phrases are written: it is built, played and checked."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.voice import catalogue, commands
from tests.conftest import need

ROOT = Path(__file__).parents[2]
CATALAN = """\
# Un esborrany
names.greeting | ours | Hola! Soc en Roboto.
names.hello | ours | Hola, {0}!
order.red | original | {0}, descarta totes les cartes vermelles!
duel.stare | ours | {0} contra {1}: perd qui parpellegi.
go_on.1 | ours | Ara juga {0}.
"""


@pytest.fixture
def texts(tmp_path, monkeypatch) -> Path:
    """A folder of phrases of one's own: a copy of what is there."""
    folder = tmp_path / "phrases"
    shutil.copytree(catalogue.PHRASES, folder)
    monkeypatch.setattr(catalogue, "PHRASES", folder)
    return folder


def test_the_languages_are_the_files_that_are_there(texts):
    there = catalogue.languages()
    (texts / "ca.txt").write_text(CATALAN, encoding="utf-8")
    (texts / "Notes of mine.txt").write_text("no language")
    assert catalogue.languages() == sorted([*there, "ca"])
    for path in texts.glob("*.txt"):
        path.unlink()
    assert catalogue.languages() == []


def test_a_draft_is_one_line_and_no_mistake(texts):
    (texts / "ca.txt").write_text(CATALAN, encoding="utf-8")
    mistakes, differences = commands.check_texts()
    n = len(catalogue.parse(texts / "es.txt")[0])
    assert mistakes == []
    assert len(differences) == 1
    assert differences[0].startswith(f"ca.txt: a draft, 5 of {n} phrases; still to write: order.")
    assert differences[0].endswith(" more")


def test_a_draft_has_mistakes_like_everybody(texts):
    (texts / "ca.txt").write_text(
        "sorry | ours | Ai, {0}\ngo_on.2 | ours | Va {0}!", encoding="utf-8"
    )
    mistakes, differences = commands.check_texts()
    assert [line.partition(":")[0] for line in mistakes] == ["ca.txt, line 1", "ca.txt"]
    assert "go_on.1 is missing; number them" in mistakes[1]
    assert len(differences) == 1


@pytest.mark.parametrize("lost", ["deaf", "attention.5", "duel.stare", "go_on.1", "menu.open"])
def test_a_whole_language_that_loses_a_phrase_is_told_which(texts, lost):
    path = texts / "fr.txt"
    lines = [line for line in path.read_text().splitlines() if not line.startswith(f"{lost} ")]
    path.write_text("\n".join(lines))
    told = "\n".join(sum(commands.check_texts(), []))
    assert lost in told and len(told.splitlines()) <= 2


def test_a_language_may_lack_the_names_of_others_and_goes_by_its_code(texts):
    for path in texts.glob("??.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        names = tuple(f"menu.value.{lang} " for lang in catalogue.languages())
        path.write_text("\n".join(line for line in lines if not line.startswith(names)))
    assert commands.check_texts() == ([], [])
    phrases = catalogue.read(texts / "fr.txt")
    assert phrases["menu.value.fr"].text == "fr"
    assert "menu.value.es" not in phrases


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = dict(os.environ, ROBOTO_CACHE=str(folder / "cache"), PYTHONPATH=str(folder))
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_draft_is_built_checked_listed_and_played(tmp_path):
    """In a copy of the repository, as whoever writes a language does it."""
    need("espeakng_loader", "pip install espeakng-loader")
    for room in ("firmware", "host_tools", "sim"):
        shutil.copytree(ROOT / room, tmp_path / room)
    phrases = tmp_path / "firmware" / "phrases"
    for lang in ("es", "en"):  # the simulator takes them along: short ones are built soon
        path = phrases / f"{lang}.txt"
        path.write_text("sorry | ours | Perdón.\nnames.greeting | ours | Hola.\n")
    (phrases / "ca.txt").write_text(CATALAN, encoding="utf-8")

    built = run(tmp_path, "host_tools", "voice", "build", "--lang", "ca", "-o", "packs")
    assert built.returncode == 0, built.stderr
    assert "ca.pack" in built.stdout
    measured = run(tmp_path, "host_tools", "voice", "check", "packs/ca.pack")
    assert measured.returncode == 0, measured.stderr
    assert "ca.txt: a draft, 5 of " in measured.stderr
    assert "4 languages in order, 3 drafts" in measured.stdout

    scenario = tmp_path / "table.toml"
    scenario.write_text('[[step]]\nafter_quiet = 0.5\npress = "plate"\n')
    played = run(tmp_path, "sim", "run", str(scenario), "--lang", "ca", "--trace", "-")
    assert played.returncode == 0, played.stderr
    events = [json.loads(line) for line in played.stdout.splitlines() if line.startswith("{")]
    said = [event["text"] for event in events if event["event"] == "say"]
    assert said[0] == "Hola! Soc en Roboto."
    # What the draft lacks is a tone in its place, and a line in the log.
    assert [event for event in events if event.get("tone") == "missing"]
