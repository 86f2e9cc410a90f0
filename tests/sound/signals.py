"""Signals, clips and what a mixer makes of them, as lists of int16. For both interpreters."""

from array import array
from math import pi, sin

from roboto.sound import kernels
from roboto.sound.clip import Clip, RamBlob
from roboto.sound.tables import codec_state

RATE_HZ = 16000
CHUNK = 128


def tone(hz, ms, peak=8000, rate_hz=RATE_HZ):
    n = ms * rate_hz // 1000
    return [int(peak * sin(2 * pi * hz * i / rate_hz)) for i in range(n)]


def noise(n, peak, seed=1):
    """White noise; the same on every machine."""
    samples = []
    for _ in range(n):
        seed = (seed * 5701 + 3571) % 65537
        samples.append((seed * 2 * peak >> 16) - peak)
    return samples


def silence(ms):
    return [0] * (ms * RATE_HZ // 1000)


def pcm(samples):
    return bytearray(bytes(array("h", samples)))


def samples_of(buffer):
    return list(array("h", bytes(buffer)))


def encoded(samples):
    codes = bytearray(len(samples) // 2)
    kernels.encode(pcm(samples), codes, len(samples) & ~1, codec_state())
    return codes


def clip_of(samples, rate_hz=RATE_HZ, gain_q12=4096):
    return Clip(RamBlob(encoded(samples)), 0, len(samples), rate_hz, 0, 0, gain_q12)


def decoded(clip):
    """What the clip holds, without fades, gain and resampling."""
    codes = bytearray((clip.n_samples + 1) // 2)
    clip.blob.read_at(clip.start_byte, codes)
    state = codec_state()
    state[0] = clip.predictor
    state[1] = clip.index
    out = bytearray(2 * clip.n_samples)
    kernels.decode(codes, out, clip.n_samples & ~1, state)
    return samples_of(out)


def chunk(mixer):
    """The next chunk, or None when there was nothing to play."""
    out = bytearray(b"\x55" * (2 * CHUNK))
    return samples_of(out) if mixer.render(out) else None


def rendered(mixer):
    """All that the mixer has to play."""
    samples = []
    while True:
        more = chunk(mixer)
        if more is None:
            return samples
        samples += more


def steepest(samples):
    """The largest jump from one sample to the next."""
    return max(abs(samples[i + 1] - samples[i]) for i in range(len(samples) - 1))


def longest_hush(samples, below=100):
    """The longest run of quiet samples between sounds."""
    longest = run = 0
    heard = False
    for sample in samples:
        if abs(sample) < below:
            run += 1
        else:
            if heard:
                longest = max(longest, run)
            heard = True
            run = 0
    return longest


def rms(samples):
    return (sum(s * s for s in samples) / len(samples)) ** 0.5


def pitch_hz(samples):
    """Of a pure tone, by its rising zero crossings."""
    rises = [i for i in range(1, len(samples)) if samples[i - 1] < 0 <= samples[i]]
    return (len(rises) - 1) * RATE_HZ / (rises[-1] - rises[0])
