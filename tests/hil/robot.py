"""Starts an emulated robot as a process and talks to its bench. See bench.py."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class EmulatedRobot:
    """`with EmulatedRobot(image_file) as robot: connect(robot.port)`; robot.press("plate") and the
    other calls of Bench. files: a littlefs image in a file, None for a blank flash; drop: a UF2
    for its drive."""

    def __init__(
        self,
        files: Path | None = None,
        *,
        faults: tuple[str, ...] = (),
        pace: float = 50.0,
        drop: Path | None = None,
    ) -> None:
        command = [sys.executable, "-m", "tests.hil.bench", "--pace", str(pace)]
        command += ["--files", str(files)] if files else []
        command += ["--drop", str(drop)] if drop else []
        for name in faults:
            command += ["--fault", name]
        path = os.pathsep.join([str(ROOT), str(ROOT / "firmware")])
        environment = {**os.environ, "PYTHONPATH": path}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the emulated robot did not start: its message is above")
        ports = json.loads(line)
        self.port = f"socket://127.0.0.1:{ports['port']}"
        self._control = socket.create_connection(("127.0.0.1", ports["control"]))
        self._answers = self._control.makefile("r")

    def call(self, name: str, *args: object):
        """One call of Bench. Raises RuntimeError with its error."""
        self._control.sendall(json.dumps({"call": name, "args": args}).encode() + b"\n")
        answer = json.loads(self._answers.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["ok"]

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args: self.call(name, *args)

    def __enter__(self) -> EmulatedRobot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Switch the bench off."""
        self._control.close()
        self._answers.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
