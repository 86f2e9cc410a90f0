"""Brings a board that runs MicroPython to the present firmware: only what changed, and all of it
or nothing.

New files are laid down in next/ on the board, checked there by their SHA-256, and switched in by
one commit (firmware/roboto/switch_in.py). Interrupted before the commit, the old version still
runs, and the next run finds what already lies in next/. Recordings and settings, in data/, are not
touched.

Voice packs go to the SPI flash where one is fitted. They are renamed there by a second commit,
which the first one brings into being; packs that lie on the board's own flash go then.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from roboto.bundle import FILE as BUNDLE
from roboto.switch_in import COMMIT, FOLDER, THEN, UNFIT

from ..image import room_taken
from . import bundle, device_files, packs
from .errors import BoardError, MakerError, RemoteError
from .files import ON_SPI_FLASH, Files, Progress, is_path
from .firmware import OWN_FOLDERS, SOURCES

_SWITCH_IN = SOURCES / "roboto" / "switch_in.py"
_NEXT = FOLDER + "/"
_SPARE_BLOCKS = 8  # for folders, the commit, and a littlefs that wants to move
_IN_BLOCK_BYTES = 4000  # of a block's 4096: the rest are littlefs's links
_FILES_AT_ROOT = ("boot.py", "main.py")


class Teller(Protocol):
    """Whoever shows the maker what is going on."""

    def say(self, line: str) -> None:
        """Show a line."""

    def sending(self, n_bytes: int) -> AbstractContextManager[Progress]:
        """Show how far so many bytes have got, while the context lasts."""
        ...


@dataclass(frozen=True)
class Wanted:
    """What is to be on the board: the firmware's files, and voice packs, given ones or those of
    languages (none: those that are there). force: another program may go."""

    firmware: Mapping[str, bytes]
    packs: Mapping[str, bytes] = field(default_factory=dict)
    languages: Sequence[str] = ()
    force: bool = False


@dataclass
class Plan:
    """What has to be done."""

    send: list[str] = field(default_factory=list)  # in order: the voice packs last
    staged: list[str] = field(default_factory=list)  # changed, but already in next/
    remove: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)  # in next/, of no use
    make_room: list[str] = field(default_factory=list)  # old packs that must go first
    unfit: bool = False  # an earlier update left the board marked so that nothing starts

    @property
    def changed(self) -> list[str]:
        return sorted(self.send + self.staged)

    @property
    def nothing(self) -> bool:
        return not (self.send or self.staged or self.remove or self.stale or self.unfit)


def bring_up_to_date(board: Files, wanted: Wanted, tell: Teller) -> None:
    """Put the wanted version on a board that runs MicroPython; recordings and settings stay. Raise
    MakerError, BoardError; then the old version still runs, or the next run completes this one."""
    began_s = time.monotonic()
    for path in board.mend():
        tell.say(f"{path} lay in damaged flash, which kept all else from being written: deleted")
    complete(board)
    board.make_spi_flash()
    tree = _robot_s(board, wanted)
    files = dict(wanted.firmware)
    if not tree.keys() & {BUNDLE, "roboto/board/flash.py", "roboto/board/flash.mpy"}:
        # Without firmware a board cannot tell whether it has an SPI flash for the voice. As long
        # as main.py is missing nothing starts.
        first = {path: data for path, data in files.items() if path != "main.py"}
        _send(board, first, plan(board, first), tell)
        board.renew()
        board.make_spi_flash()
        tree = board.tree()
    files |= wanted.packs or _packs(board, tree, wanted)
    todo = plan(board, files)
    if todo.nothing:
        seconds = time.monotonic() - began_s
        tell.say(f"up to date: {len(files)} files, checked in {seconds:.1f} s")
    else:
        _send(board, files, todo, tell)
    if wanted.languages:
        _set_language(board, wanted.languages[0])


def would_do(board: Files, wanted: Wanted) -> list[str]:
    """Return a line for each change that bring_up_to_date() would make. An interrupted commit is
    carried out, as the board itself would at its next start; else nothing is changed."""
    complete(board)
    tree = _robot_s(board, wanted)
    files = {**wanted.firmware, **(wanted.packs or _packs(board, tree, wanted))}
    todo = plan(board, files)
    if todo.nothing:
        return [f"up to date: {len(files)} files"]
    send = [f"would send {path} ({len(files[path])} bytes)" for path in todo.changed]
    return send + [f"would remove {path}" for path in todo.remove]


def _robot_s(board: Files, wanted: Wanted) -> dict[str, int]:
    """The tree of a board that may be written to. Raise MakerError where another program is."""
    tree = board.tree()
    ours = any(path.startswith("roboto/") for path in tree)
    if "main.py" in tree and not ours and not wanted.force:
        raise MakerError(
            "the board runs another program (main.py, no roboto folder): --force replaces it, "
            "--port chooses another"
        )
    return tree


def _send(board: Files, files: Mapping[str, bytes], todo: Plan, tell: Teller) -> None:
    if todo.make_room:
        tell.say("no room for the voice twice: the old one goes first")
    began_s = time.monotonic()
    with tell.sending(sum(len(files[path]) for path in todo.send)) as progress:
        n_bytes = flash(board, files, todo, progress)
    seconds = time.monotonic() - began_s
    speed = n_bytes / 1024 / max(seconds, 0.001)
    tell.say(
        f"sent {len(todo.send)} of {len(files)} files, {n_bytes / 1024:.0f} KB in {seconds:.1f} s "
        f"({speed:.0f} KB/s), checked and switched in"
    )


def _packs(board: Files, tree: Mapping[str, int], wanted: Wanted) -> dict[str, bytes]:
    """The packs that are to be on the board: those asked for, or those that are there."""
    languages = wanted.languages or packs.languages(tree) or ["es"]
    free = board.room("voice/").free_bytes
    ours = ("voice/", "next/", "data/") + (() if board.spi_flash else ("roboto/",))
    free += room_taken(file for file in tree.items() if file[0].startswith(ours))
    if not board.spi_flash:
        free -= room_taken((path, len(data)) for path, data in wanted.firmware.items())
    return packs.packs_for(list(languages), free)


def _set_language(board: Files, language: str) -> None:
    values = device_files.settings_of(board)
    if values["language"] != language:
        values["language"] = language
        board.replace(device_files.SETTINGS, device_files.settings_file(values))


def complete(board: Files) -> None:
    """Carry out a commit that was interrupted, so that the tree shows what is there. One that
    cannot be carried out is given up: what it left half done is put right by what follows, and
    until then nothing starts."""
    try:
        if board.digests([COMMIT]):
            _switch_in(board)
            board.renew()
        if board.spi_flash and board.digests([THEN]):
            _switch_in(board)
    except RemoteError:
        board.write({UNFIT: b""})
        board.remove([COMMIT, THEN])
        board.renew()


def plan(board: Files, wanted: Mapping[str, bytes]) -> Plan:
    """Compare the board with the wanted files (path -> contents). Raise BoardError when they do
    not fit, MakerError when they can lie on no board."""
    _check_paths(wanted)
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
    result.unfit = UNFIT in tree
    _find_room(board, tree, wanted, result)
    return result


def _check_paths(wanted: Iterable[str]) -> None:
    """See that a commit of these paths can be carried out: each is a file's, none lies in
    another, and no two are staged under one name. Raise MakerError."""
    paths = set(wanted)
    staged: dict[str, str] = {}
    for path in sorted(paths):
        parts = path.split("/")
        inside = next((x for i in range(1, len(parts)) if (x := "/".join(parts[:i])) in paths), "")
        other = staged.setdefault(_staged(path), path)
        if path.startswith("/") or not is_path(path) or path.startswith(_NEXT):
            raise MakerError(f"{path!r} can be no file of a robot's: nothing was changed")
        if inside or other != path:
            raise MakerError(f"{path} and {inside or other} cannot both be: nothing was changed")


def _find_room(
    board: Files, tree: Mapping[str, int], wanted: Mapping[str, bytes], todo: Plan
) -> None:
    def blocks(paths: Iterable[str], sizes: Callable[[str], int], there: bool) -> int:
        return sum(_blocks(sizes(path)) for path in paths if on_spi_flash(board, path) == there)

    for there in (True, False) if board.spi_flash else (False,):
        free = board.room("voice/" if there else "").free_blocks
        free += blocks(todo.stale, lambda path: tree[path], there)
        needed = blocks(todo.send, lambda path: len(wanted[path]), there) + _SPARE_BLOCKS
        if needed <= free or needed == _SPARE_BLOCKS:
            continue
        # A voice pack may take most of the flash: there is no room for it twice. Then the old one
        # goes first.
        old = [
            path
            for path in tree
            if _is_pack(path)
            and on_spi_flash(board, path) == there
            and (path in todo.changed or path in todo.remove)
        ]
        todo.make_room += old
        free += sum(_blocks(tree[path]) for path in old)
        if needed > free:
            raise BoardError(
                f"no space: {needed * 4} KB are needed, {free * 4} KB can be had"
                f"{' on the SPI flash' if there else ''}: take fewer "
                "languages (--lang), wipe recordings (`roboto clips wipe`), or use a board with "
                "more flash; nothing was changed"
            )


def on_spi_flash(board: Files, path: str) -> bool:
    """Tell whether a path lies on the board's SPI flash."""
    return bool(board.spi_flash) and path.startswith(ON_SPI_FLASH)


