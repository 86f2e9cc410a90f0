"""People round the simulated robot: real presses in virtual time, the firmware unchanged."""

import json
import random
import re
from collections import Counter

import pytest

from host_tools.voice import ensure_pack
from host_tools.voice.commands import Commands
from sim.robot import Robot
from sim.table import cli, parties, scene, voices
from sim.table.game import Game
from sim.table.habits import USUAL, Habits
from sim.table.party import Party
from sim.table.players import seat_players
from sim.table.rules import load
from sim.table.runner import Settings, run
from sim.table.tally import Tally
from tests.conftest import need

RULES = load()


@pytest.fixture(autouse=True)
def _voice():
    need("py_nanotts", "pip install py-nanotts")


def settings(**what):
    return Settings(**{"games": 1, "robot": True, "seed": 5, **what})


def play(n_players=4, rules="robot", index=0, habits=USUAL, log=None, **what):
    results, trouble = parties.play_one(
        settings(**what), RULES[rules], n_players, index, log, habits
    )
    return *(results[0] if results else (None, None)), trouble


@pytest.mark.parametrize("n_players", [2, 6, 10])
@pytest.mark.parametrize("rules", ["robot", "traditional"])
def test_a_party_from_names_to_the_fanfare(n_players, rules):
    seen, game, trouble = play(n_players, rules)
    assert trouble == ""
    assert game is not None and game.winner is not None
    assert game.hands[game.winner] == []
    assert seen.lost_presses == 0
    assert seen.early == 0
    assert seen.faults == []
    assert seen.beep_ms <= 150
    assert max(seen.named) - min(seen.named) <= 2
    assert sum(seen.kinds.values()) == seen.interruptions


def test_the_same_party_again():
    one, two = [], []
    play(3, log=one.append)
    play(3, log=two.append)
    assert one == two
    other = []
    play(3, index=1, log=other.append)
    assert one != other


def test_what_the_robot_orders_happens_to_the_cards():
    """From the log alone: after a duel somebody draws two."""
    duels = 0
    for index in range(100):
        lines = []
        play(5, index=index, log=lines.append, habits=Habits(vetoes=0, asks_again=0))
        for i, line in enumerate(lines):
            if "the robot (duel):" in line:
                duels += 1
                assert any(re.match(r"seat \d draws 2: ", x) for x in lines[i + 1 : i + 3])
        if duels > 4:
            return
    raise AssertionError("hardly a duel in a hundred parties")


def test_who_is_called_goes_on(monkeypatch):
    lines = []
    go_on = Game.go_on

    def told(game, seat):
        lines.append(f"go on {seat}")
        go_on(game, seat)

    monkeypatch.setattr(Game, "go_on", told)
    checked = 0
    for index in range(50):
        lines.clear()
        play(4, index=index, log=lines.append, habits=Habits(asks_again=0, refuses_nickname=0))
        for i, line in enumerate(lines):
            if "new order of turns" in line:
                break
            if line.startswith("go on"):
                said = [x for x in lines[:i] if "the robot" in x][-1]
                assert line == f"go on {re.findall(r'person ([0-9])', said)[-1]}"
                checked += 1
        if checked > 9:
            return
    raise AssertionError("hardly anybody was called in fifty parties")


class DeafRobot(Robot):
    """A robot with a broken contact."""

    broken = ""

    def contact(self, control, closed):
        if control != self.broken:
            super().contact(control, closed)


@pytest.mark.parametrize(
    "broken, says",
    [
        ("plate", "House Rule to be asked for"),
        ("win", "fanfare"),
        ("record", "an answer to a recorded name"),
    ],
)
def test_a_robot_that_does_not_answer_is_noticed(monkeypatch, broken, says):
    class Broken(DeafRobot):
        pass

    Broken.broken = broken
    monkeypatch.setattr(parties, "Robot", Broken)
    monkeypatch.setattr(scene, "PATIENCE_S", 40.0)  # longer than a race
    seen, _, trouble = play(2)
    assert trouble.startswith("stuck") and says in trouble
    assert (seen is not None) == (broken == "win")


