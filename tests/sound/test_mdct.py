"""The speech codec's decoder, on every machine: any bytes whatever give the same samples."""

from array import array

from roboto.sound import mdct, mdct_plain
from roboto.sound.clip import Clip, RamBlob

from tests.portable import raises
from tests.sound import agree


def test_any_bytes_decode_to_the_same_samples_on_every_machine():
    # the CRC is that of CPython, MicroPython on 64 bits, and assembler on the RP2040
    assert agree.mdct_crc(mdct.Decoder) == 3769764279


def test_samples_in_pieces_are_samples_at_once():
    data = bytearray(i * i * 7 & 255 for i in range(400))
    clip = Clip(RamBlob(data), 0, 768, mdct_bytes=len(data))
    decoder = mdct.Decoder()
    decoder.begin(clip)
    whole = bytearray(2 * 768)
    assert decoder.take(whole, 0, 768)
    decoder.begin(clip)
    pieces = bytearray(2 * 768)
    for at in range(0, 768, 16):
        assert decoder.take(pieces, at, 16)
    assert pieces == whole and any(whole)


def test_a_clip_of_half_the_rate_is_refused():
    clip = Clip(RamBlob(bytes(100)), 0, 512, 8000, mdct_bytes=100)
    raises(ValueError, mdct.Decoder().begin, clip)


def test_nothing_behind_the_clip_is_read_as_its_own():
    data = bytearray(i * 5 & 255 for i in range(300))
    heard = []
    for behind in (b"\x00" * 300, b"\xff" * 300):
        decoder = mdct.Decoder()
        decoder.begin(Clip(RamBlob(data + behind), 0, 1024, mdct_bytes=len(data)))
        out = bytearray(2 * 1024)
        assert decoder.take(out, 0, 1024)
        heard.append(bytes(out))
    assert heard[0] == heard[1]


def test_frames_of_nothing_become_faint_noise():
    # bytes of which none is left: every symbol is the first of its table, so no band is loud
    work = array("i", bytes(4 * 512))
    state = mdct.state()
    memory = bytearray(48 + 256)
    mdct_plain.bins(b"", work, memory, state)
    assert not any(memory[48:])
    # the bands reach to 7 kHz, 224 of 256 bins; behind them there is nothing
    assert all(work[k] for k in range(96)) and not any(work[224:256])
    assert any(work[k] > 0 for k in range(96)) and any(work[k] < 0 for k in range(96))
