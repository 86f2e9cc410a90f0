"""Makes the speech codec's tables out of speech: `python -m host_tools.voice.mdct_train`.

Writes firmware/roboto/sound/mdct_tables.py. Packs that were built with other tables are noise
then, so this is for a new version of the codec. It learns from every third text of each language,
and of the texts that docs/voice.md's figures are of from none.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..desktop.firmware import FOLDER
from . import build, cache_dir, catalogue, effects, engines, mdct

TABLES = FOLDER / "roboto" / "sound" / "mdct_tables.py"
TOP_HZ = (
    125, 250, 375, 500, 625, 750, 875, 1000, 1250, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
    4500, 5000, 5500, 6000, 6500, 7000,
)  # fmt: skip
HIGH_FROM_HZ = 2500  # quiet high bands seldom wake: they have tables of their own
LEVEL_MOST = 31
NOISE = {"FAINT": 26, "FAINT_QUIET": 64, "ONE": 241}  # of a step, in 256ths
# The twelve tables by what is near: the first eight for one sum each, then more and more of them.
ROWS = (*range(8), 8, 8, 9, 9, 9, *[10] * 5, *[11] * 58)


def phrases_of(lang: str) -> tuple[list[str], list[str]]:
    """Return the texts of a language that are held out, 20 of four words or more, and those to
    learn from."""
    texts: list[str] = []
    for phrase in catalogue.read(catalogue.PHRASES / f"{lang}.txt").values():
        texts += [text for text in phrase.segments() if text not in texts]
    longer = [text for text in texts if "[" not in text and len(text.split()) >= 4]
    held_out = [longer[k * len(longer) // 20] for k in range(20)]
    return held_out, [text for text in texts if text not in held_out][::3]


def voice_of(lang: str, cache: Path) -> build.Voice:
    """Return the robot's voice as packs have it; what it speaks is kept in a folder."""
    preset = effects.presets()["robot"]
    voice = build.Voice(lang, preset, build.WORK_HZ, engines.choose("auto", lang, preset))
    return replace(voice, engine=build.Remembering(voice.engine, cache))


