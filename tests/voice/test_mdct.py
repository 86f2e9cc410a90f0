"""The speech codec from samples to bytes and back: how near it comes, and what it may cost."""

import numpy as np
import pytest
from roboto.sound import mdct as on_robot
from roboto.sound import mdct_tables as tables
from roboto.sound.clip import Clip, RamBlob
from roboto.sound.format import MDCT_FRAME_BYTES_MOST
from roboto.sound.mixer import Mixer

from host_tools.desktop import mdct_fast
from host_tools.voice import codecs, effects, mdct, mdct_train
from tests.sound import agree
from tests.voice.test_adpcm import speechlike

QUALITIES = mdct.qualities()


def heard(samples: np.ndarray, data: bytes) -> np.ndarray:
    return codecs.decode("mdct", data, len(samples))


def noise_db(samples: np.ndarray, decoded: np.ndarray) -> float:
    """Signal to noise, the mean over stretches of 16 ms that are not silent."""
    n = len(samples) // 256 * 256
    x = samples[:n].reshape(-1, 256).astype(float)
    off = x - decoded[:n].reshape(-1, 256)
    loud = (x**2).mean(axis=1) > 1000
    db = 10 * np.log10((x[loud] ** 2).sum(axis=1) / np.maximum((off[loud] ** 2).sum(axis=1), 1))
    return float(db.mean())


def by_the_robot(data: bytes, n_samples: int) -> np.ndarray:
    decoder = on_robot.Decoder()
    decoder.begin(Clip(RamBlob(data), 0, n_samples, mdct_bytes=len(data)))
    out = bytearray(2 * n_samples)
    assert decoder.take(out, 0, n_samples)
    return np.frombuffer(bytes(out), "<i2")


def test_what_is_decoded_comes_near_and_the_better_quality_nearer():
    x = speechlike(2.0, 3)
    found = {}
    for name, quality in QUALITIES.items():
        data = mdct.encode(x, quality)
        found[name] = (len(data), noise_db(x, heard(x, data)))
    assert found["standard"][1] > 14 and found["dense"][1] > 11
    assert found["standard"][0] > found["dense"][0]
    # ADPCM has four bits a sample; a quarter of this signal is noise, which speech has less of
    assert found["standard"][0] < 0.55 * len(x) / 2


def test_the_transform_alone_gives_back_what_went_in():
    x = speechlike(0.5, 3)
    bins = np.round(mdct.transform(x) / 16).astype(np.int64)
    decoded = mdct_fast._samples(bins).reshape(-1)[: len(x)]
    assert noise_db(x, decoded) > 20
    off = decoded - x.astype(int)
    # whole numbers cost something: it lies 45 dB below the signal, far below any quality's noise
    assert off.std() < x.std() / 180


@pytest.mark.parametrize("quality", QUALITIES)
def test_plain_and_fast_decoders_give_the_same_bits(quality):
    x = speechlike(0.4, 3)
    data = mdct.encode(x, QUALITIES[quality])
    assert np.array_equal(by_the_robot(data, len(x)), heard(x, data))


def test_plain_and_fast_decoders_agree_on_bytes_that_nobody_encoded():
    assert agree.mdct_crc(mdct_fast.Decoder) == agree.mdct_crc(on_robot.Decoder)


def test_levels_and_sizes_come_back_as_they_were_written():
    x = speechlike(1.0, 3)
    frames = mdct.analyse(x, QUALITIES["standard"])
    data = mdct.write(frames)
    sizes, levels, loud, ends = mdct_fast._symbols(data, len(frames.sizes))
    assert np.array_equal(sizes, frames.sizes)
    assert np.array_equal(levels, frames.levels)
    assert np.array_equal(loud, frames.loud)
    assert ends[-1] == len(data), "every byte was read, and none behind"


