"""What stands on paper: the same facts in each language, and they are SPEC's, the cards' and the
page's; and a family's own House Rule cards, or one line that says what is wrong with them."""

from __future__ import annotations

import html
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.__main__ import main
from sim.paper import art, cli, facts, house_rules, leaflet, stickers, to_pdf
from sim.paper.words import LANGUAGES, WORDS
from sim.web.captions import PAGE_LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
SPEC = " ".join((ROOT / "docs" / "SPEC.md").read_text(encoding="utf-8").split())

# What a number of the leaflet is in SPEC.md, {} where it stands there.
SENTENCES = {
    "players_min players_max": "{} to {} players.",
    "name_s": "A name lasts at most {} s:",
    "rule_s": "Hold red: as for a name, at most {} s [doc]. One House Rule per game",
    "race_s": "after {} s it calls without being told",
    "nickname_s": "Plate, or {} s without a recording: never mind",
    "refuse_s": "white within {} s after it was said back drops it",
    "idle_s": "{} s without activity: a warning beep",
    "asleep_s": "{} s after the warning it sleeps",
    "menu_s": "hold {} s = spoken settings menu",
    "gap_min gap_max": "a surprise comes after {} to {} counted plate presses",
    "loser_draws": "race at a challenge, the loser draws {} [doc]",
}
# What the sheets say of the cards.
CARDS = {
    "box": 112, "numbers": 19, "skips": 8, "reverses": 8, "draw_twos": 8, "wilds": 4,
    "wild_draw_fours": 4, "spares": 4, "hand": 7, "guilty_draws": 4, "innocent_draws": 6,
    "uno_draws": 2, "action_points": 20, "wild_points": 50, "target": 500, "age": 7, "cells": 3,
}  # fmt: skip

every_language = pytest.mark.parametrize("lang", LANGUAGES)


