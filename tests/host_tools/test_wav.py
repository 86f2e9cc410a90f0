"""The one reader of WAVs: what recorders leave is read, what is no WAV is told in one line."""

from __future__ import annotations

import os
import struct
import threading
from array import array
from pathlib import Path

import numpy as np
import pytest

from host_tools import wav
from host_tools.maker import clips
from host_tools.plain_file import write_whole
from host_tools.voice import engines
from tests.fuzz.wavs import doors
from tests.spec.voices import chunk, voice

RATE_HZ = 16000
SOUND = voice(0.5)


def riff(*chunks: bytes, length: int | None = None, name: bytes = b"RIFF") -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return name + struct.pack("<I", len(body) if length is None else length) + body


def form(code=1, channels=1, rate_hz=RATE_HZ, bits=16, frame=0, extra=b"") -> bytes:
    frame = frame or channels * (bits + 7) // 8
    return struct.pack("<HHIIHH", code, channels, rate_hz, rate_hz * frame, frame, bits) + extra


def pcm(sound: np.ndarray = SOUND) -> bytes:
    return np.rint(sound * 32767).astype("<i2").tobytes()


def fits(found: wav.Wav, wanted: np.ndarray = SOUND, within: float = 0.01) -> None:
    assert len(found.samples) == len(wanted)
    assert np.abs(np.array(found.samples) / 32768 - wanted).max() < within


FMT = chunk(b"fmt ", form())
DATA = chunk(b"data", pcm())
OPEN = b"data" + struct.pack("<I", 0) + pcm()
ODDITIES = {
    "RIFF length 0": riff(FMT, DATA, length=0),
    "RIFF length FFFFFFFF": riff(FMT, DATA, length=0xFFFFFFFF),
    "RIFF length wrong": riff(FMT, DATA, length=1000),
    "switched off, both 0": riff(FMT, OPEN, length=0),
    "switched off, data 0": riff(FMT, OPEN, length=36),
    "a stream": riff(FMT, b"data" + b"\xff" * 4 + pcm(), length=0xFFFFFFFF),
    "format of 18": riff(chunk(b"fmt ", form(extra=bytes(2))), DATA),
    "format says 255": riff(b"fmt " + struct.pack("<I", 255) + form(), DATA),
    "format says 20": riff(b"fmt " + struct.pack("<I", 20) + form(), DATA),
    "odd chunk": riff(FMT, chunk(b"junk", bytes(7)), DATA),
    "odd chunk without padding": riff(FMT, b"junk\x07\0\0\0" + bytes(7), DATA),
    "empty chunk": riff(chunk(b"LIST", b""), FMT, chunk(b"fact", bytes(4)), DATA),
    "broadcast": riff(chunk(b"bext", bytes(602)), FMT, chunk(b"PAD ", bytes(1999)), DATA),
    "empty data first": riff(FMT, chunk(b"data", b""), DATA),
    "zeros behind it": riff(FMT, DATA) + bytes(333),
    "RF64": riff(chunk(b"ds64", bytes(28)), FMT, b"data" + b"\xff" * 4 + pcm(), name=b"RF64"),
    "extensible": riff(
        chunk(b"fmt ", form(0xFFFE, extra=struct.pack("<HHIH", 22, 16, 0, 1) + bytes(14))), DATA
    ),
    "half a sample more": riff(FMT, chunk(b"data", pcm() + b"\x01")),
}


