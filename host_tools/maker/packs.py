"""Voice packs for a board: the one at hand if it fits, else one built to fit."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from host_tools.voice import plans

from .errors import MakerError
from .firmware import ROOT

PACKS = ROOT / "build" / "packs"
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
    return {f"voice/{lang}.pack": _pack(lang, share, most).read_bytes() for lang in langs}


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
    phrases = ROOT / "firmware" / "phrases" / f"{lang}.txt"
    if not phrases.is_file():
        there = " ".join(sorted(p.stem for p in phrases.parent.glob("??.txt")))
        raise MakerError(f"no phrases for the language {lang}: there are {there}")
    return hashlib.sha256(phrases.read_bytes()).hexdigest()
