"""Files that `table` is told to read or write: whatever lies there costs one line, and no wait."""

import os

import pytest

from sim.table import cli
from tests.fuzz import _run

READ = ("--save", "--rules-file")
WRITTEN = ("--html", "--plot", "--save")


def _is_refused(arguments: list[str], path: str, capsys: pytest.CaptureFixture) -> None:
    with _run._in_time():
        status = cli.main(["--no-robot", "--games", "1", *arguments])
    line = capsys.readouterr().err
    assert status == 2 and line.count("\n") == 1, line
    assert path in line and "Errno" not in line and "Traceback" not in line


@pytest.mark.parametrize("option", READ)
@pytest.mark.parametrize("kind", ["pipe", "device", "endless", "folder", "huge", "nul"])
def test_what_is_no_plain_file_is_not_read(option, kind, tmp_path, capsys):
    path = str(tmp_path / "given")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "huge":
        with open(path, "wb") as file:
            file.truncate(20 << 30)
    elif kind == "nul":
        path = "a\0b"
    else:
        path = {"device": "/dev/full", "endless": "/dev/zero"}[kind]
    _is_refused([option, path], path.partition("\0")[0], capsys)


@pytest.mark.parametrize("option", WRITTEN)
@pytest.mark.parametrize("kind", ["no folder", "a folder", "below a file"])
def test_where_nothing_can_be_written(option, kind, tmp_path, capsys):
    pytest.importorskip("matplotlib") if option == "--plot" else None
    (tmp_path / "file").write_bytes(b"")
    path = {"no folder": "none/out", "a folder": "", "below a file": "file/out"}[kind]
    path = str(tmp_path / path)
    _is_refused([option, path], path, capsys)


def test_a_full_disk_is_named(capsys):
    _is_refused(["--html", "/dev/full"], "/dev/full", capsys)
