"""What a page may send to have a match counted."""

from __future__ import annotations

import json
import random
from typing import Any

from sim.table.kept_score import counted, values, ways
from sim.table.scoring import WAYS

from . import REFUSED, TAKEN

IN_CI = 1000

_CARDS = sorted(values())
_NO_NUMBER = (None, True, False, -1, 1.5, 10**30, "7", "", [], {}, [None], {"a": []})


def draw(rng: random.Random) -> Any:
    """Return a note of some games, mostly a good one with something wrong in it."""
    n_players = rng.choice([2, 3, 4, 4, 6, 8, 10])
    games = []
    for _ in range(rng.randrange(15)):
        out = rng.randrange(n_players)
        hands = [0 if who == out else _hand(rng) for who in range(n_players)]
        games.append({"out": out, "hands": hands})
    way = rng.choice([*WAYS, *3 * ways(n_players), "luck"])
    note = {"way": way, "target": rng.choice([1, 500, 5000, 100_000]), "players": n_players}
    note.update(games=games, now=[_hand(rng) for _ in range(n_players)])
    if rng.random() < 0.3:
        place = rng.choice([note, *games])
        place[rng.choice(sorted(place))] = rng.choice(_NO_NUMBER)
    return note


def _hand(rng: random.Random) -> Any:
    if rng.random() < 0.001:
        return rng.choice(_NO_NUMBER)
    if rng.random() < 0.5:
        return rng.randrange(200)
    return rng.choices(_CARDS, k=rng.randrange(8))


def one(given: Any) -> str:
    """Count it: the rows add up, and the sheet can be sent."""
    try:
        sheet = counted(given)
    except ValueError as error:
        assert str(error) and len(str(error).splitlines()) == 1, str(error)
        return REFUSED
    columns = zip(*(game["points"] for game in sheet["games"]))
    sums = [sum(column) for column in columns] or [0] * sheet["players"]
    assert sums == sheet["points"]
    assert (sheet["seated"] is None) == bool(sheet["because"])
    json.dumps(sheet)
    return TAKEN
