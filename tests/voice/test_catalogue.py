"""The phrase files: the six that are there, and every mistake a family can make in one."""

import re

import pytest

from host_tools.voice import catalogue
from host_tools.voice.catalogue import Phrase, pieces

ALL = {lang: catalogue.PHRASES / f"{lang}.txt" for lang in catalogue.LANGUAGES}


@pytest.mark.parametrize("lang", ALL)
def test_phrase_file_is_in_order(lang):
    phrases = catalogue.read(ALL[lang])
    commands = [p for p in phrases.values() if p.kind]
    assert len(commands) >= 40
    assert sum(p.kind == "duel" for p in commands) >= 15


def test_all_languages_have_the_same_phrases_and_marks():
    assert catalogue.differences({lang: catalogue.read(path) for lang, path in ALL.items()}) == []


def test_every_known_family_of_the_original_is_there_and_marked():
    phrases = catalogue.read(ALL["es"])
    for id in [
        "order.red",
        "order.yellow",
        "order.green",
        "order.blue",
        "order.discard_one",
        "order.draw_one",
        "order.hurry",
        "swap.hands",
        "everyone.reverse",
        "everyone.random_order",
        "house_rule.1",
    ]:
        assert phrases[id].mark == "original", id


# What would sound wrong beside some name: a contraction, an elision, or an "e" for a "y".
WRONG_BESIDE_A_NAME = {
    "es": r"\b[ye] \{|\b(el|la|al|del) \{",
    "en": r"\ba \{",
    "fr": r"\b(de|que|le|la|du|au|je|se|me|te|ce|ne) \{|'\{",
    "de": r"\b(der|die|das|den|dem|des) \{|\}s\b",
    "pt": r"\b(o|a|do|da|no|na|ao|pelo|pela) \{",
    "it": r"\b(di|il|la|lo|del|della|al|alla|ed|ad) \{|'\{",
}
# Portuguese "a {1}" in "dê um apelido a {1}" is the preposition, which takes no article here.
ALLOWED = {"pt": {"nickname.1"}}


@pytest.mark.parametrize("lang", ALL)
def test_grammar_works_with_any_name(lang):
    wrong = re.compile(WRONG_BESIDE_A_NAME[lang], re.IGNORECASE)
    found = [p.id for p in catalogue.read(ALL[lang]).values() if wrong.search(p.text)]
    assert set(found) <= ALLOWED.get(lang, set())


# Words that would say whether players are girls or boys.
GENDERED = {
    "es": r"todos|jugador|el último|la última|el primero|el perdedor|listo|preparado",
    "en": r"\bhe\b|\bshe\b|\bhis\b|\bher\b|\bhim\b",
    "fr": r"le premier|le dernier|le perdant|chacun|joueur|prêt",
    "de": r"\ber\b|\bsein|Verlierer|Spieler|\bder Letzte|\bjeder\b",
    "pt": r"todos|jogador|o último|o primeiro|o perdedor|pronto|obrigado",
    "it": r"tutti|giocatore|l'ultimo|il primo|perdente|ognuno|pronto",
}


@pytest.mark.parametrize("lang", ALL)
def test_nothing_tells_who_is_a_girl_or_a_boy(lang):
    wrong = re.compile(GENDERED[lang], re.IGNORECASE)
    assert [p.id for p in catalogue.read(ALL[lang]).values() if wrong.search(p.text)] == []


@pytest.mark.parametrize("lang", ALL)
def test_challenges_are_short(lang):
    for phrase in catalogue.read(ALL[lang]).values():
        assert len(phrase.text) <= 110, f"{lang} {phrase.id}"
        if phrase.kind == "duel":
            assert len(phrase.text) <= 85, f"{lang} {phrase.id}"


