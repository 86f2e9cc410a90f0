"""Voice packs on the device: found, read, and every kind of damage told in one line."""

import binascii
import struct

from roboto.storage.broken import Broken
from roboto.storage.pack import Pack, fnv1a

from tests.portable import Folder, raises

# A pack laid out by hand after docs/architecture.md: id, kind, text, parts, segments.
PHRASES = (
    ("duel.stare", "duel", "{0} contra {1}: ¡ya!", (-1, 0, -2, 1), (b"\x12\x34\x56", b"\x78\x9a")),
    ("duel.hum", "duel", "{0}, {1}", (-1, -2), ()),
    ("go_on.1", "", "Sigue {0}.", (0, -1), (b"\x12\x34\x56",)),
    ("sorry", "", "Perdón.", (0,), (bytes(range(256)) * 5,)),
)
GROUPS = (("duel", ("duel.hum", "duel.stare")), ("go_on", ("go_on.1",)))


def counted(text):
    return bytes([len(text.encode())]) + text.encode()


def pack_bytes():
    order = sorted(PHRASES, key=lambda phrase: fnv1a(phrase[0]))
    ids = [phrase[0] for phrase in order]
    groups = b""
    for name, members in GROUPS:
        groups += counted(name) + struct.pack("<H", len(members))
        for id in members:
            groups += struct.pack("<H", ids.index(id))
    heads = []
    for id, kind, text, parts, segments in order:
        head = counted(id) + counted(kind) + struct.pack("<H", len(text.encode())) + text.encode()
        head += bytes([len(parts)]) + bytes([part & 255 for part in parts])
        heads.append(head + bytes([len(segments)]))
    at = 32 + 8 * len(order) + len(groups)
    directory = b""
    for head, phrase in zip(heads, order):
        directory += struct.pack("<II", fnv1a(phrase[0]), at)
        at += len(head) + 12 * len(phrase[4])
    records = b""
    audio = b""
    for head, phrase in zip(heads, order):
        records += head
        for data in phrase[4]:
            records += struct.pack(
                "<III", at + len(audio), 2 * len(data), binascii.crc32(data) & 0xFFFFFFFF
            )
            audio += data
    body = directory + groups + records
    header = b"RBVP" + struct.pack("<HH", 1, 16000) + b"es\0\0\0\0\0\0"
    header += struct.pack("<IHHII", 77, len(order), 2, at + len(audio), binascii.crc32(body))
    return header + body + audio, at


def write(folder, data):
    path = folder + "/es.pack"
    with open(path, "wb") as file:
        file.write(data)
    return path


def test_a_hash_is_fnv1a():
    assert fnv1a("") == 0x811C9DC5
    assert fnv1a("a") == 0xE40C292C
    assert fnv1a("foobar") == 0xBF9CF968


def test_all_that_is_in_a_pack_is_found():
    with Folder() as folder:
        pack = Pack(write(folder, pack_bytes()[0]))
        assert (pack.language, pack.rate_hz, pack.version) == ("es", 16000, 77)
        assert pack.kinds("duel") == 2
        assert pack.command("duel", 0) == "duel.hum"
        assert pack.command("duel", 1) == "duel.stare"
        assert pack.variants("go_on") == 1
        assert pack.kinds("order") == 0
        for id, kind, text, parts, segments in PHRASES:
            phrase = pack.phrase(id)
            assert (phrase.id, phrase.kind, phrase.text) == (id, kind, text)
            assert tuple(phrase.parts) == parts
            for number, data in enumerate(segments):
                clip = phrase.clip(number)
                assert clip.n_samples == 2 * len(data)
                assert (clip.rate_hz, clip.predictor, clip.index) == (16000, 0, 0)
                assert clip.gain_q12 == 4096
                there = bytearray(len(data))
                assert clip.blob.read_at(clip.start_byte, there) == len(data)
                assert bytes(there) == data
        pack.close()


def test_what_is_not_in_a_pack():
    with Folder() as folder:
        pack = Pack(write(folder, pack_bytes()[0]))
        for id in ("", "duel", "duel.stare2", "zzz"):
            raises(KeyError, pack.phrase, id)
        raises(IndexError, pack.command, "duel", 2)
        raises(IndexError, pack.command, "order", 0)
        pack.close()


def test_a_pack_cut_short_anywhere():
    data, _ = pack_bytes()
    with Folder() as folder:
        for n in range(len(data)):
            if n < 400 or n % 97 == 0:
                error = raises(Broken, Pack, write(folder, data[:n]))
                assert "\n" not in str(error) and "es.pack" in str(error)


def test_a_pack_with_something_behind_it():
    with Folder() as folder:
        error = raises(Broken, Pack, write(folder, pack_bytes()[0] + b"x"))
        assert "cut short or too long" in str(error)


def test_foreign_files():
    with Folder() as folder:
        for data in (b"", b"RIFF" + bytes(60), b"\xff" * 100, b"RBVP" + b"\xff" * 100):
            raises(Broken, Pack, write(folder, data))
        error = raises(Broken, Pack, write(folder, b"RIFF" + bytes(60)))
        assert "not a voice pack" in str(error)
        error = raises(Broken, Pack, write(folder, b"RBVP\x02\x00" + pack_bytes()[0][6:]))
        assert "format 2, this firmware reads 1" in str(error)
        error = raises(Broken, Pack, folder + "/nothing.pack")
        assert "cannot be read" in str(error)


def test_names_beside_a_pack_have_its_rate_or_half_of_it():
    with Folder() as folder:
        data = pack_bytes()[0]
        pack = Pack(write(folder, data))
        assert pack.names_hz == pack.rate_hz
        pack.close()
        pack = Pack(write(folder, data[:5] + bytes([data[5] | 128]) + data[6:]))
        assert pack.names_hz == 8000 and pack.codec == data[5]
        pack.close()


def test_any_damaged_byte_of_the_directory_is_noticed():
    data, audio = pack_bytes()
    with Folder() as folder:
        for n in range(20, audio):  # magic, format, rate, language and version stand before
            damaged = bytearray(data)
            damaged[n] ^= 0x41
            raises(Broken, Pack, write(folder, damaged))


def test_a_damaged_sound_breaks_its_phrases_alone():
    data, audio = pack_bytes()
    with Folder() as folder:
        for n in range(audio, len(data), 61):
            damaged = bytearray(data)
            damaged[n] ^= 1
            pack = Pack(write(folder, damaged))
            broken = 0
            for phrase in PHRASES:
                for number in range(len(phrase[4])):
                    try:
                        pack.phrase(phrase[0]).clip(number)
                    except Broken as error:
                        broken += 1
                        assert phrase[0] in str(error) and "\n" not in str(error)
            assert broken == 1
            pack.close()