LOUD = np.random.default_rng(4).integers(-32768, 32768, 5000).astype(np.int16)
HARD = {
    "silence": np.zeros(4000, np.int16),
    "a click": np.array([0] * 900 + [32767, -32768] + [0] * 900, np.int16),
    "noise at full scale": LOUD,
    "a square at full scale": np.where(np.arange(5000) // 40 % 2, 32767, -32768).astype(np.int16),
    "a sine at full scale": (32767 * np.sin(np.arange(5000) * 0.2)).astype(np.int16),
    "silence, then everything": np.concatenate([np.zeros(2000, np.int16), LOUD]),
    "one sample": np.array([1000], np.int16),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_sounds_go_through_within_what_a_robot_has_room_for(name):
    x = HARD[name]
    for quality in QUALITIES.values():
        data = mdct.encode(x, quality)
        n = -(-len(x) // 256) + 1
        _, ends = mdct_fast.decode(data, n)
        assert max(np.diff([0, *ends])) <= MDCT_FRAME_BYTES_MOST
        decoded = heard(x, data)
        assert np.array_equal(by_the_robot(data, len(x)), decoded)
        if not x.any():
            assert np.abs(decoded).max() <= 2
        elif len(x) > 1000 and name != "a click":
            assert noise_db(x, decoded) > 3


def test_the_same_samples_give_the_same_bytes():
    x = speechlike(0.5, 3)
    assert mdct.encode(x, QUALITIES["dense"]) == mdct.encode(x.copy(), QUALITIES["dense"])


def test_bits_that_flip_make_noise_and_nothing_worse():
    x = speechlike(0.5, 3)
    data = bytearray(mdct.encode(x, QUALITIES["standard"]))
    rng = np.random.default_rng(7)
    for _ in range(20):
        damaged = bytearray(data)
        for at in rng.integers(0, len(data), 3):
            damaged[at] ^= 1 << int(rng.integers(8))
        cut = bytes(damaged[: int(rng.integers(2, len(data)))])
        assert np.array_equal(by_the_robot(cut, 2048), codecs.decode("mdct", cut, 2048))


def test_tables_are_such_that_any_bytes_end():
    for name in ("LEVELS", "LOUD", "SIZES"):
        table = mdct.table_of(name)
        assert (table[:, 0] == 0).all() and (table[:, -1] == 1024).all()
        assert (np.diff(table, axis=1) > 0).all(), f"{name}: a symbol that cannot be written"
    for name, wanted in mdct_train.fixed().items():
        kind = mdct_train._ABOUT[name][0]
        assert getattr(tables, name) == wanted.astype(kind).tobytes()


def test_the_texts_that_are_measured_taught_the_tables_nothing():
    held_out, learned = mdct_train.phrases_of("es")
    assert len(held_out) == 20 and len(learned) > 30
    assert not set(held_out) & set(learned)


# ---- in the mixer ----


def played(parts, squeaky=()) -> np.ndarray:
    mixer = Mixer(3)
    mixer.say(parts, squeaky)
    out, chunk = bytearray(), bytearray(256)
    while mixer.busy:
        mixer.render(chunk)
        out += chunk
    assert not mixer.broken
    return np.frombuffer(bytes(out), "<i2").astype(int)


def sine(ms: int, hz: int = 500) -> np.ndarray:
    return (9000 * np.sin(2 * np.pi * hz * np.arange(16 * ms) / 16000)).astype(np.int16)


def clip_of(samples: np.ndarray, behind: bytes = b"") -> Clip:
    data = mdct.encode(samples, QUALITIES["standard"])
    return Clip(RamBlob(data + behind), 0, len(samples), mdct_bytes=len(data))


def test_a_clip_sounds_as_it_decodes_but_for_its_ends():
    x = sine(200)
    clip = clip_of(x, behind=b"\x55" * 600)
    out = played([clip])
    assert np.array_equal(
        out[128 : len(x) - 128], by_the_robot(clip.blob.buffer, len(x))[128:-128]
    )
    assert not out[len(x) :].any()


def test_clips_of_both_codecs_follow_each_other_without_a_gap_or_a_click():
    pieces = [sine(ms) for ms in (101, 83, 150, 64)]
    clips = [clip_of(x) for x in pieces]
    for k in (1, 2):
        data = codecs.encode("adpcm", pieces[k])
        clips[k] = Clip(RamBlob(data), 0, len(pieces[k]))
    out = played(clips)
    assert np.abs(np.diff(out)).max() < 2300
    quiet = np.convolve(np.abs(out[: 16 * 390]) < 500, np.ones(16 * 16), "valid")
    assert quiet.max() < 16 * 16, "a gap of 16 ms"


def test_squeaky_is_four_fifths_as_long_and_a_quarter_higher():
    x = sine(400)
    plain, squeaky = played([clip_of(x)]), played([clip_of(x)], [True])
    assert abs(len(squeaky) - 0.8 * len(plain)) <= 256

    def hz(samples: np.ndarray) -> float:
        middle = samples[1000:4000]
        return ((middle[:-1] < 0) & (middle[1:] >= 0)).sum() / len(middle) * 16000

    assert abs(hz(plain) - 500) < 10 and abs(hz(squeaky) - 625) < 12


@pytest.mark.parametrize("squeaky", (False, True))
@pytest.mark.parametrize("share", (0.1, 0.5, 0.9))
@pytest.mark.parametrize("fast", (False, True))
def test_a_clip_that_breaks_off_does_not_click(squeaky, share, fast, monkeypatch):
    if fast:
        monkeypatch.setattr(on_robot, "_Chosen", mdct_fast.Decoder)
    x = np.tile(sine(500), 3)
    clip = clip_of(x)
    clip.blob = RamBlob(clip.blob.buffer[: int(share * clip.mdct_bytes)])
    mixer = Mixer(3)
    mixer.say([clip], [squeaky])
    out, chunk = bytearray(), bytearray(256)
    while not mixer.broken:
        mixer.render(chunk)
        out += chunk
    start = len(out) - 256  # of the tone
    while mixer.busy:
        mixer.render(chunk)
        out += chunk
    total = np.frombuffer(bytes(out), "<i2").astype(int)
    mixer.tone("missing")
    alone = bytearray()
    while mixer.busy:
        mixer.render(chunk)
        alone += chunk
    tone = np.frombuffer(bytes(alone), "<i2")
    total[start // 2 : start // 2 + len(tone)] -= tone
    assert np.abs(np.diff(total)).max() < 2300 * (1.25 if squeaky else 1)
    assert not total[start // 2 + 256 :].any()


def test_loudness_stays():
    x = effects.to_int16(effects.to_loudness(speechlike(2.0, 3) / 32768, 16000, effects.PEAKS[0]))
    decoded = heard(x, mdct.encode(x, QUALITIES["standard"]))
    before, after = (effects.loudness_lufs(y / 32768, 16000) for y in (x, decoded))
    assert abs(before - after) < 0.5
