"""Builds a voice pack: phrases to sound to one file, every spoken piece cached by its content."""

import hashlib
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from pathlib import Path
from typing import Callable

import numpy as np

from . import adpcm, catalogue, effects, engines, packfile
from .catalogue import Phrase

WORK_HZ = 16000  # effects are made at this rate
Progress = Callable[[int, int], None]


def code_key() -> str:
    """Changes with every change of the code or data that makes the sound."""
    digest = hashlib.sha256()
    for name in ("adpcm.py", "build.py", "effects.py", "worker.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()


class Builder:
    """Makes packs in one voice. cache: a folder for spoken pieces."""

    def __init__(
        self, lang: str, preset: effects.Preset, rate_hz: int, engine: engines.Engine, cache: Path
    ) -> None:
        self.lang, self.preset, self.rate_hz = lang, preset, rate_hz
        self.engine, self.cache = engine, cache
        self._key = f"{code_key()} {engine.key} {lang} {astuple(preset)} {rate_hz}"

    def pack(self, phrases: dict[str, Phrase], progress: Progress | None = None) -> bytes:
        """The pack file of these phrases. progress(done, total) counts spoken pieces."""
        jobs = [
            (phrase.id, number, len(phrase.segments()), text)
            for phrase in phrases.values()
            for number, text in enumerate(phrase.segments())
        ]
        sounds: dict[str, list[packfile.Segment]] = {id: [] for id in phrases}
        pool = ThreadPoolExecutor(os.cpu_count() or 2)
        try:
            for done, (job, segment) in enumerate(zip(jobs, pool.map(self._segment, jobs)), 1):
                sounds[job[0]].append(segment)
                if progress:
                    progress(done, len(jobs))
        finally:
            pool.shutdown(cancel_futures=True)
        return packfile.pack_bytes(
            self.lang, self.rate_hz, catalogue.version(phrases), phrases, sounds
        )

    def _segment(self, job: tuple[str, int, int, str]) -> packfile.Segment:
        """A spoken piece, out of the cache when it is there."""
        id, number, n_segments, text = job
        recording = self.engine.recording(id, number, n_segments)
        source = text.encode() if recording is None else recording[0].tobytes()
        digest = hashlib.sha256(self._key.encode() + b"\0" + source).hexdigest()[:40]
        path = self.cache / digest[:2] / f"{digest}.seg"
        try:
            data = path.read_bytes()
            return packfile.Segment(data[4:], struct.unpack("<I", data[:4])[0])
        except (OSError, struct.error):
            pass
        samples = self.sound(text, recording)
        segment = packfile.Segment(adpcm.encode(samples), len(samples))
        write_atomic(path, struct.pack("<I", segment.n_samples) + segment.data)
        return segment

    def sound(self, text: str, recording: tuple[np.ndarray, int] | None = None) -> np.ndarray:
        """A piece of text in the robot's voice: int16 samples at the pack's rate."""
        if recording is None:
            x = self._speech(text)
        else:
            x = self._clean(*recording)
        if not x.any():
            return np.zeros(round(len(x) * self.rate_hz / WORK_HZ), np.int16)
        x = effects.character(x, WORK_HZ, self.preset)
        x = effects.resample(x, WORK_HZ, self.rate_hz)
        x = effects.to_loudness(x, self.rate_hz)
        return effects.to_int16(effects.fade(x, self.rate_hz))

    def _speech(self, text: str) -> np.ndarray:
        """Spoken by the engine, with the pauses that the text asks for. Float at WORK_HZ."""
        made = []
        for piece in catalogue.pieces(text):
            if isinstance(piece, int):
                made.append(np.zeros(piece * WORK_HZ // 1000))
            else:
                made.append(self._clean(*self.engine.synth(piece.lstrip(" ,.;:!?…»"), self.lang)))
        return np.concatenate(made)

    def _clean(self, samples: np.ndarray, rate_hz: int) -> np.ndarray:
        x = effects.resample(samples / 32768, rate_hz, WORK_HZ)
        return effects.shorten_pauses(effects.trim(x, WORK_HZ), WORK_HZ)


def write_atomic(path: Path, data: bytes) -> None:
    """Old or new, never half: a temporary file takes the name at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{id(data)}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)
