"""`table` from the command line, without the robot."""

import json
import re
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
        (["--lang", "l" * 300], "--lang"),
        (["--lang", "../es"], "--lang"),
        (["--target", "0", "--scoring", "winner"], "--target"),
        (["--scoring", "pairs", "--players", "5"], "4 or 8"),
        (["--scoring", "fixed_pairs", "--players", "5"], "4, 6, 8 or 10"),
        (["--scoring", "winner", "--in-a-row", "2"], "--in-a-row"),
        (["--players", "2-999999999999999999"], "2 to 10"),
        (["--players", "7-3"], "2 to 10"),
        (["--games", "1000000000000"], "at most"),
        (["--on", "local", "--jobs", "-2"], "--jobs"),
        (["--on", "tcp://127.0.0.1:8786", "--jobs", "2"], "scheduler"),
        (["--html", "/dev/full", "--games", "1"], "No space left"),
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


def test_more_jobs_than_cores_are_told_and_not_started(capsys):
    assert table("--games", "20", "--jobs", "100000", "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["tables"][0]["games"] == 20
    assert err.splitlines()[0].startswith("table: --jobs 100000: this machine runs ")


@pytest.mark.parametrize("text", ["9" * 5000, "1e3", "", "٣" * 30])
def test_numbers_that_are_none(text, capsys):
    with pytest.raises(SystemExit) as left:
        table("--seed", text)
    assert left.value.code == 2
    assert "no whole number" in capsys.readouterr().err.splitlines()[-1]


def test_an_interrupted_command_goes_on(tmp_path, monkeypatch, capsys):
    file = str(tmp_path / "run.jsonl")
    args = ["--games", "900", "--save", file, "--json"]
    real = cli.Progress.__call__

    def interrupt(self, done):
        if done >= 400:
            raise KeyboardInterrupt
        real(self, done)

    monkeypatch.setattr(cli.Progress, "__call__", interrupt)
    assert table(*args) == 130
    assert file in capsys.readouterr().err
    monkeypatch.setattr(cli.Progress, "__call__", real)
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
        "--games", "8000", "--save", str(file),
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
    assert 0 < kept < 8000
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (row,) = json.loads(done.stdout)["tables"]
    assert row["games"] == 8000


def _parts(file):
    return file.read_text().splitlines()[1:]


WAYS = ["winner", "losers", "fixed_pairs", "pairs", "elimination"]


@pytest.mark.parametrize("way", WAYS)
def test_the_score_is_seen_in_text_json_and_on_a_page(way, tmp_path, capsys):
    page = tmp_path / "score.html"
    args = ["--scoring", way, "--games", "2", "--rules", "compact", "--html", str(page)]
    assert table(*args) == 0
    text = capsys.readouterr().out
    assert table(*args, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["sheets"]) == 2
    for sheet in data["sheets"]:
        games = [f"{g['points'][who]:+d} = {g['sums'][who]}"
                 for g in sheet["games"] for who in g["seated"]]  # fmt: skip
        assert sheet["games"][-1]["sums"] == sheet["points"]
        for where in (text, page.read_text()):
            assert all(cell in where for cell in games)
            assert sheet["why"] in where
            assert f"match {sheet['match']}: compact, 4 players" in where
    (row,) = data["tables"]
    assert row["games"] == sum(len(sheet["games"]) for sheet in data["sheets"])


def test_the_transcript_of_a_match(capsys):
    args = ["--transcript", "--scoring", "losers", "--target", "100", "--rules", "traditional"]
    assert table(*args) == 0
    lines = capsys.readouterr().out.splitlines()
    n_games = len([line for line in lines if line.startswith("rules traditional")])
    told = [line for line in lines if re.match(r"game \d+: player 0 \+", line)]
    assert len(told) == n_games
    assert lines[-1].startswith("player") and f"after {n_games} game" in lines[-1]
    # The words of a game and its row on the sheet agree.
    for number, line in enumerate(told, 1):
        row = next(x for x in lines if re.match(rf"{number} +player", x))
        assert re.findall(r"\+\d+ = \d+", line) == re.findall(r"\+\d+ = \d+", row)


def test_few_sheets_of_many_matches(capsys):
    assert table("--scoring", "sheet", "--rules", "classic", "--games", "30", "--json") == 0
    sheets = json.loads(capsys.readouterr().out)["sheets"]
    assert [sheet["match"] for sheet in sheets] == [*range(10)]


def test_workers_end_with_their_parent(tmp_path):
    """Killed without a chance to say so, it leaves nobody behind."""
    file = tmp_path / "run.jsonl"
    command = [
        sys.executable, "-c",
        "import sys\nfrom sim.table import cli, executors\nexecutors.cores = lambda: 2\n"
        "sys.exit(cli.main(sys.argv[1:]))",
        "--no-robot", "--jobs", "2", "--games", "9000000", "--save", str(file),
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while not file.exists() or file.read_text().count("\n") < 3:
            assert process.poll() is None
            time.sleep(0.05)
        family = _session(process.pid)
        assert len(family) == 3
    finally:
        process.kill()
        process.wait()
    end = time.monotonic() + 30
    while _session(process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert _session(process.pid) == []


def _session(leader):
    """Return the processes of a session that still run."""
    ps = subprocess.run(["ps", "-eo", "pid=,sid=,stat="], capture_output=True, text=True)
    found = [line.split() for line in ps.stdout.splitlines()]
    return [int(pid) for pid, sid, stat in found if sid == str(leader) and stat[0] != "Z"]
