"""Stickers for those who do not see colours: each button's sign in three sizes, and a sign for the
corner of every coloured card."""

from __future__ import annotations

import html
from collections import Counter

from ..table import cards
from . import art, facts
from .words import WORDS, colon

BUTTON_MM = (16, 13, 10)
CORNER_MM = 9


def page(lang: str) -> str:
    """Return the page of stickers as HTML."""
    words = WORDS[lang]
    buttons = []
    for control, told in facts.buttons(lang).items():
        if control == "plate":
            continue
        pictures = "".join(art.button(control, f"{size}mm") for size in BUTTON_MM)
        name = html.escape(told.partition(":")[0])
        buttons.append(f"<li>{pictures}<b>{name}</b></li>")
    rows = []
    for colour, name in facts.colours(lang).items():
        sign = f'<span class="corner">{art.sign(colour, f"{CORNER_MM - 3}mm")}</span>'
        label = f"{html.escape(name)}{colon(lang)} {html.escape(words['signs'][colour])}"
        rows.append(f"<li><b>{label}</b><div>{sign * per_colour()[colour]}</div></li>")
    return (
        f'<div class="sheet stickers"><h1>Roboto: {html.escape(words["stickers"])}</h1>'
        f'<p>{html.escape(words["buttons"])}</p><ul class="for-buttons">{"".join(buttons)}</ul>'
        f'<p>{html.escape(words["corners"])}</p><ul class="for-corners">{"".join(rows)}</ul></div>'
    )


def per_colour() -> Counter[str]:
    """Return how many cards of each colour there are."""
    names = (cards.name(card).split(" ")[0] for card in cards.BOX if card < cards.WILD)
    return Counter(names)
