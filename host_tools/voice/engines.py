"""Speech engines behind one small interface: synth(text, lang) -> (int16 samples, rate_hz)."""

import importlib.util
import json
import os
import queue
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO

import numpy as np

from .. import wav
from . import stand_ins
from .effects import Preset
from .worker import ANSWER

PICO_VOICES = {"es": "es-ES", "en": "en-GB", "fr": "fr-FR", "de": "de-DE", "it": "it-IT"}
ESPEAK_VOICES = {"pt": "pt-br"}  # others by the language's own code
_LATIN = (*PICO_VOICES, "pt")  # languages that are known to have no letters of another script
_FAINTEST = 500  # int16; an engine that does not know a script may answer with faint noise
_WORKER = Path(__file__).with_name("worker.py")
_COMMAND_S = 120  # a program that speaks one sentence and takes longer has hung
_SOUND_MOST_BYTES = 32 << 20  # a minute of 64 bits at 48 kHz
_TOLD_MOST_BYTES = 10_000


class EngineError(RuntimeError):
    """An engine cannot speak: one line that says which, why, and what to do."""


class Engine:
    """What all engines have. `key` names everything the sound depends on, for the cache."""

    name = ""
    key = ""

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        """Speaks a text: int16 samples and their rate in Hz. EngineError when it cannot."""
        raise NotImplementedError

    def before_name(self, text: str, lang: str, tail: str) -> tuple[np.ndarray, int] | None:
        """Speak a text as it sounds before a name; stand_ins.py explains the rest.

        None when the engine cannot: then the text is spoken alone.
        """
        return None

    def recording(self, id: str, segment: int, n_segments: int) -> tuple[np.ndarray, int] | None:
        """Sound for a phrase that does not come from its text; None when there is none."""
        return None

    def close(self) -> None:
        """Ends what the engine runs; it may be used again."""


class WorkerEngine(Engine):
    """An engine of worker.py, in processes of its own."""

    def __init__(self, name: str, package: str, preset: Preset) -> None:
        self.name, self.preset = name, preset
        self.key = f"{name} {version(package)} {preset.pitch} {preset.speed}"
        self._idle: queue.LifoQueue[subprocess.Popen] = queue.LifoQueue()

    def voice(self, lang: str) -> str:
        return PICO_VOICES[lang] if self.name == "pico" else ESPEAK_VOICES.get(lang, lang)

    def before_name(self, text: str, lang: str, tail: str) -> tuple[np.ndarray, int] | None:
        if self.name != "pico" or lang not in stand_ins.STAND_INS or text[-1:] in "!?.":
            return None

        def speak(marked: str) -> np.ndarray:
            return self.synth(marked, lang)[0]

        names = stand_ins.STAND_INS[lang]
        samples = stand_ins.before_name(speak, text, tail, names)
        return None if samples is None else (samples, stand_ins.HZ)

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        foreign = [c for c in text if c.isalpha() and "LATIN" not in unicodedata.name(c, "")]
        if lang in _LATIN and foreign:  # Pico would leave them out, eSpeak NG would spell them
            raise EngineError(
                f'{self.name} cannot speak "{text}": no letter of {lang} is "{foreign[0]}"'
            )
        job = {
            "engine": self.name,
            "text": text,
            "voice": self.voice(lang),
            "pitch": self.preset.pitch,
            "speed": self.preset.speed,
        }
        try:
            worker = self._idle.get_nowait()
        except queue.Empty:
            command = [sys.executable, str(_WORKER)]
            worker = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us: a worker ends when its input does
            )
        assert worker.stdin and worker.stdout
        try:
            worker.stdin.write(json.dumps(job).encode() + b"\n")
            worker.stdin.flush()
            rate_hz, n = struct.unpack(ANSWER, worker.stdout.read(struct.calcsize(ANSWER)))
            data = worker.stdout.read(n)
        except (OSError, struct.error):
            _end(worker)
            raise EngineError(f'{self.name} cannot speak "{text}": it crashed') from None
        if hasattr(os, "fork"):
            self._idle.put(worker)
        else:
            _end(worker)
        if rate_hz < 0:
            raise EngineError(f'{self.name} cannot speak "{text}": {data.decode()}')
        return checked(np.frombuffer(data, "<i2"), self.name, text), rate_hz

    def close(self) -> None:
        while not self._idle.empty():
            _end(self._idle.get_nowait())


