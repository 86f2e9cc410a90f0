"""The inner loops: IMA ADPCM against the reference's algorithm, and all forms against plain.py."""

from array import array

from roboto.sound import kernels, plain, selftest
from roboto.sound.tables import STEPS, codec_state

from tests.sound import agree
from tests.sound.signals import noise, pcm, samples_of, tone


class Reference:
    """IMA ADPCM as the recommendation describes it, step by step."""

    def __init__(self):
        self.predictor = 0
        self.index = 0

    def decode(self, code):
        step = STEPS[self.index]
        change = step >> 3
        if code & 4:
            change += step
        if code & 2:
            change += step >> 1
        if code & 1:
            change += step >> 2
        self.predictor += -change if code & 8 else change
        self.predictor = min(max(self.predictor, -32768), 32767)
        self.index = min(max(self.index + (-1, -1, -1, -1, 2, 4, 6, 8)[code & 7], 0), 88)
        return self.predictor

    def encode(self, sample):
        step = STEPS[self.index]
        difference = sample - self.predictor
        code = 8 if difference < 0 else 0
        difference = abs(difference)
        for bit in (4, 2, 1):
            if difference >= step:
                code |= bit
                difference -= step
            step >>= 1
        self.decode(code)
        return code


def test_steps_are_those_of_the_recommendation():
    assert len(STEPS) == 89
    assert STEPS[0] == 7 and STEPS[88] == 32767
    # each is 1.1 times the one before, rounded in the recommendation's own way
    assert all(1.05 < STEPS[i + 1] / STEPS[i] < 1.15 for i in range(88) if STEPS[i] > 10)


def test_encode_is_the_reference_s_with_the_high_nibble_first():
    samples = tone(440, 50, 20000) + noise(400, 32767) + [32767, -32768] * 100 + tone(3000, 20)
    codes = bytearray(len(samples) // 2)
    state = codec_state()
    kernels.encode(pcm(samples), codes, len(samples), state)
    reference = Reference()
    wanted = [reference.encode(sample) for sample in samples]
    assert [code for byte in codes for code in (byte >> 4, byte & 15)] == wanted
    assert (state[0], state[1]) == (reference.predictor, reference.index)


def test_decode_is_the_reference_s_with_the_high_nibble_first():
    random = agree.Random(5)
    codes = bytearray(random.below(256) for _ in range(600))
    codes += b"\x77" * 40 + b"\xff" * 40 + b"\x00" * 60 + b"\x88" * 60
    out = bytearray(4 * len(codes))
    state = codec_state()
    kernels.decode(codes, out, 2 * len(codes), state)
    reference = Reference()
    wanted = [reference.decode(code) for byte in codes for code in (byte >> 4, byte & 15)]
    assert samples_of(out) == wanted
    assert (state[0], state[1]) == (reference.predictor, reference.index)
    assert state[2] == len(codes) and state[3] == 2 * len(codes)


def test_decode_in_pieces_is_decode_at_once():
    random = agree.Random(6)
    codes = bytearray(random.below(256) for _ in range(300))
    whole = bytearray(1200)
    kernels.decode(codes, whole, 600, codec_state())
    pieces = bytearray(1200)
    state = codec_state()
    left = 600
    while left:
        n = min(2 * random.between(1, 40), left)
        kernels.decode(codes, pieces, n, state)
        left -= n
    assert pieces == whole


def test_kernels_in_use_agree_with_plain_on_every_machine():
    # the CRC is that of CPython, MicroPython on 64 bits, and assembler on the RP2040
    assert agree.compare(plain, kernels, 12) == 2636207621


def test_self_test_passes_here_and_names_a_wrong_kernel():
    assert selftest.wrong() == []
    right = kernels.double
    try:
        kernels.double = lambda src, n, dst, to: right(src, n - 1, dst, to)
        assert selftest.wrong()[0] == "double"
    finally:
        kernels.double = right


def test_loud_samples_bend_and_never_wrap():
    for gain_q10 in (1024, 2048, 8000, 32767):
        samples = list(range(-32768, 32768, 97))
        buffer = pcm(samples)
        kernels.ramp(buffer, len(samples), _ramp(gain_q10))
        out = samples_of(buffer)
        assert all(out[i] <= out[i + 1] for i in range(len(out) - 1)), "not monotonic"
        for i in range(len(out)):
            linear = samples[i] * gain_q10 >> 10
            if abs(linear) <= 24576:
                assert out[i] == linear
            else:
                assert 24576 <= abs(out[i]) <= abs(linear)
                assert (out[i] < 0) == (linear < 0)


def _ramp(gain_q10):
    return array("i", (gain_q10 << 15, 0, 0))
