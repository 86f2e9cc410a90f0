"""The leaflet: a text a language (leaflet/*.md), filled in with facts, on two A4 pages to fold and
as a page for the browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from . import art, facts
from .words import LANGUAGES, WORDS, colon

_TEXTS = Path(__file__).with_name("leaflet")
_STYLE = Path(__file__).with_name("leaflet.css")
_PANELS = 4  # of A5: front, the two inside, back
_FOLDED = ((3, 0), (1, 2))  # which panels are on the two pages, left and right


class BadText(ValueError):
    """A leaflet's text that cannot be filled in: one line, with the file and the place."""


def text_of(lang: str) -> str:
    """Return the text as it is written, with its places to fill in."""
    return (_TEXTS / f"{lang}.md").read_text(encoding="utf-8")


def filled(lang: str) -> list[str]:
    """Return the panels' texts with numbers and quotations in place; blocks stay as they are.

    BadText where the text asks for what there is not.
    """
    values = {**facts.numbers(), **facts.said(lang)}

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            raise BadText(f"{lang}.md: there is no {{{found[1]}}}; see sim/paper/facts.py")
        return str(values[found[1]])

    text = re.sub(r"(?<!\{)\{(\w+)\}(?!\})", value, text_of(lang))
    panels = re.split(r"^===\n", text, flags=re.MULTILINE)
    if len(panels) != _PANELS:
        raise BadText(f"{lang}.md: {len(panels)} panels, divided by ===; there must be {_PANELS}")
    return panels


def web_page(lang: str) -> str:
    """Return the leaflet as a page for the browser, top to bottom, whole in itself."""
    body = "".join(f"<section>{''.join(_blocks(lang, panel))}</section>" for panel in filled(lang))
    links = " ".join(
        f'<a href="leaflet-{code}.html" lang="{code}" hreflang="{code}">{name}</a>'
        for code, name in LANGUAGES.items()
    )
    return _document(lang, f'<nav class="languages">{links}</nav><main>{body}</main>', "web")


def pages(lang: str) -> str:
    """Return the two A4 pages as a document to print on both sides and fold in the middle."""
    panels = ["".join(_blocks(lang, panel)) for panel in filled(lang)]
    body = "".join(
        '<div class="sheet">'
        + "".join(
            f'<section class="panel p{number}">{panels[number]}</section>' for number in side
        )
        + "</div>"
        for side in _FOLDED
    )
    return _document(lang, body, "paper")


def style() -> str:
    """Return what stands in a document's <style>, which a page's policy has to let in."""
    return _STYLE.read_text(encoding="utf-8")


def _document(lang: str, body: str, kind: str) -> str:
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
        f"<title>Roboto: {html.escape(WORDS[lang]['leaflet'])}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{style()}</style></head>\n<body class="{kind}">{body}</body>\n</html>\n'
    )


# ---- the few signs of the text


def _blocks(lang: str, panel: str) -> Iterator[str]:
    """Give a panel's HTML: # and ## headings, "- " and "1. " lists, paragraphs, {{blocks}}."""
    for block in re.split(r"\n\s*\n", panel.strip()):
        while match := re.match(r"(#+) (.*)(?:\n|$)", block):
            level = len(match[1])
            yield f"<h{level}>{_inline(lang, match[2])}</h{level}>"
            block = block[match.end() :]
        if not block.strip():
            continue
        lines = block.splitlines()
        if block.startswith("- "):
            yield _list(lang, "ul", [line[2:] for line in lines])
        elif re.match(r"\d\. ", block):
            yield _list(lang, "ol", [line.split(" ", 1)[1] for line in lines])
        elif match := re.fullmatch(r"\{\{(\w+)\}\}", block.strip()):
            yield _BLOCKS[match[1]](lang)
        else:
            yield f"<p>{_inline(lang, ' '.join(lines))}</p>"


def _list(lang: str, tag: str, lines: list[str]) -> str:
    items = "".join(f"<li>{_inline(lang, line)}</li>" for line in lines)
    return f"<{tag}>{items}</{tag}>"


def _inline(lang: str, text: str) -> str:
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text, quote=False))
    # French sets a space before these, which must not begin a line.
    text = re.sub(r" ([:;!?»])", "\u00a0\\1", text).replace("« ", "«\u00a0")
    return text.replace("{{colours}}", _colours(lang))


def _colours(lang: str) -> str:
    signs = WORDS[lang]["signs"]
    return ", ".join(
        f'<span class="colour">{art.sign(colour)} {name} ({signs[colour]})</span>'
        for colour, name in facts.colours(lang).items()
    )


def _buttons(lang: str) -> str:
    rows = []
    for control, words in facts.buttons(lang).items():
        picture = art.tray("2.600em") if control == "plate" else art.button(control, "2.100em")
        name, _, use = words.partition(":")
        rows.append(
            f"<li>{picture}<span><b>{html.escape(name.strip())}</b><br>"
            f"{html.escape(_sentence(use.strip()))}</span></li>"
        )
    return f'<ul class="buttons">{"".join(rows)}</ul>'


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _settings(lang: str) -> str:
    rows = [
        f"<li><b>{html.escape(name)}{colon(lang)}</b> {html.escape(', '.join(choices))}</li>"
        for name, choices in facts.menu_lines(lang)
    ]
    return f'<ul class="settings">{"".join(rows)}</ul>'


_BLOCKS = {
    "robot": lambda _lang: f'<figure class="robot">{art.robot()}</figure>',
    "buttons": _buttons,
    "settings": _settings,
}