def _end(worker: subprocess.Popen) -> None:
    """Its input ends, so it ends."""
    for pipe in (worker.stdin, worker.stdout):
        if pipe:
            try:
                pipe.close()
            except OSError:
                pass
    worker.wait()


class CommandEngine(Engine):
    """Any program that reads a text from its standard input and writes a WAV to its output.

    {lang} in the command becomes the language: cmd:piper --model {lang}.onnx --output_file -
    """

    name = "cmd"

    def __init__(self, command: str) -> None:
        if not command.strip():
            raise EngineError("cmd: names no program; write cmd:PROGRAM with its arguments")
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"cmd:{command}: {error}") from None
        self.command = command
        self.key = f"cmd {command}"

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        words = [word.replace("{lang}", lang) for word in self._words]
        try:
            status, sound, told = _run_bounded(words, text.encode())
        except _Ended as error:
            raise EngineError(f'cmd:{words[0]}: {error} to "{text}"; it was ended') from None
        except (OSError, ValueError) as error:  # ValueError: a NUL among the words
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"cmd:{words[0]}: cannot be started ({why})") from None
        if status:
            lines = told.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise EngineError(f"cmd:{words[0]}: exit {status}: {lines[-1]}")
        samples, rate_hz = read_wav(sound, f"cmd:{words[0]}: its output")
        return checked(samples, "cmd", text), rate_hz


class _Ended(Exception):
    """A program did not answer as it should; str() says how, before "to what"."""


def _run_bounded(words: list[str], given: bytes) -> tuple[int, bytes, bytes]:
    """Run a program: (exit status, its output, its errors). Raises _Ended when it takes too long
    or says too much; then it is ended, and with it whatever it has started."""
    with tempfile.TemporaryFile() as letters:
        letters.write(given)
        letters.seek(0)
        process = subprocess.Popen(
            words,
            stdin=letters,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=hasattr(os, "killpg"),
        )
    assert process.stdout and process.stderr
    until_s = time.monotonic() + _COMMAND_S

    def left_s() -> float:
        return max(until_s - time.monotonic(), 0)

    sound = _Listener(process.stdout, _SOUND_MOST_BYTES)
    told = _Listener(process.stderr, _TOLD_MOST_BYTES, to_the_end=True)
    try:
        for listener in (sound, told):
            listener.join(left_s())
            if listener.too_much:
                raise _Ended("an answer without end")
            if listener.is_alive():
                raise subprocess.TimeoutExpired(words, _COMMAND_S)
        status = process.wait(left_s())
    except subprocess.TimeoutExpired:
        _kill(process)
        raise _Ended(f"no answer within {_COMMAND_S} s") from None
    except BaseException:  # Ctrl-C, too: the program is in a session of its own
        _kill(process)
        raise
    process.stdout.close()
    process.stderr.close()
    return status, bytes(sound.heard), bytes(told.heard)


class _Listener(threading.Thread):
    """Reads what a program says: up to so many bytes, or the last so many of them."""

    def __init__(self, pipe: IO[bytes], most_bytes: int, to_the_end: bool = False) -> None:
        super().__init__(daemon=True)
        self.heard = bytearray()
        self.too_much = False
        self._pipe, self._most_bytes, self._to_the_end = pipe, most_bytes, to_the_end
        self.start()

    def run(self) -> None:
        """Read until the program's end, or until it is too much."""
        with suppress(OSError, ValueError):  # closed meanwhile
            while piece := os.read(self._pipe.fileno(), 1 << 16):
                self.heard += piece
                if self._to_the_end:
                    del self.heard[: -self._most_bytes]
                elif len(self.heard) > self._most_bytes:
                    self.too_much = True
                    return


def _kill(process: subprocess.Popen) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with suppress(OSError):
                pipe.close()
    process.wait()


