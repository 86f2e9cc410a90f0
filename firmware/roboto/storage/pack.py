"""Voice packs: the robot's phrases in one file, read piece by piece.

In memory stay the directory (8 bytes a phrase), the groups, and one byte a phrase that notes which
of its sounds have been checked. Texts are read when asked for; sound is streamed. The file format
is laid down in docs/architecture.md, host_tools/voice/packfile.py writes it.
"""

import binascii
import struct

from ..sound.clip import Clip
from ..sound.format import HALF_RATE_HZ, RATE_HZ, adpcm_bytes
from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..shapes import BinaryFile, Buffer

_MAGIC = b"RBVP"
_FORMAT = 1
ADPCM, MDCT = 0, 1  # codecs
_HEADER = "<4sBBH8sIHHII"
_HEADER_BYTES = 32
_ENTRY_BYTES = 8
_BITE_BYTES = 512
_PHRASES_MOST = 2048
_RECORD_MOST_BYTES = 2048
_GROUPS_MOST_BYTES = 8192
_MIN_MOST = 10  # commands that want more players than this would never come
_SLOTS_MOST = 8  # places for names in a phrase
_TOO_SHORT = (ValueError, IndexError, getattr(struct, "error", ValueError))


def fnv1a(id: str) -> int:
    """Return the 32-bit FNV-1a hash of a phrase id, by which the directory is sorted."""
    value = 0x811C9DC5
    for byte in id.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


class FileBlob:
    """An open binary file as a blob."""

    def __init__(self, file: "BinaryFile") -> None:
        self.file = file

    def read_at(self, position_bytes: int, buffer: "Buffer") -> int:
        """Fills buffer from a place in the file; returns the bytes read. Allocates nothing."""
        self.file.seek(position_bytes)
        return self.file.readinto(buffer) or 0


class Phrase:
    """What is known of one phrase. parts: numbers >= 0 are segments, -1-k is name slot k."""

    def __init__(self, pack: "Pack", number: int, record: bytearray) -> None:
        self.pack = pack
        self.number = number
        try:
            self._parse(record)
        except _TOO_SHORT:
            raise Broken(f"{pack.name}: the text of phrase {number} is damaged")

    def _parse(self, record: bytearray) -> None:
        self.id, at = _string(record, 0)
        self.kind, at = _string(record, at)
        n = struct.unpack_from("<H", record, at)[0]
        self.text = _text(record, at + 2, n)
        at += 2 + n
        n = record[at]
        self.parts = [part - 256 if part > 127 else part for part in record[at + 1 : at + 1 + n]]
        at += 1 + n
        n = record[at]
        at += 1
        for part in self.parts:
            if not -_SLOTS_MOST <= part < n:
                raise ValueError
        # (position in the file, n_samples, CRC-32, n_bytes)
        self.segments: list[tuple[int, int, int, int]] = []
        for _ in range(n):
            position, n_samples, crc = struct.unpack_from("<III", record, at)
            at += 12
            n_bytes = adpcm_bytes(n_samples)
            if self.pack.codec == MDCT:
                n_bytes = struct.unpack_from("<I", record, at)[0]
                if not n_bytes:
                    raise ValueError
                at += 4
            self.segments.append((position, n_samples, crc, n_bytes))
        self.record_bytes = at

    def clip(self, segment: int) -> Clip:
        """Return the Clip of a segment. Broken when its checksum does not fit."""
        position, n_samples, crc, n_bytes = self.segments[segment]
        if not self.pack.checked[self.number] >> segment & 1:
            there = position + n_bytes <= self.pack.length
            if not there or self.pack.crc(position, n_bytes) != crc:
                raise Broken(f"{self.pack.name}: sound {segment} of {self.id} is damaged")
            self.pack.checked[self.number] |= 1 << segment
        mdct_bytes = n_bytes if self.pack.codec == MDCT else 0
        return Clip(self.pack.blob, position, n_samples, self.pack.rate_hz, mdct_bytes=mdct_bytes)


