"""Rule sets as data: read from rules.toml, or from a family's own file of the same form."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from host_tools.plain_file import read_toml, reason

from .cards import (
    BLANK,
    DECK,
    DRAW_TWO,
    EFFECT,
    FOUR,
    N_KINDS,
    N_SYMBOLS,
    NOTHING,
    OTHERS,
    REVERSE,
    REVERSES,
    SKIP,
    SKIPS,
    TWO,
    WILD,
    WILD_DRAW_FOUR,
    parse,
)

RULES_FILE = Path(__file__).with_name("rules.toml")
_BYTES_MAX = 1_000_000

_BLANK_DOES = {
    "wild": NOTHING,
    "skip": SKIPS,
    "reverse": REVERSES,
    "draw_two": TWO,
    "draw_four": FOUR,
    "others_draw": OTHERS,
}

# What each rule may say; the others are numbers or true/false, checked by their type.
CHOICES = {
    "blank_does": tuple(_BLANK_DOES),
    "dealer": ("none", "highest", "highest_number"),
    "first_player": ("left", "right", "named"),
    "direction": ("left", "right"),
    "first_skip": ("back", "acts"),
    "first_reverse": ("back", "other_side", "dealer", "acts"),
    "first_draw_two": ("back", "acts", "draws_only"),
    "first_wild": ("back", "player_names", "random"),
    "first_wild_draw_four": ("back", "acts"),
    "drawn_card": ("may", "must"),
    "declined_card": ("may", "must"),
    "wild_draw_four": ("no_colour", "last_resort", "any"),
    "two_player_reverse": ("skip", "turn"),
    "uno_until": ("next_begins", "own_next_card"),
    "scoring": ("none", "winner", "losers", "fixed_pairs", "pairs", "elimination"),
}
# How far numbers go, from and to; where nothing is said, from 0 to 20.
_RANGES = {"hand_cards": (1, 20), "spare_cards": (0, 4), "blank_points": (0, 100)}


class RulesError(ValueError):
    """A rule set that cannot be used; the message says which, where, and what to do."""


@dataclass(frozen=True)
class Rules:
    """One rule set. rules.toml says what each field means."""

    name: str
    sheet: str
    players: tuple[int, int]
    hand_cards: int
    spare_cards: int
    blank_cards: int
    blank_does: str
    blank_points: int
    lost_cards: tuple[int, ...]
    dealer: str
    first_player: str
    direction: str
    first_skip: str
    first_reverse: str
    first_draw_two: str
    first_wild: str
    first_wild_draw_four: str
    drawn_card: str
    declined_card: str
    voluntary_draw: bool
    wild_draw_four: str
    challenge: bool
    guilty_draws: int
    innocent_draws: int
    stack_draw_twos: bool
    two_player_reverse: str
    uno_penalty: int
    uno_until: str
    wrong_card_draws: int
    wrong_card_taken_back: bool
    advice_draws: int
    scoring: str

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """Return the cards that are played with, unshuffled."""
        deck = list(DECK)
        for card in self.lost_cards[self.spare_cards - self.blank_cards :]:
            deck.remove(card)
        return (*deck, *[BLANK] * self.blank_cards)

    @cached_property
    def effects(self) -> tuple[int, ...]:
        """Return what each kind of card does to the player who would go on; the last is the
        blank's."""
        return (*EFFECT, _BLANK_DOES[self.blank_does])

    @cached_property
    def as_first(self) -> tuple[str, ...]:
        """Return what each kind of card does as the first one turned up; "back": it goes back."""
        what = {
            SKIP: self.first_skip,
            REVERSE: self.first_reverse,
            DRAW_TWO: self.first_draw_two,
            WILD: self.first_wild,
            WILD_DRAW_FOUR: self.first_wild_draw_four,
            BLANK: "back",
        }
        return tuple(
            what.get(card if card >= WILD else card % N_SYMBOLS, "lies")
            for card in range(N_KINDS + 1)
        )


_TYPES = {field.name: str(field.type) for field in fields(Rules) if field.name != "name"}
_KINDS = {"str": str, "int": int, "bool": bool}


