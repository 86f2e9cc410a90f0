"""Switches a new version of the firmware in, all of it or nothing.

A computer lays the new files down in the folder next/, beside what is in use, and checks them.
Last comes next/commit, which says what goes where. From then on the version counts as there: the
files are renamed into place, and when the power goes meanwhile, the rest is at the next boot.
Without a commit next/ is ignored.

Voice packs on the SPI flash cannot be renamed out of next/: it is another file system, which is
mounted only later. They wait in its own next/, and the commit brings a second one into being,
next/then, which board/flash.py carries out once it has mounted that flash.

next/unfit says that a voice is missing, because there was no room for a voice pack twice: the
robot can only beep until the computer has come back and finished.

A commit that cannot be carried out is set aside as next/refused: neither the robot nor the
computer stops at it. Nothing in here raises; `faults` has the lines for the log.

This module must not import anything of the firmware: it may be half replaced.
"""

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "next"
COMMIT = FOLDER + "/commit"
THEN = FOLDER + "/then"
UNFIT = FOLDER + "/unfit"
REFUSED = FOLDER + "/refused"

_MOST_BYTES = 32768  # of a commit: about a hundred files
_NOWHERE = ("", ".", "..")
_FOLDERS = _NOWHERE + ("data", "voice", "roboto", FOLDER)  # nothing is moved onto these
_IS_FOLDER = 0x4000

faults = []  # a line for each thing that went wrong


def ready() -> bool:
    """Complete what was committed, at boot. Return False when there is no voice until the computer
    has come back."""
    _tried(_clear, FOLDER)
    finish()
    if _mode(UNFIT):
        faults.append("an update was interrupted: run `roboto flash` again")
        return False
    return True


def _clear(folder: str) -> None:
    """Delete what would be in the way of every update: a file called next, and the folders in
    next/, where there are only files. One of them called `unfit` would even count as such."""
    if not _mode(folder):
        return
    paths = [folder]
    if _is_folder(folder):
        paths = [folder + "/" + name for name in os.listdir(folder)]
        paths = [path for path in paths if _is_folder(path)]
    for path in paths:
        faults.append(path + " was in an update's way: deleted")
        _tried(_delete, path)


def finish(commit: str = COMMIT) -> bool:
    """Carry out a commit, if there is one; again and again does no harm. Return whether there was
    one and all of it was done."""
    if not _mode(commit):
        return False
    try:
        if os.stat(commit)[6] > _MOST_BYTES:
            raise ValueError("too long")
        with open(commit) as file:
            plan = json.load(file)
        folder, moves, unwanted = _checked(plan)
    except Exception as error:  # a folder, no JSON, too deep, no plan: all one
        _set_aside(commit, error)
        return False
    failed = None
    for name, path in moves:
        failed = _tried(_move, folder + "/" + name, path) or failed
    for path in unwanted:
        if _mode(path) and not _is_folder(path):
            failed = _tried(os.remove, path) or failed
        _remove_empty(path.rpartition("/")[0])
    if failed:
        _set_aside(commit, failed)
        return False
    if commit == COMMIT and _mode(UNFIT):
        _tried(os.remove, UNFIT)
    _tried(os.remove, commit)
    return True


def _checked(plan: dict) -> tuple[str, list[tuple[str, str]], list[str]]:
    """Return (folder, [(name, path)], [path]) of a commit. Raise when it is none that a robot's
    computer writes."""
    moves = [(_file(name), _file(path)) for name, path in plan["move"]]
    # Only files are removed, so that one may go that has the name of a folder.
    unwanted = [_file(path, _NOWHERE) for path in plan["remove"]]
    return _text(plan.get("from", FOLDER)), moves, unwanted


def _file(path: object, others: "tuple[str, ...]" = _FOLDERS) -> str:
    """Return a path that names a file, nowhere but below the robot's root, and none of others."""
    text = _text(path)
    parts = text.split("/")
    if parts[-1] in others or ".." in parts:
        raise ValueError("no file: " + text)
    return text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a commit")
    return value


def _move(source: str, path: str) -> None:
    """Rename a file into place, and what stands in its way out of it."""
    if not _mode(source):
        return  # it was moved before the power went
    at = path.find("/", 1)
    while at > 0:
        folder = path[:at]
        if _mode(folder) and not _is_folder(folder):
            os.remove(folder)
        if not _mode(folder):
            os.mkdir(folder)
        at = path.find("/", at + 1)
    if _is_folder(path):
        _delete(path)
    os.rename(source, path)


def _remove_empty(folder: str) -> None:
    """Remove a folder of modules that has nothing left in it, and those that it lay in."""
    while folder and folder not in _FOLDERS and not _tried(os.rmdir, folder):
        folder = folder.rpartition("/")[0]


def _delete(path: str) -> None:
    """Delete a file, or a folder with all that is in it, however deep."""
    while _mode(path):
        last, names = path, _names(path)
        while names:
            last += "/" + names[0]
            names = _names(last)
        (os.rmdir if _is_folder(last) else os.remove)(last)


def _names(path: str) -> list[str]:
    return os.listdir(path) if _is_folder(path) else []


def _set_aside(commit: str, error: Exception) -> None:
    """Get a commit out of the way that would fail for ever."""
    faults.append("%s cannot be carried out: %s %s" % (commit, type(error).__name__, error))
    if _tried(os.rename, commit, REFUSED):
        _tried(_delete, commit)


def _tried(act: "Callable[..., object]", *arguments: str) -> Exception | None:
    """Do something to files. Return None, or the error that it raised."""
    try:
        act(*arguments)
    except (OSError, MemoryError) as error:
        return error
    return None


def _mode(path: str) -> int:
    """Return what stat() says a path is; 0 when there is nothing."""
    try:
        return os.stat(path)[0]
    except OSError:
        return 0


def _is_folder(path: str) -> bool:
    return bool(_mode(path) & _IS_FOLDER)
