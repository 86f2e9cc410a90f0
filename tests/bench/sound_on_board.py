"""Runs on the board: cycles a sample of the sound kernels, beside C where its code is given.

run(symbols) prints lines "name: figure". symbols: name -> place in kernels.bin, the compiled
sound_kernels.c, or empty.
"""

# ruff: noqa: F821 - the assembler's names

import gc
import time
from array import array
from math import sin

import agree
import micropython
import uctypes
from roboto.sound import kernels, mdct, thumb_bins, thumb_mdct
from roboto.sound.clip import Clip, Pause, RamBlob
from roboto.sound.mixer import Mixer
from roboto.sound.recorder import Recorder
from roboto.sound.tables import MOVES, SINE, STEPS, codec_state

MHZ = 125
N = 1024
CHUNK = 128
buffer = bytearray(80_000)


@micropython.asm_thumb
def call(r0, r1):
    """Call the C function at r0 with r1."""
    mov(r2, r0)
    mov(r0, r1)
    data(2, 0x4790)  # blx r2


def report(name, figure):
    print(f"{name}: {figure}")


def cycles(name, function, *arguments):
    gc.collect()
    start = time.ticks_us()
    function(*arguments)
    report(name, time.ticks_diff(time.ticks_us(), start) * MHZ / N)


def voice(n):
    """Something like speech: two partials that swell, and noise."""
    random = agree.Random(77)
    samples = array("h")
    for i in range(n):
        loudness = 0.3 + 0.7 * abs(sin(i * 0.004))
        wave = 6000 * sin(i * 0.17) * loudness + 2500 * sin(i * 0.61)
        samples.append(int(wave) + random.between(-300, 300))
    return samples


