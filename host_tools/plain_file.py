"""Files that somebody names: read when they are plain and of a size that makes sense, and written
whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_NOT_PLAIN = "is {}: give a plain file"


def read_plain(path: str | Path, most_bytes: int) -> bytes:
    """Return what is in a plain file.

    Raises OSError, whose strerror says what is wrong and what would do, for what is none (a pipe
    would wait for ever, a device never end) and for more than `most_bytes`.
    """
    with open_plain(path, most_bytes) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(27, _too_large(len(data), most_bytes), os.fspath(path))
    return data


def open_plain(path: str | Path, most_bytes: int) -> BinaryIO:
    """Open a plain file to read from it. Raises OSError as read_plain() does."""
    path = os.fspath(path)
    try:
        if os.path.isdir(path):  # which Windows would call "Permission denied"
            raise OSError(22, _NOT_PLAIN.format("a folder"), path)
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except ValueError:  # a NUL in the name
        raise OSError(22, "not the name of a file", path) from None
    file = os.fdopen(handle, "rb")
    try:
        found = os.fstat(file.fileno())
        for is_kind, kind in _KINDS:
            if is_kind(found.st_mode):
                raise OSError(22, _NOT_PLAIN.format(kind), path)
        if found.st_size > most_bytes:
            raise OSError(27, _too_large(found.st_size, most_bytes), path)
    except BaseException:
        file.close()
        raise
    return file


def read_text(path: str | Path, most_bytes: int) -> str:
    """Return the text of a plain file in UTF-8, without the byte-order mark that some editors
    write. Raises OSError as read_plain() does, and for what is no such text."""
    data = read_plain(path, most_bytes)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise OSError(22, f"line {line} is not UTF-8: save it as UTF-8", os.fspath(path)) from None


def read_toml(path: str | Path, most_bytes: int) -> dict[str, Any]:
    """Return what a TOML file says. Raises OSError as read_text() does, and for what is no
    TOML."""
    text = read_text(path, most_bytes)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why = " ".join(str(error).split())[:200]
    except RecursionError:
        why = "brackets within brackets, too deep"
    except ValueError:
        why = "a number has too many digits"
    raise OSError(22, f"not TOML: {why}", os.fspath(path))


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file beside its place and rename it there, so that what was there before stays
    until all is written. Raises OSError.

    A link stays a link to the new file. A device or a pipe is written to as it is.
    """
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):
        with open(place, "wb") as file:
            file.write(data)
        return
    try:
        mode = stat.S_IMODE(os.stat(place).st_mode)
    except OSError:
        mode = 0o666 & ~_umask()
    handle, beside = tempfile.mkstemp(prefix=".", suffix=".part", dir=os.path.dirname(place))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(beside, mode)
        os.replace(beside, place)
    except BaseException:
        with suppress(OSError):
            os.remove(beside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def one_line(what: object, most: int = 1000) -> str:
    """Return a text as one line for a terminal, whatever is in it: what cannot be seen is written
    out, and of what is too long the middle is left out."""
    line = " ".join(str(what).split())
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
    return line if len(line) <= most else f"{line[: most // 2]} … {line[-(most // 2) :]}"


def reason(error: OSError) -> str:
    """Return what is wrong, in words, without the file's name."""
    return error.strerror or str(error) or type(error).__name__


def _too_large(n_bytes: int, most_bytes: int) -> str:
    return f"has {_size(n_bytes)}, and at most {_size(most_bytes)} make sense here"


def _size(n_bytes: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if n_bytes >= size:
            return f"{n_bytes / size:.3g} {unit}"
    return f"{n_bytes} bytes"
