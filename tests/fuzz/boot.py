"""What may lie in the robot's flash when it is switched on.

An input is a dict: path -> what lies there. A robot in the middle of a game is given, and the
input lays things over it: bytes; None, which takes away; "folder", also in a file's place; or a
list, whose first word says what is made of the rest:

    ["sealed", payload]           a file as the robot writes it, with the right checksum
    ["clip", header, n]           a clip of n bytes of sound, its header's fields given, sealed
    ["pack", patches, resealed]   the voice pack with bytes changed: [[at, bytes], ...]; resealed:
                                  with the checksum of its directory put right again
"""

from __future__ import annotations

import binascii
import functools
import json
import os
import re
import shutil
import struct
import tempfile
from pathlib import Path
from typing import Any

from roboto.storage.volume import as_file
from roboto.unload import unload

from host_tools.desktop import kernels_quiet
from sim import firmware
from sim.emulated import install
from sim.machine import modules
from sim.machine.chip import Chip, Dormant, PowerLost, Reset
from tests.emulator import people

from . import LOST, REFUSED, TAKEN

IN_CI = 400
_RUN_MS = 6000
_PRESS_MS = 3500
_PACK = "voice/en.pack"
_RAISED = re.compile(r"\.py:\d+: \w+ .*\(\w+\)$")  # as recovery.py notes what came out of a step

# ---- the robot that is there


@functools.cache
def robot() -> dict[str, bytes]:
    """Return the files of a robot whose three players are in the middle of a game."""
    game = {"state": "play", "players": 3, "nicknames": [], "has_rule": False}
    data = people.saved(game, keep_game=True, language="en")
    data["log-0"] = as_file(b"# 1\n5 low battery\n")
    return {f"data/{name}": content for name, content in data.items()} | {_PACK: _pack()}


@functools.cache
def _pack() -> bytes:
    return install.small_pack("en", 5)