def kernels_and_c(symbols):
    samples = voice(N + 7)
    pcm = bytearray(bytes(samples))
    words = array("i", (samples[i] << 13 for i in range(N)))
    codes = bytearray(N // 2)
    out = bytearray(2 * N + 16)
    code = open("kernels.bin", "rb").read() if symbols else b""
    steps = array("b", (-1, -1, -1, -1, 2, 4, 6, 8))

    def c(name, src, dst, state):
        """Time the C of that name; its results must be those already in dst."""
        if not symbols:
            return
        wanted = bytes(dst)
        state = array("i", state)
        things = (src, dst, N, state, STEPS, MOVES, steps)
        addresses = (x if isinstance(x, int) else uctypes.addressof(x) for x in things)
        arguments = array("I", addresses)
        place = uctypes.addressof(code) + symbols[name] + 1
        cycles("C " + name, call, place, uctypes.addressof(arguments))
        assert bytes(dst) == wanted, name

    cycles("encode", kernels.encode, pcm, codes, N, codec_state())
    c("encode_reference", pcm, codes, (0, 0))
    cycles("decode", kernels.decode, codes, out, N, codec_state())
    c("decode_reference", codes, out, (0, 0))
    c("decode_table", codes, out, (0, 0))
    for name, gain in (("ramp", 500), ("ramp_loud", 8000)):
        state = array("i", (gain << 15, 3000, 0))
        out[: 2 * N] = pcm[: 2 * N]
        cycles(name, kernels.ramp, out, N, state)
        if name == "ramp":
            c("ramp", pcm, out, state)
    cycles("clean", kernels.clean, words, out, N, array("i", (900, 3, 0, 0, 0, 5)))
    c("clean", words, out, (900, 3, 0, 0, 0, 5))
    before = bytes(pcm)
    cycles("energy", kernels.energy, pcm, N)
    c("energy", before, out, (0,))
    cycles("double", kernels.double, bytearray(before), N // 2, out, 0)
    cycles("halve", kernels.halve, bytearray(before), N - 14, out, 0)
    cycles("squeeze", kernels.squeeze, bytearray(before), N - 4, out, 0)
    cycles("tone", kernels.tone, SINE, 0, 4000, out, N, 1000 << 15, 300)
    cycles("silence", kernels.silence, out, 0, N)
    cycles("copy", kernels.copy, before, 0, out, N)


def speech():
    """Time the speech codec, frame by frame."""
    data = open("speech.bin", "rb").read()
    work = array("i", bytes(4 * 512))
    before = array("i", bytes(4 * 128))
    memory = bytearray(48 + 256)
    out = bytearray(512)
    state = mdct.state()
    state[2] = len(data)
    frames = 16000 // 256 + 1
    bins_us = samples_us = worst_us = 0
    gc.collect()
    for _ in range(frames):
        start = time.ticks_us()
        thumb_bins.bins(data, work, memory, state)
        middle = time.ticks_us()
        thumb_mdct.samples(work, before, out, state)
        end = time.ticks_us()
        bins_us += time.ticks_diff(middle, start)
        samples_us += time.ticks_diff(end, middle)
        worst_us = max(worst_us, time.ticks_diff(end, start))
    report("mdct bins", bins_us * MHZ / frames / 256)
    report("mdct samples", samples_us * MHZ / frames / 256)
    report("mdct worst frame us", worst_us)
    cycles("place", kernels.place, bytearray(2 * N), bytearray(2 * N), N, array("i", (0, 0)))
    gc.collect()
    free = gc.mem_free()
    decoder = mdct.Decoder()
    gc.collect()
    report("mdct decoder bytes", free - gc.mem_free())
    del decoder


def recording():
    samples = voice(CHUNK)
    loud = array("i", (sample << 13 for sample in samples))
    quiet = array("i", (sample << 6 for sample in samples))
    recorder = Recorder(buffer, 10_000)
    recorder.start(10_000)
    chunks = 0
    gc.collect()
    micropython.heap_lock()
    start = time.ticks_us()
    while not recorder.full:
        recorder.feed(loud if chunks > 50 and chunks & 16 else quiet, CHUNK)
        chunks += 1
    took_us = time.ticks_diff(time.ticks_us(), start)
    micropython.heap_unlock()
    report("feed us a chunk", took_us / chunks)
    start = time.ticks_us()
    result, _ = recorder.finish()
    report("finish ms after 10 s", time.ticks_diff(time.ticks_us(), start) / 1000)
    assert result == "stored"


def playing():
    clip = Clip(RamBlob(buffer), 0, 16_000, gain_q12=9000)
    slow = Clip(RamBlob(buffer), 0, 8_000, 8000)
    data = open("speech.bin", "rb").read()
    said = Clip(RamBlob(data), 0, 16_000, mdct_bytes=len(data))
    out = bytearray(2 * CHUNK)
    mixer = Mixer(2)
    for name, parts, squeaky, tone in (
        ("16 kHz", [clip], [0], None),
        ("16 kHz, off the grid", [Pause(3), clip], [0, 0], None),
        ("16 kHz squeaky", [clip], [1], None),
        ("8 kHz", [slow], [0], None),
        ("8 kHz squeaky", [slow], [1], None),
        ("16 kHz and a tone", [clip], [0], "fanfare"),
        ("speech codec", [said], [0], None),
        ("speech codec squeaky", [said], [1], None),
    ):
        mixer.say([said])
        mixer.render(out)  # the first of its kind has its decoder made
        mixer.drop()
        mixer.say(parts, squeaky)
        if tone:
            mixer.tone(tone)
        chunks = total = worst = 0
        gc.collect()
        micropython.heap_lock()
        while mixer.talking:
            start = time.ticks_us()
            mixer.render(out)
            took = time.ticks_diff(time.ticks_us(), start)
            total += took
            worst = max(worst, took)
            chunks += 1
        micropython.heap_unlock()
        report("render us a chunk, " + name, total / chunks)
        report("render us at worst, " + name, worst)


def run(symbols):
    from roboto.sound import plain

    assert kernels.decode is not plain.decode, "the plain kernels are in use"
    start = time.ticks_us()
    from roboto.sound import selftest

    assert selftest.wrong() == []
    report("self-test ms, with its import", time.ticks_diff(time.ticks_us(), start) / 1000)
    report("agree", agree.compare(plain, kernels, 12))
    report("mdct agree", agree.mdct_crc(mdct.Decoder))
    kernels_and_c(symbols)
    speech()
    recording()
    playing()
