"""Speaks texts, each in a process of its own: an engine keeps a state that colours what follows.

Reads one JSON object a line from the standard input; answers each with the rate (i32,
little-endian; -1 after a failure), the number of bytes (u32) and 16-bit samples, or one line that
says why it failed. Where processes can be forked it goes on so until its input ends, else it
speaks once. It imports no more than an engine needs, so that forks are cheap.
"""

import json
import os
import struct
import sys

ANSWER = "<iI"
_SYNCHRONOUS, _UTF8, _RATE, _PITCH = 2, 1, 1, 3


def pico(text: str, voice: str, pitch: float, speed: float) -> tuple[int, bytes]:
    """Speak with SVOX Pico. At volume 1 it clips."""
    from py_nanotts import NanoTTS

    return 16000, NanoTTS().speak(text, voice=voice, volume=0.5, pitch=pitch, speed=speed)


def espeak(text: str, voice: str, pitch: float, speed: float) -> tuple[int, bytes]:
    """Speak with eSpeak NG through ctypes."""
    import ctypes

    import espeakng_loader

    lib = ctypes.CDLL(espeakng_loader.get_library_path())
    heard = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    def take(samples, n, _events):
        if samples and n > 0:
            heard.append(ctypes.string_at(samples, 2 * n))
        return 0

    data = espeakng_loader.get_data_path().encode()
    rate_hz = lib.espeak_Initialize(_SYNCHRONOUS, 0, data, 0)
    if rate_hz <= 0:
        raise RuntimeError("eSpeak NG does not start")
    lib.espeak_SetSynthCallback(take)
    if lib.espeak_SetVoiceByName(voice.encode()) != 0:  # else it goes on with the voice before
        raise RuntimeError(f"eSpeak NG has no voice {voice}")
    lib.espeak_SetParameter(_RATE, round(150 * speed), 0)
    lib.espeak_SetParameter(_PITCH, max(0, min(99, round(50 * pitch))), 0)
    words = text.encode() + b"\0"
    if lib.espeak_Synth(words, len(words), 0, 0, 0, _UTF8, None, None) != 0:
        raise RuntimeError("eSpeak NG refuses the text")
    lib.espeak_Synchronize()
    return rate_hz, b"".join(heard)


def answer(line: bytes) -> None:
    """Does one job and writes its answer."""
    try:
        job = json.loads(line)
        rate_hz, data = {"pico": pico, "espeak": espeak}[job.pop("engine")](**job)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other side tells it
        rate_hz, data = -1, str(error).partition("\n")[0].encode()
    sys.stdout.buffer.write(struct.pack(ANSWER, rate_hz, len(data)) + data)
    sys.stdout.buffer.flush()


def preload() -> None:
    """Loads what is installed, but starts nothing: forks then have it at hand."""
    for package in ("py_nanotts", "espeakng_loader", "ctypes", "importlib.resources"):
        try:
            __import__(package)
        except ImportError:
            pass


def main() -> None:
    if not hasattr(os, "fork"):
        answer(sys.stdin.buffer.readline())
        return
    preload()
    for line in sys.stdin.buffer:
        child = os.fork()
        if child == 0:
            answer(line)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit("the engine crashed")


if __name__ == "__main__":
    main()
