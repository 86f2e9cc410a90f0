"""The stock MicroPython that goes onto a bare board: given as a file, or fetched once and kept.

Nothing that is fetched is believed: its SHA-256 must be known here, or be stated by the user.
"""

import hashlib
import http.client
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from host_tools.image import ImageError, Stock, read_stock

from .. import disk
from ..plain_file import reason
from .board import OLDEST
from .door import clean
from .errors import MakerError

SITE = "https://micropython.org/resources/firmware/"
_UF2_BYTES = 32 * disk.MIB
_DOWNLOAD_S = 30
_BY_HAND = (
    "download a MicroPython UF2 for the board from micropython.org/download/?mcu=rp2040 and give "
    "it with --micropython FILE.uf2"
)


@dataclass(frozen=True)
class Release:
    """A file on MicroPython's site, BOARD[-VARIANT]-DATE-VERSION.uf2. sha256: None where it is not
    known here; then whoever fetches it must state one."""

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


def load(board: str, path: Path | None = None, sha256: str | None = None) -> Stock:
    """Return the stock image for a board, from a file, or from a folder of them, when one is
    given. sha256: what it must have. Raise MakerError, FileError."""
    sha256 = _stated(sha256)
    if path is None:
        path = fetch(board, sha256)
    elif path.is_dir():
        path = _in_folder(path, _release(board))
    data = disk.read(path, _UF2_BYTES, "a MicroPython UF2 (--micropython)")
    if sha256 and _sha256(data) != sha256:
        raise MakerError(f"{path} has the SHA-256 {_sha256(data)}, not {sha256}: {_BY_HAND}")
    try:
        stock = read_stock(data)
    except ImageError as error:
        raise MakerError(f"{path}: {error}") from error
    version = version_of(stock)
    if version and version[:2] < OLDEST:
        raise MakerError(
            f"{path} is MicroPython {clean(stock.version)}: take {OLDEST[0]}.{OLDEST[1]} or newer"
        )
    return stock


def _release(board: str) -> Release:
    if board not in BOARDS:
        raise MakerError(f"no board {board}: there are {', '.join(BOARDS)}")
    return BOARDS[board]


def _stated(sha256: str | None) -> str | None:
    if sha256 is not None and not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise MakerError(f"--sha256 {sha256}: a SHA-256 is 64 hexadecimal digits")
    return sha256 and sha256.lower()


def _in_folder(folder: Path, release: Release) -> Path:
    """The image for a board in a folder of stock images: the very release, or the newest of the
    same build."""
    build = re.sub(r"-\d{8}-v[\d.]+\.uf2$", "", release.file)
    named = re.compile(re.escape(build) + r"-\d{8}-v[\w.-]+\.uf2")
    found = sorted(path for path in folder.iterdir() if named.fullmatch(path.name))
    if not found:
        raise MakerError(f"{folder}: no {release.file} in it: {_BY_HAND}")
    return next((path for path in found if path.name == release.file), found[-1])


def version_of(stock: Stock) -> tuple[int, ...]:
    """Return (1, 29, 0) of "v1.29.0"; empty when it is not known."""
    numbers = stock.version.lstrip("v").split("-")[0].split(".")
    if not all(n.isascii() and n.isdecimal() and len(n) < 6 for n in numbers):
        return ()
    return tuple(int(n) for n in numbers)


def fetch(board: str, sha256: str | None = None) -> Path:
    """Return the cached UF2, downloaded first when it is not there. Its checksum is compared with
    the known one, or with the one that the user states. Raise MakerError, FileError."""
    release = _release(board)
    expected = release.sha256 or sha256
    if expected is None:
        raise MakerError(
            f"no SHA-256 is known here for {release.file}, so it is not fetched: {_BY_HAND}, or "
            "state its sum with --sha256"
        )
    path = disk.cache() / "micropython" / release.file
    if path.is_file() and _sha256(disk.read(path, _UF2_BYTES, "a UF2")) == expected:
        return path  # else it was cut short, or damaged
    url = SITE + release.file
    data = _download(url)
    digest = _sha256(data)
    if digest != expected:
        raise MakerError(
            f"{url} came with the SHA-256 {digest}, not {expected}: it is damaged, or not the "
            f"one: try again, or {_BY_HAND}"
        )
    disk.save(path, data)
    return path


def _download(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=_DOWNLOAD_S) as answer:
            data = answer.read(_UF2_BYTES + 1)
            if len(data) > _UF2_BYTES:
                raise OSError("it is larger than any UF2")
            if answer.length:
                raise http.client.IncompleteRead(data)
            return data
    except urllib.error.HTTPError as error:
        why = f"the server answers {error.code} {clean(str(error.reason))}"
    except http.client.IncompleteRead as error:
        why = f"it broke off after {len(error.partial)} bytes"
    except (OSError, http.client.HTTPException) as error:
        cause = getattr(error, "reason", error)  # urllib's errors have another in them
        why = f"no internet? {clean(reason(cause) if isinstance(cause, OSError) else str(cause))}"
    raise MakerError(f"{url} cannot be fetched ({why}): {_BY_HAND}")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
