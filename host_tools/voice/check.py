"""Measures packs: length, clipping, loudness, size; and how well they are understood."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import build, catalogue, device, effects, engines, hear
from .catalogue import Phrase

PHRASE_MOST_S = 8.0
LOUDNESS_MOST_OFF_DB = 1.0


@dataclass
class Measures:
    """What a pack is like."""

    lang: str
    rate_hz: int
    n_bytes: int
    ids: list[str]
    seconds: float  # all phrases, without names
    longest_s: float
    loudness_lufs: float  # mean over the pieces of at least 0.4 s
    loudness_spread_db: float  # standard deviation of these
    mistakes: list[str]

    @property
    def n_phrases(self) -> int:
        """Return how many phrases there are."""
        return len(self.ids)


def measure(path: Path) -> Measures:
    """Decodes and measures a whole pack. ValueError with one line when it is broken."""
    pack = device.open_whole(path)
    mistakes = []
    loudness = []
    lengths = {}
    for id in device.ids_of(pack):
        lengths[id] = 0.0
        for clip in device.clips_of(pack, id):
            samples = device.samples_of(clip)
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
        list(lengths),
        sum(lengths.values()),
        max(lengths.values()),
        float(np.mean(loudness)) if loudness else -np.inf,
        float(np.std(loudness)) if loudness else 0.0,
        mistakes,
    )
    pack.close()
    return result


@dataclass
class Heard:
    """Result of the listening test."""

    total: int  # phrases that were compared
    nearest: int  # of these, by comparison with the engine's plain speech
    asked: int  # phrases that the recogniser heard; 0 where it knows no such language
    recognised: int  # of these
    missed: list[str]  # ids that the better listener got wrong, with what it took them for
    other: int  # phrases of the pack with another text than the catalogue's; they are not heard

    def told(self) -> str:
        """Return the figures in words."""
        words = f"nearest {self.nearest} of {self.total}"
        return f"recognised {self.recognised} of {self.asked}, {words}" if self.asked else words


def listen(
    path: Path,
    phrases: dict[str, Phrase],
    cache: Path,
    engine: str = "auto",
    progress: build.Progress | None = None,
    every: int = 1,
) -> Heard:
    """Return the listening test of hear.py. cache: where the engine's plain speech is kept.

    every: the recogniser, which is slow, hears one phrase in so many, in the order of the file,
    some of every kind. The comparison is always with all.
    """
    show = progress or (lambda done, total: None)
    pack = device.open_whole(path)
    ids = device.ids_of(pack)
    same = [id for id in phrases if id in ids and pack.phrase(id).text == phrases[id].shown]
    if not same:
        raise ValueError(f"{path}: none of its phrases is in the phrase file; build it anew")
    spoken = {hear.sentence(phrases[id]): id for id in same}  # each sentence once
    sentences = list(spoken)
    places = hear.places([phrases[id] for id in spoken.values()])
    may_come = {at: [at in (hear.ANYWHERE, other) for other in places] for at in places}
    plain = _plain_speech([phrases[id] for id in spoken.values()], pack.language, engine, cache)
    comparer = hear.Comparer([hear.cepstra(samples) for samples in plain])
    recogniser = None
    if pack.language in hear.RECOGNISED:
        sayings = {at: list(itertools.compress(sentences, may)) for at, may in may_come.items()}
        recogniser = hear.Recogniser(pack.language, sayings)
    heard = Heard(len(sentences), 0, 0, 0, [], len(ids) - len(same))
    for n, (sentence, id) in enumerate(spoken.items()):
        samples = device.played(pack, id, hear.NAME_PAUSE_MS)
        distances = comparer.distances(hear.cepstra(samples))
        guess = sentences[int(np.argmin(np.where(may_come[places[n]], distances, np.inf)))]
        heard.nearest += guess == sentence
        if recogniser and n % every == 0:
            guess = recogniser.hear(samples, places[n])
            heard.asked += 1
            heard.recognised += guess == sentence
        if guess != sentence:
            heard.missed.append(f'{id}: "{guess}"')
        show(n + 1, len(sentences))
    pack.close()
    return heard


def _plain_speech(phrases: list[Phrase], lang: str, engine: str, cache: Path) -> list[np.ndarray]:
    """Each phrase as the engine speaks it, pauses for names: float at hear.HEAR_HZ."""
    plain = effects.presets()["plain"]
    speaker = build.Remembering(engines.choose(engine, lang, plain), cache)
    voice = build.Voice(lang, plain, build.WORK_HZ, speaker)
    name = np.zeros(build.WORK_HZ * hear.NAME_PAUSE_MS // 1000)

    def speak(phrase: Phrase) -> np.ndarray:
        segments = phrase.segments()
        tails = phrase.tails()
        parts = [voice.speech(segments[p], tails[p]) if p >= 0 else name for p in phrase.parts()]
        whole = np.concatenate(parts)
        if phrase.id.startswith(catalogue.LOW):
            whole = build.deeper(whole)
        return effects.resample(whole, build.WORK_HZ, hear.HEAR_HZ)

    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        speech = list(pool.map(speak, phrases))
    speaker.close()
    return speech
