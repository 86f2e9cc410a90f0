"""The utterance queue: what the speaker gets for clips, pauses, cuts, volumes and broken parts."""

import sys
from binascii import crc32

from roboto.sound import kernels
from roboto.sound.clip import Clip, Pause, RamBlob
from roboto.sound.mixer import Mixer, duration_ms, tone_ms

from tests.sound.agree import Random
from tests.sound.signals import (
    CHUNK,
    chunk,
    clip_of,
    decoded,
    encoded,
    longest_hush,
    noise,
    pcm,
    pitch_hz,
    rendered,
    rms,
    silence,
    steepest,
    tone,
)


def say(parts, squeaky=(), volume=3):
    mixer = Mixer(volume)
    mixer.say(parts, squeaky)
    return rendered(mixer)


def test_nothing_to_play_is_zeros():
    mixer = Mixer()
    out = bytearray(b"\x55" * 256)
    assert mixer.render(out) is False
    assert out == bytes(256)
    assert not mixer.talking and mixer.level == 0


def test_a_clip_sounds_as_it_was_recorded_but_for_its_ends():
    clip = clip_of(tone(700, 200))
    heard = say([clip])
    wanted = decoded(clip)
    assert heard[128 : len(wanted) - 128] == wanted[128:-128]
    assert not any(heard[len(wanted) :])


def test_each_clip_fades_at_its_ends():
    for ms in (40, 41, 43, 47):
        # a clip that is loud from its first sample to its last
        heard = say([clip_of([12000, -12000] * (ms * 8))])
        n = ms * 16 // 8 * 8
        sizes = [abs(s) for s in heard[:n]]
        for i in range(0, 112, 16):
            assert max(sizes[i : i + 16]) < max(sizes[i + 16 : i + 32])
            assert max(sizes[n - 16 - i : n - i]) < max(sizes[n - 32 - i : n - 16 - i])
        assert max(sizes[:8]) < 1000 and max(sizes[n - 8 : n]) < 1000


def test_parts_follow_each_other_without_a_gap_or_a_click():
    pieces = [tone(500, ms, 9000) for ms in (101, 83, 150, 64)]
    clips = [clip_of(piece) for piece in pieces]
    heard = say(clips)
    assert abs(len(heard) - sum(len(piece) for piece in pieces)) < 2 * CHUNK
    assert longest_hush(heard) < 16 * 16  # the fades' ends; 60 ms are allowed
    assert steepest(heard) <= max(steepest(decoded(clip)) for clip in clips)


def test_a_pause_is_silence_of_its_length():
    clip = clip_of(tone(500, 80, 9000))
    for ms in (1, 5, 37, 200):
        heard = say([clip, Pause(ms), clip])
        hush = longest_hush(heard, 1)
        assert ms * 16 <= hush <= ms * 16 + 24, (ms, hush)
    assert not any(say([Pause(30)]))


