"""The folder that is a simulated robot's flash: its own, for one simulator at a time.

The robot deletes and replaces files there without asking. So a folder must be empty, or plainly a
robot's, before it is taken; and it is marked as one from then on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .flash import MARKER

MARKED = (
    b"The flash of a simulated Roboto: what lies here is the robot's own, and it changes it.\n"
)
# What the firmware may call its files, with temporaries that a power cut left behind; and those
# that are its own even when they are damaged.
_OWN = re.compile(r"[A-Za-z0-9_-]+(\.clip)?(\.tmp|\.stray)?")
_WELL_KNOWN = re.compile(r"settings|game|log-[01]|(nick)?name-\d\.clip|house_rule\.clip|.*\.tmp")
_MAGIC = b"RBF1"  # with which each of them begins, see firmware/roboto/storage/volume.py
_OF_NOBODY = (".DS_Store", "Thumbs.db", "desktop.ini")  # what operating systems leave
_FILE_MOST_BYTES = 1 << 20


class Refused(Exception):
    """One line: which folder, why the robot does not take it, what would do."""


@contextmanager
def taken(path: Path) -> Iterator[Path]:
    """Take a folder as a robot's flash, made if it is not there, and give it back in the end.

    Raises Refused, with nothing in the folder touched, when it is somebody else's, when another
    simulator has it, or when it cannot be written.
    """
    try:
        folder = path.expanduser().resolve()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError, ValueError) as error:  # no HOME; a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise Refused(f"{path}: cannot be the flash folder ({why}): name another") from None
    _check(path, folder)
    marker = folder / MARKER
    try:
        file = open(
            os.open(marker, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666), "r+b"
        )
    except OSError as error:
        raise Refused(
            f"{path}: cannot be the flash folder ({error.strerror}): name one that can be written"
        ) from None
    with file:
        if not _locked(file):
            raise Refused(
                f"{path}: another simulator has this robot switched on: end it, or name another "
                "folder"
            )
        if not file.read(1):
            file.write(MARKED)
            file.flush()
        yield folder


def own_files(folder: Path) -> dict[str, bytes]:
    """Return the robot's own files in its folder, by name: no links, and nothing of anybody
    else's."""
    found = {}
    for entry in _entries(folder):
        if not entry.is_file(follow_symlinks=False) or not _OWN.fullmatch(entry.name):
            continue
        with suppress(OSError):  # gone or replaced meanwhile
            if entry.stat(follow_symlinks=False).st_size <= _FILE_MOST_BYTES:
                found[entry.name] = Path(entry.path).read_bytes()
    return found


def sizes(folder: Path) -> list[tuple[str, int]]:
    """Return the names and sizes of the robot's own files in its folder."""
    found = []
    for entry in _entries(folder):
        if _OWN.fullmatch(entry.name):
            with suppress(OSError):
                found.append((entry.name, entry.stat(follow_symlinks=False).st_size))
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _check(path: Path, folder: Path) -> None:
    """Raise Refused unless the folder is empty or a robot's."""
    try:
        entries = [entry for entry in _entries(folder) if not _of_nobody(entry.name)]
    except OSError as error:
        raise Refused(f"{path}: cannot be the flash folder ({error.strerror})") from None
    if any(entry.name == MARKER for entry in entries):
        for entry in entries:
            if entry.is_symlink():
                raise Refused(
                    f"{path}: {entry.name!r} in it is a link, and no robot has one: take it away, "
                    "or name another folder"
                )
        return
    for entry in entries:
        if not _is_own(entry):
            raise Refused(
                f"{path}: not a robot's flash, since {entry.name!r} lies in it: name a new or an "
                "empty folder"
            )
    # Every robot has settings, though they may be damaged; a folder with a `game` in it is none.
    if entries and not any(
        entry.name == "settings" or _begins_with_magic(entry) for entry in entries
    ):
        raise Refused(f"{path}: not a robot's flash: name a new or an empty folder")


def _is_own(entry: os.DirEntry[str]) -> bool:
    """Whether a file without a marker beside it is plainly a robot's: by its name, or by how it
    begins."""
    if not entry.is_file(follow_symlinks=False) or not _OWN.fullmatch(entry.name):
        return False
    return bool(_WELL_KNOWN.fullmatch(entry.name)) or _begins_with_magic(entry)


def _of_nobody(name: str) -> bool:
    """Whether operating systems leave files of that name wherever they look."""
    return name in _OF_NOBODY or name.startswith("._")


def _begins_with_magic(entry: os.DirEntry[str]) -> bool:
    try:
        with open(entry.path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _locked(file: IO[bytes]) -> bool:
    """Whether nobody else has it. The system unlocks it when the process ends, however it does."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system that knows no locks
    return True
