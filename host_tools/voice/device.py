"""The firmware's own pack reader and mixer, on this computer."""

import struct
from pathlib import Path

import numpy as np

from .. import disk
from ..desktop import firmware
from . import codecs

firmware.make_importable()
from roboto.sound.clip import Pause  # noqa: E402
from roboto.sound.format import CHUNK_BYTES, adpcm_bytes  # noqa: E402
from roboto.sound.mixer import Mixer  # noqa: E402
from roboto.storage.broken import Broken  # noqa: E402
from roboto.storage.pack import Pack  # noqa: E402

_MOST_BYTES = 32 << 20  # more than any board has


def open_pack(path: Path) -> Pack:
    """Return a pack as the device opens it. Raise ValueError with one line when it is broken,
    FileError when the file cannot be read."""
    disk.check(path, _MOST_BYTES, "a voice pack (LANG.pack, of `roboto voice build`)")
    try:
        return Pack(str(path))
    except Broken as error:
        raise ValueError(str(error)) from None


def open_whole(path: Path) -> Pack:
    """Return a pack that was read through. Raise as open_pack() does."""
    pack = open_pack(path)
    try:
        read_through(pack)
    except ValueError as error:
        pack.close()
        raise ValueError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
    return pack


# What nonsense behind a right checksum makes of a reader that believes it.
_NONSENSE = (LookupError, struct.error, OverflowError, MemoryError, RecursionError, TypeError)


def read_through(pack: Pack) -> None:
    """Look at each phrase, each of its parts and each clip, and at what the groups name. Raise
    ValueError with one line."""
    try:
        _read_all(pack)
    except Broken as error:
        raise ValueError(str(error)) from None
    except _NONSENSE as error:
        raise ValueError("its checksums fit, but what it says of itself does not") from error


def _read_all(pack: Pack) -> None:
    phrases = [pack.phrase_at(number) for number in range(pack.n_phrases)]
    if not phrases:
        raise ValueError("it has no phrases")
    ids = {phrase.id for phrase in phrases}
    for phrase in phrases:
        if not phrase.id.isprintable() or pack.phrase(phrase.id).number != phrase.number:
            raise ValueError(f"phrase {phrase.id!r} is there twice, or damaged")
        clips = [phrase.clip(number) for number in range(len(phrase.segments))]
        if any(part >= len(clips) for part in phrase.parts):
            raise ValueError(f"phrase {phrase.id} wants a part that is not there")
        for group in {phrase.kind, phrase.id.rpartition(".")[0]}:
            if not all(pack.command(group, i) in ids for i in range(pack.kinds(group))):
                raise ValueError(f"{group} names a phrase that is not there")


def ids_of(pack: Pack) -> list[str]:
    """Return every phrase id of a pack, in alphabetical order."""
    return sorted(pack.phrase_at(n).id for n in range(pack.n_phrases))


def clips_of(pack: Pack, id: str) -> list:
    """Return the clips of a phrase, checked. ValueError with one line when one is broken."""
    phrase = pack.phrase(id)
    try:
        return [phrase.clip(number) for number in range(len(phrase.segments))]
    except Broken as error:
        raise ValueError(str(error)) from None


def bytes_of(clip) -> bytes:
    """Return the bytes of a clip."""
    data = bytearray(clip.mdct_bytes or adpcm_bytes(clip.n_samples))
    clip.blob.read_at(clip.start_byte, data)
    return bytes(data)


def samples_of(clip) -> np.ndarray:
    """Return a clip as the device decodes it: int16 samples at its own rate."""
    codec = "mdct" if clip.mdct_bytes else codecs.ADPCM
    return codecs.decode(codec, bytes_of(clip), clip.n_samples)


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
