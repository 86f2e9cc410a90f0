"""Files that are old or new, never broken.

A file is written under a temporary name, closed, and renamed over the old one, which littlefs
does in one commit. Each file begins with its own header, so that a damaged one is noticed:

    0  4s  magic "RBF1"    4  u32 length of the payload    8  u32 CRC-32 of the payload

Writes are jobs done in bites, because an erase stops the CPU for about 45 ms: between two bites
the loop can answer a press. Whoever wants the written file waits for `Job.done`.
"""

import binascii
import struct

from .broken import Broken, Refused
from .files import FileBlob, Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..shapes import BinaryFile, Bytes, FileSystem, Gate, Note, Piece

_MAGIC = b"RBF1"
_HEADER = "<4sII"
_HEADER_BYTES = 12
_TEMPORARY = ".tmp"
_STRAY = ".stray"  # what was found where a file of the robot's belongs, and is none
_ENOENT = 2
_IS_FOLDER = 0x4000

# A littlefs block of 4096 bytes holds, beside the data, up to a few 4-byte links to earlier
# blocks. A bite is smaller than that rest, so that it begins at most one new block.
_BITE_BYTES = 4032
_SLICE_BYTES = 504


class Job:
    """One change to one file, carried out by calling step() until it returns True."""

    def __init__(
        self, name: str, about: str, work: "Generator[None]", guard: "Gate | None"
    ) -> None:
        self.name = name
        self.about = about  # one line for the log
        self.begun = False
        self.done = False  # on flash, or superseded by a newer job: its buffers may be reused
        self.failed: str | None = (
            None  # once the job has been given up: FULL, or the reason in words
        )
        self._work: Generator[None] | None = (
            work  # a generator that yields between flash operations
        )
        self._guard = guard

    def step(self) -> bool:
        """Do at most one flash operation. Returns True when the change is complete.

        Raises Refused when the guard does not allow writing now (try again later) and OSError
        when the change failed: the temporary is deleted then and the old file is untouched.
        """
        if self.done:
            return True
        if self._guard is not None:
            # Whatever reason the guard has, it is not a fault of this job.
            try:
                self._guard.writing()
            except Exception as reason:
                raise Refused(f"{self.about}: {reason}")
        self.begun = True
        try:
            if self._work is not None:
                next(self._work)
        except StopIteration:
            self.done = True
            self._work = None
        return self.done


