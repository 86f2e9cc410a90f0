"""`table` from the command line, without the robot."""

import json
import signal
import subprocess
import sys
import time

import pytest

from sim.table import cli, report
from sim.table.runner import Settings, run


def table(*args):
    return cli.main(["--no-robot", *args])


def test_a_report(capsys):
    assert table("--games", "40", "--players", "2-4", "--rules", "all") == 0
    out = capsys.readouterr().out
    assert len([line for line in out.splitlines() if line.startswith("traditional")]) == 3
    assert "40 games" in out


def test_json(capsys):
    assert table("--games", "50", "--json", "--scoring", "winner", "--rules", "classic") == 0
    data = json.loads(capsys.readouterr().out)
    (row,) = data["tables"]
    assert row["matches"] == 50
    assert row["games"] > 100
    assert sum(row["won_by_seat"]) == 50


def test_the_transcript(capsys):
    assert table("--transcript", "--players", "3", "--seed", "4") == 0
    first = capsys.readouterr().out
    assert first.splitlines()[-1].startswith("seat")
    table("--transcript", "--players", "3", "--seed", "4")
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    "args, says",
    [
        (["--players", "1"], "2 to 10"),
        (["--players", "3-x"], "2-10"),
        (["--players", "11"], "2 to 10"),
        (["--rules", "bridge"], "robot, classic"),
        (["--who", "cheater"], "random, sensible"),
        (["--games", "0"], "at least 1"),
        (["--jobs", "-1"], "--jobs"),
        (["--in-a-row", "0"], "--in-a-row"),
        (["--seed", "-1"], "--seed"),
        (["--target", "0", "--scoring", "winner"], "--target"),
        (["--scoring", "pairs", "--players", "5"], "4 or 8"),
        (["--rules-file", "/nowhere.toml"], "cannot be read"),
        (["--scoring", "sheet", "--rules", "all"], "differently"),
        (["--save", "/nowhere/run.jsonl"], "/nowhere/run.jsonl"),
    ],
)
def test_bad_options(args, says, capsys):
    assert table(*args) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_points_want_no_robot(capsys):
    assert cli.main(["--scoring", "winner"]) == 2
    assert "--no-robot" in capsys.readouterr().err


def test_an_interrupted_command_goes_on(tmp_path, monkeypatch, capsys):
    file = str(tmp_path / "run.jsonl")
    args = ["--games", "900", "--save", file, "--json"]
    real = cli._Progress.__call__

    def interrupt(self, done):
        if done >= 400:
            raise KeyboardInterrupt
        real(self, done)

    monkeypatch.setattr(cli._Progress, "__call__", interrupt)
    assert table(*args) == 130
    assert file in capsys.readouterr().err
    monkeypatch.setattr(cli._Progress, "__call__", real)
    assert table(*args) == 0
    resumed = capsys.readouterr().out
    assert table("--games", "900", "--json") == 0
    assert capsys.readouterr().out == resumed


def test_page_and_picture(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    page, picture = tmp_path / "t.html", tmp_path / "t.png"
    assert table("--games", "30", "--plot", str(picture), "--html", str(page)) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    text = page.read_text()
    assert 'src="t.png"' in text
    assert "turns mean" in text


def test_a_page_escapes_what_a_family_named_its_rules():
    tallies = {"<b>ours/3": next(iter(run(Settings(games=3, robot=False)).values()))}
    assert "<b>" not in report.as_html(tallies)


def test_plain_lines_where_there_is_no_terminal():
    done = subprocess.run(
        [sys.executable, "-m", "sim.table.cli", "--no-robot", "--games", "20"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_run_with_jobs_stops_at_once_and_goes_on(tmp_path, how):
    """A whole command in a process of its own, interrupted as a terminal or a shutdown would."""
    file = tmp_path / "run.jsonl"
    command = [
        sys.executable, "-m", "sim.table.cli", "--no-robot", "--json", "--jobs", "2",
        "--games", "20000", "--save", str(file),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not file.exists() or file.read_text().count("\n") < 4:
        time.sleep(0.02)
    began = time.monotonic()
    process.send_signal(how)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 15
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err and str(file) in err
    kept = sum(json.loads(x)["games"][1] - json.loads(x)["games"][0] for x in _parts(file))
    assert 0 < kept < 20000
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (row,) = json.loads(done.stdout)["tables"]
    assert row["games"] == 20000


def _parts(file):
    return file.read_text().splitlines()[1:]
