"""What the family chose: kept when the power is cut, checked against one table."""

from ..game.kinds import GAMES, PACES
from ..sound.tones import VOLUMES
from . import record
from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shapes import Note, Setting
    from .volume import Job, Volume

_NAME = "settings"

# key, default, what it may be: a tuple of choices, a (lowest, highest) range, a code
_CHOICE, _RANGE, _LANGUAGE = 0, 1, 2
TABLE: "tuple[tuple[str, Setting, int, tuple[Any, ...]], ...]" = (
    ("language", "es", _LANGUAGE, ()),
    ("game", "roboto", _CHOICE, GAMES),
    ("pace", "normal", _CHOICE, tuple([pace[0] for pace in PACES])),
    ("volume", 2, _RANGE, (1, len(VOLUMES))),
    ("names_voice", "squeaky", _CHOICE, ("squeaky", "plain")),
    ("keep_game", False, _CHOICE, (False, True)),
    ("gentle", False, _CHOICE, (False, True)),
    ("sleep_s", 60, _RANGE, (20, 3600)),
)


def check(key: str, value: object) -> None:
    """Raises ValueError with one line that says what the setting may be."""
    for name, _, kind, allowed in TABLE:  # noqa: B007
        if name == key:
            break
    else:
        raise ValueError(f"no setting {key!r}: there are " + " ".join(row[0] for row in TABLE))
    if kind == _RANGE:
        lowest, highest = allowed
        fits = type(value) is int and lowest <= value <= highest
        wanted = f"a number from {lowest} to {highest}"
    elif kind == _CHOICE:
        # 0 == False and 1 == True: the type must fit, too.
        fits = type(value) is type(allowed[0]) and value in allowed
        wanted = " or ".join(str(choice) for choice in allowed)
    else:
        fits = is_language(value)
        wanted = "a language code such as es or en"
    if not fits:
        raise ValueError(f"{key} is {value!r}: it must be {wanted}")


def is_language(value: object) -> bool:
    """Return whether it is a language's code: the voice pack's field for it holds 8 bytes."""
    return (
        isinstance(value, str)
        and 2 <= len(value) <= 8
        and all(c in "abcdefghijklmnopqrstuvwxyz-" for c in value)
    )


class Settings:
    """The settings as attributes, one a row of TABLE."""

    language: str
    game: str
    pace: str
    volume: int
    names_voice: str
    keep_game: bool
    gentle: bool
    sleep_s: int

    def __init__(self, volume: "Volume", note: "Note | None" = None) -> None:
        """note(line) is told about a damaged file. Starts with the defaults; see load()."""
        self._volume = volume
        self._note = note
        self._defaults()

    def load(self) -> None:
        """Read the file. What is missing or wrong in it falls back to its default."""
        self._defaults()
        try:
            values = record.load(self._volume, _NAME)
        except Broken as error:
            self._fault(str(error))
            return
        for key, value in (values or {}).items():
            try:
                self.set(key, value)
            except ValueError as error:
                self._fault("settings: " + str(error))

    def set(self, key: str, value: "Setting") -> None:
        """Change a setting, in RAM. Raises ValueError, in one line."""
        check(key, value)
        setattr(self, key, value)

    def choices(self, key: str) -> "tuple[Setting, ...]":
        """Return all that a setting may be, in order. Raises ValueError for one that is free."""
        for name, _, kind, allowed in TABLE:
            if name == key and allowed:
                return tuple(range(allowed[0], allowed[1] + 1)) if kind == _RANGE else allowed
        raise ValueError(f"{key} has no choices")

    def after(self, key: str) -> "Setting":
        """Return the choice that follows the present value; the first one follows the last."""
        choices = self.choices(key)
        return choices[(choices.index(getattr(self, key)) + 1) % len(choices)]

    def values(self) -> "dict[str, Setting]":
        """Return all settings as a dict."""
        return {row[0]: getattr(self, row[0]) for row in TABLE}

    def save(self) -> "Job":
        """Return a job that stores the settings as they are now."""
        return record.save(self._volume, _NAME, self.values())

    def _defaults(self) -> None:
        for row in TABLE:
            setattr(self, row[0], row[1])

    def _fault(self, line: str) -> None:
        if self._note is not None:
            self._note(line)
