"""The device's own log: what went wrong, for whoever opens the lid later.

The newest lines are in RAM. save() appends the new ones to the younger of two files; when that
is full the older one is replaced, so that the log never takes more than about 8 KB of flash.
Each file is text; its first line is "# n", and the file with the larger n is the younger.
"""

from .broken import Broken

_FILES = ("log-0", "log-1")
_FILE_BYTES = 4000
_LINES_IN_RAM = 40
_LINE_CHARACTERS = 120


class Log:
    """uptime_s() gives the seconds since boot that stand before each line; optional."""

    def __init__(self, volume, uptime_s=None):
        self._volume = volume
        self._uptime_s = uptime_s
        self._lines = []
        self.unsaved = 0  # how many of the newest lines are not in a file yet

    def note(self, line):
        """Add a line. Never raises: it is called where things have gone wrong already."""
        try:
            line = str(line)[:_LINE_CHARACTERS].replace("\n", " ").replace("\r", " ")
            if self._uptime_s is not None:
                line = "%d %s" % (self._uptime_s(), line)
            if len(self._lines) >= _LINES_IN_RAM:
                self._lines.pop(0)
            self._lines.append(line)
            self.unsaved = min(self.unsaved + 1, len(self._lines))
        except Exception:  # not even for want of memory
            pass

    def lines(self):
        """The lines since boot, the oldest first, at most 40."""
        return list(self._lines)

    def stored(self):
        """All lines of both files, the oldest first. Damaged files are left out."""
        lines = []
        for _, text, _ in sorted(self._files()):
            lines += text.split("\n")[1:-1]
        return lines

    def save(self):
        """A job that appends the unsaved lines to the files, or None when there are none."""
        if not self.unsaved:
            return None
        new = "".join(line + "\n" for line in self._lines[-self.unsaved :])
        (older_n, _, older_name), (young_n, text, name) = sorted(self._files())
        if not text or len(text.encode()) + len(new.encode()) > _FILE_BYTES:
            text, name = "# %d\n" % (young_n + 1), older_name
        self.unsaved = 0
        return self._volume.replace(name, [(text + new).encode()])

    def _files(self):
        """(n, text, name) of both files; n is 0 and text empty where there is none."""
        files = []
        for name in _FILES:
            n, text = 0, ""
            try:
                text = (self._volume.read(name) or b"").decode()
                if text:
                    n = int(text[2 : text.index("\n")])
            except (Broken, ValueError):
                n, text = 0, ""
            files.append((n, text, name))
        return files
