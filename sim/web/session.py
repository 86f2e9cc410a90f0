"""What can be saved of a session: its trace, and the session as a scenario that `sim run` replays
to the same trace."""

from __future__ import annotations

import io
import json
import zipfile
from array import array
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ..flash import MARKER
from ..flash_folder import MARKED
from ..scenario import LIGHT_PATIENCE_S
from ..trace import Event, Trace
from .sound import wav_header

_RECENT = 200
_FRAMES_MIN = 1  # a WAV without a sample would be refused


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
        """JSON Lines."""
        return self._path.read_text(encoding="utf-8")

    def close(self) -> None:
        self._file.close()


@dataclass
class Deed:
    """Something that people did, at its exact time. `control` for down and up, `position` for a
    move of the switch."""

    at_us: int
    down: str = ""
    up: str = ""
    switch: str = ""
    gentle: bool | None = None  # the setting, from now on
    lit_us: int | None = None  # down: when the record LED lit while this contact was closed
    take: Path | None = None  # down: what was said from then on, int16 samples


class Deeds:
    """What people did, in order. Takes lie in files of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.list: list[Deed] = []
        self._takes = 0

    def add(self, deed: Deed) -> None:
        self.list.append(deed)

    def keep_take(self, deed: Deed, samples: array[int]) -> None:
        if len(samples) >= _FRAMES_MIN:
            self._takes += 1
            deed.take = self._folder / f"take-{self._takes}.pcm"
            deed.take.write_bytes(samples.tobytes())


def scenario(deeds: list[Deed], end_us: int, lang: str, seed: int) -> tuple[str, dict[str, Path]]:
    """The scenario's text, and its WAVs: name -> file of samples.

    Every time is `after`, to the microsecond, and so the firmware meets each contact in the same
    turn of its loop. A press is a hold when nothing else was done meanwhile, else down and up.
    """
    lines = [f'lang = "{lang}"', f"seed = {seed}", 'switch = "off"', "step_by_step = true"]
    takes: dict[str, Path] = {}
    ended_us = 0
    i = 0

    def step(at_us: int, *keys: str) -> None:
        lines.extend(["", "[[step]]", f"after = {(at_us - ended_us) / 1e6:.6f}", *keys])

    while i < len(deeds):
        deed = deeds[i]
        following = deeds[i + 1] if i + 1 < len(deeds) else None
        mic: list[str] = []
        if deed.take is not None:
            name = f"{deed.take.stem}.wav"
            takes[name] = deed.take
            mic = [f'mic = "{name}"']
        begun_us = deed.at_us
        seen = deed.lit_us is None or deed.lit_us - begun_us < LIGHT_PATIENCE_S * 1e6
        if mic and deed.lit_us is not None:
            begun_us = deed.lit_us
        if deed.switch:
            step(deed.at_us, f'switch = "{deed.switch}"')
        elif deed.gentle is not None:
            step(deed.at_us, f"set = {{ gentle = {str(deed.gentle).lower()} }}")
        elif deed.up:
            step(deed.at_us, f'up = "{deed.up}"')
        elif following and following.up == deed.down and seen and following.at_us > begun_us:
            held_s = (following.at_us - begun_us) / 1e6
            step(deed.at_us, f'hold = "{deed.down}"', f"for = {held_s:.6f}", *mic)
            ended_us = following.at_us
            i += 2
            continue
        else:
            step(deed.at_us, f'down = "{deed.down}"', *mic)
        ended_us = deed.at_us
        i += 1
    if end_us > ended_us:
        lines.extend(["", "[[step]]", f"wait = {(end_us - ended_us) / 1e6:.6f}"])
    return "\n".join(lines) + "\n", takes


def scenario_zip(
    deeds: list[Deed], end_us: int, lang: str, seed: int, forced: bool, flash: dict[str, bytes]
) -> bytes:
    """session.toml, its WAVs, and the flash as it was at the start when there was something on
    it."""
    text, takes = scenario(deeds, end_us, lang, seed)
    command = "python -m sim run session.toml"
    if flash:
        command += " --flash flash"
    if forced:
        command += f" --lang {lang}"
    head = f"# A session played in the browser. To replay it, in this folder:  {command}\n\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session/session.toml", head + text)
        for name, path in takes.items():
            pcm = path.read_bytes()
            archive.writestr(f"session/{name}", wav_header(len(pcm) // 2) + pcm)
        if flash:
            archive.writestr(f"session/flash/{MARKER}", MARKED)
        for name, data in flash.items():
            archive.writestr(f"session/flash/{name}", data)
    return out.getvalue()
