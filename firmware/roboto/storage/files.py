"""The file system that a Volume works on, and an open file as it is read piece by piece."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shapes import BinaryFile, Buffer


class Files:
    """The file system as a Volume uses it: the interpreter's own.

    A simulator or a test hands in something else with these names. They raise OSError as the
    interpreter's do.
    """

    open: "Any" = staticmethod(open)
    listdir = staticmethod(os.listdir)
    mkdir = staticmethod(os.mkdir)
    remove = staticmethod(os.remove)
    rmdir = staticmethod(os.rmdir)
    stat = staticmethod(os.stat)
    # POSIX and littlefs rename over an old file; Windows wants to be asked for it.
    rename = staticmethod(getattr(os, "replace", os.rename))
    # Windows has none; a desktop's disk is never the limit.
    statvfs = staticmethod(getattr(os, "statvfs", lambda path: (4096, 4096, 1 << 18, 1 << 18)))


class FileBlob:
    """Read-only access to a stretch of an open file, by position and without allocating."""

    def __init__(self, file: "BinaryFile", start: int, length: int) -> None:
        self._file: BinaryFile | None = file
        self._start = start
        self.length = length

    def read_at(self, position: int, buffer: "Buffer") -> int:
        """Fill buffer from byte position on. Returns the bytes read, 0 at the end or if closed."""
        if self._file is None or position >= self.length:
            return 0
        self._file.seek(self._start + position)
        return self._file.readinto(buffer) or 0

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
