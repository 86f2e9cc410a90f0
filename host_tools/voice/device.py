"""The firmware's own pack reader and mixer, on this computer."""

from pathlib import Path

import numpy as np

from ..desktop import firmware

firmware.make_importable()
from roboto.sound.clip import Pause  # noqa: E402
from roboto.sound.format import CHUNK_BYTES, adpcm_bytes  # noqa: E402
from roboto.sound.mixer import Mixer  # noqa: E402
from roboto.storage.broken import Broken  # noqa: E402
from roboto.storage.pack import Pack  # noqa: E402


def open_pack(path: Path) -> Pack:
    """The pack as the device opens it. ValueError with one line when it is broken."""
    path.open("rb").close()  # what is wrong with the file itself is an OSError with its name
    try:
        return Pack(str(path))
    except Broken as error:
        raise ValueError(str(error)) from None


def ids_of(pack: Pack) -> list[str]:
    """Every phrase id of a pack, in alphabetical order."""
    return sorted(pack.phrase_at(n).id for n in range(pack.n_phrases))


def clips_of(pack: Pack, id: str) -> list:
    """The clips of a phrase, checked. ValueError with one line when one is broken."""
    phrase = pack.phrase(id)
    try:
        return [phrase.clip(number) for number in range(len(phrase.segments))]
    except Broken as error:
        raise ValueError(str(error)) from None


def adpcm_of(clip) -> bytes:
    """The bytes of a clip."""
    data = bytearray(adpcm_bytes(clip.n_samples))
    clip.blob.read_at(clip.start_byte, data)
    return bytes(data)


def played(pack: Pack, id: str, name_pause_ms: int) -> np.ndarray:
    """Return a whole phrase as the speaker gets it, at the highest volume, with pauses for names:
    int16 at RATE_HZ."""
    from ..desktop import kernels_fast

    kernels_fast.install()  # the same bits in a fraction of the time
    clips = clips_of(pack, id)
    parts = [clips[p] if p >= 0 else Pause(name_pause_ms) for p in pack.phrase(id).parts]
    mixer = Mixer(3)
    mixer.say(parts)
    chunk = bytearray(CHUNK_BYTES)
    out = bytearray()
    while mixer.talking:
        mixer.render(chunk)
        out += chunk
    return np.frombuffer(bytes(out), np.int16)
