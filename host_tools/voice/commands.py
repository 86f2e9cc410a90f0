"""firmware/phrases/commands.toml: what each command does to the cards; read and checked.

And the check of that whole folder: check_texts().
"""

import tomllib
from pathlib import Path

from . import catalogue
from .catalogue import COMMANDS, PHRASES, CatalogueError

COLOURS = ("red", "yellow", "green", "blue")

# Effect -> its fields, each with what it may be.
_COUNT = ("a whole number from 1", lambda v: type(v) is int and v >= 1)
_FAILS = ("a number from 0 to 1", lambda v: type(v) in (int, float) and 0 <= v <= 1)


def _one_of(*words: str):
    return " or ".join(words), lambda v: v in words


EFFECTS = {
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


class Commands:
    """What commands do. of("duel.stare") -> {"effect": "race", "loser_draws": 2}."""

    def __init__(self, path: Path = PHRASES / "commands.toml") -> None:
        """CatalogueError names every mistake in the file."""
        try:
            self._tables = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise CatalogueError([f"{path}: no such file"]) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CatalogueError([f"{path.name}: {error}"]) from None
        mistakes = [f"{path.name}: {line}" for line in self._mistakes()]
        if mistakes:
            raise CatalogueError(mistakes)

    def of(self, id: str) -> dict:
        """The effect of a command and its fields; KeyError when the kind is unknown."""
        kind, _, name = id.partition(".")
        return self._tables.get(kind, {}).get(name) or self._tables["default"][kind]

    def listed(self) -> list[str]:
        """Ids that have a line of their own."""
        return [f"{kind}.{name}" for kind in COMMANDS for name in self._tables.get(kind, {})]

    def _mistakes(self):
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
                yield from _wrong(place, what, name if kind == "default" else kind)


def _wrong(place: str, what, kind: str):
    """What is wrong with one line."""
    if not isinstance(what, dict) or what.get("effect") not in EFFECTS:
        yield f"{place}: no known effect; take one of {', '.join(EFFECTS)}"
        return
    effect = what["effect"]
    fields = EFFECTS[effect]
    if effect in _NEEDS_TWO and COMMANDS.get(kind, (2, 0))[0] != 2:
        yield f"{place}: {effect} needs two named players"
    for field, (meaning, fits) in fields.items():
        if field not in what:
            yield f"{place}: {effect} needs {field}, {meaning}"
        elif not fits(what[field]):
            yield f"{place}: {field} = {what[field]!r}; write {meaning}"
    for field in what:
        if field != "effect" and field not in fields:
            yield f"{place}: {effect} has no {field}"


def check_texts(langs: tuple[str, ...] = catalogue.LANGUAGES) -> tuple[list[str], list[str]]:
    """Mistakes in the phrase files and commands.toml, and where the languages differ."""
    mistakes: list[str] = []
    catalogues = {}
    for lang in langs:
        phrases, wrong = catalogue.parse(catalogue.PHRASES / f"{lang}.txt")
        mistakes += wrong
        if phrases:
            mistakes += catalogue.missing(phrases, f"{lang}.txt")
            catalogues[lang] = phrases
    try:
        known = {id for phrases in catalogues.values() for id in phrases}
        mistakes += [
            f"commands.toml: {id} is in no phrase file; correct or remove the line"
            for id in Commands().listed()
            if id not in known
        ]
    except CatalogueError as error:
        mistakes += error.lines
    return mistakes, catalogue.differences(catalogues)
