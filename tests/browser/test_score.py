"""The score sheet of the page: a match is noted, counted by the table's own code, kept, printed
and saved; and it fits on a phone, in each language."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.table.kept_score import counted, values, ways
from sim.web.server import STATIC
from tests.table.test_kept_score import played

from . import tools
from .test_race_and_victories import LANGUAGES

NAMES = ["Lucía", "=1+1", 'Ana "la jefa"', "Abuela Rosa", "Noé", "Zoë", "Ben", "Hugo"]


def _words() -> dict[str, dict[str, set[str]]]:
    """Language -> key -> what is filled in."""
    text = (STATIC / "score-words.js").read_text(encoding="utf-8")
    found = {}
    for language, block in re.findall(r"^  (\w\w): \{\n(.*?)^  \},", text, re.M | re.S):
        words = re.findall(r'(?:^|[\s,])(\w+): "((?:[^"\\]|\\.)*)"', block)
        found[language] = {key: set(re.findall(r"\{\w+\}", said)) for key, said in words}
    return found


def test_every_language_of_the_score_sheet_has_every_word() -> None:
    words = _words()
    assert sorted(words) == sorted(LANGUAGES)
    for language in LANGUAGES:
        assert words[language] == words["en"], language
    for way in ways(4):
        assert {f"score_way_{way}", f"score_how_{way}"} <= set(words["en"])
    for card in values():
        assert card.isdigit() or f"card_{card.replace(' ', '_')}" in words["en"]
    source = (tools.ROOT / "sim/table/scoring.py").read_text(encoding="utf-8")
    reasons = re.findall(r'self\._won\(\s*[^"]*?, ?\s*"(\w+)",', source)
    assert len(reasons) >= 9
    assert {f"score_because_{reason}" for reason in reasons} - set(words["en"]) == {
        "score_because_out_first",  # these end a game without points, which the page leaves out
        "score_because_nobody_out",
    }


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    robot = tools.RobotServer("--lang=en")
    yield robot
    robot.stop()


def _begin(page: Any, names: list[str], way: str, target: int) -> None:
    page.locator("#open-score").click()
    page.wait_for_selector(".score-setup")
    for count in range(4, len(names) + 1):
        page.locator("[data-focus=add]").click()
        page.wait_for_function(
            "n => document.querySelectorAll('.score-names li').length === n", arg=count
        )
    if len(names) == 2:
        page.locator("[data-focus=remove-2]").click()
        page.wait_for_selector("[data-focus=name-2]", state="detached")
    for who, name in enumerate(names):
        page.locator(f"[data-focus=name-{who}]").fill(name)
    page.locator("[data-focus=target]").fill(str(target))
    page.locator("[data-focus=target]").blur()
    page.wait_for_function(
        "t => document.querySelector('.score-way small').textContent.includes(t)", arg=str(target)
    )
    page.locator(f"[data-focus=way-{way}]").check()
    page.locator(f"[data-focus=way-{way}]:checked").wait_for()
    page.locator("[data-focus=begin]").click()
    page.wait_for_selector(".score-next")


def _enter(page: Any, game: dict, seated: list[int]) -> None:
    page.locator(f"[data-focus=out-{'null' if game['out'] is None else game['out']}]").check(
        force=True
    )
    for who in seated:
        hand = game["hands"][who]
        if who == game["out"]:
            continue
        field = page.locator(f"[data-focus=sum-{who}]")
        if isinstance(hand, list):
            for i, card in enumerate(hand, 1):
                page.locator(f'[data-focus="card-{who}-{card}"]').click()
                page.wait_for_function(
                    "([who, n]) => document.querySelector(`[data-focus='sum-${who}']`)"
                    ".closest('.score-hand').querySelectorAll('.held-card').length === n",
                    arg=[who, i],
                )
        elif hand:
            field.fill(str(hand))
            field.blur()
    before = page.locator(".score-table").first.locator("tbody tr").count()
    page.locator("[data-focus=enter]:enabled").click()
    page.wait_for_function(
        "n => document.querySelector('.score-table table').tBodies[0].rows.length === n",
        arg=before + 1,
    )


def _sums(page: Any) -> list[int]:
    cells = page.locator(".score-table").first.locator("tfoot td").all_inner_texts()
    return [int(cell) for cell in cells]


@pytest.mark.parametrize("way, n_players", [("winner", 3), ("fixed_pairs", 4), ("elimination", 4)])
def test_a_match_is_counted_as_the_table_counts_it(
    server: tools.RobotServer, open_page: Callable[..., Any], way: str, n_players: int
) -> None:
    match, note = played(way, n_players, 3, target=60)
    page = open_page(server)
    _begin(page, NAMES[:n_players], way, 60)
    for game, row in zip(note["games"], match.sheet.rows):
        _enter(page, game, row.seated)
        assert _sums(page) == row.sums
    verdict = page.locator(".score-verdict").inner_text()
    for who in match.sheet.winners:
        assert NAMES[who] in verdict
    assert page.locator(".score-next").count() == 0
    page.locator("[data-focus=undo]").click()  # the last game was noted wrongly
    page.wait_for_selector(".score-next")
    assert page.locator(".score-verdict").count() == 0


def test_pairs_say_who_sits_with_whom(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    match, note = played("pairs", 4, 2)
    page = open_page(server)
    _begin(page, NAMES[:4], "winner", 500)
    page.evaluate(
        "kept => localStorage.setItem('roboto-score', JSON.stringify(kept))",
        {**note, "names": NAMES[:4], "begun": True, "games": note["games"][:-1],
         "now": {"hands": [0] * 4}},
    )  # fmt: skip
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.greeted")
    page.locator("#open-score").click()
    page.wait_for_selector(".score-next")
    seated = match.sheet.rows[-1].seated
    assert f"{NAMES[seated[0]]} + {NAMES[seated[2]]}" in page.locator(".score-next").inner_text()
    last = note["games"][-1]
    _enter(page, last, seated)
    accounts = page.locator(".score-table").nth(1).locator("tbody td").all_inner_texts()
    told = [int(cell) for cell in accounts if cell]
    made = match.sheet.to_json()["with_partner"]
    made = match.sheet.to_json()["with_partner"]
    assert told == [made[i][j] for i in range(4) for j in range(4) if i != j] and sum(told)


def test_it_is_kept_and_saved_as_csv(
    server: tools.RobotServer, browser: Any, tmp_path: Path
) -> None:
    """Under the page's own policy; a name that a spreadsheet would work out is only a name."""
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(server.url)
    page.wait_for_selector("html[data-greeted]")
    _begin(page, NAMES[:3], "losers", 50)
    hands = [0, ["7", "draw two"], 5]
    _enter(page, {"out": 0, "hands": hands}, [0, 1, 2])
    page.locator("[data-focus='card-2-wild']").click()  # half-way through the next one
    page.wait_for_selector(".held-card")
    page.reload()
    page.locator("#open-score").click()
    page.wait_for_selector(".held-card")
    assert _sums(page) == [0, 27, 5]
    with page.expect_download() as download:
        page.locator("[data-focus=csv]").click()
    path = tmp_path / "score.csv"
    download.value.save_as(path)
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))
    assert rows[0][2:] == [NAMES[0], "'=1+1", NAMES[2]]
    assert rows[1][2:] == ["0", "27", "5"] and rows[-1][2:] == ["0", "27", "5"]
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("[data-focus=new]").click()
    page.wait_for_selector(".score-setup")
    assert page.locator("[data-focus=name-0]").input_value() == NAMES[0]
    page.context.close()