def test_length_is_the_duration_foretold():
    recording = tone(300, 217)
    for rate_hz in (16000, 8000):
        for squeaky in (0, 1):
            part = clip_of(recording, rate_hz)
            mixer = Mixer(3)
            mixer.say([part], [squeaky])
            chunks = 0
            while mixer.talking:
                mixer.render(bytearray(256))
                chunks += 1
            ms = duration_ms(part, squeaky)
            assert 0 <= chunks * 8 - ms < 16
            assert abs(ms - 217 * 16000 // rate_hz * (4 if squeaky else 5) // 5) <= 1
    assert duration_ms(Pause(77), False) == 77
    assert duration_ms(None, False) == tone_ms("missing")


def test_odd_and_tiny_clips_play():
    for n in (1, 2, 7, 8, 9, 127, 128, 129, 255, 257):
        for rate_hz in (16000, 8000):
            for squeaky in (0, 1):
                clip = clip_of([3000] * (n + 1), rate_hz)
                clip.n_samples = n
                mixer = Mixer(3)
                mixer.say([clip, clip_of(tone(500, 20))], [squeaky, 0])
                heard = rendered(mixer)
                assert not mixer.talking and mixer.broken == 0
                assert rms(heard) > 1000


def test_squeaky_is_higher_and_shorter_by_a_quarter():
    for rate_hz, hz in ((16000, 400), (16000, 1500), (8000, 400), (8000, 900)):
        clip = clip_of(tone(hz, 400, 9000, rate_hz), rate_hz)
        plain = say([clip])
        squeaky = say([clip], [1])
        assert abs(pitch_hz(plain[200:-400]) / hz - 1) < 0.01
        assert abs(pitch_hz(squeaky[200:-400]) / hz - 1.25) < 0.0125
        assert abs(len(squeaky) / len(plain) - 0.8) < 0.03
        assert 0.9 < rms(squeaky[200:-400]) / rms(plain[200:-400]) < 1.1


def test_the_decoder_is_only_asked_for_whole_bytes():
    # the assembler that stands in for it relies on that
    asked = []
    decode = kernels.decode

    def watched(src, dst, n, state):
        asked.append(n)
        decode(src, dst, n, state)

    kernels.decode = watched
    try:
        for n_samples in range(900, 1000, 3):
            clip = Clip(RamBlob(bytes(500)), 0, n_samples)
            slow = Clip(RamBlob(bytes(500)), 0, n_samples, 8000)
            say([clip, Pause(1), slow, clip, slow], [0, 0, 0, 1, 1])
    finally:
        kernels.decode = decode
    assert len(asked) > 1000
    assert all(n > 0 and n % 2 == 0 for n in asked)


def test_cut_fades_within_one_chunk_and_drops_the_rest():
    mixer = Mixer(3)
    clip = clip_of(tone(500, 300, 9000))
    mixer.say([clip, clip])
    heard = chunk(mixer) + chunk(mixer) + chunk(mixer)
    mixer.cut()
    assert mixer.talking
    last = chunk(mixer)
    assert rms(last[:32]) > 3000 and max(abs(s) for s in last[-8:]) < 800
    assert not mixer.talking
    assert chunk(mixer) is None
    assert steepest(heard + last + [0]) <= steepest(decoded(clip))


def test_a_new_utterance_lets_the_old_one_fade_and_follows_at_once():
    mixer = Mixer(3)
    mixer.say([clip_of(tone(500, 300, 9000))])
    heard = chunk(mixer) + chunk(mixer)
    new = clip_of(tone(1000, 300, 9000))
    mixer.say([new])
    heard += chunk(mixer)
    assert mixer.talking
    following = rendered(mixer)
    assert following == say([new])
    assert steepest(heard + following) <= steepest(decoded(new))


def test_cut_after_say_drops_both():
    mixer = Mixer(3)
    mixer.say([clip_of(tone(500, 300))])
    chunk(mixer)
    mixer.say([clip_of(tone(500, 300))])
    mixer.cut()
    chunk(mixer)
    assert not mixer.talking and chunk(mixer) is None
    mixer.cut()  # with nothing to cut
    assert not mixer.talking


def test_an_utterance_of_nothing_ends_at_once():
    mixer = Mixer()
    mixer.say([])
    assert mixer.talking
    assert chunk(mixer) is None
    assert not mixer.talking


def test_volume_acts_on_what_is_being_said_without_a_click():
    clip = clip_of(tone(500, 600, 9000))
    mixer = Mixer(3)
    mixer.say([clip])
    levels = {}
    heard = []
    for volume in (3, 1, 2, 3):
        mixer.set_volume(volume)
        heard += chunk(mixer)
        steady = chunk(mixer) + chunk(mixer)
        levels[volume] = rms(steady[:256])
        heard += steady
    assert 0.34 < levels[2] / levels[3] < 0.37  # -9 dB
    assert 0.12 < levels[1] / levels[3] < 0.13  # -18 dB
    assert steepest(heard) <= steepest(decoded(clip))


def test_a_tone_is_mixed_over_speech_from_the_next_chunk_on():
    clip = clip_of(tone(300, 400, 4000))
    alone = say([clip])
    mixer = Mixer(3)
    mixer.say([clip])
    heard = chunk(mixer) + chunk(mixer)
    mixer.tone("plate")
    heard += rendered(mixer)
    difference = [heard[i] - alone[i] for i in range(len(alone))]
    assert not any(difference[:256])
    assert any(difference[256:288])  # within 2 ms
    assert not any(difference[256 + tone_ms("plate") * 16 :])


def test_level_follows_the_speech_and_not_the_volume():
    clip = clip_of(tone(500, 100, 12000))
    soft = clip_of(tone(500, 100, 2000))
    by_volume = []
    for volume in (1, 2, 3):
        mixer = Mixer(volume)
        mixer.say([clip, Pause(40), soft])
        levels = []
        while mixer.talking:
            mixer.render(bytearray(256))
            levels.append(mixer.level)
        by_volume.append(levels)
        assert all(0 <= level <= 255 for level in levels)
        assert levels[5] > 150 and levels[15] == 0 and 0 < levels[24] < 60
    assert by_volume[0] == by_volume[1] == by_volume[2]
    mixer.tone("fanfare")
    chunk(mixer)
    assert mixer.level == 0


def test_gain_of_a_clip_is_applied_and_loud_ones_do_not_wrap():
    quiet = tone(500, 200, 500)
    assert 7.8 < rms(say([clip_of(quiet, gain_q12=8 * 4096)])[200:3000]) / rms(quiet) < 8.2
    heard = say([clip_of(tone(100, 200, 30000), gain_q12=31 * 4096)])
    assert max(heard) == 32767 and min(heard) == -32767
    assert steepest(heard) < 40000  # a sine driven hard, not one turned over


class Unreadable:
    """A blob that ends early or raises."""

    def __init__(self, codes, good_bytes, raises):
        self._blob = RamBlob(codes)
        self._good_bytes = good_bytes
        self._raises = raises

    def read_at(self, position_bytes, buffer):
        n = min(self._blob.read_at(position_bytes, buffer), self._good_bytes - position_bytes)
        if n <= 0 and self._raises:
            raise OSError(5)
        return max(n, 0)


def test_a_broken_part_becomes_a_tone_in_its_place_and_the_rest_is_said():
    good = clip_of(tone(500, 200, 9000))
    broken = [
        None,
        "not a clip",
        Clip(RamBlob(b""), 0, 4000),
        Clip(Unreadable(b"\x00" * 2000, 0, True), 0, 4000),
        Clip(RamBlob(b"\x00" * 2000), 1999, 4000, 16000, 0, 200),
        Clip(RamBlob(b"\x00" * 2000), 0, 4000, 44100),
    ]
    for part in broken:
        mixer = Mixer(3)
        mixer.say([good, part, good], [0, 1, 0])
        heard = rendered(mixer)
        assert mixer.broken == 1, part
        alone = say([good])[:3200]
        assert heard[:3200] == alone
        at = 3200 + tone_ms("missing") * 16
        assert rms(heard[3400 : at - 200]) > 300, "no tone"
        assert heard[at : at + 3200] == alone


def test_a_clip_that_breaks_off_does_not_click():
    wave = tone(500, 400, 9000)
    for raises in (False, True):
        for rate_hz in (16000, 8000):
            for squeaky in (0, 1):
                for good_bytes in (600, 1000, 1001):
                    blob = Unreadable(encoded(wave), good_bytes, raises)
                    mixer = Mixer(3)
                    mixer.say([Clip(blob, 0, len(wave), rate_hz)], [squeaky])
                    heard = []
                    while not mixer.broken:
                        heard += chunk(mixer)
                    start = len(heard) - CHUNK  # of the tone
                    heard += rendered(mixer)
                    mixer.tone("missing")
                    for i, sample in enumerate(rendered(mixer)):
                        heard[start + i] -= sample
                    assert not any(heard[start + 2 * CHUNK :])
                    # as steep as the sine itself, raised by the squeak
                    assert steepest(heard) < 2300 * (1.25 if squeaky else 1)


def test_what_is_past_the_end_of_a_clip_is_not_read_as_its_own():
    # two clips lie one behind the other in a blob; the first is not a sample longer
    codes = encoded(tone(500, 100)) + encoded(tone(2000, 100))
    blob = RamBlob(codes)
    heard = say([Clip(blob, 0, 1600)])
    assert len(heard) == 1664 and not any(heard[1600:])
    assert say([Clip(blob, 800, 1600)])[128:1400] == decoded(clip_of(tone(2000, 100)))[128:1400]


def test_the_same_utterance_is_the_same_bits_on_every_machine():
    voice = [a + b for a, b in zip(noise(4000, 3000), [0] * 1000 + noise(3000, 9000, 7))]
    # noise() is made of integers, so that this does not hang on how a machine computes a sine
    clip = clip_of(voice, gain_q12=9000)
    mixer = Mixer(2)
    mixer.say([clip, Pause(11), clip_of(voice, 8000), clip, clip], [0, 0, 1, 1, 0])
    heard = []
    for i in range(100):
        if i == 7:
            mixer.tone("plate")
        if i == 9:
            mixer.tone("fanfare")
        if i == 40:
            mixer.set_volume(3)
        heard += chunk(mixer)
    mixer.cut()
    heard += rendered(mixer)
    assert crc32(pcm(heard)) == UTTERANCE_CRC


UTTERANCE_CRC = 3872824908


def test_render_allocates_nothing():
    if sys.implementation.name != "micropython":
        return
    import micropython

    clip = clip_of(tone(500, 200), gain_q12=9000)
    slow = clip_of(tone(500, 200), 8000)
    broken = Clip(RamBlob(clip.blob.buffer), 900, 3200)
    mixer = Mixer(2)
    mixer.say([clip, Pause(20), slow, broken, clip, slow, clip], [0, 0, 0, 0, 1, 1, 0])
    out = bytearray(256)
    for i in range(160):
        micropython.heap_lock()
        try:
            if i == 10:
                mixer.tone("plate")
                mixer.tone("fanfare")
            if i == 50:
                mixer.set_volume(3)
            if i == 150:
                mixer.cut()
            mixer.render(out)
        finally:
            micropython.heap_unlock()
    assert not mixer.talking and mixer.broken == 1


def test_silence_between_words_does_not_end_the_utterance():
    clip = clip_of(tone(500, 50) + silence(300) + tone(500, 50))
    mixer = Mixer(3)
    mixer.say([clip])
    for _ in range(40):
        assert mixer.talking
        assert chunk(mixer) is not None


def test_whatever_is_asked_in_whatever_order_it_ends_and_never_clicks():
    random = Random(2024)
    wave = tone(400, 150, 9000)
    clips = [clip_of(wave[: random.between(40, 2400)], rate) for rate in (16000, 8000) * 3]
    parts = clips + [Pause(3), Pause(40)]
    mixer = Mixer(3)
    heard = []
    for _ in range(1500):
        what = random.below(30)
        if what == 0:
            mixer.say([parts[random.below(len(parts))] for _ in range(random.below(5))], [1, 0, 1])
        elif what == 1:
            mixer.cut()
        elif what == 2:
            mixer.set_volume(random.between(1, 3))
        heard += chunk(mixer) or [0] * CHUNK
        assert mixer.busy or not mixer.level
    assert sum(1 for sample in heard if abs(sample) > 1000) > 20000
    # as steep as the clips themselves, where the codec has not yet found their loudness
    assert steepest(heard) <= 1.25 * max(steepest(decoded(clip)) for clip in clips)
    ended = len(rendered(mixer))
    assert ended <= 5 * 5000 and not mixer.busy and mixer.broken == 0
