"""firmware/phrases/commands.toml: what each command does to the cards and asks of a table.

The check of that whole folder is here, too: check_texts().
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboto.game.kinds import ACTS, GAMES

from . import catalogue, say_as
from .catalogue import COMMANDS, PHRASES, CatalogueError

COLOURS = ("red", "yellow", "green", "blue")

# Field -> what it may be, in words and as a test.
_Field = tuple[str, Callable[[Any], bool]]
_COUNT: _Field = ("a whole number from 1", lambda v: type(v) is int and v >= 1)
_FAILS: _Field = ("a number from 0 to 1", lambda v: type(v) in (int, float) and 0 <= v <= 1)
_PLAYERS: _Field = ("a whole number from 2 to 10", lambda v: type(v) is int and 2 <= v <= 10)
_YES_NO: _Field = ("true or false", lambda v: type(v) is bool)


def _one_of(*words: str) -> _Field:
    return " or ".join(words), lambda v: v in words


EFFECTS: dict[str, dict[str, _Field]] = {
    "none": {},
    "discard": {"count": _COUNT, "choose": _one_of("any", "highest", "blind")},
    "discard_colour": {"colour": _one_of(*COLOURS)},
    "draw": {"count": _COUNT},
    "dare": {"count": _COUNT, "fails": _FAILS},
    "hurry": {"count": _COUNT, "fails": _FAILS},
    "trade": {},
    "trade_cards": {"count": _COUNT},
    "trade_all": {"direction": _one_of("left", "right")},
    "reverse": {},
    "random_order": {},
    "race": {"loser_draws": _COUNT},
}
_NEEDS_TWO = ("trade", "trade_cards")

TRAITS: dict[str, _Field] = {
    "players_min": _PLAYERS,
    "race": _YES_NO,
    "hands": _YES_NO,
    "judge": _one_of("others"),
    "gentle": _YES_NO,
    "holds": _YES_NO,
    "act": _one_of(*(act for act, _, _, _ in ACTS)),
}
_ACT_KIND = {act: kind for act, kind, _, _ in ACTS}
_VOTERS = 1  # players beside the two of a duel, where the others vote


@dataclass(frozen=True)
class Traits:
    """What a command asks of a table; commands.toml explains each."""

    players_min: int
    race: bool
    hands: bool
    judge: str  # "others", or "" where what happens decides
    gentle: bool
    holds: bool
    act: str  # what it does after it was said; "" for nothing


class Commands:
    """What commands do. of("duel.stare") -> {"effect": "race", "loser_draws": 2}."""

    def __init__(self, path: Path = PHRASES / "commands.toml") -> None:
        """Read the file; CatalogueError names every mistake in it."""
        try:
            self._tables = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise CatalogueError([f"{path}: no such file"]) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CatalogueError([f"{path.name}: {error}"]) from None
        self.keep: list[str] = self._tables.pop("keep", [])
        self.keep_games: list[str] = self._tables.pop("keep_games", [])
        mistakes = [f"{path.name}: {line}" for line in self._mistakes()]
        if mistakes:
            raise CatalogueError(mistakes)

    def of(self, id: str) -> dict[str, Any]:
        """Return the effect of a command and its fields; KeyError when the kind is unknown."""
        line = self._line(id)
        return {field: line[field] for field in ("effect", *EFFECTS[line["effect"]])}

    def traits(self, id: str) -> Traits:
        """Return what a command asks of a table; KeyError when the kind is unknown."""
        line = self._line(id)
        return Traits(
            line.get("players_min", 2),
            line.get("race", line["effect"] == "race"),
            line.get("hands", False),
            line.get("judge", ""),
            line.get("gentle", True),
            line.get("holds", False),
            line.get("act", ""),
        )

    def mechanic(self, id: str) -> tuple[str, str, str, bool, bool, str]:
        """Return what a command has in common with those that are played as it is."""
        traits = self.traits(id)
        kind = id.partition(".")[0]
        return kind, self.of(id)["effect"], traits.judge, traits.hands, traits.holds, traits.act

    def listed(self) -> list[str]:
        """Return the ids that have a line of their own."""
        return [f"{kind}.{name}" for kind in COMMANDS for name in self._tables.get(kind, {})]

    def _line(self, id: str) -> dict[str, Any]:
        """Return a command's line, filled up by what its kind does by default."""
        kind, _, name = id.partition(".")
        line = self._tables.get(kind, {}).get(name, {})
        return line if "effect" in line else {**self._tables["default"][kind], **line}

    def _mistakes(self) -> Iterator[str]:
        default = self._tables.get("default", {})
        for kind in COMMANDS:
            if kind not in default:
                yield f"[default] lacks {kind}"
        for kind, table in self._tables.items():
            if kind != "default" and kind not in COMMANDS:
                yield f"[{kind}] is no kind of command; take {', '.join(COMMANDS)}"
                continue
            for name, what in table.items():
                place = f"[{kind}] {name}"
                if kind != "default" and isinstance(what, dict) and "effect" not in what:
                    what = {**default.get(kind, {}), **what}
                yield from _wrong(place, what, name if kind == "default" else kind)
        if not isinstance(self.keep, list) or not all(type(id) is str for id in self.keep):
            yield 'keep is a list of ids, like "duel.stare"'
            self.keep = []
        if not isinstance(self.keep_games, list) or not set(self.keep_games) <= set(GAMES[1:]):
            yield f"keep_games is a list of games; there are {', '.join(GAMES[1:])}"
            self.keep_games = []
        for id in sorted({id for id in self.keep if self.keep.count(id) > 1}):
            yield f"keep has {id} more than once; one place each"


