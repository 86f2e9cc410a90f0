"""Voice packs for a board: the one at hand if it fits, else one built to fit."""

import hashlib
import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from roboto.storage.broken import Broken
from roboto.storage.pack import Pack

from host_tools.places import PHRASES, build_folder
from host_tools.voice import device, plans

from .. import disk
from .door import clean
from .errors import MakerError
from .files import MOST_BYTES

PACKS = build_folder() / "packs"
_PACK = re.compile(r"voice/[a-z-]{2,8}\.pack")
_LEAST_BYTES = 96 * 1024  # recordings may get less on a full board: this much must stay


def languages(paths: Iterable[str]) -> list[str]:
    """Return the languages of the packs among these paths; also of those that lie beside the
    firmware and are to move to the SPI flash."""
    names = [path.lstrip("/") for path in paths]
    return [p[len("voice/") : -len(".pack")] for p in names if _PACK.fullmatch(p)]


def packs_for(langs: list[str], room_bytes: int) -> dict[str, bytes]:
    """Path on the board -> pack, for each language. room_bytes: what the firmware leaves for
    packs, recordings, settings and log.

    Packs are taken from build/packs, or built. Raises MakerError.
    """
    langs = list(dict.fromkeys(langs))
    if not langs:
        return {}

    def share(names_hz: int) -> int:
        room = room_bytes - plans.SYSTEM_BYTES - plans.UPDATE_BYTES
        room -= plans.clips_bytes(names_hz)
        return max(room // len(langs), 0)

    most = max((room_bytes - _LEAST_BYTES) // len(langs), 0)
    return {f"voice/{lang}.pack": checked(_pack(lang, share, most, langs)) for lang in langs}


def given(paths: Iterable[Path]) -> dict[str, bytes]:
    """Return path on the board -> pack, of pack files. Raise MakerError, FileError."""
    return {"voice/" + path.name: checked(path) for path in paths}


def checked(path: Path) -> bytes:
    """Return a pack's bytes, once the firmware's own reader has found them whole. Raise
    MakerError, FileError."""
    if path.suffix != ".pack":
        raise MakerError(f"{path}: not a voice pack (LANG.pack, of `roboto voice build`)")
    data = disk.read(path, MOST_BYTES, "a voice pack (LANG.pack, of `roboto voice build`)")
    check(data, str(path), path.stem)
    return data


def check(data: bytes, name: str, language: str) -> None:
    """See that these bytes are a voice pack that the firmware can play from end to end. Raise
    MakerError, with the file's name."""
    try:
        pack = Pack(io.BytesIO(data))
        device.read_through(pack)
    except (Broken, ValueError) as error:
        said = clean(str(error)).removeprefix("voice pack: ")
        raise MakerError(f"{name}: {said}: build it again (`roboto voice build`)") from error
    if pack.language != language:
        speaks = clean(pack.language)
        raise MakerError(f"{name}: it speaks {speaks}: call it {speaks}.pack")


def _pack(lang: str, share: Callable[[int], int], most: int, langs: list[str]) -> Path:
    path = PACKS / f"{lang}.pack"
    if path.is_file() and path.stat().st_size <= most:
        return path
    alone = len(langs) == 1
    beside = "" if alone else "-beside-others"
    fitted = PACKS / f"fit-{share(8000) // 1024}{beside}" / f"{lang}.pack"
    stamp = fitted.with_suffix(".stamp")
    wanted = _stamp(lang)
    if fitted.is_file() and stamp.is_file() and stamp.read_text() == wanted:
        return fitted
    from host_tools.voice.cli import Asked, build_packs

    try:
        build_packs([lang], fitted.parent, share, Asked(alone=alone))
    except (ValueError, OSError) as error:
        raise MakerError(str(error)) from error
    disk.save(stamp, wanted.encode())
    return fitted


def _stamp(lang: str) -> str:
    phrases = PHRASES / f"{lang}.txt"
    if not phrases.is_file():
        there = " ".join(sorted(p.stem for p in phrases.parent.glob("??.txt")))
        raise MakerError(f"no phrases for the language {lang}: there are {there}")
    tables = sorted(phrases.parent.glob("*.toml"))
    what = [repr(plans.DIETS).encode(), *(p.read_bytes() for p in [phrases, *tables])]
    return hashlib.sha256(b"".join(what)).hexdigest()
