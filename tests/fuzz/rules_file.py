"""A family's file of rules, and a game by whatever it says."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from sim.table.game import Game
from sim.table.players import seat_players
from sim.table.rules import RULES_FILE, RulesError, load

from . import REFUSED, TAKEN

IN_CI = 300

_PRINTED = RULES_FILE.read_bytes()
_KEYS = sorted({line.split(b" =")[0] for line in _PRINTED.splitlines() if b" = " in line})
_VALUES = (
    b"0", b"1", b"2", b"7", b"20", b"21", b"-1", b"9" * 5000, b"1.5", b"nan", b"true", b"false",
    b'"acts"', b'"back"', b'"may"', b'"must"', b'"any"', b'"left"', b'"right"', b'"named"',
    b'"draw_four"', b'"others_draw"', b'"none"', b'""', b'"\\u0000"', b"[]", b"[2, 10]", b"[2, 4]",
    b'["red 7", "wild"]', b'["red 0", "red 0"]', b"[" * 5000, b"{a = 1}", b"1979-05-27", b"'x'",
    b'"""\n\n"""', b"\xff", b"\xef\xbb\xbf",
)  # fmt: skip


def draw(rng: random.Random) -> bytes:
    """Return a file that says a few things of its own, or the printed one with bytes changed."""
    if rng.random() < 0.3:
        data = bytearray(_PRINTED)
        for _ in range(rng.choice([1, 1, 2, 5, 30])):
            at = rng.randrange(len(data))
            data[at : at + rng.choice([0, 1, 1, 5, 500])] = rng.choice(
                [b"", bytes([rng.randrange(256)]), rng.choice(_VALUES), b"\n", b"["]
            )
        return bytes(data)
    lines = [
        rng.choice([b"[ours]", b"[ours]", b"[common]", b"[[ours]]", b"[a.b]", b'["a/b"]', b""])
    ]
    for _ in range(rng.randrange(6)):
        lines.append(rng.choice(_KEYS) + b" = " + rng.choice(_VALUES))
    return rng.choice([b"", b"", b"\xef\xbb\xbf"]) + rng.choice([b"\n", b"\r\n"]).join(lines)


def one(given: Any) -> str:
    """Read it, and play a game by each of its rule sets with as many as they allow."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "ours.toml")
        file.write_bytes(given)
        try:
            sets = load(file)
        except RulesError as error:
            assert "\n" not in str(error) and len(str(error)) < 1200, str(error)
            return REFUSED
    for rules in sets.values():
        for n_players in set(rules.players):
            game = Game(rules, seat_players(["human"], n_players), random.Random(1))
            game.play()
            cards = [*game.pile, *game.discard, *(card for hand in game.hands for card in hand)]
            assert sorted(cards) == sorted(rules.deck)
    return TAKEN