def test_a_press_that_is_lost_in_play_is_counted(monkeypatch):
    class Forgetful(Robot):
        presses = 0

        def contact(self, control, closed):
            if control == "plate" and closed:
                self.presses += 1
                if self.presses == 6:
                    return
            super().contact(control, closed)

    monkeypatch.setattr(parties, "Robot", Forgetful)
    seen, _, trouble = play(4)
    assert trouble == ""
    assert seen.lost_presses == 1


def test_a_late_beep_is_told(monkeypatch):
    class Slow(Robot):
        def contact(self, control, closed):
            late_us = 145_000 if control == "plate" else 0
            self.chip.at(self.chip.now_us + late_us, lambda: Robot.contact(self, control, closed))

    monkeypatch.setattr(parties, "Robot", Slow)
    tally = Tally()
    parties.play_into(tally, settings(), RULES["robot"], 2, 3)
    (line,) = tally.by_name("trouble")
    assert line.startswith("party 3: a beep came 15") and line.endswith(" ms after its press")
    assert tally.counts["lost_presses"] == 0


def test_an_error_in_the_firmware_is_told(monkeypatch):
    def broken(self, *_):
        raise ZeroDivisionError("in the firmware")

    monkeypatch.setattr(Robot, "run_until", broken)
    _, game, trouble = play(2)
    assert game is None
    assert trouble.startswith("exception") and "in the firmware" in trouble


def until_seen(wanted, n_players, habits, parties_max=60, **what):
    """Play parties until all counts in `wanted` are reached; nothing may go wrong in any."""
    total = Counter()
    for index in range(parties_max):
        n = n_players if isinstance(n_players, int) else n_players[index % len(n_players)]
        results, trouble = parties.play_one(
            settings(**what), RULES["robot"], n, index, None, habits
        )
        assert trouble == ""
        for seen, game in results:
            assert seen.lost_presses == seen.early == seen.unknown_effects == 0
            assert seen.wrong == seen.faults == []
            assert game.winner is not None
            for name in wanted:
                value = getattr(seen, name, None)
                total[name] += seen.kinds.get(name, 0) if value is None else value
        if all(total[name] >= n for name, n in wanted.items()):
            return total
    raise AssertionError(f"{parties_max} parties brought only {dict(total)}")


SLEEPY = {"wanders_off": 0.03, "walk_s": (75.0, 90.0)}


def test_a_table_that_lets_the_robot_sleep_wakes_it_and_plays_on():
    total = until_seen({"sleeps": 3}, (2, 3), Habits(**SLEEPY, hears_warning=0.0))
    assert total["sleeps"] >= 3


def test_a_table_that_hears_the_warning_keeps_it_awake():
    """And nothing else: no name, rule or card too many, wherever the warning comes."""
    wanted = {"sleep_warnings": 12, "sleeps": 0}
    total = until_seen(wanted, (2, 3), Habits(**SLEEPY, hears_warning=1.0), in_a_row=2)
    assert total["sleeps"] == 0


def test_a_drowsy_table():
    """Wherever the robot falls asleep, and whoever wakes it, people notice and play on; who comes
    back too late for a nickname sees that it is not asked for any more."""
    habits = Habits(
        think_median_s=12.0, think_spread=1.0, wanders_off=0.1, walk_s=(10.0, 80.0),
        hears_warning=0.5,
    )  # fmt: skip
    until_seen({"sleeps": 6, "sleep_warnings": 12, "nickname": 2}, (2, 3, 4), habits)


def test_nobody_answers_a_warning_that_a_recording_has_answered():
    """A late press of the tray would close the list of names, and did once in 10 000 games."""
    habits = Habits(wanders_off=0.3, walk_s=(60.5, 62.5), hears_warning=1.0)
    until_seen({"sleep_warnings": 40}, (6, 9), habits)


def test_races_end_by_the_tray_or_in_time():
    habits = Habits(forgets_race=0.4, early_press=0.4)
    total = until_seen({"races": 12, "races_forgotten": 3}, (3, 5), habits, pace="wild")
    assert total["races"] > total["races_forgotten"]