MISTAKES = [
    ("order.red | ours", "line 1: 2 fields; write: id | ours | text"),
    ("order.red | ours | a {0} | b", "line 1: 4 fields; write: id | ours | text"),
    ("order.red | mine | go, {0}", 'line 1: "mine" between the bars; write original or ours'),
    ("order.red | ours | go", "line 1: order.red needs {0}; it has none"),
    ("duel.x | ours | {0} wins", "line 1: duel.x needs {0} and {1}; it has {0}"),
    ("sorry | ours | sorry, {0}", "line 1: sorry needs no name slot; it has {0}"),
    ("sorry | ours | ...", "line 1: sorry has no text; write what is to be said"),
    ("sorry | ours | [300]", "line 1: sorry has no text; write what is to be said"),
    ("orders.red | ours | go", "line 1: unknown id orders.red; commands begin with order."),
    ("Order.Red | ours | go", 'line 1: "Order.Red" is no id; use small letters'),
    ("sorry | ours | oh [3000] no", "line 1: sorry has a pause of [3000] ms, which is too long"),
    ("sorry | ours | oh [long] no", 'line 1: sorry has a stray "["; name slots are {0} and {1}'),
    ("sorry | ours | oh {name}", 'line 1: sorry has a stray "{"; name slots are {0} and {1}'),
    ("sorry | ours | oh <b>no</b>", 'line 1: sorry has a stray "<"; name slots are {0} and {1}'),
    ("sorry | ours | a\nsorry | ours | b", "line 2: sorry is there already in line 1"),
    ("go_on.7 | ours | {0}, go", "de.txt: go_on.1 is missing; number them from 1 without gaps"),
    ("sorry | ours | a", "de.txt: deaf is missing; add the line"),
    ("duel.x | ours | {0} and {1}, go", "de.txt: 1 of at least 15 duel commands; add 14"),
]


@pytest.mark.parametrize("text, told", MISTAKES)
def test_every_mistake_is_one_clear_line(tmp_path, text, told):
    path = tmp_path / "de.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(catalogue.CatalogueError) as caught:
        catalogue.read(path)
    lines = caught.value.lines
    assert all("\n" not in line and line.startswith("de.txt") for line in lines)
    assert any(told in line for line in lines), lines


def test_a_file_that_is_not_utf8_or_not_there(tmp_path):
    path = tmp_path / "es.txt"
    assert "no such phrase file" in catalogue.parse(path)[1][0]
    path.write_bytes(b"sorry | ours | Perd\xf3n")
    assert "not UTF-8 at byte 19: save it as UTF-8" in catalogue.parse(path)[1][0]


def test_a_windows_editor_does_no_harm(tmp_path):
    path = tmp_path / "es.txt"
    path.write_bytes("\ufeffsorry | ours | Perdón.  # al fallar\r\n".encode())
    phrases, mistakes = catalogue.parse(path)
    assert mistakes == []
    assert phrases["sorry"].text == "Perdón."


def test_a_phrase_is_cut_at_its_names():
    phrase = Phrase("duel.x", "ours", "¡{0} y {1}! [200] A ver {0}.")
    assert phrase.parts() == [-1, 0, -2, 1, -1]
    assert phrase.segments() == ["y", "! [200] A ver"]
    assert phrase.shown == "¡{0} y {1}! A ver {0}."
    assert pieces("! [200] A ver") == [200, "A ver"]
    assert pieces("uno [50] dos") == ["uno", 50, "dos"]


def test_a_pause_between_names_is_a_segment_of_silence():
    phrase = Phrase("duel.x", "ours", "{0} [400] {1}: ¡ya!")
    assert phrase.parts() == [-1, 0, -2, 1]
    assert pieces(phrase.segments()[0]) == [400]


def test_a_command_tells_its_kind_and_a_variant_its_prefix():
    assert Phrase("duel.stare", "ours", "").kind == "duel"
    assert Phrase("duel_end.1", "ours", "").kind == ""
    assert Phrase("demo.sample.2", "ours", "").prefix == "demo.sample"
    assert Phrase("menu.value.es", "ours", "").prefix == ""


def test_the_version_changes_with_what_is_said_alone():
    one, two = Phrase("a", "ours", "x"), Phrase("b", "ours", "y")
    version = catalogue.version({"a": one, "b": two})
    assert version == catalogue.version({"b": two, "a": one})
    assert version != catalogue.version({"a": one, "b": Phrase("b", "ours", "z")})
