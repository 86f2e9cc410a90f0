"""The page shows that the robot waits for a race to end and how to say so, who has won; in each
of its languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sim.web.server import STATIC

from . import tools

LANGUAGES = ("es", "en", "fr", "de", "pt", "it")


def _words(language: str) -> dict[str, set[str]]:
    """Key -> what is filled in."""
    text = (STATIC / f"words-{language}.js").read_text(encoding="utf-8")
    found = re.findall(r'(?:^|[\s,])(?:"([\w-]+)"|(\w+)): "((?:[^"\\]|\\.)*)"', text)
    return {a or b: set(re.findall(r"\{\w+\}", words)) for a, b, words in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_page_has_every_word(language: str) -> None:
    assert len(_words("en")) > 80
    assert _words(language) == _words("en")


def test_the_page_offers_each_of_them() -> None:
    assert sorted(p.stem for p in STATIC.glob("words-*.js")) == sorted(
        f"words-{language}" for language in LANGUAGES
    )


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    robot = tools.RobotServer("--lang=en")
    yield robot
    robot.stop()


@pytest.fixture
def page(server: tools.RobotServer, open_page: Callable[..., Any]) -> Any:
    return open_page(server)


def _happens(page: Any, **event: Any) -> None:
    """As if the robot had told it."""
    page.evaluate(
        "event => roboto.link.dispatchEvent(new CustomEvent('event', { detail: event }))",
        {"at": 1000, **event},
    )


def _says(page: Any, race: bool, kind: str | None) -> None:
    captions = {language: "Ana against Ben" for language in LANGUAGES}
    _happens(page, event="say", race=race, kind=kind, captions=captions, text="", players=[])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_race_is_waited_for(page: Any, language: str) -> None:
    page.select_option("#language", language)
    hint = page.locator("#hint")
    _happens(page, event="state", state="play")
    playing = hint.inner_text()
    _says(page, True, "duel")
    assert hint.inner_text() != playing and "30 s" in hint.inner_text()
    page.locator("#table").click()
    assert hint.is_visible(), "at the table, too"
    page.locator("#leave-table").click()
    _says(page, False, None)  # the call
    assert hint.inner_text() == playing
    _says(page, True, "duel")
    _happens(page, event="state", state="won")
    assert "30 s" not in hint.inner_text()
    assert "racing" not in page.locator("body").get_attribute("class").split()


def test_victories_are_seen_and_corrected(page: Any) -> None:
    page.select_option("#language", "en")
    _happens(page, event="state", state="names")
    for player in range(3):
        _happens(page, event="record", what="name", player=player, ms=900, result="stored")
    won = page.locator("#names .victories")
    assert won.all_inner_texts() == ["", "", ""]
    _happens(page, event="state", state="won")
    _happens(page, event="victory", player=1, victories=1)
    assert won.all_inner_texts() == ["", "★ 1 won", ""]
    _happens(page, event="victory", player=2, victories=1)  # it was somebody else
    assert won.all_inner_texts() == ["", "", "★ 1 won"]
    _happens(page, event="state", state="play")
    _happens(page, event="state", state="won")
    _happens(page, event="victory", player=2, victories=2)
    assert won.all_inner_texts() == ["", "", "★ 2 won"]
    assert "Player 3: 2 won" in page.locator("#timeline").inner_text()
    _happens(page, event="state", state="names")
    assert won.count() == 0
