"""Measures packs: length, clipping, loudness, size; and how well they are understood."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import adpcm, build, device, effects, engines, hear
from .catalogue import Phrase

PHRASE_MOST_S = 8.0
LOUDNESS_MOST_OFF_DB = 1.0


@dataclass
class Measures:
    """What a pack is like."""

    lang: str
    rate_hz: int
    n_bytes: int
    n_phrases: int
    seconds: float  # all phrases, without names
    longest_s: float
    loudness_lufs: float  # mean over the pieces of at least 0.4 s
    loudness_spread_db: float  # standard deviation of these
    mistakes: list[str]


def measure(path: Path) -> Measures:
    """Decodes and measures a whole pack. ValueError with one line when it is broken."""
    pack = device.open_pack(path)
    mistakes = []
    loudness = []
    lengths = {}
    for id in device.ids_of(pack):
        lengths[id] = 0.0
        for clip in device.clips_of(pack, id):
            samples = adpcm.decode(device.adpcm_of(clip), clip.n_samples)
            lengths[id] += len(samples) / pack.rate_hz
            if not samples.any():
                continue
            if (np.abs(samples.astype(int)) >= 32767).any():
                mistakes.append(f"{path.name}: {id} is clipped")
            if len(samples) >= 0.4 * pack.rate_hz:
                lufs = effects.loudness_lufs(samples / 32768, pack.rate_hz)
                loudness.append(lufs)
                if abs(lufs - effects.LOUDNESS_LUFS) > LOUDNESS_MOST_OFF_DB:
                    mistakes.append(
                        f"{path.name}: {id} has {lufs:.1f} LUFS instead of "
                        f"{effects.LOUDNESS_LUFS:.0f}"
                    )
        if lengths[id] > PHRASE_MOST_S:
            mistakes.append(
                f"{path.name}: {id} lasts {lengths[id]:.1f} s, at most {PHRASE_MOST_S:.0f}; "
                "write it shorter"
            )
    result = Measures(
        pack.language,
        pack.rate_hz,
        path.stat().st_size,
        pack.n_phrases,
        sum(lengths.values()),
        max(lengths.values()),
        float(np.mean(loudness)),
        float(np.std(loudness)),
        mistakes,
    )
    pack.close()
    return result


def own_bytes(data: bytes) -> dict[str, int]:
    """How much smaller a pack gets without a phrase: the sound that no other phrase uses."""
    pack = device.Pack(io.BytesIO(data))
    phrases = [pack.phrase_at(n) for n in range(pack.n_phrases)]
    users: dict[int, set[str]] = {}
    for phrase in phrases:
        for place, _, _ in phrase.segments:
            users.setdefault(place, set()).add(phrase.id)
    return {
        phrase.id: sum(
            (n_samples + 1) // 2
            for place, n_samples, _ in phrase.segments
            if len(users[place]) == 1
        )
        for phrase in phrases
    }


@dataclass
class Heard:
    """Result of the listening test: out of `total` phrases."""

    total: int
    recognised: int | None  # by the speech recogniser; None where it knows no such language
    nearest: int  # by comparison with the engine's plain speech
    missed: list[str]  # ids that the better listener got wrong, with what it took them for


def listen(
    path: Path,
    phrases: dict[str, Phrase],
    cache: Path,
    engine: str = "auto",
    progress: build.Progress | None = None,
) -> Heard:
    """The listening test of hear.py. cache: where the plain reference speech is kept."""
    show = progress or (lambda done, total: None)
    pack = device.open_pack(path)
    lang = pack.language
    plain = effects.presets()["plain"]
    voice = build.Voice(lang, plain, 16000, engines.choose(engine, lang, plain))
    reference_path = cache / f"reference-{lang}.pack"
    build.write_atomic(reference_path, build.make(voice, phrases, cache))
    reference = device.open_pack(reference_path)
    sentences = {id: hear.sentence(phrase) for id, phrase in phrases.items()}
    unique = {sentence: id for id, sentence in sentences.items()}
    spoken = list(unique)
    comparer = hear.Comparer(
        [hear.cepstra(device.played(reference, unique[s], hear.NAME_PAUSE_MS)) for s in spoken]
    )
    recogniser = hear.Recogniser(lang, spoken) if lang in hear.RECOGNISED else None
    recognised, nearest, missed = 0, 0, []
    for done, sentence in enumerate(spoken, 1):
        samples = device.played(pack, unique[sentence], hear.NAME_PAUSE_MS)
        near = spoken[int(np.argmin(comparer.distances(hear.cepstra(samples))))]
        nearest += near == sentence
        guess = near
        if recogniser:
            guess = recogniser.hear(samples)
            recognised += guess == sentence
        if guess != sentence:
            missed.append(f'{unique[sentence]}: "{guess}"')
        show(done, len(spoken))
    pack.close()
    reference.close()
    return Heard(len(spoken), recognised if recogniser else None, nearest, missed)