def test_the_names_are_those_that_were_recorded(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    page = open_page(server)
    happen = "e => roboto.link.dispatchEvent(new CustomEvent('event', { detail: e }))"
    page.evaluate(happen, {"at": 1, "event": "state", "state": "names"})
    for player in range(2):
        event = {"at": 2, "event": "record", "what": "name", "player": player, "ms": 900}
        page.evaluate(happen, {**event, "result": "stored"})
    page.locator("#names input").nth(1).fill("Mateo")
    page.locator("#open-score").click()
    page.wait_for_selector(".score-setup")
    shown = page.locator(".score-names input")
    assert [shown.nth(i).input_value() for i in range(shown.count())] == ["Player 1", "Mateo"]


@pytest.mark.parametrize(
    "language, width", [*((language, 320) for language in LANGUAGES), ("de", 1280)]
)
def test_nothing_sideways(
    server: tools.RobotServer, open_page: Callable[..., Any], language: str, width: int
) -> None:
    page = open_page(server, viewport={"width": width, "height": 740})
    page.select_option("#language", language)
    wide = "() => [document.documentElement, score].every(e => e.scrollWidth <= e.clientWidth)"
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator("#open-score").click()
    page.wait_for_selector(".score-setup")
    assert page.evaluate(wide), "the methods"
    page.locator("[data-focus=begin]").click()
    page.wait_for_selector(".score-next")
    page.locator("[data-focus=out-1]").check(force=True)
    page.locator("[data-focus=enter]:enabled").click()
    page.wait_for_selector(".score-table tbody tr")
    assert page.evaluate(wide), "the sheet"
    missing = page.evaluate("() => score.innerText.match(/score_\\w+|card_\\w+|\\{\\w+\\}/g)")
    assert not missing
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".score-table").first.is_visible()
    assert not page.locator(".score-next").is_visible() and not page.locator("main").is_visible()


def test_the_server_says_in_one_line_what_is_no_match(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    page = open_page(server)
    ask = """async body => {
      const token = encodeURIComponent(location.hash.slice(1));
      const answer = await fetch(`score?token=${token}`, { method: "POST", body });
      return [answer.status, await answer.text()];
    }"""
    note = {"way": "winner", "target": 500, "players": 2, "games": [{"out": 0, "hands": [0, 9]}]}
    status, text = page.evaluate(ask, json.dumps(note))
    assert status == 200 and json.loads(text) == json.loads(json.dumps(counted(note)))
    for body in ("", "[", "[]", '{"players": 1}', json.dumps({**note, "way": "luck"})):
        status, text = page.evaluate(ask, body)
        assert status == 422 and text and "\n" not in text.strip(), body
    assert page.evaluate(ask, "x" * 600_000)[0] == 413
    refused = page.evaluate("async () => (await fetch('score', { method: 'POST' })).status")
    assert refused == 403