def test_a_recorded_rule_comes():
    """The table would say if it came as another than one of the second to fifth surprises."""
    until_seen({"house_rule": 4}, (3, 6), Habits(records_rule=1.0))


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_hands_that_bounce(share):
    """Two presses for one: neither is lost, no rule is skipped unheard, nothing comes early."""
    habits = Habits(presses_twice=share, records_rule=1.0)
    until_seen({"interruptions": 12}, (2, 4), habits, in_a_row=2)


def test_nicknames_refused():
    habits = Habits(records_nickname=1.0, refuses_nickname=0.8)
    until_seen({"refused": 3}, (3, 4), habits, pace="wild")


def test_winners_are_named_and_counted(tmp_path):
    """What the robot notes is who won, and how often; the last of them is corrected by nobody."""
    robot = Robot({"es": ensure_pack("es")}, tmp_path, 3, listen=False)
    habits = Habits(names_winner=1.0, knows_winner=1.0, wanders_off=0.0)
    people = seat_players(["sensible"], 3)
    table = Party(robot, RULES["robot"], people, Commands(), random.Random(3), habits)
    table.play(4)
    winners = [seen.winner for seen, _ in table.results]
    noted = [e for e in robot.trace.events if e["event"] == "victory"]
    assert [e["player"] for e in noted] == winners
    assert [e["victories"] for e in noted] == [
        winners[: i + 1].count(who) for i, who in enumerate(winners)
    ]


def test_a_robot_that_notes_another_winner_is_told(monkeypatch):
    from roboto.game.won import Won

    note = Won._note
    monkeypatch.setattr(Won, "_note", lambda self, player: note(self, (player + 1) % 3))
    what = settings(seed=6)
    tally = Tally()
    habits = Habits(names_winner=1.0, knows_winner=1.0)
    parties.play_into(tally, what, RULES["robot"], 3, 0, habits)
    (line,) = tally.by_name("trouble")
    assert "for victory of person" in line


@pytest.mark.parametrize(
    "way, n_players, target",
    [("winner", 3, 100), ("losers", 2, 60), ("fixed_pairs", 4, 150), ("pairs", 4, 1),
     ("elimination", 3, 60)],
)  # fmt: skip
def test_a_match_round_the_robot(way, n_players, target):
    """The sheet agrees with the cards, game by game, and the robot knows all who sit there."""
    what = settings(scoring=way, target=target, seed=8)
    played = parties.play(what, RULES["compact"], n_players, 0)
    assert played.trouble == ""
    sheet = played.sheet
    assert sheet.seated is None and sheet.why
    assert len(sheet.rows) == len(played.results)
    for row, (seen, game) in zip(sheet.rows, played.results):
        assert len(row.seated) == game.n == len(seen.named)
        assert row.out == row.seated[seen.winner]
        in_hands = sum(game.points(seat) for seat in range(game.n))
        if way == "winner":
            assert row.points[row.out] == in_hands
        elif way in ("losers", "elimination"):
            assert sum(row.points) == in_hands
        assert seen.lost_presses == seen.early == 0 and seen.wrong == []
    tally = Tally()
    parties.play_into(tally, what, RULES["compact"], n_players, 0)
    assert tally.sheets[0] == sheet.to_json()
    assert tally.counts["games"] == len(sheet.rows)


