"""The kernels that run now and then, for MicroPython's viper emitter on 32 bits.

What each does is told in plain.py. Written around faults of viper up to MicroPython 1.28: no unary
minus or ~ on a variable, and no index into ptr16 or ptr32 that is one of the first three locals
and used again; pointers are advanced instead. ptr16 loads unsigned.
"""

# ruff: noqa: F821 - the emitter knows these names

import micropython


@micropython.viper
def double(src: ptr16, n: int, dst: ptr16, to: int):
    x = ptr16(uint(src))
    out = ptr16(uint(dst) + 2 * to)
    a = (x[0] ^ 0x8000) - 0x8000
    b = (x[1] ^ 0x8000) - 0x8000
    c = (x[2] ^ 0x8000) - 0x8000
    d = (x[3] ^ 0x8000) - 0x8000
    e = (x[4] ^ 0x8000) - 0x8000
    f = (x[5] ^ 0x8000) - 0x8000
    g = (x[6] ^ 0x8000) - 0x8000
    end = uint(src) + 2 * n
    while uint(x) < end:
        h = (x[7] ^ 0x8000) - 0x8000
        out[0] = d
        y = (161 * (d + e) - 47 * (c + f) + 21 * (b + g) - 7 * (a + h) + 128) >> 8
        if y > 32767:
            y = 32767
        elif y < -32768:
            y = -32768
        out[1] = y
        a = b
        b = c
        c = d
        d = e
        e = f
        f = g
        g = h
        x = ptr16(uint(x) + 2)
        out = ptr16(uint(out) + 4)
    src[0] = x[0]
    src[1] = x[1]
    src[2] = x[2]
    src[3] = x[3]
    src[4] = x[4]
    src[5] = x[5]
    src[6] = x[6]


@micropython.viper
def squeeze(src: ptr16, n: int, dst: ptr16, to: int):
    x = ptr16(uint(src))
    out = ptr16(uint(dst) + 2 * to)
    end = uint(src) + 2 * n
    while uint(x) < end:
        a = (x[1] ^ 0x8000) - 0x8000
        b = (x[2] ^ 0x8000) - 0x8000
        c = (x[3] ^ 0x8000) - 0x8000
        d = (x[4] ^ 0x8000) - 0x8000
        e = (x[5] ^ 0x8000) - 0x8000
        f = (x[6] ^ 0x8000) - 0x8000
        out[0] = a
        y = (105 * b + 35 * c - 7 * a - 5 * d + 64) >> 7
        if y > 32767:
            y = 32767
        elif y < -32768:
            y = -32768
        out[1] = y
        y = (72 * (c + d) - 8 * (b + e) + 64) >> 7
        if y > 32767:
            y = 32767
        elif y < -32768:
            y = -32768
        out[2] = y
        y = (35 * d + 105 * e - 5 * c - 7 * f + 64) >> 7
        if y > 32767:
            y = 32767
        elif y < -32768:
            y = -32768
        out[3] = y
        x = ptr16(uint(x) + 10)
        out = ptr16(uint(out) + 8)
    src[0] = x[0]
    src[1] = x[1]
    src[2] = x[2]


@micropython.viper
def tone(wave: ptr16, phase: int, pitch: int, dst: ptr16, n: int, gain: int, step: int) -> int:
    out = ptr16(uint(dst))
    while n > 0:
        sample = (wave[phase >> 7] ^ 0x8000) - 0x8000
        y = ((out[0] ^ 0x8000) - 0x8000) + ((sample * (gain >> 15)) >> 15)
        if y > 32767:
            y = 32767
        elif y < -32768:
            y = -32768
        out[0] = y
        gain += step
        phase = (phase + pitch) & 65535
        out = ptr16(uint(out) + 2)
        n -= 1
    return phase
