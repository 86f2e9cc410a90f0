"""A report of one robot in one file, for whoever built it to send; and how it becomes a row of
docs/hardware-status.md.

What players recorded is not in it, nor what their game was, nor the board's own number. What the
tests on it left behind (build/hil/…: JUnit, traces, sound) can be put into it by hand.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import plain_file
from . import device_files
from .backup import NO_ZIP
from .board import Board
from .door import cleaned
from .errors import MakerError
from .judge import Finding

FORMAT = 1
_MOST_BYTES = 64 << 20
_MOST_ENTRY = 1 << 20
_WHEN = (2020, 1, 1, 0, 0, 0)
_RESULTS = (".xml", ".jsonl", ".json", ".wav", ".log", ".txt")
_PRIVATE = re.compile(r"(^|/)data/")
_NAME = re.compile(r"[\w .,@+-]{1,60}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ROW = re.compile(r"^\| (?P<claim>.+?) \| (?P<known>.+?) \| `(?P<part>[a-z ]+)` \| .* \|$")


@dataclass(frozen=True)
class Read:
    """What a report says: of the robot, and which parts `roboto doctor` found good or at fault."""

    about: dict[str, Any]
    good: frozenset[str]
    at_fault: frozenset[str]


def take(
    board: Board,
    findings: Iterable[Finding],
    by: str,
    day: str,
    revision: str,
    results: Path | None,
) -> bytes:
    """Return a report of a robot in a session, as a ZIP. by: whose it is; day: when it was looked
    at, YYYY-MM-DD; results: a folder of a run of tests/hil. Raise MakerError."""
    _checked("by", by, _NAME)
    _checked("day", day, _DAY)
    _checked("revision", revision, _NAME)
    sizes = {
        path.lstrip("/"): size
        for path, size in sorted(board.tree().items())
        if not _PRIVATE.search(path)
    }
    about = {
        "format": FORMAT,
        "by": by,
        "day": day,
        "revision": revision,
        "machine": board.identity.machine,
        "micropython": ".".join(map(str, board.identity.version)),
        "firmware": _version(board),
        "settings": device_files.settings_of(board),
        "files": sizes,
    }
    entries = {
        "report.json": json.dumps(about, indent=1).encode(),
        "doctor.json": json.dumps([finding.__dict__ for finding in findings], indent=1).encode(),
        "log.txt": "".join(line + "\n" for line in device_files.log_lines(board)).encode(),
    }
    for path in sorted(results.iterdir()) if results else ():
        if path.suffix in _RESULTS and path.is_file():
            entries[f"results/{path.name}"] = plain_file.read_plain(path, _MOST_BYTES)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), data)
    return file.getvalue()


def _checked(what: str, text: str, form: re.Pattern[str]) -> None:
    if not form.fullmatch(text):
        raise MakerError(
            f"--{what} {text[:60]!r}: give letters and digits, at most 60; a day as in 2026-12-31"
        )


def _version(board: Board) -> str:
    code = "from roboto.console import VERSION\nprint(VERSION)"
    return str(cleaned(board.exec(code).strip()))[:40]


def read(data: bytes, name: str) -> Read:
    """Return what a report says. Raise MakerError, in one line, where it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            about, doctor = (_entry(archive, entry) for entry in ("report.json", "doctor.json"))
    except (*NO_ZIP, RecursionError) as error:
        raise MakerError(f"{name}: no report of a robot: make one with `roboto report`") from error
    if (
        not isinstance(about, dict)
        or about.get("format") != FORMAT
        or not isinstance(doctor, list)
    ):
        raise MakerError(f"{name}: no report that this program reads: make it anew")
    for field, form in (("by", _NAME), ("day", _DAY), ("revision", _NAME)):
        if not isinstance(about.get(field), str) or not form.fullmatch(about[field]):
            raise MakerError(f"{name}: its {field!r} is missing or nothing to print")
    states: dict[str, set[str]] = {}
    for finding in doctor:
        if isinstance(finding, dict) and isinstance(finding.get("part"), str):
            states.setdefault(finding["part"], set()).add(str(finding.get("status")))
    good = {part for part, seen in states.items() if "good" in seen and "fault" not in seen}
    return Read(about, frozenset(good), frozenset(p for p, s in states.items() if "fault" in s))


def _entry(archive: zipfile.ZipFile, name: str) -> Any:
    if archive.getinfo(name).file_size > _MOST_ENTRY:
        raise ValueError(name)
    return cleaned(json.loads(archive.read(name)))


def fill(page: str, report: Read) -> tuple[str, int]:
    """Return docs/hardware-status.md with what a report has seen in its rows, and how many rows
    that changed. A part at fault takes nothing back: it is for people to judge."""
    about = report.about
    seen = f"{about['by']}, {about['day']}, revision {about['revision']}"
    lines, changed = page.split("\n"), 0
    for number, line in enumerate(lines):
        row = _ROW.match(line)
        if row and row["part"] in report.good:
            new = f"| {row['claim']} | {row['known']} | `{row['part']}` | {seen} |"
            changed += new != line
            lines[number] = new
    return "\n".join(lines), changed
