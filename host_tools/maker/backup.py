"""A whole robot in one file: a ZIP of everything on its file systems, and back.

A restore trusts nothing in the file. It takes what a robot has, under the names that a robot uses,
and says what it left out.
"""

import ast
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch

from .. import disk
from . import device_files, flash, packs
from .clips import Recording
from .door import clean
from .errors import MakerError
from .files import MOST_BYTES, MOST_FILES, Files, is_path

ZIP_BYTES = 48 * disk.MIB
_WHEN = (2020, 1, 1, 0, 0, 0)  # the same robot gives the same file
# What systems, file managers and editors put beside files, or into a ZIP, of their own accord; in
# small letters. No file of a robot's begins with a dot.
_NOT_OURS = (
    ".[!.]*",
    "*~",
    "__macosx",
    "thumbs.db",
    "desktop.ini",
    "icon\r",
    "$recycle.bin",
    "system volume information",
)
_CODE = re.compile(r"(roboto|adafruit_bus_device)/([a-z0-9_]+/)*[a-z0-9_]+\.(m?py)")
_PACK = re.compile(r"voice/([a-z-]{2,8})\.pack")
_CLIP = re.compile(r"data/((nick)?name-[0-9]|house_rule)\.clip")
_MPY = b"M\x06"

# What the standard library raises on a ZIP that is cut short, changed, locked or none at all.
NO_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
    OverflowError,
    struct.error,
    MemoryError,
)


@dataclass(frozen=True)
class Saved:
    """What a backup holds: files by path, and a line for each that is left out."""

    files: Mapping[str, bytes]
    left_out: list[str] = field(default_factory=list)


def take(board: Files) -> bytes:
    """Return everything on the board's file systems, as a ZIP."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        # A pack on the SPI flash goes before its namesake beside the firmware.
        for path, where in {path.lstrip("/"): path for path in sorted(board.tree())}.items():
            if not path.startswith("next/"):
                archive.writestr(zipfile.ZipInfo(path, _WHEN), board.read(where))
    return file.getvalue()


def read(data: bytes, name: str) -> Saved:
    """Return the files of a backup. Raise MakerError where it is none, or not a robot's."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            there = _unpacked(archive, name)
    except MakerError:
        raise
    except NO_ZIP as error:
        raise MakerError(
            f"{name}: not a backup of a robot, or damaged: give one that `roboto clips pull "
            "--backup` made"
        ) from error
    files, left_out = {}, []
    for path, contents in there.items():
        why = _why_not(path, contents)
        if why:
            left_out.append(f"left out: {clean(path, 80)}: {why}")
        else:
            files[path] = contents
    if "main.py" not in files:
        raise MakerError(f"{name}: not a backup of a robot: it has no main.py that can be run")
    return Saved(files, left_out)


def _unpacked(archive: zipfile.ZipFile, name: str) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if not _is_added(entry)]
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise MakerError(
            f"{name}: not a backup of a robot: more than its flash holds ({len(entries)} files)"
        )
    files: dict[str, bytes] = {}
    root = _root(entries)
    for entry in entries:
        path = _path(entry).removeprefix(root)
        if not is_path(path) or path.startswith("/") or path in files:
            twice = " twice" if path in files else ""
            raise MakerError(
                f"{name}: not a backup of a robot: {clean(path, 80)!r}{twice} is no file of one's"
            )
        with archive.open(entry) as file:
            # A header may say less than comes out.
            files[path] = file.read(entry.file_size + 1)
        if len(files[path]) != entry.file_size:
            raise MakerError(f"{name}: not a backup of a robot, or damaged ({clean(path, 80)})")
    return files


def _path(entry: zipfile.ZipInfo) -> str:
    """Return an entry's path; old tools under Windows write it with backslashes."""
    return entry.filename.replace("\\", "/")


def _root(entries: list[zipfile.ZipInfo]) -> str:
    """Return the folder that all of it lies in, "robot/", where somebody zipped the folder and not
    what is in it; else ""."""
    roots = {_path(entry).partition("/")[0] + "/" for entry in entries}
    root = roots.pop() if len(roots) == 1 else ""
    named = not set(root) <= set("./ ")  # neither "/" nor "../"
    return root if named and any(_path(entry) == root + "main.py" for entry in entries) else ""


def _is_added(entry: zipfile.ZipInfo) -> bool:
    """Tell whether an entry is a folder, or something that nobody put there on purpose."""
    words = _path(entry).lower().split("/")
    return not words[-1] or any(fnmatch(w, pattern) for w in words for pattern in _NOT_OURS)


# ---- what a robot has


def _why_not(path: str, contents: bytes) -> str:
    """Why a robot has no such file; "" when it has."""
    for pattern, check in _CHECKS.items():
        if re.fullmatch(pattern, path):
            try:
                return check(path, contents)
            except MakerError as error:
                return str(error)
    return "no file of a robot's"


def _is_python(path: str, contents: bytes) -> str:
    try:
        ast.parse(contents)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "no Python that can be run"
    return ""


def _is_code(path: str, contents: bytes) -> str:
    if path.endswith(".py"):
        return _is_python(path, contents)
    return "" if contents.startswith(_MPY) else "not compiled for MicroPython"


def _is_pack(path: str, contents: bytes) -> str:
    language = path[len("voice/") : -len(".pack")]
    packs.check(contents, path, language)
    return ""


def _is_clip(path: str, contents: bytes) -> str:
    name = path[len(device_files.DATA) :]
    payload = device_files.payload_of(name, contents)
    Recording(name[: -len(".clip")].replace("-", "/"), payload)
    return ""


def _is_record(path: str, contents: bytes) -> str:
    name = path[len(device_files.DATA) :]
    device_files.decoded(name, device_files.payload_of(name, contents))
    return ""


def _is_log(path: str, contents: bytes) -> str:
    device_files.payload_of(path[len(device_files.DATA) :], contents)
    return ""


_CHECKS: dict[str, Callable[[str, bytes], str]] = {
    r"(main|boot)\.py": _is_python,
    _CODE.pattern: _is_code,
    _PACK.pattern: _is_pack,
    _CLIP.pattern: _is_clip,
    r"data/(settings|game)": _is_record,
    r"data/log-[01]": _is_log,
}


# ---- back on a board


def restore(board: Files, saved: Saved, tell: flash.Teller) -> None:
    """Make a board the robot that was saved. Raise MakerError, BoardError."""
    flash.complete(board)
    own, data = {}, {}
    for path, contents in saved.files.items():
        (data if path.startswith(device_files.DATA) else own)[path] = contents
    todo = flash.plan(board, own)
    if not any(path.startswith("voice/") for path in own):
        # A backup without a voice takes none away.
        todo.remove = [p for p in todo.remove if not p.lstrip("/").startswith("voice/")]
    with tell.sending(sum(len(own[path]) for path in todo.send)) as progress:
        flash.flash(board, own, todo, progress)
    unwanted = [p for p in board.tree() if p.startswith(device_files.DATA) and p not in data]
    board.remove(unwanted + _folders(unwanted))
    for path, contents in data.items():
        board.replace(path, contents)


def _folders(paths: list[str]) -> list[str]:
    """The folders within data/ that these lie in, the innermost first: a robot has none."""
    folders = {path[:at] for path in paths for at in range(len(path)) if path[at] == "/"}
    return sorted(folders - {device_files.DATA[:-1]}, key=len, reverse=True)
