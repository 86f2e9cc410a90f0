"""Runs: the same whatever the jobs, and taken up where they were interrupted."""

import json
import math
import random
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


MATCHES = replace(SETTINGS, games=12, players=(4,), scoring="pairs")


def saved_lines(tmp_path, settings=SETTINGS):
    """Save a run in three parts; return the file, its header and its parsed lines."""
    file = tmp_path / "run.jsonl"
    run(settings, save=file, part_size=settings.games // 3)
    header, *lines = file.read_text().splitlines()
    return file, header, [json.loads(line) for line in lines]


def lie_about_games(part, rng):
    part["games"] = rng.choice(
        [[0, 10**12], [10**12, 10**12 + 5], [-5, 15], [0, 0], [0.0, 20.0], ["0", "20"], [5, 2],
         [0, 21], [1, 20], [True, 20], [None, None], [0, 10**400]]
    )  # fmt: skip


def lie_about_counts(part, rng):
    tally = rng.choice(list(part["tallies"].values()))
    name = rng.choice(sorted(tally["counts"]))
    tally["counts"][name] = rng.choice([-1, 10**13, 1.5, "7", None, True, [], 10**300])


def lie_about_sums(part, rng):
    tally = rng.choice(list(part["tallies"].values()))
    name = rng.choice(["games", "matches", "won/0"])
    tally["counts"][name] = tally["counts"].get(name, 0) + rng.choice([1000, 10**6])


def lie_about_spreads(part, rng):
    tally = rng.choice(list(part["tallies"].values()))
    spread = tally["spreads"][rng.choice(["turns", "drawn", "laid"])]
    value = rng.choice(sorted(spread))
    spread[rng.choice([value, "12345678901234567", "x", "", "1.5", "٣"])] = rng.choice(
        [spread[value] + 1, 0, -1, 10**12, "1", None]
    )


def lie_about_tables(part, rng):
    tallies = part["tallies"]
    key = rng.choice(sorted(tallies))
    tally = tallies.pop(key)
    if rng.random() < 0.7:
        tallies[rng.choice(["robot/99", "x", "bridge/4", "/", "robot/"])] = tally


def lie_about_forms(part, rng):
    key = rng.choice(sorted(part["tallies"]))
    what = rng.choice(["counts", "spreads", None, "more"])
    if what is None:
        part["tallies"][key] = rng.choice([None, [], 7, "x"])
    elif what == "more":
        part["tallies"][key]["more"] = 1
    else:
        part["tallies"][key][what] = rng.choice([None, [], 7, "x"])


def lie_about_sheets(part, rng):
    tally = rng.choice(list(part["tallies"].values()))
    sheet = rng.choice(list(tally["sheets"].values()))
    what = rng.choice(["games", "points", "winners", "why", "players", "with_partner", "scoring"])
    if what == "games" and rng.random() < 0.7:
        game = rng.choice(sheet["games"])
        name = rng.choice(["points", "sums"])
        game[name][rng.randrange(4)] += 1
    else:
        sheet[what] = rng.choice([[9], None, "x" * (what != "why") or 5, [[1]]])


LIES = [
    lie_about_games, lie_about_counts, lie_about_sums, lie_about_spreads, lie_about_tables,
    lie_about_forms,
]  # fmt: skip


@pytest.mark.parametrize("lie", [*LIES, lie_about_sheets])
def test_a_file_that_contradicts_itself_is_refused_in_one_line(tmp_path, lie):
    file, header, parts = saved_lines(tmp_path, MATCHES if lie is lie_about_sheets else SETTINGS)
    settings = MATCHES if lie is lie_about_sheets else SETTINGS
    for seed in range(40):
        rng = random.Random(seed)
        forged = json.loads(json.dumps(parts))
        number = rng.randrange(3)
        lie(forged[number], rng)
        file.write_text("\n".join([header, *map(json.dumps, forged)]) + "\n")
        before = file.read_bytes()
        with pytest.raises(RunError, match=f"line {number + 2}") as error:
            run(settings, save=file)
        assert "\n" not in str(error.value) and len(str(error.value)) < 400
        assert file.read_bytes() == before


def test_the_same_games_twice_are_refused(tmp_path):
    file, header, parts = saved_lines(tmp_path)
    file.write_text("\n".join([header, *map(json.dumps, [*parts, parts[1]])]) + "\n")
    with pytest.raises(RunError, match="line 5: games that another line has"):
        run(SETTINGS, save=file)


@pytest.mark.parametrize("line", ["[" * 100_000, "{}", "nonsense", '{"games": [' + "9" * 5000])
def test_a_broken_line_in_the_middle_loses_nothing(tmp_path, line):
    file, header, parts = saved_lines(tmp_path)
    whole = list(map(json.dumps, parts))
    file.write_text("\n".join([header, whole[0], line, *whole[1:]]) + "\n")
    before = file.read_bytes()
    with pytest.raises(RunError, match="line 3: cannot be read"):
        run(SETTINGS, save=file)
    assert file.read_bytes() == before


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
