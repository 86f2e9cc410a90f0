"""The stock MicroPython that goes onto a bare board: given as a file, or fetched once and kept."""

import hashlib
import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from host_tools.image import ImageError, Stock, read_stock

from .board import OLDEST
from .errors import MakerError

SITE = "https://micropython.org/resources/firmware/"
CACHE = Path(os.environ.get("ROBOTO_CACHE", Path.home() / ".cache" / "roboto")) / "micropython"


@dataclass(frozen=True)
class Release:
    """A file on MicroPython's site. sha256: of the file as first seen, None where nobody has noted
    it yet."""

    file: str
    flash: str
    sha256: str | None = None


BOARDS = {
    "pico": Release("RPI_PICO-20260824-v1.29.0.uf2", "2 MB"),
    "picow": Release("RPI_PICO_W-20260824-v1.29.0.uf2", "2 MB"),
    "pico4m": Release("RPI_PICO-FLASH_4M-20260824-v1.29.0.uf2", "4 MB"),
    "pico8m": Release("RPI_PICO-FLASH_8M-20260824-v1.29.0.uf2", "8 MB"),
    "pico16m": Release("RPI_PICO-FLASH_16M-20260824-v1.29.0.uf2", "16 MB"),
}


def load(board: str, path: Path | None) -> Stock:
    """The stock image for a board, from a file when one is given. Raises MakerError."""
    if path is None:
        path = fetch(board)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MakerError(f"{path}: {error.strerror}: --micropython wants a UF2 file") from error
    try:
        stock = read_stock(data)
    except ImageError as error:
        raise MakerError(f"{path}: {error}") from error
    version = version_of(stock)
    if version and version[:2] < OLDEST:
        raise MakerError(
            f"{path} is MicroPython {stock.version}: take {OLDEST[0]}.{OLDEST[1]} or newer"
        )
    return stock


def version_of(stock: Stock) -> tuple[int, ...]:
    """(1, 29, 0) of "v1.29.0"; empty when it is not known."""
    numbers = stock.version.lstrip("v").split("-")[0].split(".")
    return tuple(int(n) for n in numbers) if all(n.isdigit() for n in numbers) else ()


def fetch(board: str) -> Path:
    """The cached UF2, downloaded first when it is not there. Its checksum is noted at the first
    download and compared ever after. Raises MakerError."""
    if board not in BOARDS:
        raise MakerError(f"no board {board}: there are {', '.join(BOARDS)}")
    release = BOARDS[board]
    path, notes = CACHE / release.file, CACHE / "sha256.json"
    known = json.loads(notes.read_text()) if notes.is_file() else {}
    expected = release.sha256 or known.get(release.file)
    if path.is_file():
        if _sha256(path.read_bytes()) == expected:
            return path
        path.unlink()  # cut short, or damaged
    url = SITE + release.file
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError) as error:
        raise MakerError(
            f"{url} cannot be fetched ({getattr(error, 'reason', error)}): download a MicroPython "
            "UF2 for the board from "
            "micropython.org/download/RPI_PICO and give it with --micropython FILE.uf2"
        ) from error
    digest = _sha256(data)
    if expected is not None and digest != expected:
        raise MakerError(
            f"{url} has the SHA-256 {digest}, not {expected} as before: do not use it, or delete "
            f"{notes} if you trust it"
        )
    CACHE.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    temporary.replace(path)
    notes.write_text(json.dumps({**known, release.file: digest}, indent=1, sort_keys=True))
    return path


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
