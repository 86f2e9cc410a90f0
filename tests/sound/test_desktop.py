"""What only a desktop can check: audioop as the yardstick of the codec, BS.1770 as that of
loudness, real voices; and that the simulator's kernels are the firmware's to the bit."""

import audioop
import inspect
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roboto.sound import kernels, plain
from roboto.sound import mixer as mixer_module
from roboto.sound.clip import Pause
from roboto.sound.mixer import Mixer
from roboto.sound.recorder import Recorder
from roboto.sound.tables import codec_state

from host_tools.desktop import kernels_fast, kernels_quiet
from sim.unheard import UnheardMixer
from tests.conftest import need
from tests.sound import agree, test_kernels, test_mixer, test_recorder, test_tones, voices
from tests.sound.signals import clip_of, decoded, rendered, tone


@pytest.fixture
def plain_kernels():
    """The firmware's own kernels, whatever a test installed before."""
    yield
    kernels.use(plain)


@pytest.fixture
def fast(plain_kernels):
    kernels_fast.install()


@pytest.fixture
def quiet(plain_kernels):
    kernels_fast.install()
    kernels.use(kernels_quiet)


# --- audioop

_sample = st.one_of(st.integers(-32768, 32767), st.sampled_from((-32768, -1, 0, 1, 32767)))
_state = st.tuples(st.integers(-32768, 32767), st.integers(0, 88))


@settings(max_examples=300, deadline=None)
@given(st.lists(_sample, min_size=1, max_size=60), _state)
def test_encode_is_audioop_s(samples, start):
    samples = array("h", samples * 2)
    codes = bytearray(len(samples) // 2)
    state = codec_state()
    state[0], state[1] = start
    plain.encode(bytearray(samples.tobytes()), codes, len(samples), state)
    assert (bytes(codes), (state[0], state[1])) == audioop.lin2adpcm(samples.tobytes(), 2, start)


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=1, max_size=120), _state)
def test_decode_is_audioop_s(codes, start):
    out = bytearray(4 * len(codes))
    state = codec_state()
    state[0], state[1] = start
    plain.decode(codes, out, 2 * len(codes), state)
    assert (bytes(out), (state[0], state[1])) == audioop.adpcm2lin(codes, 2, start)


# --- the simulator's kernels


def test_fast_kernels_agree_with_plain():
    agree.compare(plain, kernels_fast, 400)
    agree.compare(plain, kernels_fast, 400, seed=4711)


def test_quiet_kernels_agree_with_plain():
    only = ("encode", "clean", "halve", "energy", "silence", "copy")
    agree.compare(plain, kernels_quiet, 400, only=only)
    agree.compare(plain, kernels_quiet, 400, seed=4711, only=only)


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(function, id=name)
        for module in (test_kernels, test_tones, test_mixer, test_recorder)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if name.startswith("test_")
    ],
)
def test_with_fast_kernels(fast, test):
    test()


def test_unheard_takes_the_same_time(fast):
    def run(mixer):
        parts = [clip_of(tone(500, 333)), None, Pause(31), clip_of(tone(500, 100), 8000)]
        mixer.say([*parts, clip_of(tone(500, 401))], [0, 0, 0, 1, 1])
        talking = []
        for number in range(300):
            mixer.render(bytearray(256))
            talking.append(mixer.talking)
            if number == 60:
                mixer.tone("plate")
            if number == 110:
                mixer.say(parts)
            if number == 160:
                mixer.cut()
        return talking, mixer.broken, mixer.busy

    assert run(UnheardMixer(mixer_module)) == run(Mixer(3))


def test_unheard_recordings_are_the_same(quiet):
    test_recorder.test_the_same_recording_is_the_same_bits_on_every_machine()
    test_recorder.test_words_beyond_16_bits_are_clamped()
    test_recorder.test_an_offset_that_wanders_is_followed()


# --- 8 kHz


