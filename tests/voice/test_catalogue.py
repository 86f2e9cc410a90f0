"""The phrase files: those that are there, and every mistake a family can make in one."""

import pytest

from host_tools.voice import catalogue
from host_tools.voice.catalogue import Phrase, pieces

ALL = {lang: catalogue.PHRASES / f"{lang}.txt" for lang in catalogue.languages()}
WHOLE = [lang for lang in ALL if not catalogue.missing(catalogue.read(ALL[lang]), lang)]


def test_the_languages_of_the_contract_are_whole():
    assert {"es", "en", "fr", "de", "pt", "it"} <= set(WHOLE)


@pytest.mark.parametrize("lang", WHOLE)
def test_phrase_file_is_in_order(lang):
    phrases = catalogue.read(ALL[lang])
    commands = [p for p in phrases.values() if p.kind]
    assert len(commands) >= 40
    assert sum(p.kind == "duel" for p in commands) >= 15


def test_all_languages_have_the_same_phrases_and_marks():
    assert catalogue.differences({lang: catalogue.read(ALL[lang]) for lang in WHOLE}) == []


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
    ("", "de.txt: no phrase in it; write a line: id | ours | text"),
    ("menu.value.x | ours | X", "line 1: unknown id menu.value.x; commands begin with order."),
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
