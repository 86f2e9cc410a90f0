"""What every phrase file has to be: fit for any name, for boys and girls, for two to ten players,
and true to what commands.toml says. The lists of words are data: wording.toml."""

import re
import tomllib
from pathlib import Path

import pytest

from host_tools.places import ROOT
from host_tools.voice import catalogue
from host_tools.voice.commands import Commands
from tests.voice.test_catalogue import ALL, WHOLE

WORDING = tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))
KNOWN = [lang for lang in ALL if lang in WORDING]
COMMANDS = Commands()
# Games whose rule everybody knows: the name says who loses.
KNOWN_GAMES = ("duel.rock_paper", "duel.thumbs", "duel.odds_evens")
LENGTH_MOST, DUEL_MOST = 110, 85


def phrases_of(lang: str) -> list[catalogue.Phrase]:
    return list(catalogue.read(ALL[lang]).values())


def says(lang: str, word: str, text: str) -> bool:
    return bool(re.search(WORDING[lang]["said"][word], text, re.IGNORECASE))


def test_every_whole_language_has_its_words():
    assert set(WHOLE) <= set(WORDING)
    assert len({frozenset(words) for words in WORDING.values()}) == 1
    for table in ("said", "ends"):
        assert len({frozenset(words[table]) for words in WORDING.values()}) == 1


@pytest.mark.parametrize("kind", ["beside_a_name", "gendered", "never", "not_the_card"])
@pytest.mark.parametrize("lang", KNOWN)
def test_words_that_do_not_fit_everybody_are_in_no_phrase(lang, kind):
    wrong = re.compile(WORDING[lang][kind], re.IGNORECASE)
    assert [p.id for p in phrases_of(lang) if wrong.search(p.text)] == []


CAUGHT = [
    ("es", "beside_a_name", "{0} y {1}, ¡ya!"),
    ("es", "gendered", "¡Todos a bailar!"),
    ("es", "never", "Quien pierda, roba dos."),
    ("en", "beside_a_name", "give a {0}"),
    ("en", "not_the_card", "{0}, throw away two cards."),
    ("de", "not_the_card", "{0}, wirf eine Karte ab."),
    ("de", "gendered", "Der Verlierer zieht."),
    ("fr", "beside_a_name", "le tour d'{0}"),
    ("fr", "not_the_card", "{0}, jette une carte."),
    ("it", "not_the_card", "{0}, butta una carta."),
    ("it", "gendered", "Tutti in coro!"),
    ("pt", "never", "{0}, fora com todas as suas cartas!"),
    ("pt", "beside_a_name", "É a vez do {0}"),
]


@pytest.mark.parametrize("lang, kind, text", CAUGHT)
def test_the_lists_catch_what_they_are_for(lang, kind, text):
    assert re.search(WORDING[lang][kind], text, re.IGNORECASE)


def ends_of(lang: str, phrase: catalogue.Phrase) -> list[str]:
    """How a duel ends. The names of the two and what leads over to the challenge tell nothing."""
    challenge = phrase.text.partition(":")[2]
    sorts = WORDING[lang]["ends"]
    return [sort for sort in sorts if re.search(sorts[sort], challenge, re.IGNORECASE)]


@pytest.mark.parametrize("lang", KNOWN)
def test_every_duel_tells_how_it_ends_and_who_loses_or_judges(lang):
    duels = [p for p in phrases_of(lang) if p.kind == "duel" and p.id not in KNOWN_GAMES]
    assert {p.id: ends_of(lang, p) for p in duels if len(ends_of(lang, p)) != 1} == {}


@pytest.mark.parametrize("lang", [lang for lang in KNOWN if lang != "es"])
def test_a_duel_ends_the_same_way_in_every_language(lang):
    spanish = catalogue.read(ALL["es"])
    for phrase in phrases_of(lang):
        if phrase.kind == "duel" and phrase.id in spanish:
            assert ends_of(lang, phrase) == ends_of("es", spanish[phrase.id]), phrase.id


ENDLESS = [
    ("es", "{0} contra {1}: una carta en la cabeza. ¡Que no se caiga!"),
    ("en", "{0} against {1}: name animals in turn, no repeats."),
    ("de", "{0} gegen {1}: Stellt Fragen, ohne Ja und ohne Nein."),
    ("fr", "{0} contre {1} : des mots qui riment avec chapeau !"),
    ("it", "{0} contro {1}: chi imita meglio un robot? A parte me."),
    ("pt", "{0} contra {1}: contem de vinte até zero!"),
]


@pytest.mark.parametrize("lang, text", ENDLESS)
def test_a_duel_without_an_end_or_a_loser_is_caught(lang, text):
    assert ends_of(lang, catalogue.Phrase("duel.x", "ours", text)) == []


@pytest.mark.parametrize("lang", KNOWN)
def test_with_two_players_nobody_is_left_to_vote_or_to_do_what_the_others_do(lang):
    for phrase in phrases_of(lang):
        if phrase.kind and says(lang, "others", phrase.text):
            assert COMMANDS.traits(phrase.id).players_min >= 3, phrase.id


