"""The device's own log: what went wrong, for whoever opens the lid later.

The newest lines are in RAM. save() appends the new ones to the younger of two files; when that
is full the older one is replaced, so that the log never takes more than about 8 KB of flash.
Each file is text; its first line is "# n", and the file with the larger n is the younger.
"""

from roboto.storage.broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from roboto.storage.volume import Job, Volume

_FILES = ("log-0", "log-1")
_FILE_BYTES = 4000
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
        """The lines since boot, the oldest first, at most 40."""
        return list(self._lines)

    def stored(self) -> list[str]:
        """All lines of both files, the oldest first. Damaged files are left out."""
        lines = []
        for _, data, _ in sorted(self._files()):
            for line in data.split(b"\n")[1:-1]:
                try:
                    lines.append(line.decode())
                except ValueError:  # not written by a robot
                    pass
        return lines

    def save(self) -> "Job | None":
        """A job that appends the new lines to the files; None when there are none, or while the
        last such job still waits (it would be appending to the same text)."""
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
        new = b""
        for line in self._lines[-self._unsaved :]:
            new += line.encode() + b"\n"
        while len(new) > _FILE_BYTES - 16:  # one save fits one file, whatever was noted
            new = new[new.index(b"\n") + 1 :]
        (_, _, older_name), (young_n, young, name) = sorted(self._files())
        if not young or len(young) + len(new) > _FILE_BYTES:
            young, name = b"# %d\n" % (young_n + 1), older_name
        job = self._volume.replace(name, [young, new])
        self._saving = (job, self._unsaved)
        self._unsaved = 0
        return job

    def _files(self) -> list[tuple[int, bytes, str]]:
        """(n, payload, name) of both files; n is 0 and the payload empty where there is none."""
        files = []
        for name in _FILES:
            try:
                data = self._volume.read(name, 2 * _FILE_BYTES) or b""
                n = int(data[2 : min(data.index(b"\n"), 12)]) if data else 0
                if not 0 <= n < _NUMBER_MOST:
                    raise ValueError
            except (Broken, ValueError):
                n, data = 0, b""
            files.append((n, data, name))
        return files