def _check(where: str, key: str, value: Any) -> Any:
    """Return the value as Rules wants it. RulesError, in one line, when it is none."""
    if key not in _TYPES:
        raise RulesError(
            f"{where}: no rule is called {_shown(key)!r}; there are: {', '.join(_TYPES)}"
        )
    if key == "players":
        return _players(where, value)
    if key == "lost_cards":
        return _lost_cards(where, value)
    if key in CHOICES:
        if value not in CHOICES[key]:
            raise _wrong(where, f"{key} is one of {', '.join(CHOICES[key])}", value)
        return value
    kind = _KINDS[_TYPES[key]]
    if type(value) is not kind:
        raise _wrong(where, f"{key} wants {kind.__name__}", value)
    least, most = _RANGES.get(key, (0, 20))
    if kind is int and not least <= value <= most:
        raise _wrong(where, f"{key} goes from {least} to {most}", value)
    if kind is str and (len(value) > 100 or not value.isprintable()):
        raise _wrong(where, f"{key} is a line of at most 100 letters", value)
    return value


def _wrong(where: str, wanted: str, value: Any) -> RulesError:
    got = repr(value)
    return RulesError(f"{where}: {wanted}; got {got if len(got) <= 60 else got[:57] + '...'}")


def _players(where: str, value: Any) -> tuple[int, int]:
    good = (
        isinstance(value, list)
        and len(value) == 2
        and all(type(n) is int for n in value)
        and 2 <= value[0] <= value[1] <= 10
    )
    if not good:
        raise _wrong(where, "players is [least, most], from 2 to 10", value)
    return value[0], value[1]


def _lost_cards(where: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 8:
        raise _wrong(where, "lost_cards is a list of at most 8 cards", value)
    lost = []
    for text in value:
        try:
            card = parse(text) if isinstance(text, str) else None
        except ValueError:
            card = None
        if card is None or card == BLANK:
            raise _wrong(where, "lost_cards is a list of cards like 'red 7' or 'wild'", text)
        lost.append(card)
        if lost.count(card) > DECK.count(card):
            raise RulesError(
                f"{where}: lost_cards: there are only {DECK.count(card)} of {_shown(text)!r}"
            )
    return tuple(lost)


def _agree(where: str, rules: Rules) -> None:
    """Check what only two rules together can get wrong."""
    if rules.blank_cards > rules.spare_cards:
        raise RulesError(
            f"{where}: blank_cards = {rules.blank_cards}, but spare_cards = {rules.spare_cards}: "
            "no more can be played with than are in the box"
        )
    # Whatever is dealt, a card that may be the first has to be left.
    dealt = rules.hand_cards * rules.players[1]
    going_back = sum(rules.as_first[card] == "back" for card in rules.deck)
    if dealt + going_back >= len(rules.deck):
        raise RulesError(
            f"{where}: hand_cards = {rules.hand_cards} for players = {list(rules.players)}: "
            f"the {len(rules.deck)} cards do not go round; fewer cards, or fewer players"
        )


def _read(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file. RulesError, in one line, when it is none."""
    try:
        return read_toml(path, _BYTES_MAX)
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {reason(error)}") from None


def load(path: str | Path = RULES_FILE) -> dict[str, Rules]:
    """Return all rule sets of a file, by name. One without [common] builds on the printed sheets.

    RulesError, in one line, when the file cannot be read or says something that is no rule.
    """
    path = Path(path)
    tables = _read(path)
    printed = path if path == RULES_FILE else RULES_FILE
    common = tables.pop("common", None)
    if common is None:
        common = _read(printed)["common"]
    for name, table in {"common": common, **tables}.items():
        if not isinstance(table, dict):
            raise RulesError(f"{path}: {_shown(name)} stands outside of a [rule set]")
    sets = {}
    for name, table in tables.items():
        where = f"{path} [{_shown(name)}]"
        if not name.isprintable() or not name or set(name) & set(",/") or len(name) > 40:
            raise RulesError(f"{where}: a name of 1 to 40 letters, without , and /")
        said = {
            key: _check(where, key, value)
            for key, value in {"sheet": name, **common, **table}.items()
        }
        missing = [key for key in _TYPES if key not in said]
        if missing:
            raise RulesError(f"{where}: not said: {', '.join(missing)}")
        sets[name] = Rules(name=name, **said)
        _agree(where, sets[name])
    if not sets:
        raise RulesError(f"{path}: no rule set in it; begin one with a line like [family]")
    return sets


def _shown(name: str) -> str:
    """Return a name that a file gives, fit for one line of a message."""
    shown = name if name.isprintable() else repr(name)[1:-1]
    return shown if len(shown) <= 40 else shown[:40] + "…"


def named(name: str, path: str | Path = RULES_FILE) -> Rules:
    """Return one rule set by its name. RulesError, listing the names, when there is none."""
    sets = load(path)
    if name not in sets:
        raise RulesError(f"no rule set is called {_shown(name)!r}; there are: {', '.join(sets)}")
    return sets[name]