READ = ["sim/paper/leaflet/{}.md", "sim/paper/house_rules/{}.txt", "sim/web/static/words-{}.js"]


@pytest.mark.parametrize("lang", WHOLE)
def test_what_the_robot_would_not_say_is_not_printed_either(lang):
    """Neither on the leaflet and the House Rule cards nor on the page."""
    wrong = re.compile(WORDING[lang]["everywhere"], re.IGNORECASE)
    texts = [ALL[lang].read_text("utf-8")]
    texts += [(ROOT / name.format(lang)).read_text("utf-8") for name in READ]
    assert [found.group() for text in texts for found in wrong.finditer(text)] == []


EDITIONS = [("de", r"\bleg\b.* ab\b|ablegen"), ("fr", r"\bpose"), ("es", r"descarta")]
EDITIONS += [("en", "discard"), ("it", "scarta"), ("pt", "descarte")]


@pytest.mark.parametrize("lang, word", EDITIONS)
def test_cards_are_laid_by_the_word_of_that_language_s_edition(lang, word):
    phrases = catalogue.read(ALL[lang])
    for id in ("order.discard_one", "order.discard_two", "order.blind", "order.highest"):
        assert re.search(word, phrases[id].text, re.IGNORECASE), id


def test_portuguese_rids_of_red_cards_in_words_that_are_heard_right():
    """What stood there before was heard as an obscenity; "never" forbids that everywhere."""
    said = catalogue.read(ALL["pt"])
    for id in ("order.red", "demo.sample.1", "demo.sample_you.1"):
        assert "livre-se de" in said[id].text


@pytest.mark.parametrize("lang", KNOWN)
def test_the_others_vote_where_commands_toml_says_so_and_nowhere_else(lang):
    for phrase in phrases_of(lang):
        if phrase.kind == "duel":
            judged = COMMANDS.traits(phrase.id).judge == "others"
            assert says(lang, "vote", phrase.text) == judged, phrase.id


@pytest.mark.parametrize("lang", KNOWN)
def test_what_holds_until_the_next_beep_says_so(lang):
    for phrase in phrases_of(lang):
        if phrase.kind:
            assert says(lang, "beep", phrase.text) == COMMANDS.traits(phrase.id).holds, phrase.id


NUMBERS = {1: "one", 2: "two"}


def wanted_words(what: dict, kind: str) -> tuple[set[str], set[str]]:
    """What a phrase with this effect has to say, and what it must not."""
    number = {NUMBERS[what["count"]]} if what.get("count") in NUMBERS else set()
    match what["effect"]:
        case "none" if kind == "nickname":
            return set(), {"discard", "draw"}
        case "none" | "reverse" | "random_order":
            return set(), {"discard", "draw", "left", "right"}
        case "discard":
            return {"discard"} | number, {"draw", "all"}
        case "discard_colour":
            colours = {"red", "yellow", "green", "blue"}
            return {"discard", "all", what["colour"]}, {"draw"} | (colours - {what["colour"]})
        case "draw":
            return {"draw"} | number, {"discard"}
        case "dare":
            return {"draw"} | number, {"discard"}
        case "hurry":
            return {"discard", "draw"} | number, set()
        case "trade":
            return {"all"}, {"discard", "left", "right"}
        case "trade_cards":
            return number, {"discard", "all"}
        case "trade_all":
            other = {"left": "right", "right": "left"}[what["direction"]]
            return {"all", what["direction"]}, {"draw", "discard", other}
        case "race" if kind == "everyone":
            return {"draw", NUMBERS[what["loser_draws"]]}, {"discard", "all"}
        case _:
            return set(), set()


@pytest.mark.parametrize("lang", KNOWN)
def test_what_is_said_is_what_commands_toml_does(lang):
    """So no command does one thing in one language and another in the next."""
    for phrase in phrases_of(lang):
        if not phrase.kind:
            continue
        there, absent = wanted_words(COMMANDS.of(phrase.id), phrase.kind)
        if lang == "es" or phrase.id.startswith("everyone."):
            absent = absent - {"all"}  # "todo el mundo" is everybody, and no card
        lacks = [word for word in there if not says(lang, word, phrase.text)]
        stray = [word for word in absent if says(lang, word, phrase.text)]
        assert (lacks, stray) == ([], []), f"{phrase.id}: {phrase.text}"


@pytest.mark.parametrize("lang", KNOWN)
def test_the_penalty_of_a_lost_race_is_two_cards_and_said_so(lang):
    ends = [p for p in phrases_of(lang) if p.prefix == "duel_end" or p.id == "rule.last"]
    assert len(ends) >= 2 or lang not in WHOLE
    for phrase in ends:
        assert says(lang, "two", phrase.text), phrase.id


@pytest.mark.parametrize("lang", ALL)
def test_phrases_are_short(lang):
    """A table waits for a robot that talks; and a duel has more to follow."""
    for phrase in phrases_of(lang):
        assert len(phrase.text) <= LENGTH_MOST, f"{lang} {phrase.id}"
        if phrase.kind == "duel":
            assert len(phrase.text) <= DUEL_MOST, f"{lang} {phrase.id}"
