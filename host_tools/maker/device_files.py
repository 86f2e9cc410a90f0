"""The robot's own files, in data/: read and written here with the firmware's own code, so that
both agree."""

import io
from typing import Any

from roboto.sound import kernels, tables  # noqa: F401
from roboto.sound.recorder import MICROPHONE_SHIFT, Recorder, rate_for  # noqa: F401
from roboto.start import RECORDING_BYTES  # noqa: F401
from roboto.storage import record, settings
from roboto.storage.broken import Broken
from roboto.storage.volume import Files as FileSystem
from roboto.storage.volume import Volume, as_file

from . import packs
from .door import clean
from .errors import BoardError, MakerError, RemoteError
from .files import Files

DATA = "data/"
SETTINGS = DATA + "settings"
GAME = DATA + "game"
LOGS = (DATA + "log-0", DATA + "log-1")
_ENOENT = 2
_LOG_LINES = 1000
_LOG_BYTES = 64 * 1024


def payload(board: Files, name: str) -> bytes | None:
    """Return what a file of data/ holds, None when there is none. Raise MakerError when it is
    damaged."""
    try:
        data = board.read(DATA + name)
    except RemoteError as error:
        if error.errno == _ENOENT:
            return None
        raise
    return payload_of(name, data)


def payload_of(name: str, data: bytes) -> bytes:
    """Return the payload in a file's bytes. Raise MakerError when it is damaged."""
    try:
        return Volume(files=_OneFile(data)).read(name) or b""
    except Broken as error:
        raise MakerError(clean(str(error))) from error


class _OneFile(FileSystem):
    """A file system for Volume with one file, held in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self, _path: str, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def decoded(name: str, data: bytes) -> dict[str, Any]:
    """Return the values of a record's payload. Raise MakerError."""
    try:
        return record.decode(name, data)
    except (Broken, RecursionError) as error:
        raise MakerError(f"{name}: not a record of a robot's") from error


def default_settings() -> dict[str, Any]:
    """Return the settings of a robot that nobody has set."""
    return {row[0]: row[1] for row in settings.TABLE}


def settings_of(board: Files) -> dict[str, Any]:
    """Return the settings as the robot will take them: what is missing or damaged has its
    default."""
    values = default_settings()
    try:
        data = payload(board, "settings")
        stored = decoded("settings", data) if data is not None else {}
    except BoardError:
        raise
    except MakerError:  # damaged
        return values
    for key, value in stored.items():
        try:
            settings.check(key, value)
        except ValueError:
            continue
        values[key] = value
    return values


def settings_file(values: dict[str, Any]) -> bytes:
    """Return the file that holds settings. Raise MakerError when one is not allowed."""
    for key, value in values.items():
        try:
            settings.check(key, value)
        except ValueError as error:
            raise MakerError(str(error)) from error
    return as_file(record.encode(values))


def parse_setting(key: str, text: str) -> Any:
    """Return the value that a setting's text means, checked. Raise MakerError."""
    value: object = text
    if text.lower() in ("true", "on", "yes"):
        value = True
    elif text.lower() in ("false", "off", "no"):
        value = False
    elif text.isascii() and text.isdecimal() and len(text) < 10:
        value = int(text)
    try:
        settings.check(key, value)
    except ValueError as error:
        raise MakerError(str(error).replace("False or True", "on or off")) from error
    return value


def change_setting(board: Files, key: str, value: Any) -> dict[str, Any]:
    """Set a setting on the board and return all of them. Raise MakerError, such as for a language
    that the robot does not speak."""
    if key == "language":
        there = packs.languages(board.tree())
        if value not in there:
            raise MakerError(
                f"the robot has no voice for {value}, but {' '.join(there) or 'none at all'}: "
                f"`roboto flash --lang {value}`"
            )
    values = {**settings_of(board), key: value}
    board.replace(SETTINGS, settings_file(values))
    return values


def record_file(values: dict[str, Any]) -> bytes:
    """Return a record as a file of data/."""
    return as_file(record.encode(values))


def log_lines(board: Files) -> list[str]:
    """Return the robot's log, the oldest line first; each begins with the seconds since its
    boot."""
    halves = []
    for path in LOGS:
        try:
            data = payload(board, path[len(DATA) :]) or b""
        except BoardError:
            raise
        except MakerError:
            continue  # a damaged half: the other is worth reading all the same
        first, _, rest = data[:_LOG_BYTES].partition(b"\n")
        number = first[2:].strip()
        if first.startswith(b"# ") and number.isdigit() and len(number) < 10:
            halves.append((int(number), rest.decode(errors="replace")))
    lines = [clean(line) for _, text in sorted(halves) for line in text.splitlines()]
    return lines[-_LOG_LINES:]
