"""The stock MicroPython that goes onto a bare board: given as a file, or fetched once and kept."""

import hashlib
import http.client
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


_BY_HAND = (
    "download a MicroPython UF2 for the board from micropython.org/download/?mcu=rp2040 and give "
    "it with --micropython FILE.uf2"
)


@dataclass(frozen=True)
class Release:
    """A file on MicroPython's site, BOARD[-VARIANT]-DATE-VERSION.uf2. sha256: None where nobody
    has noted it yet; then it is noted at the first download."""

    file: str
    sha256: str | None = None


# MicroPython builds RPI_PICO for 2 MB only. What it builds for WeAct's boards, which have a Pico's
# pins, fits any such board with as much flash.
BOARDS = {
    "pico": Release(
        "RPI_PICO-20260824-v1.29.0.uf2",
        "e1160e602e277d85920adb5fe741435edccba9ba6ecadc85fdab75252eeff4e9",
    ),
    "pico4m": Release("WEACTSTUDIO-FLASH_4M-20260824-v1.29.0.uf2"),
    "pico8m": Release("WEACTSTUDIO-FLASH_8M-20260824-v1.29.0.uf2"),
    "pico16m": Release("WEACTSTUDIO-20260824-v1.29.0.uf2"),
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
    """The cached UF2, downloaded first when it is not there. Its checksum is compared with the
    known one, or with that of the first download. Raises MakerError."""
    if board not in BOARDS:
        raise MakerError(f"no board {board}: there are {', '.join(BOARDS)}")
    release = BOARDS[board]
    path, notes = CACHE / release.file, CACHE / "sha256.json"
    known = _noted(notes)
    expected = release.sha256 or known.get(release.file)
    if path.is_file():
        if _sha256(path.read_bytes()) == expected:
            return path
        path.unlink()  # cut short, or damaged
    url = SITE + release.file
    data = _download(url)
    digest = _sha256(data)
    if expected is not None and digest != expected:
        first = "" if release.sha256 else f" (that is in {notes}: delete it if you trust this one)"
        raise MakerError(
            f"{url} came with the SHA-256 {digest}, not {expected}{first}: it is damaged, or not "
            f"the one: try again, or {_BY_HAND}"
        )
    try:
        read_stock(data)
    except ImageError as error:
        raise MakerError(f"{url}: {error}; or {_BY_HAND}") from error
    CACHE.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    temporary.replace(path)
    notes.write_text(json.dumps({**known, release.file: digest}, indent=1, sort_keys=True))
    return path


def _download(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        why = f"the server answers {error.code} {error.reason}"
    except http.client.IncompleteRead as error:
        why = f"it broke off after {len(error.partial)} bytes"
    except (OSError, http.client.HTTPException) as error:
        why = f"no internet? {getattr(error, 'reason', error)}"
    raise MakerError(f"{url} cannot be fetched ({why}): {_BY_HAND}")


def _noted(notes: Path) -> dict[str, str]:
    try:
        return json.loads(notes.read_text())
    except (OSError, ValueError):
        return {}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
