"""Rule sets as data: read from rules.toml, or from a family's own file of the same form."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

RULES_FILE = Path(__file__).with_name("rules.toml")

# What each rule may say; the others are numbers or true/false, checked by their type.
CHOICES = {
    "dealer": ("none", "highest", "highest_number"),
    "first_player": ("left", "right", "named"),
    "first_skip": ("back", "acts"),
    "first_reverse": ("back", "other_side", "dealer", "acts"),
    "first_draw_two": ("back", "acts", "draws_only"),
    "first_wild": ("back", "player_names", "random"),
    "first_wild_draw_four": ("back", "acts"),
    "drawn_card": ("may", "must"),
    "wild_draw_four": ("no_colour", "last_resort", "any"),
    "two_player_reverse": ("skip", "turn"),
    "scoring": ("none", "winner", "losers", "pairs", "elimination"),
}


class RulesError(ValueError):
    """A rule set that cannot be used; the message says which, where, and what to do."""


@dataclass(frozen=True)
class Rules:
    """One rule set. rules.toml says what each field means."""

    name: str
    sheet: str
    players: tuple[int, int]
    hand_cards: int
    dealer: str
    first_player: str
    first_skip: str
    first_reverse: str
    first_draw_two: str
    first_wild: str
    first_wild_draw_four: str
    drawn_card: str
    voluntary_draw: bool
    wild_draw_four: str
    challenge: bool
    guilty_draws: int
    innocent_draws: int
    stack_draw_twos: bool
    two_player_reverse: str
    uno_penalty: int
    wrong_card_draws: int
    wrong_card_taken_back: bool
    advice_draws: int
    scoring: str


_TYPES: dict[str, Any] = {field.name: field.type for field in fields(Rules)}


def _check(where, key, value):
    if key not in _TYPES or key == "name":
        known = ", ".join(key for key in _TYPES if key != "name")
        raise RulesError(f"{where}: no rule is called {key!r}; there are: {known}")
    if key == "players":
        good = (
            isinstance(value, list)
            and len(value) == 2
            and all(type(n) is int for n in value)
            and 2 <= value[0] <= value[1] <= 10
        )
        if not good:
            raise RulesError(f"{where}: players is [least, most], from 2 to 10; got {value!r}")
        return tuple(value)
    if key in CHOICES:
        if value not in CHOICES[key]:
            raise RulesError(f"{where}: {key} is one of {', '.join(CHOICES[key])}; got {value!r}")
    elif type(value) is not _TYPES[key]:
        raise RulesError(f"{where}: {key} wants {_TYPES[key].__name__}; got {value!r}")
    elif type(value) is int and not 0 <= value <= 20:
        raise RulesError(f"{where}: {key} goes from 0 to 20; got {value!r}")
    return value


def load(path=RULES_FILE):
    """All rule sets of a file, by name. A file without [common] builds on the printed sheets.

    RulesError when the file cannot be read or says something that is no rule.
    """
    path = Path(path)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"{path}: not a TOML file: {error}") from None
    common = tables.pop("common", None)
    if common is None:
        common = tomllib.loads(RULES_FILE.read_text(encoding="utf-8"))["common"]
    sets = {}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise RulesError(f"{path}: {name!r} stands outside of a [rule set]")
        said: dict[str, Any] = {
            key: _check(f"{path} [{name}]", key, value)
            for key, value in {"sheet": name, **common, **table}.items()
        }
        missing = [key for key in _TYPES if key not in said and key != "name"]
        if missing:
            raise RulesError(f"{path} [{name}]: not said: {', '.join(missing)}")
        sets[name] = Rules(name=name, **said)
    if not sets:
        raise RulesError(f"{path}: no rule set in it; begin one with a line like [family]")
    return sets


def named(name, path=RULES_FILE):
    """One rule set by its name. RulesError, listing the names, when there is none."""
    sets = load(path)
    if name not in sets:
        raise RulesError(f"no rule set is called {name!r}; there are: {', '.join(sets)}")
    return sets[name]
