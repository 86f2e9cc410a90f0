"""The one reader of WAV files: for the simulator's people, for voices, for pushed recordings and
for what is dropped on the browser's page.

It reads what recorders and editors really write: 8 to 32 bit and float, mono and stereo, any rate,
extensible headers, other chunks with or without their padding, big-endian files, and the lengths
that a recorder leaves that was switched off (0 or FFFFFFFF). Anything else is one BadWav.
"""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from typing import NamedTuple

from .plain_file import read_plain, reason

MOST_BYTES = 100_000_000
RATES_HZ = (4000, 384_000)  # from, to
WANT = "give a WAV of 8 to 96 kHz, PCM or float, mono or stereo"

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_CODECS = {2: "MS ADPCM", 6: "A-law", 7: "mu-law", 17: "IMA ADPCM", 49: "GSM", 85: "MP3"}
_UNKNOWN = 0xFFFFFF00  # from here on a length is none: a stream's, whose end was not known


class BadWav(ValueError):
    """One line: which file, what is wrong with it, what would do."""


class Wav(NamedTuple):
    """`samples`: mono int16 at `rate_hz`; `raw`: the bytes they came from; `chunks`: all others,
    by name."""

    samples: array[int]
    rate_hz: int
    raw: bytes
    chunks: dict[bytes, bytes]


class _Format(NamedTuple):
    """`frame`: the bytes of a frame; `width`: those of a sample."""

    code: int
    channels: int
    rate_hz: int
    frame: int
    width: int


def read(path: str | Path, name: str = "", rates_hz: tuple[int, int] = RATES_HZ) -> Wav:
    """Read a WAV file; `name` is what it is called in errors. Raises BadWav."""
    name = name or str(path)
    try:
        data = read_plain(path, MOST_BYTES)
    except FileNotFoundError:
        raise BadWav(f"{name}: there is no such file") from None
    except OSError as error:
        raise BadWav(f"{name}: cannot be read: {reason(error)}; {WANT}") from None
    return parse(data, name, rates_hz)


def parse(data: bytes, name: str, rates_hz: tuple[int, int] = RATES_HZ) -> Wav:
    """Read the bytes of a WAV file; `name` is what it is called in errors. Raises BadWav."""
    if not data:
        raise BadWav(f"{name}: not a WAV file that can be read, it is empty; {WANT}")
    if data[:4] not in (b"RIFF", b"RIFX", b"RF64", b"BW64") or data[8:12] != b"WAVE":
        raise BadWav(f"{name}: not a WAV file that can be read; {WANT}")
    big = data[:4] == b"RIFX"
    try:
        form, raw, chunks = _chunks(data, big)
        if not rates_hz[0] <= form.rate_hz <= rates_hz[1]:
            raise BadWav(f"{form.rate_hz} samples a second: save it with 16000")
        samples = _mono(raw, form, big)
    except BadWav as error:
        raise BadWav(f"{name}: not a WAV file that can be read: {error}; {WANT}") from None
    if not samples:
        raise BadWav(f"{name}: holds no sound, nothing but silence; {WANT}")
    return Wav(samples, form.rate_hz, raw, chunks)


def at_rate(wav: Wav, rate_hz: int) -> array[int]:
    """Return the samples at another rate."""
    if wav.rate_hz == rate_hz:
        return wav.samples
    import numpy as np
    import soxr

    slow = np.frombuffer(wav.samples, np.int16).astype(np.float64)
    out = soxr.resample(slow, wav.rate_hz, rate_hz)
    return array("h", np.clip(np.rint(out), -32768, 32767).astype(np.int16).tobytes())


# ---- chunks


def _chunks(data: bytes, big: bool) -> tuple[_Format, bytes, dict[bytes, bytes]]:
    """Return the format, the sound, and the other chunks. Raises BadWav."""
    form: _Format | None = None
    raw: bytes | None = None
    chunks: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        name, length, begin = data[at : at + 4], _number(data[at + 4 : at + 8], big), at + 8
        left = len(data) - begin
        if name == b"data" and not raw:
            if form is None:
                raise BadWav("its data comes before its format")
            if length >= _UNKNOWN or length == 0 and _left_open(data, left, big):
                length = left  # a recorder that was switched off: all that it wrote
            if length > left:
                raise BadWav(f"cut short: {left} of {length} bytes of sound")
            raw = data[begin : begin + length]
        elif name == b"fmt " and form is None:
            form = _format(data[begin : begin + min(length, 40)], big)
        else:
            chunks.setdefault(name, data[begin : begin + length])
        at = _next(data, begin, length, name == b"fmt ")
    if form is None:
        raise BadWav("cut short, its format is missing")
    if raw is None:
        raise BadWav("cut short, its sound is missing")
    return form, raw, chunks


