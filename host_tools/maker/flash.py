"""Brings a board that runs MicroPython to the present firmware: only what changed, and all of it
or nothing.

New files are laid down in next/ on the board, checked there by their SHA-256, and switched in by
one commit (firmware/roboto/switch_in.py). Interrupted before the commit, the old version still
runs, and the next run finds what already lies in next/. Recordings and settings, in data/, are not
touched.

Voice packs go to the SPI flash where one is fitted. They are renamed there by a second commit,
which the first one brings into being; packs that lie on the board's own flash go then.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from roboto.switch_in import COMMIT, FOLDER, THEN, UNFIT

from .board import APART, Room
from .errors import BoardError
from .firmware import OWN_FOLDERS, SOURCES

_SWITCH_IN = SOURCES / "roboto" / "switch_in.py"
_NEXT = FOLDER + "/"
_SPARE_BLOCKS = 8  # for folders, the commit, and a littlefs that wants to move
_IN_BLOCK_BYTES = 4000  # of a block's 4096: the rest are littlefs's links
_FILES_AT_ROOT = ("boot.py", "main.py")


class Files(Protocol):
    """What flash() wants of a board; see board.Board."""

    @property
    def apart(self) -> str: ...
    def renew(self) -> None: ...
    def tree(self) -> dict[str, int]: ...
    def digests(self, paths: list[str]) -> dict[str, str]: ...
    def room(self, path: str = "") -> Room: ...
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
    if board.digests([COMMIT]):
        _switch_in(board)
        board.renew()
    if board.apart and board.digests([THEN]):
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
        path
        for path in tree
        if path.lstrip("/").partition("/")[0] in OWN_FOLDERS and path not in wanted
    )
    useful = {_staged(path) for path in result.staged}
    result.stale = sorted(
        path
        for path in tree
        if path.lstrip("/").startswith(_NEXT)
        and path not in useful
        and path not in (COMMIT, THEN, UNFIT)
    )
    _find_room(board, tree, wanted, result)
    return result


def _find_room(
    board: Files, tree: Mapping[str, int], wanted: Mapping[str, bytes], todo: Plan
) -> None:
    def blocks(paths: Iterable[str], sizes: Callable[[str], int], chip: bool) -> int:
        return sum(_blocks(sizes(path)) for path in paths if _on_chip(board, path) == chip)

    for chip in (True, False) if board.apart else (False,):
        free = board.room("voice/" if chip else "").free_blocks
        free += blocks(todo.stale, lambda path: tree[path], chip)
        needed = blocks(todo.send, lambda path: len(wanted[path]), chip) + _SPARE_BLOCKS
        if needed <= free or needed == _SPARE_BLOCKS:
            continue
        # A voice pack may take most of the flash: there is no room for it twice. Then the old one
        # goes first.
        old = [
            path
            for path in tree
            if _is_pack(path)
            and _on_chip(board, path) == chip
            and (path in todo.changed or path in todo.remove)
        ]
        todo.make_room += old
        free += sum(_blocks(tree[path]) for path in old)
        if needed > free:
            raise BoardError(
                f"no space: {needed * 4} KB are needed, {free * 4} KB can be had"
                f"{' on the SPI flash' if chip else ''}: take fewer "
                "languages (--lang), wipe recordings (`roboto clips wipe`), or use a board with "
                "more flash; nothing was changed"
            )


def _on_chip(board: Files, path: str) -> bool:
    return bool(board.apart) and path.startswith(APART)


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
    _commit(board, todo)
    _switch_in(board)
    left = plan(board, wanted)
    if not left.nothing:
        raise BoardError("the board does not hold what was sent: run this again")


def _commit(board: Files, todo: Plan) -> None:
    """From its last line on the new version counts."""
    moves = [[_staged(path)[len(_NEXT) :], path] for path in in_order(todo.changed)]
    remove = todo.remove
    if board.apart:
        then = {
            "from": f"{board.apart}/{_NEXT}".rstrip("/"),
            "move": [[name, f"{board.apart}/{path}"] for name, path in moves if _is_pack(path)],
            "remove": [
                f"{board.apart}/{path}" if _on_chip(board, path) else path
                for path in remove
                if _is_pack(path)
            ],
        }
        moves = [[name, path] for name, path in moves if not _is_pack(path)]
        remove = [path for path in remove if not _is_pack(path)]
        if then["move"] or then["remove"]:
            board.write({THEN + "+": json.dumps(then).encode()})
            moves.insert(0, [THEN[len(_NEXT) :] + "+", THEN])
    board.write({COMMIT + ".tmp": json.dumps({"move": moves, "remove": remove}).encode()})
    board.rename(COMMIT + ".tmp", COMMIT)


def in_order(paths: Iterable[str]) -> list[str]:
    """Those at the root last: while main.py is the old one, or is not there, nothing new is
    started."""
    return sorted(paths, key=lambda path: (path in _FILES_AT_ROOT, path))


def _switch_in(board: Files) -> None:
    then = "finish(THEN)\n" if board.apart else ""
    board.exec(_SWITCH_IN.read_text() + "\nfinish()\n" + then, timeout_s=60)


def _staged(path: str) -> str:
    return _NEXT + path.replace("/", "+")


def _is_pack(path: str) -> bool:
    return path.lstrip("/").startswith("voice/")


def _blocks(n_bytes: int) -> int:
    return n_bytes // _IN_BLOCK_BYTES + 1
