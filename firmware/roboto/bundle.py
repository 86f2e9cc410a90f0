"""Imports the firmware's modules out of one file.

A file of its own takes a module 4 KB of flash at least, and at each import littlefs looks through
folders and their checksums. In one file they take a third of that, and the robot speaks sooner.
The file is made by host_tools/maker/bundle.py; its layout is in docs/architecture.md.

A module that lies in flash under its own path wins over the bundle's, so that whoever works on the
code copies one file to try it. Without a bundle all modules are looked for in flash.
"""

import builtins
import os
import sys
from binascii import crc32
from struct import unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .in_place import Linker
    from .shapes import BinaryFile

FILE = "roboto/modules.bundle"
MAGIC = b"RBMB"
FORMAT = 1
KEY_BITS = 0x3FFFFFFF  # of a path's CRC-32: so many are a small integer, which takes no heap

_MOUNT = "/fw"
_PACKAGE = "roboto"
_HEAD_BYTES = 16
_ENTRY_BYTES = 12
_ROW_BYTES = 6
_ENOENT = 2
_IS_FOLDER = 0x4000
_IS_FILE = 0x8000
# What lies in the package's folder beside modules that are being worked on.
_NOT_LOOSE = ("bundle.mpy", "bundle.py", "switch_in.mpy", "switch_in.py", FILE[7:])


class Bundle:
    """The three methods of a file system that an import needs."""

    def __init__(self) -> None:
        """Read the index. Raise OSError when there is no bundle, ValueError when it is none."""
        with open(FILE, "rb") as file:
            head = file.read(_HEAD_BYTES)
            if len(head) < _HEAD_BYTES:
                raise ValueError("cut short")
            magic, number, n, _, crc = unpack("<4sHHII", head)
            if magic != MAGIC or number != FORMAT:
                raise ValueError("not a bundle of this firmware's")
            index = file.read(_ENTRY_BYTES * n)
        if crc32(index) != crc or len(index) != _ENTRY_BYTES * n:
            raise ValueError("damaged")
        self._at: dict[int, int] = {}
        for i in range(0, len(index), _ENTRY_BYTES):
            key, position, _ = unpack("<III", index[i : i + _ENTRY_BYTES])
            self._at[key] = position
        self._linker: Linker | None = None
        self._rows = b""  # of the module that was opened last
        self._position = 0
        self._loose = any(name not in _NOT_LOOSE for name in os.listdir(_PACKAGE))

    def mount(self, readonly: bool, mkfs: bool) -> None:
        """Take part in the file system: modules of the bundle ask from now on."""
        everywhere: Any = builtins
        everywhere._in_place = self._run

    def umount(self) -> None:
        """Leave the file system; nothing is to be done."""

    def ilistdir(self, path: str) -> "Iterator[tuple]":
        """Show nothing to whoever lists all files: the modules have no names in here."""
        return iter(())

    def stat(self, path: str) -> "tuple[int, ...]":
        """Return what os.stat() does, of which an import looks at the first number alone. Raise
        OSError when there is no such module."""
        if self._loose:
            try:
                return os.stat(path)
            except OSError:
                pass
        position = self._at.get(crc32(path.encode()) & KEY_BITS)
        if position is None:
            raise OSError(_ENOENT)
        return (_IS_FILE if position else _IS_FOLDER, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    def open(self, path: str, mode: str) -> "BinaryFile":
        """Return a file positioned at a module's first byte: a .mpy knows where it ends."""
        if self._loose:
            try:
                return open(path, "rb")
            except OSError:
                pass
        file = open(FILE, "rb")
        position = self._at[crc32(path.encode()) & KEY_BITS]
        file.seek(position)
        n_bytes = _ROW_BYTES * int.from_bytes(file.read(4), "little")
        self._position = position + 4 + n_bytes
        if self._linker:
            self._rows = file.read(n_bytes)
        else:
            file.seek(self._position)
        return file

    def run_in_place(self) -> None:
        """Have what is imported from now on run where it lies in flash, see in_place.py, and be
        looked for in the bundle alone. That must not be rewritten any more before a restart."""
        from .in_place import Linker

        sys.path[:] = [_MOUNT, ".frozen"]  # with "" in it, `import time` looks through littlefs
        try:
            self._linker = Linker(FILE)
        except (OSError, ValueError):
            pass  # then all of it lies in RAM

    def _run(self, body: "Callable[[], None]") -> None:
        """Run a module's body, which has just been loaded."""
        if self._rows and self._linker:
            rows, self._rows = self._rows, b""
            self._linker.link(body, rows, self._position)
        body()


mounted: "Bundle | None" = None


def mount() -> None:
    """Have modules imported from the bundle, if there is one. Never raises: without a bundle, and
    with a damaged one, they are looked for as files."""
    global mounted
    try:
        bundle: Any = Bundle()
    except (OSError, ValueError) as error:
        if error.args[0] == _ENOENT:
            return
        print("roboto: %s: %s: run `roboto flash`" % (FILE, error))
        return
    import vfs  # a desktop has none

    vfs.mount(bundle, _MOUNT)
    mounted = bundle
    sys.path.insert(0, _MOUNT)
    package: Any = sys.modules[_PACKAGE]  # imported already, with switch_in, as a folder's
    package.__path__ = _MOUNT + "/" + _PACKAGE
