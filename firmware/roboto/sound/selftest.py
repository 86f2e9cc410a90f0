"""Whether this MicroPython computes the inner loops of sound right.

MicroPython 1.26 and 1.27 compile some viper code to wrong instructions without a word. A robot
that would only crackle says so at boot instead.
"""

from array import array
from binascii import crc32

from . import kernels
from .tables import SINE, codec_state

# CRC-32 of what each kernel makes of the numbers below, computed by plain.py
_RIGHT = (
    ("encode", 0x508120AF),
    ("decode", 0x352FCB4E),
    ("ramp", 0x16849C7A),
    ("double", 0x32A59406),
    ("squeeze", 0xCE505F2C),
    ("tone", 0x361D8958),
    ("clean", 0x96343E66),
    ("energy", 0x75F6B4C4),
    ("silence", 0xDDEC80BA),
    ("copy", 0x4F3BCF33),
    ("halve", 0x1533BCB0),
)


def wrong() -> list[str]:
    """Names of the kernels that compute wrong numbers here, the first wrong one first: those after
    it work on its results. A fit machine gives an empty list."""
    found = results()
    return [name for name, crc in _RIGHT if found[name] != crc]


def results() -> dict[str, int]:
    """Return the CRC-32 of what each kernel makes of 80 samples that use the whole range."""
    samples = bytearray(2 * 90)
    words = array("i", bytes(4 * 80))
    x = 1
    for i in range(80):
        x = (x * 5701 + 3571) % 65537
        samples[2 * i] = x & 255
        samples[2 * i + 1] = (x >> 8) ^ 128 if i % 20 < 12 else 0
        words[i] = (x - 32768) << 13
    out = bytearray(2 * 160)
    found: dict[str, int] = {}

    def note(name: str, value: int = 0) -> None:
        found[name] = crc32(str(value).encode(), crc32(samples, crc32(out)))

    codes = bytearray(40)
    state = codec_state()
    kernels.encode(samples, codes, 80, state)
    found["encode"] = crc32(codes)
    state = codec_state()
    kernels.decode(codes, out, 80, state)
    note("decode", state[0])
    ramp = array("i", (200 << 15, 40 << 15, 3))
    note("ramp", kernels.ramp(samples, 70, ramp))
    kernels.double(samples, 70, out, 5)
    note("double")
    kernels.squeeze(samples, 75, out, 2)
    note("squeeze")
    note("tone", kernels.tone(SINE, 60000, 3000, out, 80, 20000 << 15, -200 << 15))
    clean = array("i", (70000, -900, 5, 2, 1, 4))
    kernels.clean(words, samples, 70, clean)
    note("clean", clean[0] + clean[2])
    note("energy", kernels.energy(samples, 70))
    kernels.silence(out, 3, 20)
    note("silence")
    kernels.copy(samples, 7, out, 33)
    note("copy")
    kernels.halve(samples, 76, out, 7)
    note("halve")
    return found
