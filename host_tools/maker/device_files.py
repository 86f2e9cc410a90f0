"""The robot's own files, in data/: read and written here with the firmware's own code, so that
both agree."""

import io
from typing import Protocol

from ..desktop import firmware
from .board import RemoteError
from .errors import MakerError

firmware.make_importable()
from roboto.sound import kernels, tables  # noqa: E402, F401
from roboto.sound.recorder import MICROPHONE_SHIFT, Recorder, rate_for  # noqa: E402, F401
from roboto.start import RECORDING_BYTES  # noqa: E402, F401
from roboto.storage import record, settings  # noqa: E402
from roboto.storage.broken import Broken  # noqa: E402
from roboto.storage.volume import Files, Volume, as_file  # noqa: E402

DATA = "data/"
SETTINGS = DATA + "settings"


class Readable(Protocol):
    """What is wanted of a board here; see board.Board."""

    def read(self, path: str) -> bytes: ...


def payload(board: Readable, name: str) -> bytes | None:
    """What a file of data/ holds, None when there is none. Raises MakerError when it is "
    "damaged."""
    try:
        data = board.read(DATA + name)
    except RemoteError as error:
        if error.errno == 2:
            return None
        raise
    return payload_of(name, data)


def payload_of(name: str, data: bytes) -> bytes:
    """The payload in a file's bytes. Raises MakerError when it is damaged."""
    try:
        return Volume(files=_OneFile(data)).read(name) or b""
    except Broken as error:
        raise MakerError(str(error)) from error


class _OneFile(Files):
    """A file system for Volume with one file, held in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self, _path: str, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def settings_of(board: Readable) -> dict:
    """The settings as the robot will take them: what is missing or damaged has its default."""
    values = {row[0]: row[1] for row in settings.TABLE}
    try:
        data = payload(board, "settings")
        stored = record.decode("settings", data) if data is not None else {}
    except (MakerError, Broken):
        return values
    for key, value in stored.items():
        try:
            settings.check(key, value)
        except ValueError:
            continue
        values[key] = value
    return values


def settings_file(values: dict) -> bytes:
    """The file that holds them. Raises MakerError when one is not allowed."""
    for key, value in values.items():
        try:
            settings.check(key, value)
        except ValueError as error:
            raise MakerError(str(error)) from error
    return as_file(record.encode(values))


def parse_setting(key: str, text: str):
    """The value that a setting's text means, checked. Raises MakerError."""
    value: object = text
    if text.lower() in ("true", "on", "yes"):
        value = True
    elif text.lower() in ("false", "off", "no"):
        value = False
    elif text.isdecimal():
        value = int(text)
    try:
        settings.check(key, value)
    except ValueError as error:
        raise MakerError(str(error).replace("False or True", "on or off")) from error
    return value


def record_file(values: dict) -> bytes:
    """A record as a file of data/."""
    return as_file(record.encode(values))


def log_lines(board) -> list[str]:
    """The robot's log, the oldest line first; each begins with the seconds since its boot."""
    files = []
    for name in ("log-0", "log-1"):
        try:
            data = payload(board, name) or b""
        except MakerError:
            continue  # a damaged half: the other is worth reading all the same
        if data.startswith(b"# "):
            first, _, rest = data.partition(b"\n")
            files.append((int(first[2:]), rest.decode(errors="replace")))
    return [line for _, text in sorted(files) for line in text.splitlines()]
