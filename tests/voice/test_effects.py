"""The robot's character and loudness, measured."""

import numpy as np
import pytest

from host_tools.voice import effects
from tests.voice.test_adpcm import speechlike

RATE = 16000
PEAK = effects.PEAKS[0]


@pytest.fixture
def voice() -> np.ndarray:
    return speechlike(1.2, 3) / 32768


@pytest.mark.parametrize("preset", effects.presets().values(), ids=lambda p: p.name)
@pytest.mark.parametrize("rate_hz", [16000, 8000])
def test_every_preset_ends_at_the_pack_s_loudness_and_below_its_peak(voice, preset, rate_hz):
    x = effects.resample(effects.character(voice, RATE, preset), RATE, rate_hz)
    y = effects.to_loudness(x, rate_hz)
    assert effects.loudness_lufs(y, rate_hz) == pytest.approx(-16, abs=0.2)
    assert np.abs(y).max() <= PEAK


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.39])
def test_short_pieces_are_as_loud(seconds):
    x = speechlike(seconds, 4) / 32768
    y = effects.to_loudness(x, RATE)
    assert effects.loudness_lufs(y, RATE) == pytest.approx(-16, abs=0.3)


def test_the_limiter_leaves_alone_what_is_below_and_clips_nothing(voice):
    quiet = 0.1 * voice / np.abs(voice).max()
    assert np.array_equal(effects.limit(quiet, RATE, PEAK), quiet)
    loud = 3 * voice / np.abs(voice).max()
    limited = effects.limit(loud, RATE, PEAK)
    assert np.abs(limited).max() <= PEAK
    # Clipping would hold many samples at the very peak; a limiter touches it now and then.
    assert (np.abs(limited) > 0.999 * PEAK).mean() < 0.01


def test_both_ends_fade_within_5_ms(voice):
    y = effects.fade(np.full(800, 0.5), RATE)
    assert y[0] == 0 and y[-1] == pytest.approx(0, abs=1e-12)
    assert np.all(y[80:-80] == 0.5)
    assert np.abs(np.diff(y)).max() < 0.02


def test_silence_around_is_trimmed_and_pauses_inside_shortened(voice):
    gap, edge = np.zeros(RATE // 2), np.zeros(RATE // 3)
    x = np.concatenate([edge, voice, gap, voice, edge])
    y = effects.shorten_pauses(effects.trim(x, RATE), RATE)
    saved = (len(x) - len(y)) / RATE
    assert saved == pytest.approx(2 / 3 - 2 * 0.015 + 0.5 - 0.12, abs=0.08)


def test_the_robot_is_no_plain_voice(voice):
    """Ring modulation at 55 Hz puts sidebands beside each partial."""
    t = np.arange(RATE) / RATE
    x = np.sin(2 * np.pi * 1000 * t)
    spectrum = np.abs(np.fft.rfft(effects.character(x, RATE, effects.presets()["robot"])[:RATE]))
    assert min(spectrum[945], spectrum[1055]) > 20 * spectrum[900]
    plain = np.abs(np.fft.rfft(effects.character(x, RATE, effects.presets()["plain"])[:RATE]))
    assert plain[1000] > 100 * plain[945]
