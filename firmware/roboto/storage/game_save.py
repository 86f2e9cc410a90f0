"""What the game keeps over sleep and power-off: itself, where the setting keep_game asks for it,
and which commands have not been used yet.

What the dicts hold is the game's business: small numbers, strings, lists.
"""

from . import record
from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Note
    from .volume import Job, Volume

GAME = "game"
BAGS = "bags"


def load(volume: "Volume", name: str, note: "Note") -> dict | None:
    """Return what was saved under a name, or None. note(line) is told of a damaged file."""
    try:
        return record.load(volume, name)
    except Broken as error:
        note(str(error))
        return None


def save(volume: "Volume", name: str, values: dict) -> "Job":
    """Return a job that saves it as it is now."""
    return record.save(volume, name, values)


def forget(volume: "Volume", name: str) -> "Job":
    """Return a job that drops it."""
    return volume.remove(name)
