"""What can be saved of a session: its trace, and the session as a scenario that `sim run` replays
to the same trace."""

from __future__ import annotations

import io
import json
import zipfile
from array import array
from collections import deque
from pathlib import Path
from typing import Any, TextIO

from ..deeds import Deed, scenario
from ..flash import MARKER
from ..flash_folder import MARKED
from ..trace import Event, Trace
from .sound import wav_header

_RECENT = 200


class SpooledTrace(Trace):
    """A trace that lies in a file, so that a long session costs no memory. `recent`: its last
    events."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: TextIO = open(path, "w", encoding="utf-8", buffering=1)
        self.recent: deque[Event] = deque(maxlen=_RECENT)

    def add(self, t_ms: int, event: str, fields: dict[str, Any]) -> None:
        entry = {"t": t_ms, "event": event, **fields}
        self.recent.append(entry)
        self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        for watcher in self.watchers:
            watcher(entry)

    def lines(self) -> str:
        """Return it as JSON Lines."""
        return self._path.read_text(encoding="utf-8")

    def close(self) -> None:
        self._file.close()


class Takes:
    """What was said, each take in a file of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def keep(self, samples: array[int]) -> str:
        """Keep int16 samples, and return their name."""
        self._count += 1
        name = f"take-{self._count}"
        self._path(name).write_bytes(samples.tobytes())
        return name

    def pcm(self, name: str) -> bytes:
        """Return what was kept."""
        return self._path(name).read_bytes()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.pcm"


def scenario_zip(
    deeds: list[Deed],
    takes: Takes,
    end_us: int,
    lang: str,
    seed: int,
    forced: bool,
    flash: dict[str, bytes],
) -> bytes:
    """Return a ZIP of session.toml, its WAVs, and the flash as it was at the start when there was
    something on it."""
    text, names = scenario(deeds, end_us, lang, seed)
    command = "python -m sim run session.toml"
    if flash:
        command += " --flash flash"
    if forced:
        command += f" --lang {lang}"
    head = f"# A session played in the browser. To replay it, in this folder:  {command}\n\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session/session.toml", head + text)
        for name in names:
            pcm = takes.pcm(name)
            archive.writestr(f"session/{name}.wav", wav_header(len(pcm) // 2) + pcm)
        if flash:
            archive.writestr(f"session/flash/{MARKER}", MARKED)
        for name, data in flash.items():
            archive.writestr(f"session/flash/{name}", data)
    return out.getvalue()