class Pack:
    """A voice pack. `file` is a path, which open() opens, or a binary file that is open already.

    Raises Broken, with one line that says what is wrong, when it cannot be read, is not a voice
    pack, was cut short, or its directory or texts are damaged.
    """

    language: str
    codec: int
    rate_hz: int
    names_hz: int  # of what is recorded beside it
    version: int  # of the catalogue of phrases that it was made from
    length: int
    n_phrases: int

    def __init__(
        self, file: "str | BinaryFile", open: "Callable[[str, str], BinaryFile]" = open
    ) -> None:
        self.name = file if isinstance(file, str) else "voice pack"
        try:
            self._file: BinaryFile = open(file, "rb") if isinstance(file, str) else file
        except OSError as error:
            raise self._unreadable(error)
        self.blob = FileBlob(self._file)
        self._bite = bytearray(_BITE_BYTES)
        try:
            self._open()
        except Broken:
            self.close()
            raise
        except Exception as error:  # whatever a foreign file leads to
            self.close()
            raise self._unreadable(error)

    def _unreadable(self, error: Exception) -> Broken:
        return Broken(f"{self.name}: cannot be read ({type(error).__name__} {error})")

    def _open(self) -> None:
        header = self._read(0, _HEADER_BYTES)
        if header[:4] != _MAGIC:
            raise Broken(f"{self.name}: not a voice pack")
        _, form, self.codec, self.rate_hz, language, self.version, n, n_groups, length, crc = (
            struct.unpack(_HEADER, header)
        )
        self.names_hz = self.rate_hz
        if self.codec > 127:  # see packfile.py SPARING
            self.codec -= 128
            self.names_hz = HALF_RATE_HZ
        if form != _FORMAT:
            raise Broken(f"{self.name}: format {form}, this firmware reads {_FORMAT}")
        if self.codec not in (ADPCM, MDCT):
            raise Broken(f"{self.name}: codec {self.codec}, this firmware has {ADPCM} and {MDCT}")
        if self.rate_hz != RATE_HZ and (self.codec == MDCT or self.rate_hz != HALF_RATE_HZ):
            raise Broken(f"{self.name}: the header is damaged (rate {self.rate_hz} Hz)")
        self.length = length
        there = self._file.seek(0, 2)
        if there != length:
            raise Broken(f"{self.name}: cut short or too long ({there} bytes instead of {length})")
        damaged = Broken(f"{self.name}: the directory is damaged")
        if not 0 < n <= _PHRASES_MOST:
            raise damaged
        self.n_phrases = n
        self._directory = self._read(_HEADER_BYTES, n * _ENTRY_BYTES)
        # Records lie in the order of the directory: the audio begins behind the last of them.
        self._records_end = length
        last = self._entry(n - 1)[1]
        if not _HEADER_BYTES < last < length:
            raise damaged
        try:
            self._records_end = last + Phrase(self, n - 1, self._record(n - 1)).record_bytes
        except Broken:
            raise damaged
        if self.crc(_HEADER_BYTES, self._records_end - _HEADER_BYTES) != crc:
            raise damaged
        try:
            self._read_groups(n_groups)
            self.language = str(language, "utf-8").rstrip("\0")
        except _TOO_SHORT:
            raise damaged
        self.checked = bytearray(n)

    def _read_groups(self, n_groups: int) -> None:
        at = _HEADER_BYTES + self.n_phrases * _ENTRY_BYTES
        n_bytes = self._entry(0)[1] - at
        if not 0 <= n_bytes <= _GROUPS_MOST_BYTES:
            raise ValueError
        self._groups = self._read(at, n_bytes)
        self._group_at = {}  # name -> place of its count
        at = 0
        for _ in range(n_groups):
            name, at = _string(self._groups, at)
            self._group_at[name] = at
            n = struct.unpack_from("<H", self._groups, at)[0]
            for number in struct.unpack_from("<%dH" % n, self._groups, at + 2):
                if number >= self.n_phrases:
                    raise ValueError
            at += 2 + 2 * n
        if at != len(self._groups):
            raise ValueError

    def close(self) -> None:
        """Gives the file back; clips of the pack can no longer be played."""
        self._file.close()

    def kinds(self, kind: str) -> int:
        """Return how many commands of a kind there are."""
        at = self._group_at.get(kind)
        return 0 if at is None else struct.unpack_from("<H", self._groups, at)[0]

    variants = kinds  # numbered variants are groups as well: "attention" for "attention.1" ...

    def command(self, kind: str, i: int) -> str:
        """Return the phrase id of the i-th command of a kind. Raise IndexError beyond the last."""
        if not 0 <= i < self.kinds(kind):
            raise IndexError(f"{kind} number {i}")
        try:
            return _string(self._record(self._member(kind, i)), 0)[0]
        except (Broken, ValueError, IndexError):
            return ""  # no phrase has that id: it is told as missing

    @property
    def stamp(self) -> str:
        """Return what tells this pack from another whose commands have other numbers."""
        return "%s %d %d" % (self.language, self.version, self.n_phrases)

    def unfit(self, players: int, gentle: bool, acts: "Sequence[str]" = ()) -> "set[int]":
        """Return which phrases are no commands for so many players, by their numbers.

        gentle: also those that not every child can or would do; and those with one of these acts.
        """
        groups = ["+" + act for act in acts]
        groups += ["+min%d" % n for n in range(players + 1, _MIN_MOST + 1)]
        if gentle:
            groups.append("+rough")
        found = set()
        for group in groups:
            for i in range(self.kinds(group)):
                found.add(self._member(group, i))
        return found

    def fitting(self, kind: str, unfit: "set[int]") -> "list[int]":
        """Return the commands of a kind, as numbers within it, less those that unfit() gave."""
        return [i for i in range(self.kinds(kind)) if self._member(kind, i) not in unfit]

    def trait(self, name: str, kind: str, i: int) -> "bool | None":
        """Return whether a command has a trait; None where the pack is older than traits."""
        if "+race" not in self._group_at:
            return None
        number = self._member(kind, i)
        group = "+" + name
        for k in range(self.kinds(group)):
            if self._member(group, k) == number:
                return True
        return False

    def _member(self, group: str, i: int) -> int:
        return struct.unpack_from("<H", self._groups, self._group_at[group] + 2 + 2 * i)[0]

    def phrase(self, id: str) -> Phrase:
        """Return the Phrase of that id. Raise KeyError when there is none that can be read."""
        wanted = fnv1a(id)
        low, high = 0, self.n_phrases
        while low < high:
            middle = (low + high) // 2
            if self._entry(middle)[0] < wanted:
                low = middle + 1
            else:
                high = middle
        if low < self.n_phrases and self._entry(low)[0] == wanted:
            try:
                phrase = self.phrase_at(low)
            except Broken:
                raise KeyError(id)
            if phrase.id == id:
                return phrase
        raise KeyError(id)

    def phrase_at(self, number: int) -> Phrase:
        """Return the Phrase of a number below n_phrases, in the order of the file."""
        return Phrase(self, number, self._record(number))

    def crc(self, position: int, n: int) -> int:
        """Return the CRC-32 of n bytes of the file, read in bites; -1 when the file ends
        before."""
        crc = 0
        bite = memoryview(self._bite)
        while n > 0:
            got = self.blob.read_at(position, bite if n >= _BITE_BYTES else bite[:n])
            if not got:
                return -1
            crc = binascii.crc32(bite[:got], crc)
            position += got
            n -= got
        return crc & 0xFFFFFFFF

    def _entry(self, number: int) -> tuple[int, int]:
        return struct.unpack_from("<II", self._directory, number * _ENTRY_BYTES)

    def _record(self, number: int) -> bytearray:
        start = self._entry(number)[1]
        last = number + 1 == self.n_phrases
        end = self._records_end if last else self._entry(number + 1)[1]
        if end < start:
            raise Broken(f"{self.name}: the directory is damaged")
        return self._read(start, min(end - start, _RECORD_MOST_BYTES))

    def _read(self, position: int, n: int) -> bytearray:
        data = bytearray(n)
        if self.blob.read_at(position, data) != n:
            raise Broken(f"{self.name}: cut short")
        return data


def _string(data: bytearray, at: int) -> tuple[str, int]:
    """The string with its length before it, and the place behind it."""
    end = at + 1 + data[at]
    return _text(data, at + 1, data[at]), end


def _text(data: bytearray, at: int, n: int) -> str:
    if at + n > len(data):
        raise ValueError("too short")
    return str(data[at : at + n], "utf-8")