def test_upsampling_keeps_the_band_and_drops_its_image(fast):
    # images of what lies below 3 kHz, where the energy of speech is, are at least 30 dB down
    for hz in (300, 1000, 2000, 3000):
        mixer = Mixer(3)
        mixer.say([clip_of(tone(hz, 700, 12000, 8000), 8000)])
        heard = np.array(rendered(mixer)[1000:9000]) * np.hanning(8000)
        spectrum = np.abs(np.fft.rfft(heard))
        wanted, image = (spectrum[f // 2 - 5 : f // 2 + 6].max() for f in (hz, 8000 - hz))
        assert 20 * np.log10(image / wanted) < -30, hz
        assert abs(20 * np.log10(wanted / (12000 * 8000 / 4))) < 1.0, hz


def test_downsampling_keeps_the_band_and_drops_what_would_fold_into_it(fast):
    def heard(hz):
        samples = np.array(tone(hz, 1500, 12000)) / 32768
        result, clip = _recorded(samples, 8000)
        assert (result, clip.rate_hz) == ("stored", 8000)
        return np.array(decoded(clip)[1000:9000]) * np.hanning(8000)

    for hz in (300, 1000, 2000, 3000):
        passed = np.abs(np.fft.rfft(heard(hz)))[hz - 5 : hz + 6].max()
        folded = np.abs(np.fft.rfft(heard(8000 - hz)))[hz - 5 : hz + 6].max()
        assert 20 * np.log10(folded / passed) < -30, hz
        assert abs(20 * np.log10(passed / (12000 * 8000 / 4))) < 1.0, hz


# --- loudness


def _words(samples: np.ndarray) -> array:
    """int32 microphone words of float samples, full scale 1."""
    clamped = np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int32)
    return array("i", (clamped << 13).astype("<i4").tobytes())


def _recorded(samples: np.ndarray, rate_hz=16000):
    recorder = Recorder(bytearray(80_000), 10_000)
    recorder.start(10_000, rate_hz)
    words = _words(samples)
    for at in range(0, len(words), 128):
        piece = words[at : at + 128]
        recorder.feed(piece, len(piece))
    return recorder.finish()


def _loudness(samples: np.ndarray) -> float:
    """LUFS. Short clips are made long enough for one block by silence, as a meter would."""
    import pyloudnorm

    padded = np.pad(samples, (0, max(0, 6400 - len(samples))))
    return pyloudnorm.Meter(voices.RATE_HZ).integrated_loudness(padded)


def _played(clip) -> np.ndarray:
    mixer = Mixer(3)
    mixer.say([clip])
    return np.array(rendered(mixer)[: clip.ms * 16]) / 32768


@pytest.mark.parametrize("rate_hz", (16000, 8000))
@pytest.mark.parametrize("text", ("Bartolomé", "Christopher", voices.SENTENCE))
@pytest.mark.parametrize(
    "voice", ["pico es", "pico en", "pico de", "pico it", "espeak es", "espeak en"]
)
def test_recordings_come_to_the_packs_loudness(fast, voice, text, rate_hz):
    """SPEC: loudness is brought to the voice pack's level; here within 1 dB of -16 LUFS."""
    need("pyloudnorm", "pip install pyloudnorm")
    need("py_nanotts", "pip install py-nanotts")
    need("espeakng_loader", "pip install espeakng-loader")
    engine, lang = voice.split()
    speech = voices.speech(engine, text, lang)
    own = _loudness(speech)
    peak_db = 20 * np.log10(np.abs(speech).max())
    for level_db in (-45, -35, -25, "peak"):
        gain_db = -3 - peak_db if level_db == "peak" else level_db - own
        said = voices.with_room(speech * 10 ** (gain_db / 20))
        for noise_db in (None, -62, own + gain_db - 25):
            heard = said
            if noise_db is not None:
                heard = said + voices.room_noise(len(said), noise_db)
            result, clip = _recorded(heard, rate_hz)
            assert clip is not None and clip.rate_hz == rate_hz
            where = f"at {level_db} dB, noise {noise_db}"
            assert result == "stored", where
            assert abs(_loudness(_played(clip)) + 16) < 1, where


@pytest.mark.parametrize("hz", [150, 200, 440, 1000, 2000, 3000, 5000])
def test_pure_tones_come_to_the_packs_loudness(fast, hz):
    need("pyloudnorm", "pip install pyloudnorm")
    for peak_db in (-40, -20, -10, -3):
        sine = np.sin(2 * np.pi * hz * np.arange(16000) / 16000) * 10 ** (peak_db / 20)
        _, clip = _recorded(voices.with_room(sine))
        assert abs(_loudness(_played(clip)) + 16) < 1, peak_db


def test_speech_is_trimmed_close_but_nothing_is_lost(fast):
    need("py_nanotts", "pip install py-nanotts")
    for lang in ("es", "en"):
        speech = voices.speech("pico", voices.SENTENCE, lang)
        loud = np.flatnonzero(np.abs(speech) > np.abs(speech).max() / 20)
        said = voices.with_room(speech, 0.5, 0.7) + voices.room_noise(len(speech) + 19200, -60)
        _, clip = _recorded(said)
        start = 2 * clip.start_byte - 8000
        assert start <= loud[0] and start + clip.n_samples >= loud[-1]
        assert clip.n_samples < len(speech) + 2 * 960
