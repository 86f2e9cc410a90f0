"""What the robot says, as captions in the languages of the page, whatever language it speaks.

The same phrases are there in every language, so a caption follows from the ids of what is said.
"""

from __future__ import annotations

import re
from typing import Any

PAGE_LANGUAGES = ("es", "en", "fr", "de", "pt", "it")
_RULE = "[house rule]"


class Captions:
    """`languages`: those that captions are wanted in."""

    def __init__(self, languages: tuple[str, ...] = PAGE_LANGUAGES) -> None:
        from host_tools.voice import catalogue

        self._phrases: dict[str, dict[str, str]] = {}
        for language in languages:
            phrases, _ = catalogue.parse(catalogue.PHRASES / f"{language}.txt")
            self._phrases[language] = {id: str(phrase.shown) for id, phrase in phrases.items()}

    def of(self, say: dict[str, Any]) -> dict[str, str]:
        """Return the text by language; {n} stands for the name of player n, [house rule] for the
        recorded rule."""
        return {
            language: self._caption(say, phrases) for language, phrases in self._phrases.items()
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
                text = phrases.get(id, id)
                slots = len(set(re.findall(r"\{\d+\}", text)))
                mine, players = players[:slots], players[slots:]
                texts.append(_with_players(text, mine))
        return " ".join(texts)


def _with_players(text: str, players: list[int]) -> str:
    """Slots count from 0 in each phrase; a caption's {n} is player n."""

    def name(slot: re.Match[str]) -> str:
        k = int(slot[1])
        return f"{{{players[k]}}}" if k < len(players) else "…"

    return re.sub(r"\{(\d+)\}", name, text)
