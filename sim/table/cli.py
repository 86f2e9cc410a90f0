"""`python -m sim table`: tables of UNO with the firmware in the loop, or plain with --no-robot."""

import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path

from . import report, rules, runner, scoring
from .game import Game
from .players import KINDS, seat_players

SCORINGS = ("none", "winner", "losers", "pairs", "elimination")


def add_arguments(parser):
    """Add the options of `table` to an argparse parser."""
    parser.add_argument("--players", default="4", help="how many: 4, or 2-10, or 2,4,8")
    parser.add_argument("--rules", default="robot", help="rule set, or several a,b, or all")
    parser.add_argument("--rules-file", default=str(rules.RULES_FILE), help="a file of rule sets")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="processes; 0: one for each core")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-robot", action="store_true", help="plain UNO")
    parser.add_argument(
        "--who", default="sensible", help=f"players: {', '.join(KINDS)}; a,b: mixed"
    )
    parser.add_argument(
        "--scoring",
        choices=(*SCORINGS, "sheet"),
        default="none",
        help="matches by points (plain UNO only); sheet: as the rule set says",
    )
    parser.add_argument("--target", type=int, default=500, help="points to play for")
    parser.add_argument("--pace", choices=("calm", "normal", "wild"), default="normal")
    parser.add_argument("--lang", default="es")
    parser.add_argument(
        "--in-a-row", type=int, default=1, help="games a party plays with the robot"
    )
    parser.add_argument(
        "--save", metavar="FILE", help="keep what is done here; run again to go on"
    )
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument("--plot", metavar="PNG", help="draw the spreads (wants matplotlib)")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page")
    parser.add_argument("--transcript", action="store_true",
                        help="one game, move by move, instead of a run")  # fmt: skip


def _numbers(text):
    numbers = []
    for piece in text.split(","):
        low, dash, high = piece.partition("-")
        try:
            numbers += range(int(low), int(high if dash else low) + 1)
        except ValueError:
            raise runner.RunError(f"--players {text}: say 4, or 2-10, or 2,4,8") from None
    if not numbers or min(numbers) < 2 or max(numbers) > 10:
        raise runner.RunError(f"--players {text}: 2 to 10 can play")
    return tuple(dict.fromkeys(numbers))


def settings_of(args):
    """Checked Settings from the parsed options. ValueError, in one line, when one is wrong."""
    sets = rules.load(args.rules_file)
    names = tuple(sets) if args.rules == "all" else tuple(args.rules.split(","))
    players = _numbers(args.players)
    for name in names:
        if name not in sets:
            raise rules.RulesError(f"--rules {name}: there are: {', '.join(sets)}, all")
        least, most = sets[name].players
        if min(players) < least or max(players) > most:
            raise rules.RulesError(f"--rules {name} is for {least} to {most} players")
    kinds = tuple(args.who.split(","))
    seat_players(kinds, 2)
    if args.games < 1:
        raise runner.RunError(f"--games {args.games}: at least 1")
    if args.in_a_row < 1:
        raise runner.RunError(f"--in-a-row {args.in_a_row}: at least 1")
    if args.jobs < 0:
        raise runner.RunError(f"--jobs {args.jobs}: 1 or more, or 0 for one for each core")
    if args.seed < 0:
        raise runner.RunError(f"--seed {args.seed}: 0 or more")
    if args.target < 1:
        raise runner.RunError(f"--target {args.target}: 1 or more")
    wants_points = args.scoring != "none"
    if wants_points and not args.no_robot:
        raise runner.RunError("--scoring is for plain UNO: add --no-robot")
    if args.scoring == "sheet":
        ways = {sets[name].scoring for name in names}
        if len(ways) > 1:
            raise runner.RunError("--scoring sheet: these rule sets count differently; take one")
        way = ways.pop()
    else:
        way = args.scoring
    if way == "pairs":
        for n_players in players:
            scoring.pair_rounds(n_players)
    return runner.Settings(
        games=args.games,
        players=players,
        rules=names,
        rules_file=args.rules_file,
        kinds=kinds,
        scoring=way,
        target=args.target,
        seed=args.seed,
        robot=not args.no_robot,
        pace=args.pace,
        lang=args.lang,
        in_a_row=args.in_a_row,
    )


