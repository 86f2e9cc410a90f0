"""What is done of a run, kept in a file so that the run can be taken up again.

The first line says of which run, each other one holds a part: {"games": [start, stop], "tallies":
{"robot/4": {...}}}. A line that was not written to its end (the power went) is left out; its part
is played again. Any other line has to agree with itself and with the run: a file that was changed
by hand, or has gone bad, is refused rather than believed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from host_tools.plain_file import read_plain, reason

from .scoring import WAYS
from .settings import GAMES_MAX, RunError, Settings
from .tally import Tally

_BYTES_MAX = 1 << 30
_PART_MAX = 100_000  # games; far more than any part holds
_LARGEST = 10**12  # that a figure of a part can come to


class SaveFile:
    """The parts that a file holds, and a pen for more.

    The number of games is no part of what a run is: asked for more, it goes on. RunError, in one
    line, when the file is of another run, cannot be written, or contradicts itself.
    """

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self.path = Path(path)
        self.done: set[int] = set()  # numbers of games
        self.tallies: dict[str, Tally] = {}
        self._settings = settings
        said = asdict(settings)
        n_games = said.pop("games")
        header = json.dumps({"settings": said})
        try:
            # Bytes, so that a last line cut in the middle of a letter does no harm.
            there = self.path.exists()
            lines = read_plain(self.path, _BYTES_MAX).split(b"\n") if there else [b""]
            first = lines[0].decode(errors="replace")
            if len(lines) > 1 and first == header:
                whole = 1 + self._read(lines[1:-1])
                self._cut_after(lines[:whole])
            elif len(lines) == 1 and header.startswith(first):
                self.path.write_text(header + "\n", encoding="utf-8")
            else:
                raise RunError(
                    f"{path}: is not a run with these settings; "
                    "give the same options, or another file"
                )
        except OSError as error:
            raise RunError(f"--save {path}: {reason(error)}") from None
        if self.done and max(self.done) >= n_games:
            raise RunError(
                f"{path}: holds {max(self.done) + 1} games already; ask for as many, or more"
            )

    def _read(self, lines: list[bytes]) -> int:
        """Take the parts in. Return how many lines are to be kept."""
        for number, line in enumerate(lines):
            where = f"{self.path} line {number + 2}"
            try:
                part = json.loads(line)
                start, stop = part["games"]
                tallies = part["tallies"].items()
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                if number == len(lines) - 1:
                    return number
                raise RunError(f"{where}: cannot be read; take another file") from None
            try:
                self._check_stretch(start, stop)
                self._check_tallies(range(start, stop), dict(tallies))
                found = {key: Tally.from_json(data) for key, data in tallies}
            except _Wrong as wrong:
                raise RunError(f"{where}: {wrong}; take another file") from None
            games = range(start, stop)
            if not self.done.isdisjoint(games):
                raise RunError(f"{where}: games that another line has, too; take another file")
            self.done.update(games)
            for key, tally in found.items():
                self.tallies.setdefault(key, Tally()).merge(tally)
        return len(lines)

    @staticmethod
    def _check_stretch(start: Any, stop: Any) -> None:
        _want(type(start) is int and type(stop) is int, "games are not whole numbers")
        _want(
            0 <= start < stop <= GAMES_MAX and stop - start <= _PART_MAX,
            f"claims the games {str(start)[:20]} to {str(stop)[:20]}, which no part can hold",
        )

    def _check_tallies(self, games: range, tallies: dict[str, Any]) -> None:
        wanted = Counter(self._settings.key(index) for index in games)
        _want(set(tallies) == set(wanted), "has not the tables that its games are played at")
        for key, data in tallies.items():
            _want(
                isinstance(data, dict) and set(data) <= {"counts", "spreads", "sheets"},
                f"{key} is no tally",
            )
            _check_tally(key, data, wanted[key], self._settings)

    def _cut_after(self, lines: list[bytes]) -> None:
        size = sum(len(line) + 1 for line in lines)
        if size < self.path.stat().st_size:
            os.truncate(self.path, size)

    def add(self, start: int, stop: int, tallies: dict[str, Tally]) -> None:
        """Keep a part that is done; it is on the disk when this returns."""
        data = {key: tally.to_json() for key, tally in tallies.items()}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"games": [start, stop], "tallies": data}) + "\n")
            file.flush()
            os.fsync(file.fileno())


class _Wrong(ValueError):
    """What is wrong with a line."""


def _want(good: bool, why: str) -> None:
    if not good:
        raise _Wrong(why)


def _check_tally(key: str, data: dict[str, Any], n_matches: int, settings: Settings) -> None:
    counts, spreads = data.get("counts"), data.get("spreads")
    if not isinstance(counts, dict) or not isinstance(spreads, dict):
        raise _Wrong(f"{key} is no tally")
    for name, n in counts.items():
        good = type(n) is int and 0 <= n <= _LARGEST
        _want(good, f"{key} counts {str(n)[:40]} {name[:40]!r}")
    matches, games = counts.get("matches", 0), counts.get("games", 0)
    _want(matches == n_matches, f"{key} counts {matches} matches in {n_matches}")
    _want(
        settings.scoring != "none" or games <= matches * settings.in_a_row,
        f"{key} counts {games} games in {matches} matches",
    )
    won = sum(n for name, n in counts.items() if name.startswith("won/"))
    _want(won <= max(games, matches), f"{key} has more winners than games")
    n_players = int(key.rsplit("/", 1)[1])
    for name in ("turns", "drawn", "laid"):
        _want(name in spreads or not games, f"{key} has no {name}")
    for name, spread in spreads.items():
        n = _size_of(key, name, spread)
        if name in ("turns", "drawn", "laid"):
            _want(n == games, f"{key} has {n} {name} for {games} games")
        elif name == "points":
            _want(n <= matches * n_players, f"{key} has {n} points for {matches} matches")
        elif name == "match_games":
            _want(n <= matches, f"{key} has {n} {name} for {matches} matches")
        else:
            _want(n <= games, f"{key} has {n} {name[:40]!r} for {games} games")
    sheets = data.get("sheets", {})
    _want(isinstance(sheets, dict) and len(sheets) <= n_matches, f"{key} has no list of sheets")
    for index, sheet in sheets.items():
        known = index.isascii() and index.isdecimal() and len(index) < 10
        _want(
            known and settings.key(int(index)) == key, f"{key} has a sheet of no match of its own"
        )
        _check_sheet(f"{key} sheet {index}", sheet, n_players)


def _size_of(key: str, name: str, spread: Any) -> int:
    """Return how many values a spread holds, each of which is a whole number in sight."""
    if not isinstance(spread, dict):
        raise _Wrong(f"{key} {name[:40]!r} is no spread")
    total = 0
    for value, n in spread.items():
        good = value.isascii() and value.removeprefix("-").isdecimal() and len(value) <= 13
        _want(good and type(n) is int and 0 < n <= _LARGEST, f"{key} {name[:40]!r} is no spread")
        total += n
    return total


def _check_sheet(where: str, sheet: Any, n_players: int) -> None:
    """Check that a score sheet adds up."""
    try:
        sums = [0] * n_players
        for game in sheet["games"]:
            _want(
                all(type(made) is int and made >= 0 for made in game["points"]), f"{where} is none"
            )
            sums = [have + made for have, made in zip(sums, game["points"], strict=True)]
            _want(sums == game["sums"], f"{where} does not add up")
            _want(
                all(type(who) is int and 0 <= who < n_players for who in game["seated"])
                and game["out"] in (None, *game["seated"]),
                f"{where} has players that there are not",
            )
        _want(sums == sheet["points"], f"{where} does not add up")
        accounts = sheet.get("with_partner", [[0] * n_players] * n_players)
        _want(
            sheet["players"] == n_players
            and sheet["scoring"] in WAYS
            and all(who in range(n_players) for who in sheet["winners"])
            and len(accounts) == n_players
            and all(len(row) == n_players for row in accounts)
            and all(type(made) is int for row in accounts for made in row)
            and isinstance(sheet["why"], str)
            and isinstance(sheet["counts_as"], str),
            f"{where} is no score sheet",
        )
    except _Wrong:
        raise
    except (KeyError, TypeError, AttributeError, ValueError):
        raise _Wrong(f"{where} is no score sheet") from None
