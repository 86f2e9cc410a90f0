"""say_as.toml: the voice reads another spelling, people read the phrase as it is."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools.voice import build, catalogue, effects, engines, say_as
from host_tools.voice.catalogue import CatalogueError, Phrase
from host_tools.voice.commands import check_texts
from tests.voice.conftest import tone
from tests.voice.test_catalogue import ALL
from tests.voice.test_wording import KNOWN, WORDING

TABLE = '[en]\nRoboto = "Robowtoe"\nUNO = "Oono"\n"draw two" = "draw, two"\ndraw = "drore"\n'
LETTERS = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A folder of phrases with this table in it; write(text) puts another one there."""
    for lang, text in [("en", "Roboto, draw two!"), ("es", "Hola.")]:
        (tmp_path / f"{lang}.txt").write_text(f"sorry | ours | {text}\n", "utf-8")
    monkeypatch.setattr(catalogue, "PHRASES", tmp_path)

    def write(text: str) -> None:
        say_as.read.cache_clear()
        (tmp_path / say_as.NAME).write_text(text, "utf-8")

    write(TABLE)
    yield write
    say_as.read.cache_clear()


SPELLED = [
    ("I am Roboto.", "en", "I am Robowtoe."),
    ("Roboto's friend", "en", "Robowtoe's friend"),
    ("Robotos and roboto and anoUNO", "en", "Robotos and roboto and anoUNO"),
    ("UNO? UNO! (UNO)", "en", "Oono? Oono! (Oono)"),
    ("draw two, draw one", "en", "draw, two, drore one"),
    ("[300] UNO [300]", "en", "[300] Oono [300]"),
    ("Roboto, UNO", "es", "Roboto, UNO"),
    ("Roboto, UNO", "fi", "Roboto, UNO"),
]


@pytest.mark.parametrize("text, lang, spelled", SPELLED)
def test_whole_words_are_spelled_for_the_voice_the_longest_first(table, text, lang, spelled):
    assert say_as.respelled(text, lang) == spelled


@given(LETTERS, LETTERS, LETTERS)
def test_a_word_alone_is_spelled_and_within_another_it_is_not(word, spelling, more):
    """Whatever the word: in a table of its own."""
    words = {word: spelling}
    known = say_as._known(words)
    assert known.sub(lambda m: words[m[0]], f"{more}! {word}.").endswith(f"! {spelling}.")
    assert known.sub(lambda m: words[m[0]], f"{word}{more}") in (
        f"{word}{more}",
        spelling if word == f"{word}{more}" else f"{word}{more}",
    )


def test_without_a_table_the_text_is_read_as_it_is(table, tmp_path):
    (tmp_path / say_as.NAME).unlink()
    assert say_as.respelled("I am Roboto.", "en") == "I am Roboto."
    assert say_as.check({}) == ([], [])


MISTAKES = [
    ("[en\n", "say_as.toml: Expected ']'"),
    ('Roboto = "x"', "say_as.toml: Roboto stands alone; write [Roboto] and words under it"),
    ("[en]\nRoboto = 3", "say_as.toml: [en] Roboto = 3; write a spelling in quotes"),
    ('[en]\nRoboto = "..."', "say_as.toml: [en] Roboto = '...'; write a spelling in quotes"),
    ('[en]\n"!" = "x"', 'say_as.toml: [en] "!" is no word; remove the line'),
    ('[en]\nRoboto = "<b>"', 'say_as.toml: [en] Roboto has a stray "<"; name slots are'),
    ('[en]\nRoboto = "a{0}"', 'say_as.toml: [en] Roboto has a stray "{"; name slots are'),
    ('[en]\nRoboto = "a [3000]"', "[en] Roboto has a pause of [3000] ms, which is too long"),
    ('[xx]\nRoboto = "x"', "say_as.toml: there are no phrases in xx; correct or remove [xx]"),
]


@pytest.mark.parametrize("text, told", MISTAKES)
def test_every_mistake_is_one_clear_line(table, text, told):
    table(text)
    mistakes = [line for line in check_texts()[0] if line.startswith(say_as.NAME)]
    assert len(mistakes) == 1 and told in mistakes[0]
    if "no phrases" not in told:
        with pytest.raises(CatalogueError) as caught:
            say_as.respelled("Roboto", "en")
        assert caught.value.lines == mistakes


def test_a_word_that_no_phrase_has_is_told_where_the_language_is_whole(table, monkeypatch):
    table('[en]\nRobot = "x"\nRoboto = "y"\nUNO = "z"\n')
    phrases = {"en": catalogue.read(catalogue.PHRASES / "en.txt")}
    assert say_as.check(phrases) == ([], [])  # a draft: it may still come
    monkeypatch.setattr(catalogue, "missing", lambda phrases, name: [])
    told = "say_as.toml: [en] Robot is in no phrase; correct or remove the line"
    assert say_as.check(phrases) == ([], [told])


class Reader(engines.Engine):
    """An engine that notes what it was given to read."""

    name = key = "reader"

    def __init__(self) -> None:
        self.read: list[str] = []

    def synth(self, text, lang):
        self.read.append(text)
        return np.concatenate([tone(200 + 30 * (ord(c) % 32), 0.06) for c in text]), 16000


def test_a_changed_line_has_what_it_is_about_spoken_again_and_nothing_else(table, tmp_path):
    lines = ["I am Roboto.", "Say UNO!", "So it goes.", "Robotos."]
    phrases = {f"x.{n}": Phrase(f"x.{n}", "ours", text) for n, text in enumerate(lines)}
    engine = Reader()
    voice = build.Voice("en", effects.presets()["plain"], 16000, engine)

    def made() -> bytes:
        engine.read.clear()
        return build.make(voice, phrases, tmp_path / "cache")

    one = made()
    assert sorted(engine.read) == ["I am Robowtoe.", "Robotos.", "Say Oono!", "So it goes."]
    for text in lines:
        assert text.encode() in one  # the page and the trace show what is written
    assert b"Oono" not in one
    table(TABLE.replace("Oono", "Oonoh"))
    made()
    assert engine.read == ["Say Oonoh!"]
    table(TABLE)
    assert made() == one and engine.read == []


def test_the_table_is_in_order_and_each_line_of_it_is_used():
    assert say_as.check({lang: catalogue.read(ALL[lang]) for lang in ALL}) == ([], [])
    assert say_as.respelled("Roboto", "en") != "Roboto"  # heard as Roberto, as it stands


@pytest.mark.parametrize("lang", KNOWN)
def test_nothing_that_is_said_is_or_sounds_obscene(lang):
    rude = re.compile(WORDING[lang]["obscene"], re.IGNORECASE)
    for phrase in catalogue.read(ALL[lang]).values():
        for text in (phrase.text, say_as.respelled(phrase.text, lang)):
            assert not rude.search(text), f"{phrase.id}: {text}"


@pytest.mark.parametrize("lang, text", [("pt", "fora com todas"), ("en", "Shit!"), ("es", "Coño")])
def test_the_list_of_what_is_obscene_catches_what_it_is_for(lang, text):
    assert re.search(WORDING[lang]["obscene"], text, re.IGNORECASE)
