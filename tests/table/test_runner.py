"""Runs: the same whatever the jobs, and taken up where they were interrupted."""

import json
import math
from collections import Counter
from dataclasses import replace

import pytest

from sim.table import runner
from sim.table.runner import RunError, Settings, parts_to_play, run
from sim.table.tally import Tally, fairness, mean, quantile

SETTINGS = Settings(games=60, players=(2, 5), rules=("robot", "classic"), robot=False, seed=9)


def as_json(tallies):
    return {key: tally.to_json() for key, tally in sorted(tallies.items())}


def test_all_rule_sets_and_sizes_take_turns():
    tallies = run(SETTINGS)
    assert set(tallies) == {"robot/2", "robot/5", "classic/2", "classic/5"}
    assert [tally.counts["games"] for tally in tallies.values()] == [15] * 4


def test_jobs_and_parts_change_nothing():
    whole = as_json(run(SETTINGS))
    assert as_json(run(SETTINGS, jobs=2, part_size=7)) == whole
    assert as_json(run(SETTINGS, part_size=1)) == whole
    assert as_json(run(replace(SETTINGS, seed=10))) != whole


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("tail", [b"", b'{"games": [30, 4', b"\xff\xfe\n", b"{}\n"])
def test_an_interrupted_run_is_taken_up(tmp_path, tail):
    file = tmp_path / "run.jsonl"
    calls = []

    def stop_after_three(done):
        calls.append(done)
        if done >= 30:
            raise Interrupted

    with pytest.raises(Interrupted):
        run(SETTINGS, save=file, part_size=10, progress=stop_after_three)
    with open(file, "ab") as f:
        f.write(tail)  # what a power cut leaves of a line
    resumed = []
    tallies = run(SETTINGS, save=file, part_size=10, progress=resumed.append)
    assert resumed == [30, 40, 50, 60]
    assert as_json(tallies) == as_json(run(SETTINGS))
    # And a third time there is nothing left to play.
    again = []
    assert as_json(run(SETTINGS, save=file, progress=again.append)) == as_json(tallies)
    assert again == [60]


def test_a_run_can_be_made_longer_but_not_shorter(tmp_path):
    file = tmp_path / "run.jsonl"
    run(replace(SETTINGS, games=25), save=file)
    tallies = run(SETTINGS, save=file)
    assert as_json(tallies) == as_json(run(SETTINGS))
    with pytest.raises(RunError, match="60 games already"):
        run(replace(SETTINGS, games=25), save=file)


def test_a_file_of_another_run_is_left_alone(tmp_path):
    file = tmp_path / "run.jsonl"
    run(SETTINGS, save=file)
    before = file.read_bytes()
    with pytest.raises(RunError, match="not a run with these"):
        run(Settings(games=60, robot=False), save=file)
    assert file.read_bytes() == before
    with pytest.raises(RunError, match="No such file"):
        run(SETTINGS, save=tmp_path / "nowhere" / "run.jsonl")


def test_a_file_that_is_something_else_is_left_alone(tmp_path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear aunt,\nthank you for the cards.\n")
    with pytest.raises(RunError, match="not a run with these"):
        run(SETTINGS, save=file)
    assert file.read_text().startswith("Dear aunt")
    file.write_text("one line without an end")
    with pytest.raises(RunError):
        run(SETTINGS, save=file)
    assert file.read_text() == "one line without an end"


def test_an_error_in_a_game_is_not_swallowed(monkeypatch):
    def broken(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(runner.plain, "play_into", broken)
    with pytest.raises(RuntimeError, match="broken"):
        run(SETTINGS)


@pytest.mark.parametrize(
    "n, done, size, parts",
    [
        (10, (), 4, [(0, 4), (4, 8), (8, 10)]),
        (10, {0, 1, 5}, 4, [(2, 5), (6, 10)]),
        (3, {0, 1, 2}, 4, []),
        (0, (), 4, []),
    ],
)
def test_parts(n, done, size, parts):
    assert parts_to_play(n, done, size) == parts


def test_tallies_add_up():
    one, two = Tally(), Tally()
    one.add("games", 2)
    one.see("turns", 5)
    two.add("games")
    two.add("won/1")
    two.see("turns", 5.4)
    two.see("turns", 7)
    one.merge(Tally.from_json(json.loads(json.dumps(two.to_json()))))
    assert one.counts["games"] == 3
    assert one.spreads["turns"] == Counter({5: 2, 7: 1})
    assert one.by_index("won") == [0, 1]


def test_figures():
    spread = Counter({1: 1, 2: 2, 10: 1})
    assert mean(spread) == 3.75
    assert [quantile(spread, share) for share in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 2, 10]
    assert math.isnan(mean(Counter()))


def test_fairness_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    for wins in (
        [25, 25, 25, 25],
        [30, 20, 26, 24],
        [60, 20, 10, 10],
        [520, 480],
        [90] * 9 + [150],
    ):
        assert fairness(wins) == pytest.approx(stats.chisquare(wins).pvalue, abs=0.02)
    assert fairness([]) == 1.0