def _plain(document: str) -> str:
    """Return a document's text as it is read."""
    text = re.sub(r"<(style|title)>.*?</\1>", "", document, flags=re.DOTALL)
    text = re.sub(r"</?(b|span)[^>]*>", "", text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.mark.parametrize("names", SENTENCES)
def test_a_number_is_specs(names: str) -> None:
    numbers = facts.numbers()
    sentence = SENTENCES[names].format(*(numbers[name] for name in names.split()))
    assert sentence in SPEC


def test_the_cards_numbers_are_the_sheets_and_no_other_number_is_told() -> None:
    told = set(facts.numbers())
    assert told == set(CARDS) | {name for names in SENTENCES for name in names.split()}
    assert {name: facts.numbers()[name] for name in CARDS} == CARDS
    board = tomllib.loads((ROOT / "hardware" / "board.toml").read_text(encoding="utf-8"))
    assert facts.numbers()["cells"] == board["power"]["cells"]


@every_language
def test_the_leaflet_writes_no_number_itself(lang: str) -> None:
    """But those on the cards, and of the steps."""
    text = re.sub(r"^\d\. ", "", leaflet.text_of(lang), flags=re.MULTILINE)
    assert set(re.findall(r"\d+", text)) == {"0", "1", "9"}


@every_language
def test_each_language_tells_the_same(lang: str) -> None:
    """The same numbers, headings, points and pictures, panel by panel."""

    def shape(text: str) -> list[tuple[list[str], int, int, int]]:
        return [
            (
                sorted(re.findall(r"\{+\w+\}+", panel)),
                len(re.findall(r"^#", panel, re.M)),
                len(re.findall(r"^(?:- |\d\. )", panel, re.M)),
                len(re.findall(r"\*\*", panel)),
            )
            for panel in text.split("\n===\n")
        ]

    assert shape(leaflet.text_of(lang)) == shape(leaflet.text_of("en"))
    used = {name for name in re.findall(r"\{(\w+)\}", leaflet.text_of(lang))}
    assert set(facts.numbers()) | set(facts.said(lang)) <= used


@every_language
def test_what_is_printed_is_what_robot_and_page_say(lang: str) -> None:
    for document in (leaflet.pages(lang), leaflet.web_page(lang)):
        text = _plain(document)
        assert not re.search(r"[{}]|\*\*", text)
        for quoted in facts.said(lang).values():
            assert " ".join(quoted.replace("\u00a0", " ").split()) in text
        for told in facts.buttons(lang).values():
            assert told.partition(":")[0].strip() in text
        for name, choices in facts.menu_lines(lang):
            assert name in text and ", ".join(choices) in text
        for colour, name in facts.colours(lang).items():
            assert f"{name} ({WORDS[lang]['signs'][colour]})" in text


def test_the_menu_is_the_firmwares() -> None:
    from roboto.game import menu

    assert len(facts.menu_lines("en")) == len(menu._SETTINGS)


def test_the_languages_are_the_pages() -> None:
    assert sorted(LANGUAGES) == sorted(PAGE_LANGUAGES) == sorted(WORDS)
    for lang in LANGUAGES:
        assert sorted(WORDS[lang]) == sorted(WORDS["en"])


def test_the_leaflet_asks_for_what_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("# A\n===\n{nothing}\n===\n===\n", "one panel"):
        monkeypatch.setattr(leaflet, "text_of", lambda _lang, text=wrong: text)
        with pytest.raises(leaflet.BadText) as told:
            leaflet.filled("en")
        assert "\n" not in str(told.value) and "en.md" in str(told.value)


# ---- pictures


@pytest.mark.parametrize("control", facts.CONTROLS)
def test_a_button_looks_as_on_the_page(control: str) -> None:
    page = (ROOT / "sim/web/static/index.html").read_text(encoding="utf-8")
    assert art.icon(control) in page and art.icon(control) in art.robot()
    assert len({art.icon(each) for each in facts.CONTROLS}) == len(facts.CONTROLS)


def test_every_colour_has_a_sign_of_its_own() -> None:
    shapes = {re.sub(r'fill="#\w+"', "", art.sign(colour)) for colour in facts.COLOURS}
    assert len(shapes) == 4
    face = (ROOT / "sim/web/static/face.js").read_text(encoding="utf-8")
    assert 'new URL("symbols.svg"' in face and "${SYMBOLS}#" in face
    for colour in facts.COLOURS:
        assert f'"{colour}"' in face


@every_language
def test_a_sticker_for_each_button_and_for_each_coloured_card(lang: str) -> None:
    page = stickers.page(lang)
    for control in facts.CONTROLS:
        assert page.count(art.icon(control)) == len(stickers.BUTTON_MM)
    for colour in facts.COLOURS:
        assert page.count(art.sign(colour, f"{stickers.CORNER_MM - 3}mm")) == 25


# ---- House Rule cards


@every_language
def test_the_familys_ideas_and_thirty_that_anybody_can_do_seated(lang: str) -> None:
    path = house_rules.FILES / f"{lang}.txt"
    ideas = house_rules.read(path)
    assert len(ideas) == 36 and len({idea.text for idea in ideas}) == 36
    assert all(idea.seated for idea in ideas[6:])
    english = house_rules.read(house_rules.FILES / "en.txt")
    assert [idea.seated for idea in ideas] == [idea.seated for idea in english]
    pages = house_rules.cards(lang, ideas)
    assert pages.count("<article") == 36 + house_rules.BLANKS
    assert pages.count('<i class="line">') == 3 * house_rules.BLANKS


WRONG = {
    "empty": b"",
    "remarks alone": b"# nothing\n\n",
    "no bar": b"seated Clap\n",
    "no such word": b"seated | Clap.\nlying | Sleep.\n",
    "nothing to do": b"seated |  # clap\n",
    "too long": b"seated | " + b"clap " * 40,
    "not to be printed": b"seated | Clap\x07.\n",
    "not UTF-8": b"seated | \xe1\xe1\n",
    "too many": b"seated | Clap.\n" * 200,
    "far too large": b"#" * 200_000,
}


@pytest.mark.parametrize("why", WRONG)
def test_a_bad_file_is_one_line_and_status_2(why: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes(WRONG[why])
    _is_refused(["--lang", "en", "--rules", str(path)], tmp_path, capsys, str(path))


@pytest.mark.parametrize("name", ["none.txt", ".", "a\0b"])
def test_no_such_file(name: str, tmp_path: Path, capsys) -> None:
    wanted = ["--lang", "en", "--rules", str(tmp_path / name)]
    _is_refused(wanted, tmp_path, capsys, "")


def _is_refused(words: list[str], folder: Path, capsys, where: str) -> None:
    output = folder / "out"
    status = main(["print", *words, "-o", str(output), "--no-pdf"])
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1 and where in told.err
    assert not output.exists()


def test_rules_of_ones_own_need_one_language(tmp_path: Path, capsys) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("seated | Clap.", "utf-8")
    _is_refused(["--rules", str(path)], tmp_path, capsys, "--lang")


def test_no_browser_and_no_folder(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    assert main(["print", "--lang", "es", "-o", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    (tmp_path / "file").write_text("mine", "utf-8")
    for place in ("file", "file/below"):
        words = ["print", "--lang", "es", "--no-pdf", "-o", str(tmp_path / place)]
        assert main(words) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize("why", ("hangs", "is no program"))
def test_a_browser_that(why: str, tmp_path: Path, capsys, monkeypatch) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexec sleep 60\n" if why == "hangs" else "\0", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(program))
    monkeypatch.setattr(to_pdf, "_WAIT_S", 0.2)
    assert main(["print", "--lang", "es", "-o", str(tmp_path / "out")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "cannot print: " in line and "Errno" not in line and "--print-to" not in line


def test_a_familys_own_cards(tmp_path: Path, capsys) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(
        "\ufeffseated | Di <b>tres</b> & ya.  # nuestra\r\nstanding|¡Salta!\r\n", "utf-8"
    )
    out = tmp_path / "new" / "out"
    assert main(["print", "--lang", "es", "--rules", str(path), "--no-pdf", "-o", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert sorted(Path(line).name for line in told) == sorted(p.name for p in out.iterdir())
    page = (out / "house-rules-es.html").read_text(encoding="utf-8")
    assert "Di &lt;b&gt;tres&lt;/b&gt; &amp; ya." in page and "¡Salta!" in page
    assert page.count("<article") == 2 + house_rules.BLANKS


@given(st.text(max_size=80))
def test_any_line_is_an_idea_or_refused_in_one_line(text: str) -> None:
    try:
        idea = house_rules._idea("rules.txt, line 1", f"seated | {text}")
    except house_rules.BadRules as error:
        assert "\n" not in str(error) and "rules.txt, line 1" in str(error)
    else:
        assert idea.text and idea.text == idea.text.strip() and idea.text.isprintable()


@every_language
def test_every_document_stands_alone(lang: str) -> None:
    """No request goes anywhere: not for a font, not for a picture."""
    ideas = house_rules.read(house_rules.FILES / f"{lang}.txt")
    for document in cli.documents(lang, ideas).values():
        assert f'lang="{lang}"' in document
        assert not re.search(r"https?:(?!//www\.w3\.org)|src=|<link|@import|url\((?!#)", document)
