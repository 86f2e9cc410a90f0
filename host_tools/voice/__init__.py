"""Voice packs. Importing this costs next to nothing: the simulator does it at each start."""

import os
import sys
import tempfile
import zlib
from pathlib import Path

from roboto.sound.format import RATE_HZ

from host_tools.places import FIRMWARE, PHRASES, build_folder

_HERE = Path(__file__).resolve().parent
_TABLES = FIRMWARE / "roboto" / "sound" / "mdct_tables.py"

DEFAULT_PRESET = "robot"
DEFAULT_RATE_HZ = RATE_HZ
DEFAULT_CODEC = "adpcm"


def cache_dir() -> Path:
    """Return where packs and spoken pieces are kept: ROBOTO_CACHE, or build/voice in a checkout,
    or the user's cache."""
    wish = os.environ.get("ROBOTO_CACHE")
    return Path(wish) if wish else build_folder() / "voice"


def _fingerprint(lang: str) -> str:
    """Changes with every file that the pack depends on."""
    names = sorted(name for name in os.listdir(_HERE) if name.endswith((".py", ".toml")))
    paths = [PHRASES / f"{lang}.txt", _TABLES] + [_HERE / name for name in names]
    paths += sorted(PHRASES.glob("*.toml"))
    sums = []
    for path in paths:
        try:
            sums.append(f"{zlib.crc32(path.read_bytes()):08x}")
        except FileNotFoundError:
            raise FileNotFoundError(f"no phrases for {lang}: {path} is missing") from None
    return f"{DEFAULT_PRESET} {DEFAULT_RATE_HZ} {DEFAULT_CODEC} {' '.join(sums)}\n"


def ensure_pack(lang: str, progress=None) -> Path:
    """Return the path of the language's pack, built first when it is missing or its phrases
    changed.

    progress(done, total) counts spoken pieces; without it a line on the standard error does.
    Raises ValueError with one line a mistake in the phrases, RuntimeError when nothing can speak,
    FileNotFoundError when there is no such language.
    """
    pack = cache_dir() / f"{lang}.pack"
    stamp = cache_dir() / f"{lang}.stamp"
    fingerprint = _fingerprint(lang)
    try:
        if pack.exists() and stamp.read_text() == fingerprint:
            return pack
    except OSError:
        pass
    cache_dir().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=cache_dir()):
        pass  # where nothing can be kept, nothing need be spoken
    from . import build, catalogue, effects, engines

    phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
    preset = effects.presets()[DEFAULT_PRESET]
    engine = engines.choose("auto", lang, preset, lambda line: print(line, file=sys.stderr))
    voice = build.Voice(lang, preset, DEFAULT_RATE_HZ, engine, codec=DEFAULT_CODEC)
    data = build.make(voice, phrases, cache_dir() / "pieces", progress or _progress_line(lang))
    build.write_atomic(pack, data)
    build.write_atomic(stamp, fingerprint.encode())
    return pack


def _progress_line(lang: str):
    """Says at the start what is going on, and on a terminal how far it is."""
    stream = sys.stderr
    told = False

    def show(done: int, total: int) -> None:
        nonlocal told
        if stream.isatty():
            end = "\n" if done == total else ""
            print(
                f"\rbuilding the {lang} voice: {done} of {total}", end=end, file=stream, flush=True
            )
        elif not told:
            print(f"building the {lang} voice: {total} pieces", file=stream, flush=True)
        told = True

    return show
