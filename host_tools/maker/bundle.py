"""The firmware's modules in one file, as firmware/roboto/bundle.py imports them from it.

The layout is in docs/architecture.md. The same modules give the same bytes.
"""

import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from roboto.bundle import FORMAT, KEY_BITS, MAGIC

from .mpy import MpyError, asking

_HEAD = struct.Struct("<4sHHII")
_ENTRY = struct.Struct("<III")
_COUNT = struct.Struct("<I")
_ROW = struct.Struct("<HHH")
_ALIGN_BYTES = 4
BLOCK_BYTES = 4096  # of littlefs
HEAD_BYTES_MOST = 8192  # in which the index of any bundle of ours lies


def key(path: str) -> int:
    """Return the number under which a path stands in the index."""
    return zlib.crc32(f"/{path}".encode()) & KEY_BITS


def pack(modules: Mapping[str, bytes], in_place: bool = True) -> bytes:
    """Return the bundle of these modules: path on the board, such as roboto/app.mpy -> .mpy.

    What is no .mpy is data. in_place: their bytecode may be run where it lies in flash; else it
    is copied to the heap.
    Raises ValueError when two paths have the same key, or a module cannot be read.
    """
    folders = {path[:at] for path in modules for at, sign in enumerate(path) if sign == "/"}
    entries = [(key(folder), 0, 0) for folder in folders]
    start = _HEAD.size + _ENTRY.size * (len(modules) + len(folders))
    body = bytearray()
    inside = {
        path: _module(path, mpy)
        if in_place and path.endswith(".mpy")
        else _Module(_COUNT.pack(0) + mpy, [])
        for path, mpy in sorted(modules.items())
    }
    for path in _order(inside, start):
        module = inside[path].data
        entries.append((key(path), start + len(body), zlib.crc32(module)))
        body += module + bytes(-len(module) % _ALIGN_BYTES)
    if len({number for number, _, _ in entries}) != len(entries):
        raise ValueError("two modules of the firmware have the same key: rename one")
    index = b"".join(_ENTRY.pack(*entry) for entry in sorted(entries))
    size = start + len(body)
    return _HEAD.pack(MAGIC, FORMAT, len(entries), size, zlib.crc32(index)) + index + bytes(body)


@dataclass(frozen=True)
class Piece:
    """A stretch of a new bundle: where it is to be had, in the old one or in what is sent."""

    from_old: bool
    position: int
    length: int


def difference(old: bytes, new: bytes) -> tuple[list[Piece], bytes]:
    """Return what a new bundle is made of, and what of it has to be sent.

    old: the bundle that is there, or its first HEAD_BYTES_MOST bytes: an index says of each module
    where it lies and its CRC-32. That they agree is no proof; whoever puts the pieces together
    compares the SHA-256. Of an old one that is none, everything is sent.
    """
    there = {(at.crc, at.length): at.position for at in _modules(old)}
    pieces: list[Piece] = []
    fresh = bytearray()

    def add(from_old: bool, position: int, length: int) -> None:
        last = pieces[-1] if pieces else None
        if last and (last.from_old, last.position + last.length) == (from_old, position):
            position, length = last.position, last.length + length
            pieces.pop()
        pieces.append(Piece(from_old, position, length))

    done = 0
    for at in _modules(new):
        same = there.get((at.crc, at.length))
        if same is None:
            continue
        if at.position > done:
            add(False, len(fresh), at.position - done)
            fresh += new[done : at.position]
        add(True, same, at.length)
        done = at.position + at.length
    if done < len(new):
        add(False, len(fresh), len(new) - done)
        fresh += new[done:]
    return pieces, bytes(fresh)


@dataclass(frozen=True)
class _At:
    position: int
    length: int  # with what fills it up
    crc: int


def _modules(data: bytes) -> list[_At]:
    """Return where the modules of a bundle lie, in their order; none of what is no bundle."""
    if len(data) < _HEAD.size:
        return []
    magic, number, n, size, crc = _HEAD.unpack_from(data)
    index = data[_HEAD.size : _HEAD.size + n * _ENTRY.size]
    if (magic, number) != (MAGIC, FORMAT) or zlib.crc32(index) != crc:
        return []
    entries = sorted((position, crc) for _, position, crc in _ENTRY.iter_unpack(index) if position)
    ends = [position for position, _ in entries[1:]] + [size]
    return [
        _At(position, end - position, crc)
        for (position, crc), end in zip(entries, ends, strict=False)
        if end > position
    ]


@dataclass(frozen=True)
class _Module:
    """A module as it lies in the bundle, wherever in it, and where the bytecode of its functions
    begins and ends; its body is left out, which runs but once."""

    data: bytes
    functions: list[tuple[int, int]]

    def cut_bytes(self, at: int, ends: list[int]) -> int:
        """Return the length of the functions in which one of the ends lies, were it at `at`."""
        return sum(
            end - begin
            for begin, end in self.functions
            if bisect_right(ends, at + begin) < bisect_left(ends, at + end)
        )


def _order(modules: dict[str, _Module], start: int) -> list[str]:
    """Return the paths in an order in which few functions lie in two blocks of littlefs, where
    their bytes do not follow each other: those stay on the board's heap.

    One after the other, that of which the least is cut; of those the largest.
    """
    size = start + sum(len(module.data) + _ALIGN_BYTES for module in modules.values())
    ends = _block_ends(size)
    left = sorted(modules, key=lambda path: -len(modules[path].data))
    order: list[str] = []
    at = start
    while left:
        path = min(left, key=lambda path: modules[path].cut_bytes(at, ends))
        left.remove(path)
        order.append(path)
        at += len(modules[path].data) + -len(modules[path].data) % _ALIGN_BYTES
    return order


def _block_ends(size: int) -> list[int]:
    """Return the positions in a file of littlefs at which a block ends: see in_place.py Places."""
    ends: list[int] = []
    end = 0
    while end < size:
        n = len(ends)
        links = (n & -n).bit_length() if n else 0
        end += BLOCK_BYTES - 4 * links
        ends.append(end)
    return ends


def _module(path: str, mpy: bytes) -> _Module:
    """Return a module with a row for each function before it."""
    try:
        code, functions = asking(mpy)
        rows = b"".join(
            _ROW.pack(f.at, f.n_bytes if f.is_bytecode else 0, f.n_children) for f in functions
        )
    except (MpyError, struct.error) as error:
        raise ValueError(f"{path}: {error}") from error
    begin = _COUNT.size + len(rows)
    spans = [(begin + f.at, begin + f.at + f.n_bytes) for f in functions[1:] if f.is_bytecode]
    return _Module(_COUNT.pack(len(functions)) + rows + code, spans)