def _wrong(place: str, what: Any, kind: str) -> Iterator[str]:
    """Tell what is wrong with one line."""
    if not isinstance(what, dict) or what.get("effect") not in EFFECTS:
        yield f"{place}: no known effect; take one of {', '.join(EFFECTS)}"
        return
    effect = what["effect"]
    fields = EFFECTS[effect]
    if effect in _NEEDS_TWO and COMMANDS.get(kind, (2, 0))[0] != 2:
        yield f"{place}: {effect} needs two named players"
    for field in fields:
        if field not in what:
            yield f"{place}: {effect} needs {field}, {fields[field][0]}"
    for field, value in what.items():
        if field == "effect":
            continue
        if field not in fields and field not in TRAITS:
            yield f"{place}: {effect} has no {field}"
            continue
        meaning, fits = fields.get(field) or TRAITS[field]
        if not fits(value):
            yield f"{place}: {field} = {value!r}; write {meaning}"
    named = COMMANDS.get(kind, (0, 0))[0]
    if what.get("judge") == "others" and what.get("players_min", 2) in range(named + _VOTERS):
        yield f"{place}: the others judge, so players_min is {named + _VOTERS} or more"
    act = what.get("act")
    if act in _ACT_KIND and kind != _ACT_KIND[act]:
        yield f"{place}: act = {act!r} belongs to a {_ACT_KIND[act]}"
    if what.get("holds") and not named:
        yield f"{place}: it holds nobody, for it names nobody; remove holds"


def check_texts(langs: list[str] | None = None) -> tuple[list[str], list[str]]:
    """Return the mistakes in the files of firmware/phrases, and what is told beside them.

    That is where languages differ, and what is there for nothing. langs: all that are there,
    unless told.
    """
    mistakes: list[str] = []
    catalogues = {}
    for lang in catalogue.languages() if langs is None else langs:
        phrases, wrong = catalogue.parse(catalogue.PHRASES / f"{lang}.txt")
        mistakes += wrong
        if phrases:
            catalogues[lang] = phrases
    try:
        known = {id for phrases in catalogues.values() for id in phrases}
        commands = Commands()
        mistakes += [
            f"commands.toml: {id} is in no phrase file; correct or remove the line"
            for id in dict.fromkeys(commands.listed() + commands.keep)
            if id not in known
        ]
    except CatalogueError as error:
        mistakes += error.lines
    wrong, unused = say_as.check(catalogues)
    return mistakes + wrong, catalogue.differences(catalogues) + unused
