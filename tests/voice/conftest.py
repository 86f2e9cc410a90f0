"""What the voice tests share: a small pack without any speech, and a catalogue for it."""

import shutil
import struct
from pathlib import Path

import numpy as np
import pytest

from host_tools.voice import adpcm, catalogue, packfile
from host_tools.voice.catalogue import Phrase


def tone(hz: float, seconds: float, rate_hz: int = 16000) -> np.ndarray:
    t = np.arange(round(seconds * rate_hz)) / rate_hz
    envelope = np.minimum(1, np.minimum(t, t[::-1]) / 0.02)
    return np.round(12000 * envelope * np.sin(2 * np.pi * hz * t)).astype(np.int16)


PHRASES = [
    Phrase("names.hello", "ours", "¡Hola, {0}!"),
    Phrase("order.red", "original", "{0}, ¡fuera todas tus cartas rojas!"),
    Phrase("order.blue", "original", "{0}, ¡adiós!"),
    Phrase("duel.stare", "ours", "{0} contra {1}: pierde quien parpadee."),
    Phrase("go_on.1", "ours", "Sigue {0}."),
    Phrase("go_on.2", "ours", "Ahora juega {0}."),
    Phrase("go_on.10", "ours", "Le toca a {0}."),
    Phrase("sorry", "ours", "Perdón. [300] Se me fue el hilo."),
    Phrase("name.alone", "ours", "{0}"),
]


def _drafts() -> list[str]:
    texts = {
        lang: catalogue.parse(catalogue.PHRASES / f"{lang}.txt")[0]
        for lang in catalogue.languages()
    }
    return list(catalogue.drafts(texts))


DRAFTS = _drafts()
THERE = ", ".join(catalogue.languages())


@pytest.fixture(autouse=True)
def whole_languages(monkeypatch, tmp_path_factory) -> None:
    """Leave out the drafts that somebody may be writing: no test here is about those."""
    if DRAFTS:
        folder = tmp_path_factory.mktemp("whole") / "phrases"
        shutil.copytree(catalogue.PHRASES, folder)
        for lang in DRAFTS:
            (folder / f"{lang}.txt").unlink()
        monkeypatch.setattr(catalogue, "PHRASES", folder)


@pytest.fixture(scope="session")
def phrases() -> dict[str, Phrase]:
    return {phrase.id: phrase for phrase in PHRASES}


@pytest.fixture(scope="session")
def sounds(phrases) -> dict[str, list[np.ndarray]]:
    """A tone for each segment; two phrases share one."""
    made = {}
    for n, phrase in enumerate(phrases.values()):
        count = len(phrase.segments())
        made[phrase.id] = [tone(300 + 90 * n + 40 * k, 0.15 + 0.02 * k) for k in range(count)]
    made["go_on.2"] = made["go_on.1"]
    return made


@pytest.fixture(scope="session")
def pack_data(phrases, sounds) -> bytes:
    segments = {
        id: [packfile.Segment(adpcm.encode(x), len(x)) for x in pieces]
        for id, pieces in sounds.items()
    }
    return packfile.pack_bytes("es", 16000, 0x12345678, phrases, segments)


@pytest.fixture
def pack_path(tmp_path: Path, pack_data: bytes) -> Path:
    path = tmp_path / "es.pack"
    path.write_bytes(pack_data)
    return path


def audio_start(data: bytes) -> int:
    """Where the sound of a pack begins."""
    n = struct.unpack_from("<H", data, 20)[0]
    at = struct.unpack_from("<I", data, 32 + 8 * (n - 1) + 4)[0]
    for _ in range(2):
        at += 1 + data[at]
    at += 2 + struct.unpack_from("<H", data, at)[0]
    at += 1 + data[at]
    return at + 1 + 12 * data[at]
