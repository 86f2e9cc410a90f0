"""Whether two sets of kernels compute the same bits. Runs on CPython, MicroPython and the RP2040.

compare(one, other, rounds) feeds both the same random and extreme data and raises AssertionError
where they differ; it returns a CRC of all results, the same on every machine.
"""

from array import array
from binascii import crc32

from roboto.sound.clip import Clip, RamBlob
from roboto.sound.tables import REED, SINE, codec_state


class Random:
    """The same numbers on every machine (xorshift, 29 bits so that they stay small ints)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        x = self.state
        x ^= x << 13 & 0x1FFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0x1FFFFFFF
        self.state = x
        return (x >> 4) % n

    def between(self, low, high):
        return low + self.below(high - low + 1)


def _codes(random, n):
    return bytearray(random.below(256) for _ in range(n))


def _samples(random, n):
    """n samples as bytes: noise of some loudness, or jumps between extremes."""
    kind = random.below(3)
    if kind == 0:
        size = (300, 3000, 32767)[random.below(3)]
        values = array("h", (random.between(-size, size) for _ in range(n)))
    elif kind == 1:
        corners = (-32768, 32767, -32767, -1, 0, 1)
        values = array("h", (corners[random.below(6)] for _ in range(n)))
    else:
        half_period = random.between(1, 40)
        values = array("h", (32767 if i // half_period & 1 else -32768 for i in range(n)))
    return bytearray(bytes(values))


def _words(random, n):
    words = array("i", bytes(4 * n))
    quiet = random.below(20)
    for i in range(n):
        # 24 bits, left-justified
        words[i] = (
            (random.below(1 << 12) << 12 | random.below(1 << 12)) - (1 << 23) >> quiet
        ) * 256
    return words


def _codec(random):
    state = codec_state()
    state[0] = random.between(-32768, 32767)
    state[1] = random.below(89)
    state[2] = random.below(9)
    state[3] = random.below(9)
    return state


def _cases(random):
    """One call of every kernel: (name, arguments)."""
    n = random.between(1, 50)
    yield "decode", [_codes(random, 64), bytearray(256), 2 * n, _codec(random)]
    yield "encode", [_samples(random, 112), bytearray(64), 2 * n, _codec(random)]
    top = (1100, 32767)[random.below(2)]
    gain = random.between(0, top)
    gain_end = gain if random.below(2) else random.between(0, top)
    state = array("i", (gain << 15, (gain_end - gain << 15) // n, random.below(9)))
    yield "ramp", [_samples(random, 60), n, state]
    yield "double", [_samples(random, n + 7), n, bytearray(256), random.below(9)]
    yield "halve", [_samples(random, 2 * n + 14), 2 * n, bytearray(128), random.below(9)]
    yield "squeeze", [_samples(random, 5 * n + 3), 5 * n, bytearray(512), random.below(9)]
    wave = (SINE, REED)[random.below(2)]
    step = random.between(-200, 200) << 15
    yield "tone", [
        wave, random.below(65536), random.below(20000), _samples(random, 64), n,
        random.between(10000, 20000) << 15, step,
    ]  # fmt: skip
    state = array("i", (random.between(-1 << 27, 1 << 27), random.between(-900, 900)))
    state.extend(array("i", (random.between(-9000, 9000), random.below(9), random.below(9))))
    state.append(random.between(2, 8))
    yield "clean", [_words(random, 60), bytearray(128), n, state]
    yield "energy", [_samples(random, n + 3), n]
    yield "silence", [_samples(random, 64), random.below(9), n]
    yield "copy", [_codes(random, 64), random.below(9), bytearray(64), n]
    state = array("i", (random.below(9), random.below(9)))
    yield "place", [_samples(random, 64), bytearray(256), n, state]


def _copied(arguments):
    return [
        bytearray(a) if isinstance(a, bytearray) else array("i", a) if _is_state(a) else a
        for a in arguments
    ]


def _is_state(argument):
    return isinstance(argument, array) and len(argument) < 10


def compare(one, other, rounds=100, seed=12345, only=None):
    """CRC of all results of `one`; AssertionError at the first that `other` sees differently.

    only: names of the kernels to compare; None for all.
    """
    random = Random(seed)
    crc = 0
    for number in range(rounds):
        for name, arguments in _cases(random):
            if only and name not in only:
                continue
            copied = _copied(arguments)
            wanted = getattr(one, name)(*arguments)
            got = getattr(other, name)(*copied)
            place = f"{name} in round {number}"
            if name not in ("ramp", "tone", "energy"):
                wanted = got = None  # the others return nothing of meaning
            assert got == wanted, f"{place}: returned {got}, not {wanted}"
            for i in range(len(arguments)):
                argument = arguments[i]
                assert argument == copied[i], f"{place}: {copied[i]} is not {argument}"
                if isinstance(argument, bytearray):
                    crc = crc32(argument, crc)
            crc = crc32(str(wanted).encode(), crc)
    return crc


def mdct_crc(kind, n_samples=1024):
    """CRC of what a decoder of the speech codec makes of bytes that nobody encoded: every path
    through it, and numbers that wrap."""
    random = Random(31)
    data = bytearray(random.below(256) if random.below(3) else 0 for _ in range(1500))
    crc = 0
    for start_byte, mdct_bytes in ((0, 1500), (7, 90), (600, 2)):
        clip = Clip(RamBlob(data), start_byte, n_samples, mdct_bytes=mdct_bytes)
        decoder = kind()
        decoder.begin(clip)
        out = bytearray(2 * n_samples + 6)
        at = 0
        while at < n_samples:
            n = min(random.between(1, 160), n_samples - at)
            assert decoder.take(out, at + 3, n)
            at += n
        crc = crc32(out, crc)
    return crc
