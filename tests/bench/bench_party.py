"""How fast the simulator is: a party of six players and 30 minutes, as whole processes.

    python tests/bench/bench_party.py

Prints seconds with and without a WAV, and what the limit is: the empty loop of the firmware, which
does nothing but rest for the same time, and the interpreter's start-up.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

# One thread: numpy's pool would only cost start-up time here.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["PYTHONDONTWRITEBYTECODE"] = ""
ROOT = Path(__file__).resolve().parent.parent.parent
DEMO = ROOT / "sim" / "demo"
RUNS = 5


def party(folder: Path, minutes: float = 30.0) -> Path:
    """Six players, a House Rule, then a card every five seconds, with some of everything else in
    between."""
    names = ("lucia", "mateo", "abuela_rosa", "hugo", "la_jefa", "lucia")
    steps = [
        f'after_quiet = 0.4\nhold = "record"\nfor = 1.9\nmic = "{DEMO / name}.wav"'
        for name in names
    ]
    steps.append('after_quiet = 0.5\npress = "plate"')
    rule = "quien_saque_un_siete_baila_la_danza_del_pollo"
    steps.append(f'after_quiet = 0.5\nhold = "record"\nfor = 4.0\nmic = "{DEMO / rule}.wav"')
    blocks = round((minutes * 60 - 75) / 105)
    for block in range(blocks):
        steps.append('after = 5.0\npress = "plate"\ntimes = 20\nevery = 5.0')
        steps.append(f'after = 0.5\npress = "{("replay", "volume", "mode")[block % 3]}"')
    path = folder / "party.toml"
    path.write_text('lang = "es"\nseed = 5\n' + "".join(f"\n[[step]]\n{step}\n" for step in steps))
    return path


def seconds(*arguments: str) -> float:
    """CPU seconds of the process, the best of some runs: what it takes when nothing else disturbs
    it."""
    best = 1e9
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


IDLE = """
import tempfile, pathlib
from sim.robot import Robot
from sim.scenario import People, Scenario, Step, play
robot = Robot({}, pathlib.Path(tempfile.mkdtemp()), 0, False)
steps = [Step(wait=50.0) if i % 2 == 0 else Step(after=0.0, control="volume") for i in range(72)]
play(robot, People(robot, Scenario(steps)))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scenario = str(party(folder))
        trace = ("--trace", str(folder / "trace.jsonl"))
        silent = seconds("-m", "sim", "run", scenario, *trace)
        heard = seconds("-m", "sim", "run", scenario, *trace, "--wav", str(folder / "all.wav"))
        start = seconds("-c", "import numpy, soundfile, soxr, sim.firmware as f; f.load()")
        idle = seconds("-c", IDLE)
        events = (folder / "trace.jsonl").read_text().splitlines()
        minutes = int(events[-1].split(":")[1].split(",")[0]) / 60_000
    print(f"a party of six, {minutes:.1f} minutes, {len(events)} events; seconds of CPU")
    for what, took in (("trace", silent), ("trace and WAV", heard)):
        print(f"  {what:15} {took:6.2f}   ({minutes * 60 / took:,.0f} times real time)")
    print(f"  {'imports':15} {start:6.2f}   of each of those")
    print(f"  {'idling':15} {idle:6.2f}   imports, and half an hour of the empty loop: the floor")


if __name__ == "__main__":
    main()
