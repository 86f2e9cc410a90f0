"""The robot's tones: there at once, as long as they say, and not to be confused."""

from roboto.sound.mixer import Mixer
from roboto.sound.tones import TONES, tone_ms

from tests.sound.signals import CHUNK, chunk, rendered, rms, steepest

NAMES = ("plate", "volume", "limit", "not_now", "sleep_warning", "fanfare", "missing")


def sounded(name, volume=3):
    mixer = Mixer(volume)
    mixer.tone(name)
    return rendered(mixer)


def test_every_tone_of_the_specification_is_there():
    assert sorted(TONES) == sorted(NAMES)


def test_a_tone_sounds_within_its_first_2_ms_at_any_volume():
    for name in NAMES:
        for volume in (1, 2, 3):
            first = sounded(name, volume)[: 2 * 16]
            assert any(first), f"{name} at volume {volume}"


def test_a_tone_is_as_long_as_it_says():
    for name in NAMES:
        assert len(sounded(name)) == tone_ms(name) * 16, name
    assert 60 <= tone_ms("plate") <= 80


def test_tones_do_not_click():
    for name in NAMES:
        samples = sounded(name)
        edge = steepest([0] + samples[:4]), steepest(samples[-4:] + [0])
        assert max(edge) <= steepest(samples) and max(edge) < 400, name


def test_tones_differ_in_rhythm_or_length_or_pitch():
    # for each two tones, the shares of 20 ms that sound, or the pitch there, differ clearly
    pictures = {name: _picture(sounded(name)) for name in NAMES}
    for one in NAMES:
        for other in NAMES:
            if one < other:
                assert _difference(pictures[one], pictures[other]) >= 3, f"{one}, {other}"


def _picture(samples):
    """Rising zero crossings in each 20 ms; 0 is silence."""
    picture = []
    for start in range(0, len(samples), 320):
        piece = samples[start : start + 320]
        rises = sum(1 for i in range(1, len(piece)) if piece[i - 1] < 0 <= piece[i])
        picture.append(rises if rms(piece) > 300 else 0)
    return picture


def _difference(one, other):
    """How many 20 ms have another pitch by more than a tone, or sound in one only."""
    n = max(len(one), len(other))
    one = one + [0] * (n - len(one))
    other = other + [0] * (n - len(other))
    return sum(1 for i in range(n) if abs(one[i] - other[i]) * 8 > max(one[i], other[i]))


def test_three_tones_sound_at_once_and_more_do_no_harm():
    mixer = Mixer(3)
    for _ in range(20):
        for name in NAMES:
            mixer.tone(name)
            chunk(mixer)
    samples = rendered(mixer)
    assert len(samples) <= max(tone_ms(name) for name in NAMES) * 16
    assert not mixer.busy
    assert rendered(mixer) == []


def test_the_plate_beep_is_exactly_one_for_every_press():
    # three presses, 120 ms apart: three beeps, none swallowed, none doubled
    mixer = Mixer(3)
    samples = []
    for _ in range(3):
        mixer.tone("plate")
        for _ in range(15):
            samples += chunk(mixer) or [0] * CHUNK
    loud = [rms(samples[i : i + CHUNK]) > 500 for i in range(0, len(samples), CHUNK)]
    assert sum(1 for i in range(1, len(loud)) if loud[i] and not loud[i - 1]) == 3 - loud[0]


def test_tones_follow_the_volume():
    loud = rms(sounded("plate", 3))
    assert 0.33 < rms(sounded("plate", 2)) / loud < 0.38  # -9 dB
    assert 0.11 < rms(sounded("plate", 1)) / loud < 0.14  # -18 dB