def _left_open(data: bytes, left: int, big: bool) -> bool:
    """Whether the file's own length was never filled in either, though sound follows."""
    whole = _number(data[4:8], big)
    return left >= 2 and (whole < 36 or whole >= _UNKNOWN or whole + 8 < len(data))


def _next(data: bytes, begin: int, length: int, is_format: bool) -> int:
    """Return where the next chunk begins: behind this one and its padding. Some programs leave
    the padding out, or write a wrong length of the format."""
    end = begin + length
    places = [end + (length & 1), end]
    if is_format:
        places += [begin + 16, begin + 18, begin + 40]
    for at in places:
        if at == len(data) or _is_name(data[at : at + 4]):
            return at
    return places[0]


def _is_name(name: bytes) -> bool:
    return len(name) == 4 and all(32 <= byte < 127 for byte in name) and name[0] != 32


def _format(fields: bytes, big: bool) -> _Format:
    if len(fields) < 16:
        raise BadWav("cut short, its format is not whole")
    code, channels = _number(fields[:2], big), _number(fields[2:4], big)
    rate_hz, frame = _number(fields[4:8], big), _number(fields[12:14], big)
    bits = _number(fields[14:16], big)
    if code == _EXTENSIBLE and len(fields) >= 26:
        code = _number(fields[24:26], big)
    if code not in (_PCM, _FLOAT):
        codec = _CODECS.get(code, f"number {code}")
        raise BadWav(f"its codec ({codec}) is not read here: save it as PCM")
    if not 1 <= channels <= 2:
        raise BadWav(f"{channels} channels: save it in mono or stereo")
    width = (bits + 7) // 8
    # A sample of 20 bits may lie in 3 bytes or in 4: the frame's size says which.
    if frame % channels == 0 and width < frame // channels <= 4:
        width = frame // channels
    if width not in ((4, 8) if code == _FLOAT else (1, 2, 3, 4)):
        raise BadWav(f"{bits} bits a sample: save it with 16")
    return _Format(code, channels, rate_hz, width * channels, width)


def _number(data: bytes, big: bool) -> int:
    return int.from_bytes(data, "big" if big else "little")


# ---- samples


def _mono(raw: bytes, form: _Format, big: bool) -> array[int]:
    """Return a WAV's bytes as mono int16 samples. Raises BadWav."""
    raw = raw[: len(raw) // form.frame * form.frame]
    if form.code == _PCM and form.width == 2 and form.channels == 1:
        samples = array("h", raw)
        if big != (sys.byteorder == "big"):
            samples.byteswap()
        return samples
    import numpy as np

    order = ">" if big else "<"
    if form.code == _FLOAT:
        with np.errstate(invalid="ignore"):
            found = np.frombuffer(raw, f"{order}f{form.width}").astype(np.float64)
        if not np.isfinite(found).all():
            raise BadWav("it holds values that are no numbers: save it as PCM")
        values = np.clip(found, -8, 8)  # huge ones are noise all the same
    elif form.width == 1:
        values = (np.frombuffer(raw, np.uint8).astype(np.float64) - 128) / 128
    elif form.width == 3:
        octets = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        wide = np.zeros((len(octets), 4), np.uint8)
        wide[:, 1:] = octets[:, ::-1] if big else octets
        values = wide.view("<i4")[:, 0] / 2**31
    else:
        values = np.frombuffer(raw, f"{order}i{form.width}") / 2 ** (8 * form.width - 1)
    if form.channels == 2:
        values = values.reshape(-1, 2).mean(axis=1)
    rounded = np.clip(np.rint(values * 32768), -32768, 32767)
    return array("h", rounded.astype(np.int16).tobytes())
