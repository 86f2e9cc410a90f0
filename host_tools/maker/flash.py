"""Brings a board that runs MicroPython to the present firmware: only what changed, and all of it
or nothing.

New files are laid down in next/ on the board, checked there by their SHA-256, and switched in by
one commit (firmware/roboto/switch_in.py). Interrupted before the commit, the old version still
runs, and the next run finds what already lies in next/. Recordings and settings, in data/, are not
touched.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .board import Room
from .errors import BoardError
from .firmware import OWN_FOLDERS, SOURCES

_SWITCH_IN = SOURCES / "roboto" / "switch_in.py"
_NEXT = "next/"
COMMIT = "next/commit"
UNFIT = "next/unfit"
_SPARE_BLOCKS = 8  # for folders, the commit, and a littlefs that wants to move
_IN_BLOCK_BYTES = 4000  # of a block's 4096: the rest are littlefs's links
_FILES_AT_ROOT = ("boot.py", "main.py")


class Files(Protocol):
    """What flash() wants of a board; see board.Board."""

    def tree(self) -> dict[str, int]: ...
    def digests(self, paths: list[str]) -> dict[str, str]: ...
    def room(self) -> Room: ...
    def write(
        self, files: Mapping[str, bytes], progress: Callable[[int], None] | None = None
    ) -> None: ...
    def remove(self, paths: list[str]) -> None: ...
    def rename(self, old: str, new: str) -> None: ...
    def exec(self, code: str, timeout_s: float = 10.0) -> str: ...


@dataclass
class Plan:
    """What has to be done."""

    send: list[str] = field(default_factory=list)  # in order: the voice packs last
    staged: list[str] = field(default_factory=list)  # changed, but already in next/
    remove: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)  # in next/, of no use
    make_room: list[str] = field(default_factory=list)  # old packs that must go first

    @property
    def changed(self) -> list[str]:
        return sorted(self.send + self.staged)

    @property
    def nothing(self) -> bool:
        return not (self.send or self.staged or self.remove or self.stale)


def complete(board: Files) -> None:
    """Carries out a commit that was interrupted, so that the tree shows what is there."""
    if COMMIT in board.tree():
        _switch_in(board)


def plan(board: Files, wanted: Mapping[str, bytes]) -> Plan:
    """Compares the board with the wanted files (path -> contents). Raises BoardError when they do
    not fit."""
    tree = board.tree()
    compare = [path for path in wanted if tree.get(path) == len(wanted[path])]
    compare += [_staged(path) for path in wanted if tree.get(_staged(path)) == len(wanted[path])]
    there = board.digests(compare)
    result = Plan()
    for path, data in sorted(wanted.items(), key=lambda item: (_is_pack(item[0]), item[0])):
        digest = hashlib.sha256(data).hexdigest()
        if there.get(path) == digest:
            continue
        if there.get(_staged(path)) == digest:
            result.staged.append(path)
        else:
            result.send.append(path)
    result.remove = sorted(
        path for path in tree if path.partition("/")[0] in OWN_FOLDERS and path not in wanted
    )
    useful = {_staged(path) for path in result.staged}
    result.stale = sorted(
        path
        for path in tree
        if path.startswith(_NEXT) and path not in useful and path not in (COMMIT, UNFIT)
    )
    _find_room(board.room(), tree, wanted, result)
    return result


def _find_room(
    room: Room, tree: Mapping[str, int], wanted: Mapping[str, bytes], todo: Plan
) -> None:
    needed = sum(_blocks(len(wanted[path])) for path in todo.send) + _SPARE_BLOCKS
    free = room.free_blocks + sum(_blocks(tree[path]) for path in todo.stale)
    if not todo.send or needed <= free:
        return
    # A voice pack may take most of the flash: there is no room for it twice. Then the old one goes
    # first.
    todo.make_room = [
        path for path in tree if _is_pack(path) and (path in todo.changed or path in todo.remove)
    ]
    free += sum(_blocks(tree[path]) for path in todo.make_room)
    if needed > free:
        raise BoardError(
            f"no space: {needed * 4} KB are needed, {free * 4} KB can be had: take fewer "
            "languages (--lang), wipe "
            "recordings (`roboto clips wipe`), or use a board with more flash; nothing was changed"
        )


def flash(
    board: Files,
    wanted: Mapping[str, bytes],
    todo: Plan,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Carries out a plan. progress is told of the bytes of todo.send. Raises BoardError."""
    if todo.nothing:
        return
    board.remove(todo.stale)
    if todo.make_room:
        board.write({UNFIT: b""})
        board.remove(todo.make_room)
    if todo.send:
        board.write({_staged(path): wanted[path] for path in todo.send}, progress)
        there = board.digests([_staged(path) for path in todo.send])
        for path in todo.send:
            if there.get(_staged(path)) != hashlib.sha256(wanted[path]).hexdigest():
                raise BoardError(
                    f"{path} lies on the board otherwise than it was sent: run this again; if "
                    "that does not help, "
                    "the flash or the cable is bad"
                )
    commit = {
        "move": [[_staged(path)[len(_NEXT) :], path] for path in in_order(todo.changed)],
        "remove": todo.remove,
    }
    board.write({COMMIT + ".tmp": json.dumps(commit).encode()})
    board.rename(COMMIT + ".tmp", COMMIT)
    _switch_in(board)
    left = plan(board, wanted)
    if not left.nothing:
        raise BoardError("the board does not hold what was sent: run this again")


def in_order(paths: Iterable[str]) -> list[str]:
    """Those at the root last: while main.py is the old one, or is not there, nothing new is
    started."""
    return sorted(paths, key=lambda path: (path in _FILES_AT_ROOT, path))


def _switch_in(board: Files) -> None:
    board.exec(_SWITCH_IN.read_text() + "\nfinish()\n", timeout_s=60)


def _staged(path: str) -> str:
    return _NEXT + path.replace("/", "+")


def _is_pack(path: str) -> bool:
    return path.startswith("voice/")


def _blocks(n_bytes: int) -> int:
    return n_bytes // _IN_BLOCK_BYTES + 1