def learn(pieces: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Return the tables of symbols that suit these samples best, in all qualities at once."""
    heard = [
        mdct.analyse(samples, quality)
        for quality in mdct.qualities().values()
        for samples in pieces
    ]
    means = np.round(np.concatenate([frames.levels for frames in heard]).mean(axis=0)).astype(int)
    n_tables = 2 * (max(ROWS) + 1)
    sizes = np.full((n_tables, mdct.ESCAPE + 1), 0.02)
    levels = np.full((3, 2 * mdct.CHANGE_MOST + 1), 0.02)
    loud = np.full((12, 2), 0.02)
    third = np.minimum(np.arange(mdct.BANDS) // 8, 2)
    for frames in heard:
        coded = np.repeat(frames.loud, np.diff(mdct.EDGES), axis=1)
        size = np.minimum(np.abs(frames.sizes), mdct.ESCAPE)
        np.add.at(sizes, (mdct.rows(frames.sizes)[coded], size[coded]), 1)
        change = np.clip(mdct.changes(frames.levels, means), -mdct.CHANGE_MOST, mdct.CHANGE_MOST)
        np.add.at(levels, (np.broadcast_to(third, change.shape), mdct.folded(change)), 1)
        np.add.at(loud, (mdct.loud_rows(frames.loud), frames.loud.astype(int)), 1)
    return {
        "MEANS": means,
        "LEVELS": _places(levels),
        "LOUD": _places(loud),
        "SIZES": _places(sizes),
    }


def _places(counts: np.ndarray) -> np.ndarray:
    """Return where each symbol begins among 1024 places, and 1024; each has one at least."""
    shares = np.maximum(1, np.round(counts / counts.sum(axis=1, keepdims=True) * 1024)).astype(int)
    row = np.arange(len(shares))
    shares[row, shares.argmax(axis=1)] += 1024 - shares.sum(axis=1)
    return np.pad(np.cumsum(shares, axis=1), ((0, 0), (1, 0)))


def fixed() -> dict[str, np.ndarray]:
    """Return the tables that are arithmetic."""
    frame, half = mdct.FRAME, mdct.FRAME // 2

    def turns(angles: np.ndarray) -> np.ndarray:
        turned = np.exp(-1j * angles) * 8192
        return np.round(np.stack([turned.real, turned.imag], axis=1)).astype(int)

    t = np.arange(frame) + 0.5
    window = np.sin(np.pi / 2 * np.sin(np.pi * t / (2 * frame)) ** 2)
    swap = [int(f"{k:07b}"[::-1], 2) for k in range(half)]
    return {
        "EDGES": np.array([0, *(hz * frame // 8000 for hz in TOP_HZ)]),
        "STEPS": np.round(16 * 2 ** (np.arange(LEVEL_MOST + 1) / 2)).astype(int),
        "ROWS": np.array(ROWS),
        "TURN": turns(np.pi * (4 * np.arange(half) + 1) / (4 * frame)),
        "FFT": turns(2 * np.pi * np.arange(half // 2) / half),
        "SWAP": np.array(swap),
        "WINDOW": np.round(window * np.sqrt(2 / frame) * 16 * 8192).astype(int),
    }


_ABOUT = {
    "EDGES": ("u1", "where each band begins, and the end of the last"),
    "MEANS": ("u1", "the level that each band has as a rule"),
    "STEPS": ("<u4", "the step of each level, 3 dB apart, in 256ths of a sixteenth"),
    "ROWS": ("u1", "which of its tables a size is coded by, by what is near"),
    "LOUD": ("<u2", "whether a band is loud: where no and yes begin of 1024; 12 tables"),
    "LEVELS": ("<u2", "the change of a level, 0 -1 1 -2 2 …; 3 tables, by the third of the bands"),
    "SIZES": ("<u2", "the size of a bin; 12 tables for low bands, 12 for high ones"),
    "SWAP": ("u1", "numbers of 7 bits, turned round"),
    "TURN": ("<i2", "cosine and sine of -(4k + 1) / 1024 half turns, times 8192"),
    "FFT": ("<i2", "cosine and sine of -k / 64 half turns, times 8192"),
    "WINDOW": ("<i2", "the rising half of the window, times 8192 and what a DCT-IV wants"),
}


def source(arrays: dict[str, np.ndarray]) -> str:
    """Return the module that holds these tables."""
    lines = [
        '"""Tables of the speech codec: made by host_tools/voice/mdct_train.py, not by hand."""',
        "",
        f"BANDS = {len(arrays['EDGES']) - 1}",
        f"LEVEL_MOST = {LEVEL_MOST}",
        f"HIGH_FROM = {[0, *TOP_HZ].index(HIGH_FROM_HZ)}  # the first of the high bands",
        f"ROWS_EACH = {max(ROWS) + 1}",
        "# a bin of no step in a loud band, in a quiet one, and of one step: in 256ths of a step",
        *(f"{name} = {share}" for name, share in NOISE.items()),
        "",
    ]
    for name, (kind, about) in _ABOUT.items():
        data = arrays[name].astype(kind).tobytes()
        lines += [f"# {about}", f"{name} = ("]
        lines += [f'    b"{_hex(data[k : k + 20])}"' for k in range(0, len(data), 20)]
        lines.append(")")
    named = ", ".join(_ABOUT)
    return "\n".join([*lines, f"IN_ORDER = ({named})  # as thumb_mdct.py has them", ""])


def _hex(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def main() -> None:
    """Speak, learn and write the tables."""
    pieces = []
    for lang in catalogue.languages():
        voice = voice_of(lang, cache_dir() / "pieces")
        pieces += [voice.sound(text) for text in phrases_of(lang)[1]]
        voice.engine.close()
    TABLES.write_text(source({**fixed(), **learn(pieces)}), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
