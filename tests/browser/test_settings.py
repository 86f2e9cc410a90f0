"""The robot's settings on the page: those of the spoken menu, in its words, in all languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from roboto.game.kinds import GAMES, PACES

from host_tools.voice import catalogue
from sim.live import SETTINGS_SHOWN
from sim.web.captions import PAGE_LANGUAGES

from . import tools

YES_OR_NO = ("keep_game", "gentle")


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    robot = tools.RobotServer("--lang=en")
    yield robot
    robot.stop()


def _told(server: tools.RobotServer) -> list[dict[str, Any]]:
    """What was set, one after the other."""
    return [
        {key: value for key, value in event.items() if key not in ("t", "event")}
        for event in server.trace()
        if event["event"] == "set"
    ]


def test_set_on_one_page_seen_on_every_other(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    """Switched off or on; and by whoever comes later. Who only watches sets nothing."""
    first, second = open_page(server), open_page(server)
    shown = first.locator("#settings label:visible").evaluate_all(
        "labels => labels.map(label => label.querySelector('input, select').id)"
    )
    assert shown == list(SETTINGS_SHOWN)
    assert second.locator("#gentle").is_disabled() and second.locator("#pace").is_disabled()
    first.locator("#gentle").check()
    first.locator("#pace").select_option("wild")
    second.wait_for_function("() => document.getElementById('gentle').checked")
    second.wait_for_function("() => document.getElementById('pace').value === 'wild'")
    tools.switch_on(first)
    tools.wait_for_state(first, "names")
    third = open_page(server)
    assert third.locator("#gentle").is_checked() and third.locator("#pace").input_value() == "wild"
    first.locator("#gentle").uncheck()
    first.locator("#game").select_option("wheel")
    third.wait_for_function("() => !document.getElementById('gentle').checked")
    third.wait_for_function("() => document.getElementById('game').value === 'wheel'")
    assert _told(server) == [
        {"gentle": True},
        {"pace": "wild"},
        {"gentle": False},
        {"game": "wheel"},
    ]


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_it_says_what_the_spoken_menu_says(
    language: str, server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    page = open_page(server)
    if not page.locator("input[name=switch][value=on]").is_checked():
        tools.switch_on(page)
    page.wait_for_function("() => document.getElementById('game')?.options.length > 1")
    page.locator("#language").select_option(language)
    said = catalogue.read(catalogue.PHRASES / f"{language}.txt")
    values = {"game": GAMES, "pace": [name for name, *_ in PACES]}
    for key, may in values.items():
        label = page.locator(f"label:has(#{key})")
        assert label.locator("span").inner_text() == said[f"menu.{key}"].text
        assert label.locator("option").all_inner_texts() == [
            said[f"menu.value.{value}"].text for value in may
        ]
    assert page.get_by_label(said["menu.keep_game"].text).is_visible()
    empty = "() => [...document.querySelectorAll('#settings span')].some(s => !s.innerText)"
    assert not page.evaluate(empty)


def test_what_is_no_setting_is_refused(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    page = open_page(server)
    before = _told(server)
    wrong = [
        {"key": "pace", "value": "hasty"},
        {"key": "gentle", "value": 1},
        {"key": "volume", "value": 3},
        {"key": "language", "value": "en"},
        {"key": ["pace"], "value": None},
        {},
    ]
    for message in wrong:
        page.evaluate("m => roboto.link.send(m)", {"t": "set", **message})
    page.evaluate("m => roboto.link.send(m)", {"t": "set", "key": "keep_game", "value": True})
    page.wait_for_function("() => document.getElementById('keep_game').checked")
    assert _told(server) == [*before, {"keep_game": True}], json.dumps(wrong)