def test_the_score_of_a_match_round_the_robot(capsys):
    args = ["--players", "2", "--scoring", "losers", "--target", "40", "--seed", "2"]
    assert cli.main([*args, "--games", "1"]) == 0
    text = capsys.readouterr().out
    assert "match 0: robot, 2 players" in text and "reached 40" in text
    assert cli.main([*args, "--transcript"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] in text and any(line.startswith("game 1: player 0 +") for line in lines)


def test_clumsy_people():
    """Everything that may go wrong at a table, often."""
    habits = Habits(
        forgets_press=0.2, wrong_press=0.8, early_press=0.8, asks_again=0.5, turns_volume=0.3,
        vetoes=0.4, red_in_play=0.3, wanders_off=0.02, presses_twice=0.4, forgets_race=0.4,
        refuses_nickname=0.5, names_winner=0.7, knows_winner=0.5,
    )  # fmt: skip
    until_seen({"vetoes": 3, "races_forgotten": 1}, 6, habits)


def table_at(folder, seed, n_players=4, gap_min=0):
    robot = Robot({"es": ensure_pack("es")}, folder, seed, listen=False)
    people = seat_players(["sensible"], n_players)
    rng = random.Random(seed)
    return Party(robot, RULES["robot"], people, Commands(), rng, gap_min=gap_min)


def test_three_games_in_a_row_with_the_same_names(tmp_path):
    nicknames = 0
    for seed in range(60):
        if nicknames and seed > 1:
            break
        folder = tmp_path / str(seed)
        folder.mkdir()
        table = table_at(folder, seed)
        table.play(3)
        assert len(table.results) == 3
        for seen, game in table.results:
            assert game.winner is not None
            assert seen.lost_presses == seen.early == 0
            assert max(seen.named) - min(seen.named) <= 2
            assert seen.began_ms < seen.ended_ms
        begun = [seen.began_ms for seen, _ in table.results]
        assert begun == sorted(set(begun))
        stored = [e for e in table.robot.trace.events if e["event"] == "record"]
        assert sum(e["what"] == "name" for e in stored) == 4
        # A nickname is heard only from its recording to the end of that game.
        known = set()
        for event in table.robot.trace.events:
            if event["event"] == "state" and event["state"] == "house_rule":
                known.clear()
            elif event["event"] == "record" and event["what"] == "nickname":
                known.add(last := f"nickname/{event['player']}")
            elif event["event"] == "say":
                if {"phrase": "nick.refused"} in event["parts"]:
                    known.discard(last)
                clips = {part["clip"] for part in event["parts"] if "clip" in part}
                heard = {clip for clip in clips if clip.startswith("nickname")}
                assert heard <= known
                nicknames += len(heard)
    assert nicknames > 0


@pytest.mark.parametrize("pace", ["calm", "normal", "wild"])
def test_no_surprise_comes_before_its_time(pace):
    seen, _, trouble = play(4, pace=pace, index=3)
    assert trouble == ""
    assert seen.early == 0


def test_an_early_surprise_is_noticed(tmp_path):
    """The same people, told that the pace allows fewer: every command then comes too soon."""
    table = table_at(tmp_path, 1, gap_min=50)
    table.play()
    ((seen, _),) = table.results
    assert seen.early == seen.interruptions > 0


def test_pace_changes_how_often():
    per_minute = {}
    for pace in ("calm", "wild"):
        seen = [play(4, pace=pace, index=index)[0] for index in range(8)]
        minutes = sum(s.ended_ms - s.began_ms for s in seen) / 60_000
        per_minute[pace] = sum(s.interruptions for s in seen) / minutes
    assert per_minute["wild"] > 1.5 * per_minute["calm"]


def test_a_run_with_the_robot_is_taken_up(tmp_path):
    what = settings(games=4, players=(2,), rules=("robot", "classic"))
    file = tmp_path / "run.jsonl"

    def stop(done):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(what, save=file, progress=stop, part_size=1)
    resumed = []
    tallies = run(what, save=file, progress=resumed.append, part_size=1)
    assert resumed == [2, 3, 4]
    whole = run(what)
    assert {k: t.to_json() for k, t in tallies.items()} == {
        k: t.to_json() for k, t in whole.items()
    }


def test_the_command(capsys):
    assert cli.main(["--players", "2", "--games", "2", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["tables"]
    assert row["minutes_mean"] > 0.5
    assert row["stuck"] == row["exceptions"] == row["lost_presses"] == 0
    assert cli.main(["--players", "2", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "interrupts" in out


def test_voices_are_different_people():
    ana, ben = voices.voice(1, 1.0), voices.voice(2, 1.0)
    assert len(ana) == 16000
    assert ana != ben
    assert ana == voices.voice(1, 1.0)
    assert 14000 < max(ana) <= 16000
