"""`python -m sim table`: tables of UNO with the firmware in the loop, or plain with --no-robot."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from roboto.game.kinds import GAMES

from host_tools.plain_file import reason, write_whole

from . import executors, plain, report, rules, runner, score_sheet
from .players import KINDS, seat_players
from .progress import Progress
from .scoring import WAYS, new_sheet
from .settings import GAMES_MAX, RunError, Settings
from .tally import Tally

_TARGET_MAX = 100_000
_IN_A_ROW_MAX = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `table` to an argparse parser."""
    parser.add_argument("--players", default="4", help="how many: 4, or 2-10, or 2,4,8")
    parser.add_argument("--rules", default="robot", help="rule set, or several a,b, or all")
    parser.add_argument("--rules-file", default=str(rules.RULES_FILE), help="a file of rule sets")
    parser.add_argument(
        "--games", type=_whole, default=1000, help="how many; matches with --scoring"
    )
    parser.add_argument(
        "--jobs", type=_whole, help="processes (1); 0: one for each core of this machine"
    )
    parser.add_argument(
        "--on",
        metavar="SCHEDULER",
        help="play on a Dask cluster: its scheduler's address, tcp://host:8786; "
        "or local: on all cores of this machine",
    )
    parser.add_argument("--seed", type=_whole, default=1)
    parser.add_argument("--no-robot", action="store_true", help="plain UNO")
    parser.add_argument(
        "--who", default="sensible", help=f"players: {', '.join(KINDS)}; a,b: mixed"
    )
    parser.add_argument(
        "--scoring",
        choices=(*WAYS, "sheet"),
        default="none",
        help="play matches by points, and show the score; sheet: as the rule set says",
    )
    parser.add_argument("--target", type=_whole, default=500, help="points to play for")
    parser.add_argument("--pace", choices=("calm", "normal", "wild"), default="normal")
    parser.add_argument(
        "--game",
        choices=GAMES,
        default="roboto",
        help="what the robot plays beside the cards: itself, or a game of the shelf",
    )
    parser.add_argument("--lang", default="es")
    parser.add_argument(
        "--in-a-row", type=_whole, default=1, help="games a party plays with the robot"
    )
    parser.add_argument(
        "--save", metavar="FILE", help="keep what is done here; run again to go on"
    )
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument("--plot", metavar="PNG", help="draw the spreads (wants matplotlib)")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page")
    parser.add_argument(
        "--transcript",
        action="store_true",
        help="one game, or one match with --scoring, move by move, instead of a run",
    )


def _whole(text: str) -> int:
    try:
        if len(text) > 20:
            raise ValueError
        return int(text)
    except ValueError:
        short = text if len(text) <= 20 else text[:17] + "..."
        raise argparse.ArgumentTypeError(f"{short!r} is no whole number in sight") from None


