"""Whatever file a command is given, it ends in one line: a pipe, a device, a folder, something
huge, a name that is none; and what it makes is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .test_commands import at_a_desk, fails  # noqa: F401 - fixtures

READ = {
    "voice check": ["voice", "check", "{}"],
    "voice listen": ["voice", "listen", "{}"],
    "voice listen --play": ["voice", "listen", "{}", "--play", "sorry", "-o", "x.wav"],
    "image --micropython": ["image", "--micropython", "{}", "-o", "x.uf2", "--pack", "es.pack"],
    "image --pack": ["image", "--pack", "{}", "-o", "x.uf2"],
    "flash --pack": ["flash", "--pack", "{}"],
    "clips push": ["clips", "push", "{}"],
    "clips play": ["clips", "play", "{}"],
    "clips push --restore": ["clips", "push", "--restore", "{}"],
    "voice say --engine": ["voice", "say", "hola", "--engine", "wavdir:{}", "-o", "x.wav"],
}
WRITTEN = {
    "voice say": ["voice", "say", "hola", "-o", "{}"],
    "voice listen": ["voice", "listen", "es.pack", "-o", "{}"],
}
_HUGE_BYTES = 5 << 30


def _huge(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(_HUGE_BYTES)


ODD = {
    "pipe": os.mkfifo if hasattr(os, "mkfifo") else None,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "huge": _huge,
    "circle": lambda path: path.symlink_to(path),
    "empty": Path.touch,
    "gone": lambda path: None,
}


@pytest.mark.skipif(os.name != "posix", reason="as Unix has them")
@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("command", READ)
def test_what_is_no_file_to_read(command: str, kind: str, fails, tmp_path: Path) -> None:  # noqa: F811
    make = ODD[kind]
    assert make
    name = "player-1-nickname.wav"
    make(tmp_path / name)
    if (command, kind) in _TAKEN:
        return
    assert len(fails(*(word.format(name) for word in READ[command]))) < 700


_TAKEN: set[tuple[str, str]] = {("voice say --engine", "folder")}  # an empty one has no recordings


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\nb", "x" * 5000, "a\0b", "\udcff", "a" * 300])
@pytest.mark.parametrize("command", READ)
def test_a_name_that_is_none(command: str, name: str, fails) -> None:  # noqa: F811
    fails(*(word.format(name) for word in READ[command]))


@pytest.mark.skipif(os.name != "posix", reason="as Unix has them")
@pytest.mark.parametrize("command", WRITTEN)
def test_where_nothing_can_be_written(command: str, fails, tmp_path: Path, monkeypatch) -> None:  # noqa: F811
    from host_tools.voice import cli, listen

    monkeypatch.setattr(listen, "page", lambda path: "a page")
    monkeypatch.setattr(cli, "_voice", lambda *_, **__: _Voice)
    (tmp_path / "file").touch()
    for place in ("/dev/full", str(tmp_path), "file/x.wav", "/proc/x.wav"):
        line = fails(*(word.format(place) for word in WRITTEN[command]))
        assert place.rsplit("/", 1)[0] in line and ".part" not in line, line


class _Voice:
    """A voice that has spoken already."""

    @staticmethod
    def sound(_text: str):
        import numpy as np

        return np.full(1000, 3000, np.int16)

    class engine:
        close = staticmethod(lambda: None)
