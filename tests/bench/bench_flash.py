"""`roboto flash` beside `mpremote cp` of the same files, both as commands, on the emulated board.

    python -m tests.bench.bench_flash [FILES]        FILES: how many of the firmware's, default 12

The board's time is emulated: what a real board would take. The computer's is CPU time; while the
board waits for it, next to no time passes there. Exits 1 when `roboto flash` is the slower one, or
needs, beside connecting, 3 s to find that nothing has changed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_tools.image import make_filesystem  # noqa: E402
from tests.hil.images import pack, robot_files  # noqa: E402
from tests.hil.robot import EmulatedRobot  # noqa: E402

PACE = 0.1


def timed(robot: EmulatedRobot, *arguments: str | Path) -> tuple[float, float, str]:
    """Runs a command: (the board's seconds, the computer's, what it printed)."""
    before, began_ms = resource.getrusage(resource.RUSAGE_CHILDREN), robot.ms()
    done = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "ROBOTO_PORT": robot.port, "ROBOTO_PATIENCE": "30"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr}")
    board_s = (robot.ms() - began_ms) / 1000
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return board_s, own_s, done.stdout


def main() -> None:
    n_files = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    everything = robot_files()
    changed = [path for path in sorted(everything) if path.startswith("roboto/game/")][:n_files]
    image = {p: d for p, d in everything.items() if p not in changed and p != "voice/en.pack"}
    payload = {**{path: everything[path] for path in changed}, "voice/en.pack": pack()}
    n_kb = sum(map(len, payload.values())) / 1024
    with tempfile.TemporaryDirectory() as folder:
        for path, data in payload.items():
            (Path(folder) / "files" / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / "files" / path).write_bytes(data)
        (Path(folder) / "files.img").write_bytes(make_filesystem(image))
        given = Path(folder) / "files" / "voice" / "en.pack"
        flash = ("host_tools", "flash", "--pack", given, "--no-greeting")
        with EmulatedRobot(Path(folder) / "files.img", pace=PACE) as robot:
            copy = ("mpremote", "connect", robot.port, "cp", "-r", Path(folder) / "files", ":copy")
            rows = {
                "mpremote: only connecting": timed(
                    robot, "mpremote", "connect", robot.port, "exec", "pass"
                ),
                f"mpremote cp -r, {len(payload)} files, {n_kb:.0f} KB": timed(robot, *copy),
            }
        with EmulatedRobot(Path(folder) / "files.img", pace=PACE) as robot:
            rows["roboto flash of the same, with checking"] = timed(robot, *flash)
            rows["roboto flash, nothing changed"] = timed(robot, *flash)
    for what, (board_s, own_s, printed) in rows.items():
        last = printed.strip().splitlines()[-1] if printed.strip() else ""
        print(f"{what:44} board {board_s:6.2f} s   computer {own_s:5.2f} s   {last}")
    connecting, theirs, ours, unchanged = rows.values()
    for name, row in (("mpremote", theirs), ("roboto", ours)):
        print(f"{name}: {n_kb / (row[0] - connecting[0]):.1f} KB/s without connecting")
    seconds = unchanged[0] - connecting[0] + unchanged[1]
    print(f"nothing changed: {seconds:.1f} s, without connecting")
    if ours[0] >= theirs[0] or seconds >= 3:
        sys.exit("missed")


if __name__ == "__main__":
    main()