def content_of(told: Any) -> bytes:
    """Return the bytes that an input's list stands for."""
    kind, *rest = told
    if kind == "sealed":
        return as_file(rest[0])
    if kind == "clip":
        return as_file(struct.pack("<2sBBHhIII", *rest[0]) + bytes(range(256)) * (rest[1] // 256))
    pack = bytearray(_pack())
    for at, data in rest[0]:
        pack[at % len(pack) : at % len(pack) + len(data)] = data
    if rest[1]:
        # The directory's checksum covers everything before the first sound.
        n, n_groups, length = struct.unpack_from("<HHI", pack, 20)
        end = _records_end(bytes(pack), n)
        struct.pack_into("<I", pack, 28, binascii.crc32(pack[32:end]))
    return bytes(pack)


def _records_end(pack: bytes, n: int) -> int:
    """Return where the records end, as a robot finds it; where it cannot, the end of them all."""
    try:
        at = struct.unpack_from("<I", pack, 32 + 8 * (n - 1) + 4)[0]
        for size in ("B", "B", "<H"):
            at += struct.calcsize(size) + struct.unpack_from(size, pack, at)[0]
        at += 1 + pack[at]
        return at + 1 + 12 * pack[at]
    except (struct.error, IndexError):
        return len(pack)


def lay(root: Path, given: dict[str, Any]) -> None:
    """Write the robot's files with the input's over them."""
    files: dict[str, Any] = {**robot(), **given}
    for path, content in files.items():
        place = root / path
        for parent in reversed(place.relative_to(root).parents[:-1]):
            if (root / parent).is_file():
                (root / parent).unlink()
        if content is None:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if content == "folder":
            if place.is_file():
                place.unlink()
            place.mkdir(exist_ok=True)
            continue
        if place.is_dir():
            shutil.rmtree(place)
        place.write_bytes(content_of(content) if isinstance(content, list) else content)


# ---- what is drawn


def draw(rng: Any) -> dict[str, Any]:
    """Return one to four things that lie where they should not, or are not what they should be."""
    given: dict[str, Any] = {}
    for _ in range(rng.choice((1, 1, 2, 4))):
        path, content = rng.choice(_KINDS)(rng)
        given[path] = content
    return given


def _damaged(rng: Any) -> tuple[str, Any]:
    path = rng.choice(sorted(robot()))
    if path == _PACK:
        return path, ["pack", [[rng.randrange(1 << 20), rng.randbytes(3)]], False]
    data = robot()[path]
    kind = rng.randrange(6)
    at = rng.randrange(len(data))
    if kind == 0:
        return path, data[:at]
    if kind == 1:
        return path, data[:at] + rng.randbytes(rng.choice((1, 4))) + data[at + 1 :]
    if kind == 2:
        return path, data + rng.randbytes(5)
    return path, (b"", rng.randbytes(300), rng.choice((None, "folder")))[kind - 3]


def _stray(rng: Any) -> tuple[str, Any]:
    name = rng.choice(
        (
            "._name-0.clip", "x.tmp", "settings.tmp", "game.tmp", "name-0.clip.tmp", ".DS_Store",
            "Thumbs.db", "name-99.clip", "name--1.clip", "name-0-.clip", "name-\u00b2.clip",
            ".clip", "name-.clip", "house_rule.clip", "house_rule", "nickname-1.clip", "a.b.clip",
            "NAME-0.CLIP", "name-0.clip.clip", "log-1", "x" * 200, "settings.stray", "name-0",
            "desktop.ini", "-.clip", "name/0.clip", "\u00f1", "game.stray", "name-3.clip",
        )
    )  # fmt: skip
    folder = rng.choice(("data", "data", "data", "voice", "next", "."))
    content = rng.choice((b"", b"x", rng.randbytes(30), "folder", ["sealed", b"{}"]))
    if content == "folder" and rng.random() < 0.5:
        return f"{folder}/{name}/inside", b"x"
    return f"{folder}/{name}", content


_VALUES = (
    None, True, False, 0, -1, 2, 3, 10, 11, 1 << 40, 1e308, 2.5, "", "en", "es", "xx", "play",
    "names", "won", "demo", "resume", "house_rule", "nickname", "calm", "\u00f1" * 40, [], [0, 1],
    [0, "1"], [[0]], [None], {}, {"a": 1}, [2.5, -1, True],
)  # fmt: skip


def _record(rng: Any) -> tuple[str, Any]:
    name = rng.choice(("settings", "game"))
    values = json.loads(robot()["data/" + name][12:])
    for _ in range(rng.randint(1, 3)):
        key = rng.choice([*values, "more"])
        if rng.random() < 0.2:
            values.pop(key, None)
        else:
            values[key] = rng.choice(_VALUES)
    payload = json.dumps(values).encode()
    if rng.random() < 0.3:
        payload = rng.choice(
            (
                b"[" * 3000, b"{\"a\":" * 3000, b"[" * 900, b"[[]]", b"null", b"3", b"\"x\"",
                b"\xff\xfe", b"{", b"{}", b"9" * 900, b"{\"players\": " + b"9" * 500 + b"}",
                payload[:-2], payload + b"]", b"\xef\xbb\xbf" + payload, rng.randbytes(60),
                b"{\"state\": NaN}", b" " * 5000, b"\x00" * 100,
            )
        )  # fmt: skip
    return "data/" + name, ["sealed", payload]


def _clip(rng: Any) -> tuple[str, Any]:
    n = rng.choice((0, 256, 2560, 25600))
    header = [b"RC", 1, 0, 16000, 0, 2 * n, 4096, 2 * n // 16]
    limits = (2, 255, 255, 65535, 32767, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    for _ in range(rng.randint(1, 2)):
        which = rng.randrange(8)
        if which:
            header[which] = rng.choice((0, 1, 88, 89, 200, 8000, 44100, rng.randint(0, 1 << 32)))
            header[which] = min(header[which], limits[which])
        else:
            header[0] = rng.randbytes(2)
    return f"data/{rng.choice(('name-0', 'name-2', 'nickname-1', 'house_rule'))}.clip", [
        "clip", header, n,
    ]  # fmt: skip


def _log(rng: Any) -> tuple[str, Any]:
    return f"data/log-{rng.randrange(2)}", [
        "sealed",
        rng.choice(
            (
                b"", b"#", b"# ", b"# x\n", b"# 7\n\xff\xff\n", b"# -5\nx\n", b"\n", b"# 1",
                b"# " + b"9" * 3000 + b"\n", b"# 999999999999\nx\n",
                b"# 2\n" + b"y" * 3990 + b"\n",
                b"# 1\n" * 900, b"# 3\n" + bytes(9000), rng.randbytes(50), b"# 1e3\n",
            )
        ),
    ]  # fmt: skip


def _commit(rng: Any) -> tuple[str, Any]:
    path = rng.choice(("next/commit", "next/commit", "next/then", "next/unfit", "next/refused"))
    places = (
        "data/settings", "voice/en.pack", "roboto/app.mpy", "data", "voice", "", "/", "..", "../x",
        "data/", "next/commit", "next", "main.py", "a/b/c/d", "data/name-0.clip/x", "\u00f1",
        "x" * 300,
    )  # fmt: skip

    def one() -> Any:
        return rng.choice((["new", rng.choice(places)], ["missing", "x"], ["new"], "ab", 5, None))

    plan: Any = {
        "move": [one() for _ in range(rng.randint(0, 3))],
        "remove": [rng.choice((*places[5:], "data/gone", 7)) for _ in range(rng.randint(0, 1))],
    }
    if rng.random() < 0.3:
        plan = rng.choice(([], 3, "x", {}, {"move": 5, "remove": []}, {"move": [], "remove": None},
                           {"move": [], "remove": [], "from": 5}))  # fmt: skip
    data: Any = json.dumps(plan).encode()
    if rng.random() < 0.3:
        data = rng.choice((b"", b"[" * 3000, rng.randbytes(40), b"\xff", data[:-3], "folder",
                           b" " * 40000))  # fmt: skip
    return path, data


def _staged(rng: Any) -> tuple[str, Any]:
    return "next/new", rng.choice((b"new", "folder"))


def _tampered_pack(rng: Any) -> tuple[str, Any]:
    """Most of the changes in what a robot reads at once: the header, the directory, the texts."""
    patches = []
    for _ in range(rng.randint(1, 3)):
        at = rng.choice((rng.randrange(32), rng.randrange(32, 4000), rng.randrange(1 << 16)))
        patches.append([at, rng.choice((b"\xff" * 4, b"\x00" * 4, rng.randbytes(2)))])
    return _PACK, ["pack", patches, rng.random() < 0.8]


def _foreign_pack(rng: Any) -> tuple[str, Any]:
    name = rng.choice(("es", "._en", "xx", "EN", "", "en-gb", "a" * 60, "e n", "\u00f1\u00f1"))
    content = rng.choice((b"", b"RBVP", rng.randbytes(400), "folder", ["pack", [], False]))
    return f"voice/{name}.pack", content


def _whole_folder(rng: Any) -> tuple[str, Any]:
    return rng.choice(("data", "voice", "next")), rng.choice((b"not a folder", b""))


_KINDS = (
    _damaged, _damaged, _stray, _stray, _record, _record, _clip, _log, _commit, _commit, _staged,
    _tampered_pack, _tampered_pack, _foreign_pack, _whole_folder,
)  # fmt: skip


# ---- the start


def one(given: dict[str, Any]) -> str:
    """Switch the robot on and press a button: it must speak or beep, and lose no recording that
    the input did not touch."""
    root = Path(tempfile.mkdtemp(prefix="boot", dir=_fast_folder()))
    before = os.getcwd()
    try:
        lay(root, given)
        os.chdir(root)
        kept = _recordings(root) if _game_is_untouched(given) else {}
        events = start()
        told = [event for event, _ in events]
        assert "say" in told, "not a word, nor a tone in its place"
        assert "volume" in told and ("tone", "volume") in [(e, f.get("tone")) for e, f in events]
        raised = [f["what"] for e, f in events if e == "fault" and _RAISED.search(f["what"])]
        assert not raised, f"it recovered, but nothing was to be raised: {raised}"
        after = _recordings(root)
        if any(after.get(name) != data for name, data in kept.items()):
            return LOST
        return REFUSED if "fault" in told else TAKEN
    finally:
        os.chdir(before)
        shutil.rmtree(root, ignore_errors=True)


def _fast_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _game_is_untouched(given: dict[str, Any]) -> bool:
    """Whether the robot still knows that it must keep the game; and no commit says otherwise."""
    roots = {path.split("/")[0] for path in given}
    names = {path.split("/")[1] for path in given if path.startswith("data/")}
    commits = any(path in ("next/commit", "next/then") for path in given)
    return not names & {"settings", "game", "name-0.clip"} and "data" not in given and not (
        commits and "next/new" in given
    ) and "." not in roots  # fmt: skip


def _recordings(root: Path) -> dict[str, bytes]:
    names = [path.split("/")[1] for path in robot() if path.endswith(".clip")]
    places = [root / "data" / name for name in names]
    return {place.name: place.read_bytes() for place in places if place.is_file()}


def start() -> list[tuple[str, dict]]:
    """Run main.py's course in the present folder for some seconds; return what the robot told."""
    loaded = firmware.load()
    loaded.kernels.use(kernels_quiet)
    chip = Chip()
    modules.use(chip)
    chip.power_on(wake=False)
    chip.running = True
    chip.microvolts[loaded.pins.BATTERY] = 1_500_000
    stand_ins = modules.modules()
    begin = loaded.start
    real = begin.time, begin.gc, begin._wrong
    begin.time, begin.gc, begin._wrong = stand_ins["time"], stand_ins["gc"], lambda: None
    events: list[tuple[str, dict]] = []

    def off() -> None:
        raise PowerLost

    plate = loaded.pins.VOLUME
    chip.at(chip.now_us + _PRESS_MS * 1000, lambda: chip.contact(plate, True))
    chip.at(chip.now_us + (_PRESS_MS + 100) * 1000, lambda: chip.contact(plate, False))
    chip.at(chip.now_us + _RUN_MS * 1000, off)
    try:
        unload("roboto.switch_in")  # as at power-on: it has no faults yet
        from roboto import switch_in

        switch_in.ready()
        begin.run(lambda event, fields: events.append((event, fields)), seed=1)
    except (PowerLost, Dormant, Reset):
        pass
    finally:
        begin.time, begin.gc, begin._wrong = real
        chip.running = False
    return events
