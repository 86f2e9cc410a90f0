"""Builds a voice pack: phrases to sound to one file, every spoken piece cached by its content."""

import hashlib
import os
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import numpy as np
from roboto.sound import mdct_tables

from ..plain_file import write_whole
from . import adpcm, catalogue, codecs, effects, engines, packfile, say_as
from .catalogue import Phrase
from .commands import Commands

Spoken = tuple[np.ndarray, int]  # int16 samples and their rate in Hz
WORK_HZ = 16000  # effects are made at this rate
Progress = Callable[[int, int], None]
_HEAD = struct.Struct("<II")  # of a kept piece: samples, bytes of its codec
_TABLES = Path(mdct_tables.__file__)
_MAKING = (
    *("adpcm.py", "build.py", "codecs.py", "effects.py", "mdct.py", "mdct.toml", "stand_ins.py"),
    *("worker.py", _TABLES),
)
# The code that is running, even when it is edited meanwhile.
_CODE = hashlib.sha256(
    b"".join((Path(__file__).parent / name).read_bytes() for name in _MAKING)
).hexdigest()


@dataclass(frozen=True)
class Voice:
    """Everything that decides how a text sounds in a pack."""

    lang: str
    preset: effects.Preset
    rate_hz: int
    engine: engines.Engine
    encoder: str = "plain"
    codec: str = codecs.ADPCM

    def key(self) -> str:
        """Changes with everything that changes the bytes of a piece."""
        about = (self.engine.key, self.lang, astuple(self.preset), self.rate_hz, self.encoder)
        about += (self.codec,)
        return f"{_CODE} {about}"

    def sound(
        self,
        text: str,
        recording: tuple[np.ndarray, int] | None = None,
        tail: str | None = None,
        low: bool = False,
    ) -> np.ndarray:
        """Return a piece of text in the robot's voice: int16 samples at rate_hz.

        recording: samples and rate to use in place of the engine's speech.
        tail: the punctuation behind the name that follows; None where none does. low: deeper, and
        as much slower.
        """
        x = self.speech(text, tail) if recording is None else _clean(*recording)
        if low:
            x = deeper(x)
        if not x.any():  # a pause, nothing else
            return np.zeros(round(len(x) * self.rate_hz / WORK_HZ), np.int16)
        x = effects.character(x, WORK_HZ, self.preset)
        x = effects.resample(x, WORK_HZ, self.rate_hz)
        samples = np.zeros(0, np.int16)
        for peak in effects.PEAKS:
            loud = effects.to_loudness(x, self.rate_hz, peak)
            samples = effects.to_int16(effects.fade(loud, self.rate_hz))
            data = codecs.encode(self.codec, samples)
            heard = codecs.decode(self.codec, data, len(samples))
            if np.abs(heard.astype(int)).max() < 32767:
                break
        return samples

    def spoken(self, text: str) -> str:
        """Return the text as it is written for the engine, so that it says it right."""
        return say_as.respelled(text, self.lang)

    def speech(self, text: str, tail: str | None = None) -> np.ndarray:
        """Speak a text with the pauses that it asks for: float at WORK_HZ."""
        made = []
        cut = catalogue.pieces(self.spoken(text))
        for number, piece in enumerate(cut, 1):
            if isinstance(piece, int):
                made.append(np.zeros(piece * WORK_HZ // 1000))
                continue
            words = piece.lstrip(" ,.;:!?…»")
            said = None
            if tail and number == len(cut):
                said = self.engine.before_name(words, self.lang, tail)
            made.append(_clean(*(said or self.engine.synth(words, self.lang))))
        return np.concatenate(made)


def deeper(x: np.ndarray) -> np.ndarray:
    """Return speech at WORK_HZ a third deeper, and as much slower."""
    return effects.resample(x, WORK_HZ * 4 // 5, WORK_HZ)


def _clean(samples: np.ndarray, rate_hz: int) -> np.ndarray:
    """Speech without needless silence. Float at WORK_HZ."""
    x = effects.resample(samples / 32768, rate_hz, WORK_HZ)
    return effects.shorten_pauses(effects.trim(x, WORK_HZ), WORK_HZ)


class Remembering(engines.Engine):
    """Keeps what an engine spoke in a folder: another rate or effect has no word spoken again."""

    def __init__(self, engine: engines.Engine, cache: Path) -> None:
        self.engine, self.cache = engine, cache
        self.name, self.key = engine.name, engine.key
        self.recording, self.close = engine.recording, engine.close

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        said = self._kept(f"{lang}\0{text}", lambda: self.engine.synth(text, lang))
        assert said is not None
        return said

    def before_name(self, text: str, lang: str, tail: str) -> tuple[np.ndarray, int] | None:
        return self._kept(
            f"{lang}\0{text}\0{tail} {_CODE}",
            lambda: self.engine.before_name(text, lang, tail),
        )

    def _kept(self, about: str, speak: Callable[[], Spoken | None]) -> Spoken | None:
        """Return what the cache has of this, or speak it; no samples stand for None."""
        digest = hashlib.sha256(f"{self.key}\0{about}".encode()).hexdigest()[:40]
        path = self.cache / digest[:2] / f"{digest}.speech"
        try:
            data = path.read_bytes()
            rate_hz, n_samples = struct.unpack_from("<II", data)
            if len(data) == 8 + 2 * n_samples:
                return (np.frombuffer(data, "<i2", offset=8), rate_hz) if n_samples else None
        except (OSError, struct.error):
            pass
        said = speak()
        samples, rate_hz = said or (np.zeros(0, np.int16), 0)
        head = struct.pack("<II", rate_hz, len(samples))
        write_atomic(path, head + samples.astype("<i2").tobytes())
        return said


class _Piece:
    """A spoken stretch of a phrase, and where the cache keeps it."""

    def __init__(self, phrase: Phrase, number: int, voice: Voice, key: str, cache: Path) -> None:
        self.phrase_id = phrase.id
        self.text = phrase.segments()[number]
        self.tail = phrase.tails()[number]
        self.recording = voice.engine.recording(phrase.id, number, len(phrase.segments()))
        if self.recording is None:
            source = f"{voice.spoken(self.text)}\0{self.tail or ''}".encode()
        else:
            source = self.recording[0].tobytes()
        self.low = phrase.id.startswith(catalogue.LOW)
        key += "\0low" * self.low
        digest = hashlib.sha256(f"{key}\0".encode() + source).hexdigest()[:40]
        self.path = cache / digest[:2] / f"{digest}.seg"
        self.segment: packfile.Segment | None = None
        try:
            data = self.path.read_bytes()
            n_samples, n_bytes = _HEAD.unpack_from(data)
        except (OSError, struct.error):
            return
        if len(data) == _HEAD.size + n_bytes:
            self.segment = packfile.Segment(data[_HEAD.size :], n_samples)

    def sound(self, voice: Voice) -> np.ndarray:
        """Return int16 samples. EngineError names the phrase."""
        try:
            return voice.sound(self.text, self.recording, self.tail, self.low)
        except engines.EngineError as error:
            raise engines.EngineError(f"{self.phrase_id}: {error}") from None

    def keep(self, data: bytes, n_samples: int) -> None:
        self.segment = packfile.Segment(data, n_samples)
        write_atomic(self.path, _HEAD.pack(n_samples, len(data)) + data)


Sounds = dict[str, list[packfile.Segment]]  # by phrase


def make(
    voice: Voice, phrases: dict[str, Phrase], cache: Path, progress: Progress | None = None
) -> bytes:
    """Return the pack file of these phrases; speak() explains the rest."""
    return pack(voice, phrases, speak(voice, phrases, cache, progress))


def pack(voice: Voice, phrases: dict[str, Phrase], sounds: Sounds, sparing: bool = False) -> bytes:
    """Return the pack file of these phrases, whose sounds are made; there may be more sounds.
    sparing: names beside it have half the rate."""
    version = catalogue.version(phrases)
    traits = Commands().traits
    codec = codecs.in_file(voice.codec)
    return packfile.pack_bytes(
        voice.lang, voice.rate_hz, version, phrases, sounds, traits, codec, sparing
    )


def speak(
    voice: Voice, phrases: dict[str, Phrase], cache: Path, progress: Progress | None = None
) -> Sounds:
    """Return the sounds of these phrases. cache: a folder for spoken pieces.

    progress(done, total) counts spoken pieces. EngineError when one cannot be spoken.
    """
    show = progress or (lambda done, total: None)
    key = voice.key()
    voice = replace(voice, engine=Remembering(voice.engine, cache))
    pieces = [
        _Piece(phrase, number, voice, key, cache)
        for phrase in phrases.values()
        for number in range(len(phrase.segments()))
    ]
    # Pieces with the same words are made once.
    new = {piece.path: piece for piece in pieces if piece.segment is None}
    done = len(pieces) - len(new)
    show(done, len(pieces))
    pool = ThreadPoolExecutor(os.cpu_count() or 2)
    try:
        sounds = pool.map(lambda piece: piece.sound(voice), new.values())
        if voice.encoder == "search" and voice.codec == codecs.ADPCM:
            samples = list(sounds)
            encoded = adpcm.search(
                samples, progress=lambda n, of: show(done + n * len(new) // of, len(pieces))
            )
            for piece, data, x in zip(new.values(), encoded, samples):
                piece.keep(data, len(x))
        else:
            for piece, x in zip(new.values(), sounds):
                piece.keep(codecs.encode(voice.codec, x), len(x))
                done += 1
                show(done, len(pieces))
    finally:
        pool.shutdown(cancel_futures=True)
        voice.engine.close()
    show(len(pieces), len(pieces))
    spoken: Sounds = {id: [] for id in phrases}
    for piece in pieces:
        segment = piece.segment or new[piece.path].segment
        assert segment is not None
        spoken[piece.phrase_id].append(segment)
    return spoken


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file of the cache whole, in a folder made for it. Raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
