"""Speaks one text in a process of its own: engines keep a state that colours the next phrase.

Reads one JSON object from the standard input, writes the rate (u32, little-endian) and 16-bit
samples to the standard output; on failure one line to the standard error, exit 1. Imports no
more than the engine needs: it is started for every phrase.
"""

import json
import struct
import sys

_SYNCHRONOUS, _UTF8, _RATE, _PITCH = 2, 1, 1, 3


def pico(text: str, voice: str, pitch: float, speed: float) -> tuple[int, bytes]:
    """SVOX Pico. At volume 1 it clips."""
    from py_nanotts import NanoTTS

    return 16000, NanoTTS().speak(text, voice=voice, volume=0.5, pitch=pitch, speed=speed)


def espeak(text: str, voice: str, pitch: float, speed: float) -> tuple[int, bytes]:
    """eSpeak NG through ctypes."""
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


def main() -> None:
    job = json.load(sys.stdin)
    engine = {"pico": pico, "espeak": espeak}[job.pop("engine")]
    rate_hz, samples = engine(**job)
    sys.stdout.buffer.write(struct.pack("<I", rate_hz) + samples)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        print(error, file=sys.stderr)
        sys.exit(1)
