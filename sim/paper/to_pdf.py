"""HTML to PDF by whatever browser of Chromium's family a computer has, without its window."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from host_tools.plain_file import reason, write_whole

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
          "microsoft-edge", "msedge", "brave-browser")  # fmt: skip
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
    r"%ProgramFiles%\Microsoft\Edge\Application\msedge.exe",
)
_WAIT_S = 120
_DATE = re.compile(rb"(/(?:CreationDate|ModDate) \(D:)[^)]*\)")


class NoPdf(Exception):
    """No PDF could be made: one line that says why and what to do."""


def browser() -> str:
    """Return the browser's path: CHROMIUM, one on the PATH, or where it is usually installed.

    Raises NoPdf.
    """
    if wish := os.environ.get("CHROMIUM"):
        if shutil.which(wish) is None:
            raise NoPdf(f"CHROMIUM names {wish}, which cannot be run")
        return wish
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    for place in map(os.path.expandvars, _PLACES):
        if os.path.isfile(place):
            return place
    raise NoPdf(
        "no PDF without a browser: install Chromium, Chrome or Edge, or name one in CHROMIUM; "
        "the HTML can be printed as it is"
    )


def write(document: str, target: Path) -> None:
    """Print an HTML document into a PDF file; the same document gives the same bytes.

    Raises NoPdf, and OSError where the file cannot be written.
    """
    path = browser()
    with tempfile.TemporaryDirectory(prefix="roboto-", ignore_cleanup_errors=True) as folder:
        source, made = Path(folder) / "document.html", Path(folder) / "document.pdf"
        source.write_text(document, encoding="utf-8")
        command = [
            path, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
            f"--user-data-dir={Path(folder) / 'profile'}", "--no-pdf-header-footer",
            f"--print-to-pdf={made}", source.as_uri(),
        ]  # fmt: skip
        if sys.platform == "linux" and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # it refuses to run for root otherwise
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_WAIT_S)
        except OSError as error:
            raise NoPdf(f"{path} cannot print: {reason(error)}") from None
        except subprocess.TimeoutExpired:
            raise NoPdf(f"{path} cannot print: no end of it in {_WAIT_S} s") from None
        if not made.is_file():
            said = [line for line in done.stderr.splitlines() if line.strip()]
            raise NoPdf(f"{path} has printed nothing: {said[-1] if said else done.returncode}")
        data = made.read_bytes()
    write_whole(target, _DATE.sub(_no_date, data))


def _no_date(found: re.Match[bytes]) -> bytes:
    """Put a day that never changes in a date's place, as long as it was."""
    length = len(found[0]) - len(found[1]) - 1
    return found[1] + b"19800101000000Z"[:length].ljust(length) + b")"