def _numbers(text: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for piece in text.split(","):
        low, dash, high = piece.partition("-")
        try:
            least, most = _whole(low), _whole(high if dash else low)
        except argparse.ArgumentTypeError:
            raise RunError(f"--players {text[:60]}: say 4, or 2-10, or 2,4,8") from None
        if not 2 <= least <= most <= 10:
            raise RunError(f"--players {text[:60]}: 2 to 10 can play")
        numbers += range(least, most + 1)
    return tuple(dict.fromkeys(numbers))


def settings_of(args: argparse.Namespace) -> Settings:
    """Return checked Settings from the parsed options. ValueError, in one line, when one is
    wrong."""
    sets = rules.load(args.rules_file)
    names = tuple(sets) if args.rules == "all" else tuple(dict.fromkeys(args.rules.split(",")))
    players = _numbers(args.players)
    for name in names:
        if name not in sets:
            raise rules.RulesError(f"--rules {name[:60]}: there are: {', '.join(sets)}, all")
        least, most = sets[name].players
        if min(players) < least or max(players) > most:
            raise rules.RulesError(f"--rules {name} is for {least} to {most} players")
    kinds = tuple(args.who.split(","))
    seat_players(kinds, len(kinds))
    _between("games", args.games, 1, GAMES_MAX)
    _between("in-a-row", args.in_a_row, 1, _IN_A_ROW_MAX)
    _between("target", args.target, 1, _TARGET_MAX)
    _between("seed", args.seed, 0, None)
    if not (args.lang.isascii() and args.lang.isalpha() and len(args.lang) <= 8):
        raise RunError(f"--lang {args.lang[:20]!r}: say es, or en, or another with phrases here")
    way = args.scoring
    if way == "sheet":
        ways = {sets[name].scoring for name in names}
        if len(ways) > 1:
            raise RunError("--scoring sheet: these rule sets count differently; take one")
        way = ways.pop()
    for n_players in players:
        try:
            new_sheet(way, n_players, args.target)
        except ValueError as error:
            raise RunError(f"--scoring {way}: {error}") from None
    if way != "none" and args.in_a_row > 1:
        raise RunError("--in-a-row: with --scoring a match takes as many games as it takes")
    if args.no_robot and args.game != GAMES[0]:
        raise RunError(f"--game {args.game} needs the robot: leave --no-robot out")
    return Settings(
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
        game=args.game,
        lang=args.lang,
        in_a_row=args.in_a_row,
    )


def _between(name: str, value: int, least: int, most: int | None) -> None:
    if value < least:
        raise RunError(f"--{name} {value}: at least {least}")
    if most is not None and value > most:
        raise RunError(f"--{name} {value}: at most {most}")


def _jobs(args: argparse.Namespace) -> int:
    """Return how many processes to play in: no more than can run at once."""
    if args.on not in (None, executors.LOCAL):
        if args.jobs is not None:
            raise RunError("--jobs is for this machine: a scheduler has workers of its own")
        return 1
    cores = executors.cores()
    wanted = args.jobs if args.jobs is not None else (0 if args.on else 1)
    if wanted < 0:
        raise RunError(f"--jobs {wanted}: 1 or more, or 0 for one for each core")
    if wanted > cores:
        print(f"table: --jobs {wanted}: this machine runs {cores} at once; taken", file=sys.stderr)
    return min(wanted, cores) or cores


def run(args: argparse.Namespace) -> int:
    """Carry out `table`. Return the exit status: 0, 1 when a transcript's robot was stuck, 2 for
    bad options, 130 when interrupted."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        settings = settings_of(args)
        jobs = _jobs(args)
        for path in filter(None, (args.html, args.plot)):
            _check_place(path)
        if args.transcript:
            return _transcript(settings)
        began = time.perf_counter()
        what = "games" if settings.scoring == "none" else "matches"
        if settings.games == 1:
            what = {"games": "game", "matches": "match"}[what]
        with Progress(settings.games, args.json, what) as progress:
            tallies = runner.run(settings, jobs, args.save, progress, on=args.on)
        seconds = time.perf_counter() - began
        _write(args, settings, tallies, seconds, what)
    except KeyboardInterrupt:
        hint = f"; the same command goes on from {args.save}" if args.save else ""
        print(f"interrupted{hint}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise  # whoever read has seen enough
    except (ValueError, OSError) as error:
        hint = ""
        if isinstance(error, executors.WorkersError) and args.save:
            hint = f"; the same command goes on from {args.save}"
        print(f"table: {' '.join(str(error).split())}{hint}", file=sys.stderr)
        return 2
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _transcript(settings: Settings) -> int:
    """Print the first game or match move by move, and its score."""
    name, n_players = settings.table(0)
    rule_set = rules.named(name, settings.rules_file)
    if settings.robot:
        from . import parties

        played = parties.play(settings, rule_set, n_players, 0, log=print)
        sheet, trouble = played.sheet, played.trouble
    else:
        sheet, trouble = plain.play(settings, rule_set, n_players, 0, log=print).sheet, ""
    if sheet.way != "none" and sheet.rows:
        title = f"match 0: {name}, {n_players} players"
        print("\n" + score_sheet.as_text(sheet.to_json(), title))
    if trouble:
        print(f"table: {trouble}", file=sys.stderr)
        return 1
    return 0


def _write(
    args: argparse.Namespace,
    settings: Settings,
    tallies: dict[str, Tally],
    seconds: float,
    what: str,
) -> None:
    if args.json:
        data: dict[str, Any] = {
            "seed": settings.seed,
            "robot": settings.robot,
            "pace": settings.pace if settings.robot else None,
            "game": settings.game if settings.robot else None,
            "tables": report.summaries(tallies),
        }
        if settings.scoring != "none":
            data["scoring"], data["target"] = settings.scoring, settings.target
            data["sheets"] = report.sheets(tallies)
        print(json.dumps(data, indent=1))
    else:
        print(report.as_text(tallies))
        each = f"{seconds / settings.games:.2g} s each"
        print(f"{settings.games} {what} in {seconds:.1f} s, {each}")
    picture = None
    if args.plot:
        try:
            with _written(args.plot):
                report.draw(tallies, args.plot)
            picture = os.path.basename(args.plot)
        except ImportError:
            print(
                "no picture: matplotlib is not installed (pip install matplotlib)", file=sys.stderr
            )
    if args.html:
        with _written(args.html):
            write_whole(args.html, report.as_html(tallies, picture).encode())


def _check_place(path: str) -> None:
    """Raise RunError, before all is played, for a file that cannot be written."""
    with _written(path):
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise ValueError(f"there is no folder {folder}")
        if os.path.isdir(path):
            raise ValueError("is a folder")


@contextmanager
def _written(path: str) -> Iterator[None]:
    """Name the file that cannot be written. Raise RunError."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise RunError(f"{path}: cannot be written ({why}): name another file") from None


def main(argv: list[str] | None = None) -> int:
    """Run `table` alone, for tests and for those who want nothing but the table."""
    parser = argparse.ArgumentParser(prog="python -m sim table", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