class Volume:
    """One folder of files. root is its path, "" for the current folder; files: a
    Files, the interpreter's own unless said otherwise.

    guard.writing() is asked before every bite that writes and raises when writing is not allowed.
    Names are plain file names: letters, digits, "-", "_" and "."; ".tmp" is the volume's own.
    """

    def __init__(
        self, root: str = "", guard: "Gate | None" = None, files: "FileSystem | None" = None
    ) -> None:
        self.root = root
        self._guard = guard
        self.files: FileSystem = files or Files()

    def path(self, name: str) -> str:
        return self.root + "/" + name if self.root else name

    def read(self, name: str, most: int = 1 << 30) -> bytes | None:
        """Return the payload of a file, or None when there is no such file. Raise Broken, without
        reading it, when it has more than `most` bytes."""
        file = self._open(name)
        if file is None:
            return None
        try:
            length, crc = _parse_header(name, file.read(_HEADER_BYTES))
            size = file.seek(0, 2)
            if size != _HEADER_BYTES + length:
                raise Broken(f"{name}: {size - _HEADER_BYTES} bytes, should have {length}")
            if length > most:
                raise Broken(f"{name}: {length} bytes, far too long")
            file.seek(_HEADER_BYTES)
            payload = file.read(length)
        except OSError as error:
            raise Broken(f"{name}: cannot be read ({error})")
        finally:
            file.close()
        if binascii.crc32(payload) != crc:
            raise Broken(f"{name}: checksum does not fit")
        return payload

    def open_blob(self, name: str, check: bool = True) -> FileBlob | None:
        """Return a FileBlob over the payload, or None when there is no such file. Raises Broken.

        The header and the length are always checked; with check the payload is read through
        once, too, and its CRC compared. The caller closes the blob before the file changes.
        """
        file = self._open(name)
        if file is None:
            return None
        blob = None
        try:
            length, crc = _parse_header(name, file.read(_HEADER_BYTES))
            size = file.seek(0, 2)
            if size != _HEADER_BYTES + length:
                raise Broken(f"{name}: {size - _HEADER_BYTES} bytes, should have {length}")
            if check and _crc_of_rest(file) != crc:
                raise Broken(f"{name}: checksum does not fit")
            blob = FileBlob(file, _HEADER_BYTES, length)
            return blob
        except OSError as error:
            raise Broken(f"{name}: cannot be read ({error})")
        finally:
            if blob is None:
                file.close()

    def replace(self, name: str, pieces: "list[Piece]") -> Job:
        """Return a job that makes the pieces, one after the other, the payload of a file.

        A piece is anything with a length that gives bytes when sliced. The pieces are not
        copied: they must stay as they are until the job is done.
        """
        _check_name(name)
        return Job(name, "save " + name, self._replacing(name, pieces), self._guard)

    def remove(self, name: str) -> Job:
        """Return a job that deletes a file. It is no error when there is none."""
        _check_name(name)
        return Job(name, "delete " + name, self._removing(name), self._guard)

    def names(self) -> list[str]:
        """Return the names of all files, sorted, without temporaries."""
        return sorted(name for name in self._listing() if not name.endswith(_TEMPORARY))

    def sweep(self, note: "Note | None" = None) -> int:
        """Delete what a power cut left behind, at boot, before any job. Return how many.

        note(line) is told of what cannot be deleted; it stays there. A stray file where the
        folder belongs is moved out of the way.
        """
        swept = 0
        if self.root and not self._is_folder(self.root):
            try:
                self.files.rename(self.root, self.root + _STRAY)
            except OSError:
                pass  # there is nothing, as a rule
        for name in self._listing():
            if not name.endswith(_TEMPORARY):
                continue
            try:
                self._delete(self.path(name))
                swept += 1
            except OSError as error:
                if note is not None:
                    note(f"{name}: cannot be deleted ({error})")
        return swept

    def _delete(self, path: str) -> None:
        """Delete a file, or a folder with all that is in it, however deep."""
        while self._is_folder(path):
            last = path
            names = self.files.listdir(last)
            while names and self._is_folder(last + "/" + names[0]):
                last += "/" + names[0]
                names = self.files.listdir(last)
            if names:
                self.files.remove(last + "/" + names[0])
            else:
                self.files.rmdir(last)
                if last == path:
                    return
        self.files.remove(path)

    def _is_folder(self, path: str) -> bool:
        try:
            return bool(self.files.stat(path)[0] & _IS_FOLDER)
        except OSError:
            return False

    def _clear_way(self, path: str) -> bool:
        """Move a folder away that stands where a file of the robot's belongs. Return whether there
        was one."""
        if not self._is_folder(path):
            return False
        self.files.rename(path, path + _STRAY)
        return True

    def free_bytes(self) -> int:
        """Free space. littlefs walks all of its files for this: not while sound plays."""
        status = self.files.statvfs(self.root or ".")
        return status[1] * status[3]

    def _listing(self) -> list[str]:
        try:
            return self.files.listdir(self.root or ".")
        except OSError:  # nothing was ever written
            return []

    def _open(self, name: str) -> "BinaryFile | None":
        try:
            return self.files.open(self.path(name), "rb")
        except OSError as error:
            if error.errno == _ENOENT:
                return None
            raise Broken(f"{name}: cannot be opened ({error})")

    def _replacing(self, name: str, pieces: "list[Piece]") -> "Generator[None]":
        temporary = self.path(name + _TEMPORARY)
        length = crc = 0
        for piece in pieces:
            length += len(piece)
            for part in _slices(piece):
                crc = binascii.crc32(part, crc)
        yield
        header = _header(length, crc)
        file = None
        try:
            file = self._create(temporary)
            yield
            written = 0
            for piece in [header] + pieces:
                for part in _slices(piece):
                    if written + len(part) > _BITE_BYTES:
                        yield
                        written = 0
                    file.write(part)
                    written += len(part)
            yield
            file.close()  # here littlefs commits the data
            file = None
            yield
            try:
                self.files.rename(temporary, self.path(name))
            except OSError:
                if not self._clear_way(self.path(name)):
                    raise
                self.files.rename(temporary, self.path(name))
        except OSError:
            self._discard(file, temporary)
            raise

    def _removing(self, name: str) -> "Generator[None]":
        try:
            self.files.remove(self.path(name))
        except OSError as error:
            if error.errno != _ENOENT and not self._clear_way(self.path(name)):
                raise
        return
        yield  # makes this a generator: one step, no pause

    def _create(self, path: str) -> "BinaryFile":
        try:
            return self.files.open(path, "wb")
        except OSError as error:
            if error.errno != _ENOENT or not self.root:
                raise
        self.files.mkdir(self.root)
        return self.files.open(path, "wb")

    def _discard(self, file: "BinaryFile | None", path: str) -> None:
        """Get rid of a temporary after a failure, as far as the flash still lets us."""
        try:
            if file is not None:
                file.close()
        except OSError:
            pass
        try:
            self.files.remove(path)
        except OSError:
            pass  # sweep() takes it at the next boot


def as_file(payload: "Bytes") -> bytes:
    """Return the bytes of the file that holds a payload: for a computer that prepares a volume."""
    return _header(len(payload), binascii.crc32(payload)) + payload


def _header(length: int, crc: int) -> bytes:
    return struct.pack(_HEADER, _MAGIC, length, crc)


def _check_name(name: str) -> None:
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    safe = plain and all(c in _SAFE for c in plain) and name[0] != "."
    if not safe or name.endswith(_TEMPORARY):
        raise ValueError(f"not a file name: {name!r} (letters, digits, - _ .)")


_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def _parse_header(name: str, header: bytes) -> tuple[int, int]:
    """The payload's (length, CRC) from a file's first bytes."""
    if len(header) < _HEADER_BYTES:
        raise Broken(f"{name}: cut short")
    magic, length, crc = struct.unpack(_HEADER, header)
    if magic != _MAGIC:
        raise Broken(f"{name}: not a file of this robot")
    return length, crc


def _slices(piece: "Piece") -> "Iterator[Bytes]":
    for start in range(0, len(piece), _SLICE_BYTES):
        yield piece[start : start + _SLICE_BYTES]


def _crc_of_rest(file: "BinaryFile") -> int:
    file.seek(_HEADER_BYTES)
    buffer = bytearray(_SLICE_BYTES)
    view = memoryview(buffer)
    crc = 0
    while True:
        n = file.readinto(buffer)
        if not n:
            return crc
        crc = binascii.crc32(view[:n], crc)