class WavDirEngine(Engine):
    """A folder of the family's own recordings, order.red.wav; the rest by another engine.

    A phrase with names in its middle has several pieces: swap.one_card-1.wav, swap.one_card-2.wav.
    """

    name = "wavdir"

    def __init__(self, folder: Path, rest: Engine) -> None:
        self.folder, self.rest = folder, rest
        self.key = rest.key

    def synth(self, text: str, lang: str) -> tuple[np.ndarray, int]:
        return self.rest.synth(text, lang)

    def before_name(self, text: str, lang: str, tail: str) -> tuple[np.ndarray, int] | None:
        return self.rest.before_name(text, lang, tail)

    def close(self) -> None:
        self.rest.close()

    def recording(self, id: str, segment: int, n_segments: int) -> tuple[np.ndarray, int] | None:
        name = id if n_segments == 1 else f"{id}-{segment + 1}"
        path = self.folder / f"{name}.wav"
        if not path.exists():
            return None
        samples, rate_hz = read_wav(path, str(path))
        if np.abs(samples.astype(int)).max() < _FAINTEST:
            raise EngineError(f"{path}: holds only silence; record it again or remove it")
        return samples, rate_hz

    def unused(self, n_segments: dict[str, int]) -> list[str]:
        """Recordings that belong to no phrase. n_segments: how many pieces each phrase id has."""
        names = set()
        for id, n in n_segments.items():
            names.update([id] if n == 1 else [f"{id}-{k + 1}" for k in range(n)])
        return sorted(path.name for path in self.folder.glob("*.wav") if path.stem not in names)


def checked(samples: np.ndarray, name: str, text: str) -> np.ndarray:
    """Return what an engine said; EngineError where that is nothing."""
    if not len(samples) or np.abs(samples.astype(int)).max() < _FAINTEST:
        raise EngineError(f'{name} says nothing for "{text}"; write it in the letters it knows')
    return samples


def read_wav(source: Path | bytes, where: str) -> tuple[np.ndarray, int]:
    """Return a WAV of any usual kind, a file or its bytes, as mono int16, and its rate.

    EngineError names `where`.
    """
    try:
        found = wav.parse(source, where) if isinstance(source, bytes) else wav.read(source, where)
    except wav.BadWav as error:
        raise EngineError(str(error)) from None
    return np.frombuffer(found.samples, np.int16), found.rate_hz


def choose(wish: str, lang: str, preset: Preset, note=lambda line: None) -> Engine:
    """Return the engine of a wish: auto, pico, espeak, wavdir:DIR, cmd:PROGRAM or kokoro:VOICE.

    auto takes Pico where it speaks the language and is installed, else eSpeak NG, and tells so
    through note(line). EngineError when there is none.
    """
    if wish.startswith("cmd:"):
        return CommandEngine(wish[4:])
    if wish.startswith("kokoro:"):
        from .kokoro import KokoroEngine

        return KokoroEngine(Path(wish[7:]), lang, preset)
    if wish.startswith("wavdir:"):
        folder = Path(wish[7:])
        if not folder.is_dir():
            raise EngineError(f"wavdir:{folder}: no such folder")
        return WavDirEngine(folder, choose("auto", lang, preset, note))
    if wish not in ("auto", "pico", "espeak"):
        raise EngineError(
            f"unknown engine {wish}; take auto, pico, espeak, wavdir:DIR, cmd:PROGRAM, "
            "kokoro:VOICE"
        )
    if not re.fullmatch(r"[a-z]{2,3}(-[a-z0-9]+)*", lang):
        raise EngineError(f'"{lang}" is no language; write a code like es or en')
    pico_here = importlib.util.find_spec("py_nanotts") is not None
    if wish == "pico" and not pico_here:
        raise EngineError("SVOX Pico is not installed: pip install py-nanotts, or take espeak")
    if wish == "pico" and lang not in PICO_VOICES:
        raise EngineError(f"SVOX Pico has no {lang} voice; take espeak, wavdir:DIR or cmd:PROGRAM")
    if wish != "espeak" and pico_here and lang in PICO_VOICES:
        return WorkerEngine("pico", "py-nanotts", preset)
    if importlib.util.find_spec("espeakng_loader") is None:
        raise EngineError(
            f"no speech engine for {lang}: pip install py-nanotts (es en fr de it) "
            "or espeakng-loader (all)"
        )
    if wish == "auto" and lang in PICO_VOICES:
        note(f"{lang}: SVOX Pico is not installed here; eSpeak NG speaks, less clearly")
    elif wish == "auto":
        note(f"{lang}: a draft: eSpeak NG alone speaks it, and is hard to understand")
    return WorkerEngine("espeak", "espeakng-loader", preset)
