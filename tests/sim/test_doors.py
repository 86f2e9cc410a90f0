"""What comes to the simulator from outside, and where it writes: one line and exit status 2
instead of a traceback, and nothing lost that was there before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BRIEF = 'lang = "en"\n[[step]]\nwait = 0.2\n'
UNIX = pytest.mark.skipif(os.name != "posix", reason="as Unix has it")


def sim(*arguments: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sim", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, errors="replace", timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
    )  # fmt: skip


def refused(done: subprocess.CompletedProcess[str], word: str = "") -> str:
    """The one line of a command that was refused."""
    assert done.returncode == 2, (done.returncode, done.stdout[-300:], done.stderr[-600:])
    assert len(done.stderr.splitlines()) == 1, done.stderr[-600:]
    assert done.stderr[:-1].isprintable(), ascii(done.stderr)
    assert len(done.stderr) < 700 and "Traceback" not in done.stderr and word in done.stderr
    return done.stderr


@pytest.fixture
def brief(tmp_path: Path) -> Path:
    path = tmp_path / "brief.toml"
    path.write_text(BRIEF)
    return path


# ---- scenarios

HOSTILE = {
    "seed of 5000 digits": "seed = " + "7" * 5000,
    "seed in hexadecimal": "seed = 0x" + "f" * 5000 + "\nlang = 3",
    "brackets": "step = " + "[" * 5000,
    "closed brackets": "step = " + "[" * 5000 + "]" * 5000,
    "tables": "a = " + "{b = " * 3000 + "1" + "}" * 3000,
    "a long language": f'lang = "{"x" * 300}"',
    "a language elsewhere": 'lang = "../../etc/passwd"',
    "a language with a zero": r'lang = "e\u0000s"',
    "a key of 5000 letters": "k" * 5000 + " = 1",
    "a key of two lines": '"a\\nb" = 1',
    "times of 5000 digits": '[[step]]\nafter = 0\npress = "plate"\ntimes = ' + "9" * 4000,
    "times that never end": '[[step]]\nafter = 0\npress = "plate"\ntimes = 1000000000000',
    "infinite": "[[step]]\nwait = inf",
    "a date": "seed = 2024-01-01",
    "a step that is a list": "step = [[1]]",
    "mic with a zero": r"[[step]]" + '\nafter = 0\nhold = "record"\nmic = "a\\u0000b"',
    "mic of 5000 letters": '[[step]]\nafter = 0\nhold = "record"\nmic = "' + "a" * 5000 + '"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_scenario_is_refused_in_a_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(HOSTILE[name])
    refused(sim("run", path, "--trace", "-"))


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + BRIEF.encode(), BRIEF.replace("\n", "\r\n").encode()]
)
def test_marks_and_line_ends_of_editors_are_taken(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "brief.toml"
    path.write_bytes(data)
    assert sim("run", path, "--trace", "-").returncode == 0


@UNIX
def test_only_a_plain_file_is_a_scenario(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(10_000_000_000)
    for path, word in (
        (tmp_path / "pipe", "pipe"), (Path("/dev/zero"), "device"), (tmp_path, "folder"),
        (tmp_path / "loop", "link"), (tmp_path / "sparse", "at most"), ("x" * 5000, "long"),
    ):  # fmt: skip
        refused(sim("run", path), word)


# ---- options and surroundings


def test_hostile_options(brief: Path) -> None:
    for options in (
        ("--seed", "7" * 5000), ("--lang", "x" * 300), ("--lang", "../es"), ("--speed", "nan"),
        ("--speed", "9" * 5000), ("--lang", "\x1b[2Jes"), ("--seed", "\x1b]0;x\x07"),
        ("--trace", "t" * 5000), ("--wav", brief.parent),
        ("--flash", "f" * 5000), ("--" + "o" * 5000,),
    ):  # fmt: skip
        refused(sim("run", brief, *options))


@UNIX
def test_where_nothing_can_be_written(brief: Path) -> None:
    refused(sim("run", brief, "--trace", "/dev/full"), "No space")
    refused(sim("run", brief, "--wav", "/dev/full"), "No space")
    with open("/dev/full", "w") as full:
        for more in (("--trace", "-"), ()):
            done = subprocess.run(
                [sys.executable, "-m", "sim", "run", str(brief), *more],
                cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr


@UNIX
def test_a_cache_that_cannot_be_written(brief: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    env = {"ROBOTO_CACHE": str(tmp_path / "file" / "voices")}
    assert "ROBOTO_CACHE" in refused(sim("run", brief, env=env))


def test_a_terminal_that_knows_ascii_alone(brief: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    brief.write_text('lang = "es"\n[[step]]\nwait = 0.2\n')
    assert sim("run", brief, env=env).returncode == 0
    done = sim("run", brief, "--trace", "-", env=env)
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()]
    assert sim("run", "-h", env=env).returncode == 0
    refused(sim("run", "sí.toml", env=env))


def test_without_a_home(brief: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "HOME"}
    done = subprocess.run(
        [sys.executable, "-m", "sim", "run", str(brief)],
        cwd=ROOT, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_what_was_there_stays_until_the_new_file_is_whole(brief: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text("old\n")
    brief.write_text(BRIEF + "[[step]]\nwait = -1\n")
    refused(sim("run", brief, "--trace", trace))
    assert trace.read_text() == "old\n"
    brief.write_text(BRIEF)
    assert sim("run", brief, "--trace", trace).returncode == 0
    assert json.loads(trace.read_text().splitlines()[0])["t"] == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["brief.toml", "trace.jsonl"]
