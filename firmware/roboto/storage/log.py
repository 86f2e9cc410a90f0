"""The device's own log: what went wrong, for whoever opens the lid later.

The newest lines are in RAM. save() appends the new ones to the younger of two files; when that
is full the older one is replaced, so that the log never takes more than about 8 KB of flash.
Each file is text; its first line is "# n", and the file with the larger n is the younger.
"""

from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..shapes import Piece
    from .volume import FileBlob, Job, Volume

_FILES = ("log-0", "log-1")
_FILE_BYTES = 4000
_PART_BYTES = 256
_NUMBER_MOST = 1000000000
_LINES_IN_RAM = 40
_LINE_CHARACTERS = 90


class Log:
    """uptime_s() gives the seconds since boot that stand before each line; optional. So is the
    first line, which tells who writes: it goes to flash only together with a second one."""

    def __init__(
        self,
        volume: "Volume",
        uptime_s: "Callable[[], int] | None" = None,
        first: str | None = None,
    ) -> None:
        self._volume = volume
        self._uptime_s = uptime_s
        self._lines: list[str] = []
        self._unsaved = 0  # how many of the newest lines no job has taken yet
        if first is not None:
            self.note(first)
        self._not_alone = self._unsaved
        self._saving: tuple[Job, int] | None = None  # and its number of lines

    def note(self, line: object) -> None:
        """Add a line. Never raises: it is called where things have gone wrong already."""
        try:
            line = str(line)
            try:
                line.encode()
            except ValueError:  # a file's name, perhaps
                line = repr(line)
            line = line[:_LINE_CHARACTERS].replace("\n", " ").replace("\r", " ")
            if self._uptime_s is not None:
                line = f"{self._uptime_s()} {line}"
            if len(self._lines) >= _LINES_IN_RAM:
                self._lines.pop(0)
            self._lines.append(line)
            self._unsaved = min(self._unsaved + 1, len(self._lines))
        except Exception:  # not even for want of memory
            pass

    def lines(self) -> list[str]:
        """Return the lines since boot, the oldest first, at most 40."""
        return list(self._lines)

    def save(self) -> "Job | None":
        """Return a job that appends the new lines to the files; None when there are none, or while
        the last such job still waits (it would be appending to the same text)."""
        if self._saving is not None:
            job, count = self._saving
            if not job.done and not job.failed:
                return None
            if job.failed:
                self._unsaved = min(self._unsaved + count, len(self._lines))
            self._saving = None
        if self._unsaved <= self._not_alone:
            return None
        self._not_alone = 0
        new: list[Piece] = [line.encode() + b"\n" for line in self._lines[-self._unsaved :]]
        n_bytes = sum([len(line) for line in new])
        while n_bytes > _FILE_BYTES - 16:  # one save fits one file, whatever was noted
            n_bytes -= len(new.pop(0))
        (_, _, older_name), (young_n, length, name) = sorted(self._files())
        if length and length + n_bytes <= _FILE_BYTES:
            old = self._pieces(name, length)
        else:
            old, name = [b"# %d\n" % (young_n + 1)], older_name
        job = self._volume.replace(name, old + new)
        self._saving = (job, self._unsaved)
        self._unsaved = 0
        return job

    def _files(self) -> list[tuple[int, int, str]]:
        """Return (n, bytes of the payload, name) of both files; n is 0 and so is the length where
        there is none, or a damaged one."""
        files = []
        for name in _FILES:
            n = length = 0
            try:
                blob = self._volume.open_blob(name)
                if blob is not None:
                    length = blob.length
                    head = _part(blob, 0)
                    blob.close()
                    n = int(head[2 : min(head.index(b"\n"), 12)])
                if not 0 <= n < _NUMBER_MOST or length > 2 * _FILE_BYTES:
                    raise ValueError
            except (Broken, ValueError):
                n = length = 0
            files.append((n, length, name))
        return files

    def _pieces(self, name: str, length: int) -> "list[Piece]":
        """Return what a file holds. Small pieces: a heap that was long in use has no room left for
        all of it in one."""
        blob = self._volume.open_blob(name, check=False)
        if blob is None:
            return []
        pieces: list[Piece] = [_part(blob, at) for at in range(0, length, _PART_BYTES)]
        blob.close()
        return pieces


def _part(blob: "FileBlob", at: int) -> bytes:
    part = bytearray(_PART_BYTES)
    return bytes(memoryview(part)[: blob.read_at(at, part)])
