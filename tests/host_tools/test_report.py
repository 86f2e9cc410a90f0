"""`roboto report`: what is in it and what never is, and the page that it fills."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools.maker import checks, device_files, report
from host_tools.maker.errors import MakerError
from host_tools.maker.judge import Finding
from host_tools.places import ROOT

from .folder_board import FolderBoard

PAGE = (ROOT / "docs" / "hardware-status.md").read_text(encoding="utf-8")
FINDINGS = [
    Finding("battery", "good", "4500 mV"),
    Finding("microphone", "fault", "sends nothing"),
    Finding("leds", "skipped", "needs somebody"),
    Finding("buttons", "good", "red"),
    Finding("buttons", "fault", "green"),
]


class Robot(FolderBoard):
    identity = SimpleNamespace(machine="Raspberry Pi Pico with RP2040", version=(1, 28, 0))

    def exec(self, code: str, timeout_s: float = 10.0, counted: bool = True) -> str:
        return "0.2.0\n"


@pytest.fixture
def robot(tmp_path: Path) -> Robot:
    robot = Robot(tmp_path / "robot")
    robot.write(
        {
            "data/name-0.clip": b"somebody's voice",
            "data/game": b"whose turn it is",
            "main.py": b"print()",
            device_files.SETTINGS: device_files.settings_file(device_files.default_settings()),
        }
    )
    return robot


def taken(robot: Robot, results: Path | None = None) -> bytes:
    return report.take(robot, FINDINGS, "Ada", "2026-12-31", "B", results)  # type: ignore[arg-type]


def entries(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_says_what_was_found_and_nothing_that_players_left(robot: Robot) -> None:
    there = entries(taken(robot))
    about = json.loads(there["report.json"])
    assert about["firmware"] == "0.2.0" and about["files"] == {"main.py": 7}
    assert [f["part"] for f in json.loads(there["doctor.json"])] == [f.part for f in FINDINGS]
    whole = b"".join(there.values())
    assert b"clip" not in whole and b"somebody's" not in whole and b"whose turn" not in whole


def test_results_of_a_run_go_with_it(robot: Robot, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("junit.xml", "party.jsonl", "heard.wav", "robot.img"):
        (folder / name).write_bytes(name.encode())
    there = entries(taken(robot, folder))
    assert {n for n in there if n.startswith("results/")} == {
        "results/junit.xml", "results/party.jsonl", "results/heard.wav",
    }  # fmt: skip


def test_each_part_that_the_doctor_looks_at_has_a_row() -> None:
    rows = [row["part"] for line in PAGE.split("\n") if (row := report._ROW.match(line))]
    assert sorted(rows) == sorted(checks.PARTS)


def test_it_fills_the_rows_of_what_was_good_and_no_other(robot: Robot) -> None:
    page, changed = report.fill(PAGE, report.read(taken(robot), "robot.zip"))
    assert changed == 1
    new = [line for line in page.split("\n") if line not in PAGE.split("\n")]
    assert len(new) == 1 and new[0].endswith("| `battery` | Ada, 2026-12-31, revision B |")
    assert report.fill(page, report.read(taken(robot), "robot.zip")) == (page, 0)


def test_until_somebody_has_built_one_no_row_says_so() -> None:
    for line in PAGE.split("\n"):
        row = report._ROW.match(line)
        assert not row or re.search(r"\| (not yet|.+, \d{4}-\d\d-\d\d, revision .+) \|$", line)


@pytest.mark.parametrize("field", ["by", "day", "revision"])
@pytest.mark.parametrize("value", ["", "a | b", "x" * 99, "a`b", None, 7, "<script>"])
def test_what_it_says_of_itself_cannot_break_the_page(field: str, value, robot: Robot) -> None:
    there = entries(taken(robot))
    about = {**json.loads(there["report.json"]), field: value}
    with pytest.raises(MakerError) as refused:
        report.read(_zip({**there, "report.json": json.dumps(about).encode()}), "robot.zip")
    assert "\n" not in str(refused.value)


def _zip(contents: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_cut_or_changed_anywhere_it_is_read_or_refused_in_one_line(robot: Robot) -> None:
    data, draw = taken(robot), random.Random(3)
    for _ in range(300):
        spoiled = bytearray(data[: draw.randrange(len(data))] if draw.random() < 0.5 else data)
        for _ in range(draw.randrange(4)):
            if spoiled:
                spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
        try:
            report.fill(PAGE, report.read(bytes(spoiled), "robot.zip"))
        except MakerError as error:
            assert "\n" not in str(error)


@given(st.binary(max_size=200))
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(MakerError):
        report.read(data, "robot.zip")