def run(args):
    """Carry out `table`. The exit status: 0, 1 when a transcript's robot was stuck, 2 for bad
    options, 130 when interrupted."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        settings = settings_of(args)
        if args.transcript:
            return _transcript(settings)
        jobs = args.jobs or os.cpu_count() or 1
        began = time.perf_counter()
        with _Progress(settings.games, quiet=args.json) as progress:
            tallies = runner.run(settings, jobs, args.save, progress)
        seconds = time.perf_counter() - began
        _write(args, settings, tallies, seconds)
    except KeyboardInterrupt:
        hint = f"; the same command goes on from {args.save}" if args.save else ""
        print(f"interrupted{hint}", file=sys.stderr)
        return 130
    except (ValueError, OSError) as error:
        print(f"table: {error}", file=sys.stderr)
        return 2
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _interrupt(*_):
    raise KeyboardInterrupt


def _transcript(settings):
    name, n_players = settings.table(0)
    rule_set = rules.named(name, settings.rules_file)
    if settings.robot:
        from . import parties

        _, trouble = parties.play_one(settings, rule_set, n_players, 0, log=print)
        if trouble:
            print(f"table: {trouble}", file=sys.stderr)
            return 1
    else:
        players = seat_players(settings.kinds, n_players)
        Game(rule_set, players, settings.rng(0), log=print).play()
    return 0


def _write(args, settings, tallies, seconds):
    if args.json:
        print(json.dumps({
            "seed": settings.seed,
            "robot": settings.robot,
            "pace": settings.pace if settings.robot else None,
            "tables": report.summaries(tallies),
        }, indent=1))  # fmt: skip
    else:
        print(report.as_text(tallies))
        each = f"{seconds / settings.games:.2g} s each"
        print(f"{settings.games} games in {seconds:.1f} s, {each}")
    picture = None
    if args.plot:
        try:
            report.draw(tallies, args.plot)
            picture = os.path.basename(args.plot)
        except ImportError:
            print(
                "no picture: matplotlib is not installed (pip install matplotlib)", file=sys.stderr
            )
    if args.html:
        Path(args.html).write_text(report.as_html(tallies, picture), encoding="utf-8")


class _Progress:
    """A bar on a terminal where rich is installed; else a line now and then, to standard error."""

    def __init__(self, total, quiet):
        self.total = total
        self.bar = None
        self._began = time.monotonic()
        self._next_line = self._began + 5
        self._at_start = None  # games that were done before
        self._quiet = quiet and not sys.stderr.isatty()
        if sys.stderr.isatty():
            try:
                from rich.console import Console
                from rich.progress import (
                    BarColumn,
                    MofNCompleteColumn,
                    Progress,
                    TextColumn,
                    TimeRemainingColumn,
                )
            except ImportError:
                return
            self.bar = Progress(
                TextColumn("games"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self.bar.add_task("games", total=total)

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_):
        if self.bar:
            self.bar.stop()

    def __call__(self, done):
        if self._at_start is None:
            self._at_start = done
        now = time.monotonic()
        if self.bar:
            self.bar.update(self._task, completed=done)
        elif not self._quiet and now >= self._next_line and done > self._at_start:
            spent = now - self._began
            self._next_line = now + max(5, spent / 10)  # ever more seldom
            left = spent * (self.total - done) / (done - self._at_start)
            time_left = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min"
            line = f"{done} of {self.total} games, {time_left} left"
            print(line, file=sys.stderr, flush=True)


def main(argv=None):
    """Stand-alone entry, for tests and for those who want nothing but the table."""
    parser = argparse.ArgumentParser(prog="python -m sim table", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
