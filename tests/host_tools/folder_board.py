"""A board whose flash is a folder, and whose plug can be pulled before any operation on it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

from host_tools.maker.errors import BoardError, RemoteError
from host_tools.maker.files import ON_SPI_FLASH, Room

BLOCK_BYTES = 4096
_CHUNK_BYTES = 4032


class Unplugged(BoardError):
    """The power went, or the cable."""


class FolderBoard:
    """As board.Board, for flash() and its like. dies_at: the number of the operation that no
    longer happens; operations are writes of a chunk, and changes of a name. chip_blocks: of the
    SPI flash, which is the folder flash/; 0 when none is fitted."""

    def __init__(
        self, root: Path, blocks: int = 352, dies_at: int | None = None, chip_blocks: int = 0
    ) -> None:
        self.root, self.blocks, self.dies_at = root, blocks, dies_at
        self.operations = 0
        self.chip_blocks = chip_blocks
        self.spi_flash = "/flash" if chip_blocks else ""

    def renew(self) -> None:
        pass

    def make_spi_flash(self) -> None:
        pass

    def mend(self) -> list[str]:
        return []

    def _operate(self) -> None:
        if self.operations == self.dies_at:
            raise Unplugged("unplugged")
        self.operations += 1

    def _real(self, path: str) -> Path:
        """Where a path of the computer's lies."""
        on_spi_flash = self.spi_flash and path.startswith(ON_SPI_FLASH)
        return self.root / (f"{self.spi_flash}/{path}" if on_spi_flash else path).lstrip("/")

    def put(self, files: Mapping[str, bytes]) -> None:
        """For the test: files that are there already, by their places on the board."""
        for path, data in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(data)

    def files(self) -> dict[str, bytes]:
        """For the test: everything there is, by its place on the board."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file()
        }

    def tree(self) -> dict[str, int]:
        files = {path: len(data) for path, data in self.files().items()}
        if not self.spi_flash:
            return files
        own = {p: n for p, n in files.items() if not p.startswith(("flash/", "data/"))}
        tree = {"/" * path.startswith(ON_SPI_FLASH) + path: n for path, n in own.items()}
        return tree | {p[len("flash/") :]: n for p, n in files.items() if p.startswith("flash/")}

    def digests(self, paths: list[str]) -> dict[str, str]:
        there = {path: self._real(path) for path in paths}
        return {
            path: hashlib.sha256(real.read_bytes()).hexdigest()
            for path, real in there.items()
            if real.is_file()
        }

    def room(self, path: str = "") -> Room:
        on_chip = bool(self.spi_flash) and path.startswith(ON_SPI_FLASH)
        blocks = self.chip_blocks if on_chip else self.blocks
        used = sum(
            len(data) // BLOCK_BYTES + 1
            for place, data in self.files().items()
            if place.startswith("flash/") == on_chip
        )
        return Room(BLOCK_BYTES, blocks, blocks - used)

    def read(self, path: str, most: int = 1 << 24) -> bytes:
        try:
            return self._real(path).read_bytes()[:most]
        except FileNotFoundError:
            raise RemoteError("no such file", "OSError", errno.ENOENT) from None

    def write(
        self, files: Mapping[str, bytes], progress: Callable[[int], None] | None = None
    ) -> None:
        for path, data in files.items():
            self._operate()
            target = self._real(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                for start in range(0, len(data), _CHUNK_BYTES):
                    self._operate()
                    chunk = data[start : start + _CHUNK_BYTES]
                    if self.room(path).free_blocks < 1:
                        raise BoardError("the board's flash is full")
                    file.write(chunk)
                    file.flush()
                    if progress:
                        progress(len(chunk))

    def assemble(self, path: str, sources, pieces) -> None:
        data = b""
        for source, position, length in pieces:
            data += self._real(sources[source]).read_bytes()[position : position + length]
        self.write({path: data})

    def replace(self, path: str, data: bytes, progress=None) -> None:
        self.write({path + ".tmp": data}, progress)
        self.rename(path + ".tmp", path)

    def remove(self, paths: list[str]) -> None:
        for path in paths:
            self._operate()
            real = self._real(path)
            with contextlib.suppress(OSError):  # a folder that is not empty
                real.rmdir() if real.is_dir() else real.unlink(missing_ok=True)

    def rename(self, old: str, new: str) -> None:
        self._operate()
        self._real(old).replace(self._real(new))

    def exec(self, code: str, timeout_s: float = 10.0) -> str:
        """Runs code of the firmware; its os and open() are this board's."""
        import builtins
        import json

        def change(name: str) -> Callable:
            def changed(*paths: str) -> None:
                self._operate()
                getattr(os, name)(*(self.root / path.lstrip("/") for path in paths))

            return changed

        shim = SimpleNamespace(
            stat=lambda path: os.stat(self.root / path.lstrip("/")),
            mkdir=change("mkdir"),
            remove=change("remove"),
            rename=change("replace"),
            rmdir=change("rmdir"),
            listdir=lambda path: os.listdir(self.root / path.lstrip("/")),
        )
        printed: list[str] = []
        names = {
            "__builtins__": {
                **vars(builtins),
                "open": lambda path, mode="r": open(self.root / path.lstrip("/"), mode),
                "__import__": lambda name, *_: {"os": shim, "json": json}[name],
                "print": lambda *words: printed.append(" ".join(map(str, words))),
            }
        }
        exec(compile(code, "on the board", "exec"), names)
        return "\n".join(printed)

    def boots(self) -> bool:
        """Power on: whether main.py would start the firmware. With a chip it goes on to mount it,
        as board/flash.py does."""
        if not (self.root / "main.py").is_file():
            return False
        source = (Path(__file__).parents[2] / "firmware/roboto/switch_in.py").read_text()
        then = "ok and finish(THEN)\n" if self.spi_flash else ""
        return self.exec(f"{source}\nok = ready()\n{then}print(ok)").endswith("True")


def full() -> OSError:
    """What a full littlefs raises."""
    return OSError(errno.ENOSPC, "ENOSPC")
