"""House Rule cards to cut out, from a text file that a family can edit: an idea a line."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from host_tools.plain_file import read_text, reason

from . import art, facts
from .words import WORDS

FILES = Path(__file__).with_name("house_rules")
BLANKS = 4
A_PAGE = 10  # cards of 56 by 87 mm on a page of A4 across
TEXT_MAX = 110  # letters; more would not stay within the card
IDEAS_MAX = 196
_LONG_WORD = 14  # letters; where a longer one stands, the letters are smaller
_BYTES_MAX = 100_000
_HOW = ("seated", "standing")


class BadRules(ValueError):
    """A file of ideas that cannot be printed: one line with the file, the line and what to do."""


@dataclass(frozen=True)
class Idea:
    """What everybody has to do, and whether it can be done sitting down."""

    text: str
    seated: bool


def read(path: Path) -> list[Idea]:
    """Return the ideas of a file in their order. BadRules for the first mistake."""
    try:
        lines = read_text(path, _BYTES_MAX).splitlines()
    except OSError as error:
        raise BadRules(f"{path}: {reason(error)}") from None
    ideas = []
    for number, line in enumerate(lines, 1):
        line = line.partition("#")[0].strip()
        if line:
            ideas.append(_idea(f"{path}, line {number}", line))
    if not ideas:
        raise BadRules(f"{path}: no idea in it; write a line: seated | Clap three times.")
    if len(ideas) > IDEAS_MAX:
        raise BadRules(f"{path}: {len(ideas)} ideas; at most {IDEAS_MAX} are printed at once")
    return ideas


def _idea(where: str, line: str) -> Idea:
    how, bar, text = (part.strip() for part in line.partition("|"))
    if not bar or how not in _HOW:
        raise BadRules(f"{where}: begin with seated | or standing | and then what is to be done")
    if not text:
        raise BadRules(f"{where}: there is nothing to do after {how} |")
    if len(text) > TEXT_MAX:
        raise BadRules(f"{where}: {len(text)} letters; at most {TEXT_MAX} have room on a card")
    if not text.isprintable():
        raise BadRules(f"{where}: there is a sign in it that cannot be printed")
    return Idea(text, how == "seated")


def cards(lang: str, ideas: list[Idea]) -> str:
    """Return the pages of cards as HTML: the ideas, and the blank ones behind them."""
    faces = [_card(lang, idea) for idea in ideas] + [_card(lang, None)] * BLANKS
    pages = [faces[i : i + A_PAGE] for i in range(0, len(faces), A_PAGE)]
    cut = html.escape(WORDS[lang]["cut"])
    return "".join(
        f'<div class="sheet cards"><p class="cut">✂ {cut}</p><div class="grid">'
        f"{''.join(page)}</div></div>"
        for page in pages
    )


def _card(lang: str, idea: Idea | None) -> str:
    words = WORDS[lang]
    last = html.escape(facts.phrases(lang)["rule.last"])
    text, size, seat = '<i class="line"></i>' * 3, "", ""
    if idea:
        text = html.escape(idea.text)
        size = " small" if max(map(len, idea.text.split())) > _LONG_WORD else ""
    if idea and idea.seated:
        seat = f'<span class="seat">{art.chair("1.3em")} {html.escape(words["seated"])}</span>'
    return (
        f'<article class="card"><h2>{html.escape(words["house_rule"])}</h2>'
        f'<p class="idea{size}">{text}</p><p class="foot">{seat}<span>{last}</span></p></article>'
    )
