"""The codecs that a pack may have, by their names on the command line."""

from functools import lru_cache

import numpy as np
from roboto.sound.format import MDCT_FRAME_SAMPLES, RATE_HZ

from ..desktop import mdct_fast
from . import adpcm, mdct

ADPCM = "adpcm"
QUALITIES = {"mdct": "standard", "mdct-dense": "dense"}  # of mdct.toml
NAMES = (ADPCM, *QUALITIES)


def in_file(codec: str) -> str:
    """Return what packfile.CODECS calls it: the dense one is the other with another encoder."""
    return ADPCM if codec == ADPCM else "mdct"


def check(codec: str, rate_hz: int) -> None:
    """Raise ValueError where there is no such codec, or not at that rate."""
    if codec not in NAMES:
        raise ValueError(f"--codec {codec}: take one of {', '.join(NAMES)}")
    if codec != ADPCM and rate_hz != RATE_HZ:
        raise ValueError(f"--codec {codec}: it has {RATE_HZ} Hz, and --rate says {rate_hz}")


def encode(codec: str, samples: np.ndarray) -> bytes:
    """Return int16 samples as a clip's bytes."""
    if codec == ADPCM:
        return adpcm.encode(samples)
    return _mdct(QUALITIES[codec], samples.astype("<i2").tobytes())


@lru_cache(2048)  # a piece is encoded to see whether it is clipped, and once more to be kept
def _mdct(quality: str, pcm: bytes) -> bytes:
    return mdct.encode(np.frombuffer(pcm, "<i2"), mdct.qualities()[quality])


def decode(codec: str, data: bytes, n_samples: int) -> np.ndarray:
    """Return a clip's bytes as the int16 samples that the device makes of them."""
    if codec == ADPCM:
        return adpcm.decode(data, n_samples)
    decoded, _ = mdct_fast.decode(data, -(-n_samples // MDCT_FRAME_SAMPLES) + 1)
    return np.frombuffer(decoded, "<i2")[:n_samples].astype(np.int16)
