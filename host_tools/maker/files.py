"""What the maker's tools want of a board's files, and what may lie there."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Progress = Callable[[int], None]  # told how many bytes more are done

# What lies on the SPI flash where one is fitted; see firmware/roboto/board/flash.py.
ON_SPI_FLASH = ("data/", "voice/", "next/voice+")
MOST_FILES = 1000
MOST_BYTES = 32 << 20  # an RP2040's own flash of 16 MB, and as large a chip beside it
_PATH = re.compile(r"/?[\w.+-][\w .+-]*(/[\w.+-][\w .+-]*)*", re.ASCII)
_PATH_CHARACTERS = 120


@dataclass(frozen=True)
class Room:
    """A file system's size, in blocks."""

    block_bytes: int
    blocks: int
    free_blocks: int

    @property
    def free_bytes(self) -> int:
        return self.block_bytes * self.free_blocks


class Files(Protocol):
    """A board's files; see board.Board. Methods raise BoardError.

    Paths are those of the firmware: data/ and voice/ lie on the SPI flash where one is fitted. A
    path that begins with "/" names what lies beside the firmware all the same.
    """

    @property
    def spi_flash(self) -> str:
        """Return where the SPI flash is mounted; "" when there is none."""
        ...

    def renew(self) -> None:
        """Begin the session anew."""

    def tree(self) -> dict[str, int]:
        """Return all files: path -> size in bytes."""
        ...

    def digests(self, paths: list[str]) -> dict[str, str]:
        """Return the SHA-256 of the files that are there."""
        ...

    def make_spi_flash(self) -> None:
        """Give a new SPI flash its file system."""

    def room(self, path: str = "") -> Room:
        """Return the room of the file system on which a path lies."""
        ...

    def mend(self) -> list[str]:
        """Delete the files that keep all others from being written, and return their paths."""
        ...

    def read(self, path: str, most: int = MOST_BYTES) -> bytes:
        """Return a file's first bytes. Raise RemoteError (errno ENOENT) when there is none."""
        ...

    def write(self, files: Mapping[str, bytes], progress: Progress | None = None) -> None:
        """Write files; when it fails some are there in part."""

    def assemble(
        self, path: str, sources: Sequence[str], pieces: Sequence[tuple[int, int, int]]
    ) -> None:
        """Write a file from pieces of others that are there: (number of the source, position,
        length)."""

    def replace(self, path: str, data: bytes, progress: Progress | None = None) -> None:
        """Write a file that is old or new at any moment."""

    def remove(self, paths: list[str]) -> None:
        """Delete files and empty folders; it is no error when there are none."""

    def rename(self, old: str, new: str) -> None:
        """Rename a file within its file system; a folder in its way goes aside."""

    def exec(self, code: str, timeout_s: float = 10.0) -> str:
        """Run code on the board and return what it printed."""
        ...


def is_path(path: str) -> bool:
    """Tell whether a path can be a file's on a robot: plain names one in another, none of them
    hidden in the manner of "..", all of it short enough."""
    words = path.strip("/").split("/")
    return (
        len(path) <= _PATH_CHARACTERS
        and _PATH.fullmatch(path) is not None
        and not any(set(word) <= set(". ") for word in words)
    )
