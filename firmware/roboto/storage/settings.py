"""What the family chose: kept when the power is cut, checked against one table."""

from . import record
from .broken import Broken

_NAME = "settings"

# key, default, what it may be: a tuple of choices, a (lowest, highest) range, or a test
_CHOICE, _RANGE, _LANGUAGE = 0, 1, 2
TABLE = (
    ("language", "es", _LANGUAGE, None),
    ("pace", "normal", _CHOICE, ("calm", "normal", "wild")),
    ("volume", 2, _RANGE, (1, 3)),
    ("names_voice", "squeaky", _CHOICE, ("squeaky", "plain")),
    ("keep_game", False, _CHOICE, (False, True)),
    ("sleep_s", 60, _RANGE, (20, 3600)),
)


def check(key, value):
    """Raises ValueError with one line that says what the setting may be."""
    for name, _, kind, allowed in TABLE:
        if name == key:
            break
    else:
        raise ValueError(
            "no setting %r: there are %s" % (key, ", ".join(row[0] for row in TABLE))
        )
    if kind == _RANGE:
        lowest, highest = allowed
        if type(value) is not int or not lowest <= value <= highest:
            raise ValueError(
                "%s is %r: it must be a number from %d to %d" % (key, value, lowest, highest)
            )
    elif kind == _CHOICE:
        # 0 == False and 1 == True: the type must fit, too
        if type(value) is not type(allowed[0]) or value not in allowed:
            raise ValueError(
                "%s is %r: it must be %s" % (key, value, " or ".join(str(a) for a in allowed))
            )
    elif not _is_language(value):
        raise ValueError("%s is %r: it must be a code such as es or en" % (key, value))


def _is_language(value):
    """The voice pack's language field holds 8 bytes."""
    return (
        isinstance(value, str)
        and 2 <= len(value) <= 8
        and all(c in "abcdefghijklmnopqrstuvwxyz-" for c in value)
    )


class Settings:
    """The settings as attributes: language pace volume names_voice keep_game sleep_s."""

    def __init__(self, volume, note=None):
        """note(line) is told about a damaged file. Starts with the defaults; see load()."""
        self._volume = volume
        self._note = note
        self._defaults()

    def load(self):
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

    def set(self, key, value):
        """Change a setting, in RAM. Raises ValueError, in one line."""
        check(key, value)
        setattr(self, key, value)

    def values(self):
        """All settings as a dict."""
        return {row[0]: getattr(self, row[0]) for row in TABLE}

    def save(self):
        """A job that stores the settings as they are now."""
        return record.save(self._volume, _NAME, self.values())

    def _defaults(self):
        for row in TABLE:
            setattr(self, row[0], row[1])

    def _fault(self, line):
        if self._note is not None:
            self._note(line)
