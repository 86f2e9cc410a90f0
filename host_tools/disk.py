"""The files that a command is given and makes, with errors of one line: which file, what is wrong
with it, what to do."""

from pathlib import Path

from .places import user_cache
from .plain_file import open_plain, read_plain, reason, write_whole

MIB = 1 << 20
_REMEDY = "free some space or choose another place; what was there before is untouched"


class FileError(RuntimeError):
    """str() is one line: which file, what is wrong with it, what to do."""


def read(path: Path, most_bytes: int, what: str) -> bytes:
    """Return a plain file's contents. what: what it should be, for the line, such as "a backup".
    Raise FileError, also when it is larger than such a thing can be."""
    try:
        return read_plain(path, most_bytes)
    except (OSError, MemoryError) as error:
        raise FileError(f"{path}: {_why(error)}: give {what}") from error


def check(path: Path, most_bytes: int, what: str) -> None:
    """Raise FileError where read() would, with nothing read."""
    try:
        open_plain(path, most_bytes).close()
    except OSError as error:
        raise FileError(f"{path}: {_why(error)}: give {what}") from error


def save(path: Path, data: bytes) -> None:
    """Write a file that is old or new at any moment. Folders are made for it. Raise FileError;
    then what was there is untouched."""
    folder(path.parent)
    try:
        write_whole(path, data)
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: cannot be written ({_why(error)}): {_REMEDY}") from error


def folder(path: Path) -> None:
    """Make a folder and those it lies in. Raise FileError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: no such folder can be made ({_why(error)})") from error


def cache() -> Path:
    """Return the folder for what is fetched or made once. Raise FileError when there is no home to
    keep it in."""
    try:
        return user_cache()
    except RuntimeError as error:
        raise FileError("no home folder to keep things in: set ROBOTO_CACHE to one") from error


def _why(error: Exception) -> str:
    return reason(error) if isinstance(error, OSError) else str(error) or type(error).__name__