@pytest.mark.parametrize("name", ODDITIES)
def test_what_recorders_leave_is_read(name: str) -> None:
    fits(wav.parse(ODDITIES[name], "ana.wav"))


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("bits", [8, 16, 20, 24, 32, -32, -64])
def test_every_width_and_order(bits: int, channels: int, big: bool) -> None:
    sound = SOUND[:-1] if bits == 8 else SOUND  # an odd number of bytes
    order = ">" if big else "<"
    many = np.repeat(sound, channels)
    if bits == 8:
        data = (np.rint(many * 127) + 128).astype("u1").tobytes()
    elif bits < 0:
        data = many.astype(f"{order}f{-bits // 8}").tobytes()
    elif bits in (20, 24):
        wide = (np.rint(many * (2**23 - 1)).astype(np.int64) << 8).astype(f"{order}i4")
        octets = np.frombuffer(wide.tobytes(), "u1").reshape(-1, 4)
        data = (octets[:, :3] if big else octets[:, 1:]).tobytes()
    else:
        data = np.rint(many * (2 ** (bits - 1) - 1)).astype(f"{order}i{bits // 8}").tobytes()
    width = (abs(bits) + 7) // 8
    fields = struct.pack(
        f"{order}HHIIHH",
        *(3 if bits < 0 else 1, channels, RATE_HZ, RATE_HZ * width * channels),
        *(width * channels, abs(bits)),
    )
    body = b"WAVE"
    for name, content in ((b"fmt ", fields), (b"data", data)):
        body += (
            name + struct.pack(f"{order}I", len(content)) + content + b"\0" * (len(content) & 1)
        )
    whole = (b"RIFX" if big else b"RIFF") + struct.pack(f"{order}I", len(body)) + body
    fits(wav.parse(whole, "ana.wav"), sound, 0.02)


@pytest.mark.parametrize("side", [0, 1])
def test_a_voice_on_one_side_of_a_stereo_file_is_heard_everywhere(
    side: int, tmp_path: Path
) -> None:
    both = np.zeros((len(SOUND), 2))
    both[:, side] = SOUND
    data = riff(chunk(b"fmt ", form(channels=2)), chunk(b"data", pcm(both.reshape(-1))))
    fits(wav.parse(data, "ana.wav"), SOUND / 2)
    assert clips.from_wav("name/0", data).seconds > 0.4
    assert np.abs(engines.read_wav(data, "x")[0]).max() > 3000


@pytest.mark.parametrize("rate_hz", [4000, 8000, 11025, 22050, 44100, 48000, 96000, 192_000])
def test_any_rate(rate_hz: int) -> None:
    data = riff(
        chunk(b"fmt ", form(rate_hz=rate_hz)), chunk(b"data", pcm(voice(0.5, rate_hz=rate_hz)))
    )
    found = wav.parse(data, "ana.wav")
    assert found.rate_hz == rate_hz
    assert abs(len(wav.at_rate(found, RATE_HZ)) - 8000) <= 2


def test_a_pulled_recording_pushed_again_is_the_same() -> None:
    first = clips.from_wav("name/0", riff(FMT, DATA))
    assert clips.from_wav("name/0", first.wav()) == first


# ---- through each door: one line, whatever it is


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "house_rule.announce.wav"
    makers = {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/zero"),
        "": lambda: path.symlink_to(path),
        "at most": lambda: sparse(path),
        "device ": lambda: path.symlink_to("/dev/full"),
    }
    for kind, make in makers.items():
        make()
        told: list[str] = []
        asked = (tmp_path, None, told)
        thread = threading.Thread(target=doors, args=asked, daemon=True)
        thread.start()
        thread.join(20)
        assert not thread.is_alive(), f"waits for a {kind}"
        assert all(told[:3]) and all(kind.strip() in line for line in told[:3])
        path.rmdir() if kind == "folder" else path.unlink()


def sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.write(riff(FMT, b"data" + struct.pack("<I", 0xFFFFFFFF)))
        file.truncate(10_000_000_000)


# ---- written whole


def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "out.wav"
    path.write_bytes(b"old")
    link = tmp_path / "link.wav"
    link.symlink_to(path)
    write_whole(link, b"new")
    assert path.read_bytes() == b"new" and link.is_symlink()
    monkeypatch.setattr(os, "replace", _full)
    with pytest.raises(OSError):
        write_whole(path, b"newer")
    assert path.read_bytes() == b"new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.wav", "out.wav"]


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_samples_are_whole_numbers_of_two_bytes() -> None:
    assert isinstance(wav.parse(riff(FMT, DATA), "x").samples, array)