def flash(
    board: Files,
    wanted: Mapping[str, bytes],
    todo: Plan,
    progress: Progress | None = None,
) -> int:
    """Carry out a plan, and return how many bytes were sent for it. progress is told of the bytes
    of todo.send. Raise BoardError."""
    if todo.nothing:
        return 0
    n_sent = 0
    board.remove(todo.stale)
    if todo.make_room:
        board.write({UNFIT: b""})
        board.remove(todo.make_room)
    if todo.send:
        send = {path: wanted[path] for path in todo.send}
        if BUNDLE in send and (n_sent := _patch(board, send[BUNDLE])):
            n_done = len(send.pop(BUNDLE))
            if progress:
                progress(n_done)
        board.write({_staged(path): data for path, data in send.items()}, progress)
        n_sent += sum(map(len, send.values()))
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
    left.remove = [path for path in left.remove if path in todo.remove]  # others were to stay
    if not left.nothing:
        raise BoardError("the board does not hold what was sent: run this again")
    return n_sent


def _patch(board: Files, new: bytes) -> int:
    """Lay a new bundle down by sending what differs from the one that is there. Return how many
    bytes were sent; 0 when it does not lie there to the last bit. Where much has changed it is
    not tried."""
    try:
        old = board.read(BUNDLE, bundle.HEAD_BYTES_MOST)
    except RemoteError:
        return 0
    pieces, fresh = bundle.difference(old, new)
    if len(fresh) > len(new) // 2:
        return 0
    changes, target = _NEXT + "changes", _staged(BUNDLE)
    board.write({changes: fresh})
    with contextlib.suppress(RemoteError):  # such as an old bundle that is shorter than it says
        board.assemble(
            *(target, (changes, BUNDLE), [(int(p.from_old), p.position, p.length) for p in pieces])
        )
    board.remove([changes])
    right = board.digests([target]).get(target) == hashlib.sha256(new).hexdigest()
    return len(fresh) if right else 0


def _commit(board: Files, todo: Plan) -> None:
    """Have the new version count, from the last line on."""
    moves = [[_staged(path)[len(_NEXT) :], path] for path in in_order(todo.changed)]
    remove = todo.remove
    if board.spi_flash:
        then = {
            "from": f"{board.spi_flash}/{_NEXT}".rstrip("/"),
            "move": [
                [name, f"{board.spi_flash}/{path}"] for name, path in moves if _is_pack(path)
            ],
            "remove": [
                f"{board.spi_flash}/{path}" if on_spi_flash(board, path) else path
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
    """Return the paths, those at the root last: while main.py is the old one, or is not there,
    nothing new is started."""
    return sorted(paths, key=lambda path: (path in _FILES_AT_ROOT, path))


def _switch_in(board: Files) -> None:
    then = "finish(THEN)\n" if board.spi_flash else ""
    board.exec(_SWITCH_IN.read_text("utf-8") + "\nfinish()\n" + then, timeout_s=60)


def _staged(path: str) -> str:
    return _NEXT + path.replace("/", "+")


def _is_pack(path: str) -> bool:
    return path.lstrip("/").startswith("voice/")


def _blocks(n_bytes: int) -> int:
    return n_bytes // _IN_BLOCK_BYTES + 1
