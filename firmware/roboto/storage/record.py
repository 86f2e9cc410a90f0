"""Small records: a dict of small numbers, strings and lists as a JSON file of a volume."""

import json

from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Bytes
    from .volume import Job, Volume

_MOST_BYTES = 1024  # the largest, a game of ten with nicknames, has 150


def encode(values: dict) -> bytes:
    """Return the bytes of a dict."""
    return json.dumps(values).encode()


def decode(name: str, data: "Bytes") -> dict:
    """Return the dict in these bytes. Raises Broken, with the record's name in its line."""
    values = None
    try:
        if len(data) <= _MOST_BYTES:
            values = json.loads(bytes(data).decode())
    except (ValueError, RuntimeError, MemoryError):  # no JSON, or JSON that is too deep
        pass
    if not isinstance(values, dict):
        raise Broken(f"{name}: not a record")
    return values


def load(volume: "Volume", name: str) -> dict | None:
    """Return the dict, or None when there is none. Raises Broken."""
    data = volume.read(name, _MOST_BYTES)
    return None if data is None else decode(name, data)


def save(volume: "Volume", name: str, values: dict) -> "Job":
    """Return a job that stores the values as they are now."""
    return volume.replace(name, [encode(values)])
