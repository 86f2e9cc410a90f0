"""What the robot says, as captions in the languages of the page, whatever language it speaks.

The same phrases are there in every language, so a caption follows from the ids of what is said.
"""

from __future__ import annotations

from typing import Any

PAGE_LANGUAGES = ("es", "en", "fr", "de", "pt", "it")
_RULE = "[house rule]"
_MENU = "menu."


def phrases_shown(languages: tuple[str, ...] = PAGE_LANGUAGES) -> dict[str, dict[str, str]]:
    """Return language -> id of a phrase -> its text as it is shown."""
    from host_tools.voice import catalogue

    shown = {}
    for language in languages:
        phrases, _ = catalogue.parse(catalogue.PHRASES / f"{language}.txt")
        shown[language] = {id: str(phrase.shown) for id, phrase in phrases.items()}
    return shown


class Captions:
    """`phrases`: see phrases_shown()."""

    def __init__(self, phrases: dict[str, dict[str, str]]) -> None:
        self._phrases = phrases

    def of_settings(self) -> dict[str, dict[str, str]]:
        """Return the words of the spoken menu by language, as they stand on the page: ids are
        those of settings, and value.… of what they may be."""
        return {
            language: {
                id[len(_MENU) :]: text
                for id, text in self._phrases[language].items()
                if id.startswith(_MENU)
            }
            for language in self._phrases
        }

    def of(self, say: dict[str, Any]) -> dict[str, str]:
        """Return the text by language; {n} stands for the name of player n, [house rule] for the
        recorded rule."""
        return {
            language: self._caption(say, self._phrases[language]) for language in self._phrases
        }

    def _caption(self, say: dict[str, Any], phrases: dict[str, str]) -> str:
        texts: list[str] = []
        players = list(say["players"])
        before = ""
        for part in say["parts"]:
            if part.get("clip") == "house_rule":
                texts.append(_RULE)
            id: str = part.get("phrase", "")
            if id and id != before:
                before = id
                pieces = _cut(phrases.get(id, id))
                n_slots = len({slot for _, slot in pieces if slot >= 0})
                texts.append(_with_players(pieces, players[:n_slots]))
                players = players[n_slots:]
        return " ".join(texts)


def _cut(text: str) -> list[tuple[str, int]]:
    """Return the text in pieces, each with the number of the slot {n} that follows it; -1 for
    none."""
    pieces = []
    for piece in text.split("{"):
        number, brace, rest = piece.partition("}")
        if brace and pieces and number.isdigit():
            pieces[-1] = (pieces[-1][0], int(number))
            pieces.append((rest, -1))
        else:
            pieces.append((("{" if pieces else "") + piece, -1))
    return pieces


def _with_players(pieces: list[tuple[str, int]], players: list[int]) -> str:
    """Slots count from 0 in each phrase; a caption's {n} is player n."""
    text = ""
    for piece, slot in pieces:
        text += piece
        if slot >= 0:
            text += "{%d}" % players[slot] if slot < len(players) else "…"
    return text
