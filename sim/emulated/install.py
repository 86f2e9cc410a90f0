"""What is put into the emulated board's flash: MicroPython, the firmware, a small voice pack.

The MicroPython image is the UF2 that ROBOTO_UF2 names; else the cached one that build_image.sh
makes; else the one that rp2040py can download. Where there is none the tests are skipped with a
line that says how to get it, or fail when REQUIRE=all.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

import numpy as np
from roboto.sound.format import RATE_HZ

from host_tools.maker.firmware import collect
from host_tools.places import PHRASES
from host_tools.voice import adpcm, catalogue, packfile
from host_tools.voice.commands import Commands

CACHE = Path(os.environ.get("ROBOTO_CACHE", Path.home() / ".cache" / "roboto"))


class NoImage(Exception):
    """There is no MicroPython image; the text says how to get one."""


@functools.cache
def image() -> Path:
    """Return a UF2 of MicroPython for the Pico. Raises NoImage."""
    named = os.environ.get("ROBOTO_UF2")
    if named:
        if Path(named).is_file():
            return Path(named)
        raise NoImage(f"ROBOTO_UF2={named}: no such file")
    cached = CACHE / "image" / "firmware.uf2"
    if cached.is_file():
        return cached
    try:
        from rp2040py.utils import firmware_retrieve

        got = firmware_retrieve.retrieve(firmware_retrieve.MICROPYTHON, "1.28.0", "pico")
        if got is None:
            raise NoImage("no MicroPython image: run tests/emulator/build_image.sh")
        return Path(got)
    except NoImage:
        raise
    except Exception as error:  # no network, no such release: whatever it is, there is no image
        raise NoImage(
            "no MicroPython image: run tests/emulator/build_image.sh, or set ROBOTO_UF2 "
            f"(download: {type(error).__name__})"
        ) from error


def firmware() -> dict[str, bytes]:
    """Return the firmware's files as a maker's computer lays them on the board."""
    return collect(compiled=True)


def chirp(number: int, ms: int) -> packfile.Segment:
    """Return a short tone, of another pitch for each number."""
    n = ms * RATE_HZ // 1000
    hz = 400 + 37 * (number % 60)
    samples = (9000 * np.sin(2 * np.pi * hz * np.arange(n) / RATE_HZ)).astype(np.int16)
    return packfile.Segment(adpcm.encode(samples), n)


@functools.cache
def small_pack(language: str = "en", ms: int = 60, rate_hz: int = RATE_HZ) -> bytes:
    """Return a voice pack with every phrase of the language, each segment a chirp of `ms`."""
    phrases = catalogue.read(PHRASES / f"{language}.txt")
    sounds, number = {}, 0
    for id, phrase in phrases.items():
        sounds[id] = []
        for _ in phrase.segments():
            sounds[id].append(chirp(number, ms * rate_hz // RATE_HZ))
            number += 1
    version, traits = catalogue.version(phrases), Commands().traits
    return packfile.pack_bytes(language, rate_hz, version, phrases, sounds, traits)


def robot_files(**extra: bytes) -> dict[str, bytes]:
    """Return everything a maker puts on the board. `extra`: further files by path."""
    return {**firmware(), "voice/en.pack": small_pack("en"), **extra}
