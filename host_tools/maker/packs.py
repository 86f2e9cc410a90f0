"""Voice packs for a board: the one at hand if it fits, else one built to fit."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from host_tools.places import PHRASES, build_folder
from host_tools.voice import plans

from .errors import MakerError

PACKS = build_folder() / "packs"
_LEAST_BYTES = 96 * 1024  # recordings may get less on a full board: this much must stay


def packs_for(langs: list[str], room_bytes: int) -> dict[str, bytes]:
    """Path on the board -> pack, for each language. room_bytes: what the firmware leaves for
    packs, recordings, settings and log.

    Packs are taken from build/packs, or built. Raises MakerError.
    """
    langs = list(dict.fromkeys(langs))
    if not langs:
        return {}

    def share(rate_hz: int) -> int:
        room = room_bytes - plans.SYSTEM_BYTES - plans.clips_bytes(rate_hz)
        return max(room // len(langs), 0)

    most = max((room_bytes - _LEAST_BYTES) // len(langs), 0)
    return {f"voice/{lang}.pack": checked(_pack(lang, share, most)) for lang in langs}


def checked(path: Path) -> bytes:
    """A pack's bytes, once the firmware's own reader has found them whole. Raises MakerError."""
    from host_tools.voice import device

    if path.suffix != ".pack":
        raise MakerError(f"{path}: not a voice pack (LANG.pack, of `roboto voice build`)")
    try:
        pack = device.open_pack(path)
        for id in device.ids_of(pack):
            device.clips_of(pack, id)
        data = path.read_bytes()
    except OSError as error:
        raise MakerError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise MakerError(f"{error}: build it again (`roboto voice build`)") from error
    if pack.language != path.stem:
        raise MakerError(f"{path}: it speaks {pack.language}: call it {pack.language}.pack")
    return data


def _pack(lang: str, share: Callable[[int], int], most: int) -> Path:
    path = PACKS / f"{lang}.pack"
    if path.is_file() and path.stat().st_size <= most:
        return path
    fitted = PACKS / f"fit-{share(8000) // 1024}" / f"{lang}.pack"
    stamp = fitted.with_suffix(".stamp")
    wanted = _stamp(lang)
    if fitted.is_file() and stamp.is_file() and stamp.read_text() == wanted:
        return fitted
    from host_tools.voice.cli import build_packs

    try:
        build_packs([lang], fitted.parent, share)
    except (ValueError, OSError) as error:
        raise MakerError(str(error)) from error
    stamp.write_text(wanted)
    return fitted


def _stamp(lang: str) -> str:
    phrases = PHRASES / f"{lang}.txt"
    if not phrases.is_file():
        there = " ".join(sorted(p.stem for p in phrases.parent.glob("??.txt")))
        raise MakerError(f"no phrases for the language {lang}: there are {there}")
    return hashlib.sha256(phrases.read_bytes()).hexdigest()
