"""The game in progress, kept over sleep and power-off where the setting keep_game asks for it.

What the dict holds is the game's business: small numbers, strings, lists.
"""

from roboto.storage import record
from roboto.storage.broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roboto.shapes import Note
    from roboto.storage.volume import Job, Volume

_NAME = "game"


def load(volume: "Volume", note: "Note") -> dict | None:
    """The saved game, or None. A damaged one is no game: note(line) is told."""
    try:
        return record.load(volume, _NAME)
    except Broken as error:
        note(str(error))
        return None


def save(volume: "Volume", game: dict) -> "Job":
    """A job that saves the game as it is now."""
    return record.save(volume, _NAME, game)


def forget(volume: "Volume") -> "Job":
    """A job that drops the saved game."""
    return volume.remove(_NAME)
