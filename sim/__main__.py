"""python -m sim run FILE.toml: plays a scenario. See `python -m sim -h`."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from host_tools.places import PHRASES, VERSION
from host_tools.plain_file import one_line, reason, write_whole

from .flash_folder import Refused, taken

if TYPE_CHECKING:
    from collections.abc import Callable

    from .device.people import People as BoardPeople
    from .device.robot import Robot as BoardRobot
    from .scenario import Scenario
    from .trace import Trace

_TOLD_MOST = 300  # letters of what was wrong


class _Parser(argparse.ArgumentParser):
    """Errors are one line, and exit status 2."""

    def error(self, message: str) -> NoReturn:
        if len(message) > _TOLD_MOST:
            message = message[:_TOLD_MOST] + " …"
        message = one_line(message)
        self.exit(2, f"{self.prog}: {message} ({self.prog} -h helps)\n")


def _parser(command: str, program: str) -> argparse.ArgumentParser:
    """The parser; of the commands that are large, only the one asked for is imported."""
    parser = _Parser(
        prog=program,
        description="The robot on a desktop: the same firmware, in virtual time.",
    )
    parser.add_argument("--version", action="version", version=f"roboto {VERSION}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    run = commands.add_parser(
        "run", help="play a scenario file", description="Plays a scenario file."
    )
    _add_run_arguments(run)
    play = commands.add_parser(
        "play", help="play with the robot in the browser", description="The robot in the browser."
    )
    if command == "play":
        from .web import cli as web

        web.add_arguments(play)
    table = commands.add_parser(
        "table", help="play cards around the robot, and report", description="UNO at the table."
    )
    if command == "table":
        from .table import cli as cards

        cards.add_arguments(table)
    paper = commands.add_parser(
        "print", help="leaflet, House Rule cards and stickers", description="Things on paper."
    )
    if command == "print":
        from .paper import cli as on_paper

        on_paper.add_arguments(paper)
    compare = commands.add_parser(
        "compare",
        help="say where two traces part",
        description="Says where two traces part, one line a difference; exit status 1 if they do.",
    )
    for name in ("first", "second"):
        compare.add_argument(name, type=Path, metavar=f"{name.upper()}.jsonl")
    compare.add_argument(
        "--within",
        type=float,
        metavar="MS",
        help="how much a time may differ (200 when left out)",
    )
    return parser


def _add_run_arguments(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "file", type=Path, metavar="FILE.toml", help="what the people at the table do"
    )
    run.add_argument("--lang", help="language of the voice (else the scenario's, else es)")
    run.add_argument(
        "--seed", type=int, help="makes chance repeatable (else the scenario's, else 0)"
    )
    run.add_argument("--trace", metavar="OUT.jsonl", help="write the trace; - is standard output")
    run.add_argument(
        "--wav", type=Path, metavar="OUT.wav", help="write all that the loudspeaker plays"
    )
    run.add_argument(
        "--flash", type=Path, metavar="DIR", help="keep the robot's flash here between runs"
    )
    run.add_argument(
        "--speed",
        default="max",
        help="max (the default), or 1 for real time, 2 for twice as fast …",
    )
    run.add_argument(
        "--device",
        metavar="PORT",
        help="play it on a board instead: auto, a port, serial:NUMBER, or emulator",
    )
    run.add_argument(
        "--jig", metavar="PORT", help="the jig that presses and speaks (hardware/jig.md)"
    )


def main(arguments: list[str] | None = None, program: str = "python -m sim") -> int:
    """Carry out a command line, and return the exit status. program: its name in messages."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that knows ASCII alone
            stream.reconfigure(errors="backslashreplace")
    parsed = _parser(arguments[0] if arguments else "", program).parse_args(arguments)
    try:
        if parsed.command == "play":
            return _play(parsed)
        if parsed.command == "table":
            from .table import cli as cards

            return cards.run(parsed)
        if parsed.command == "print":
            return _print(parsed)
        if parsed.command == "compare":
            return _compare(parsed)
        return _run(parsed)
    except (_Wrong, Refused) as error:
        return _say_wrong(program, str(error))
    except KeyboardInterrupt:
        return 130
    except (OSError, _NoOutput) as error:  # a full disk, no folder for temporary files
        where = ""
        if isinstance(error, _NoOutput):
            error, where = error.why, "standard output: "
        _drop_output()
        if isinstance(error, BrokenPipeError):
            return 0
        if error.filename:
            where = f"{error.filename}: "
        return _say_wrong(program, f"{where}{reason(error)}")


def _say_wrong(program: str, line: str) -> int:
    """Tell the user in one line what was wrong, and return the exit status."""
    with suppress(OSError):
        print(f"{program}: {one_line(line, 2 * _TOLD_MOST)}", file=sys.stderr)
    return 2


def _drop_output() -> None:
    """Let nothing more be written to the standard output: who read it is gone, or it is full."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Wrong(Exception):
    """One line for the user."""


class _NoOutput(BaseException):
    """Nothing more can be printed; `why`: the OSError.

    It is no Exception, since it goes through the firmware's loop, which goes on after those.
    """

    def __init__(self, why: OSError) -> None:
        super().__init__(why)
        self.why = why


def _run(parsed: argparse.Namespace) -> int:
    from .scenario import BadScenario, People, play, read

    pace = _pace(parsed.speed)
    try:
        scenario = read(parsed.file)
    except BadScenario as error:
        raise _Wrong(error) from None
    for path in (parsed.trace, parsed.wav):
        if path and str(path) != "-":
            _check_writable(Path(path))
    lang = parsed.lang or scenario.lang or "es"
    seed = parsed.seed if parsed.seed is not None else scenario.seed or 0
    if parsed.device:
        return _run_on_board(parsed, scenario, lang, seed)
    if parsed.jig:
        raise _Wrong("--jig goes with --device: say which board is the robot")
    packs = _packs(lang)
    with (
        tempfile.TemporaryDirectory(prefix="roboto-", ignore_cleanup_errors=True) as temporary,
        taken(parsed.flash or Path(temporary)) as folder,
    ):
        from .robot import Robot

        robot = Robot(packs, folder, seed, parsed.wav is not None, lang, parsed.lang is not None)
        people = People(robot, scenario)
        if not parsed.trace:
            _print_transcript(robot.trace, lambda: people.speaking)
        play(robot, people, pace)
        if parsed.trace == "-":
            _print_trace(robot.trace.lines().encode())
        elif parsed.trace:
            _write(Path(parsed.trace), robot.trace.lines().encode())
        if parsed.wav and robot.tape:
            from .audio import wav_of

            _write(parsed.wav, wav_of(robot.tape, robot.chip.now_us))
            print(
                f"{parsed.wav}: {robot.chip.now_us / 1e6:.1f} s, all that was heard",
                file=sys.stderr,
            )
    return 0


def _run_on_board(parsed: argparse.Namespace, scenario: Scenario, lang: str, seed: int) -> int:
    from host_tools.maker.errors import MakerError

    from .device.run import Bench, play

    for option in ("flash", "speed"):
        if getattr(parsed, option) not in (None, "max"):
            raise _Wrong(f"--{option} is the simulator's: a board has its own")

    def watch(robot: BoardRobot, people: BoardPeople) -> None:
        if not parsed.trace:
            _print_transcript(robot.trace, lambda: people.speaking)

    bench = Bench(parsed.device, parsed.jig, parsed.wav is not None)
    try:
        robot = play(bench, scenario, lambda: _packs(lang), lang, seed, watch)
    except MakerError as error:
        raise _Wrong(error) from None
    lines = robot.lines().encode()
    if parsed.trace == "-":
        _print_trace(lines)
    elif parsed.trace:
        _write(Path(parsed.trace), lines)
    if parsed.wav:
        from .audio import RATE_HZ, wav_bytes

        sound = robot.heard
        _write(parsed.wav, wav_bytes(sound))
        print(
            f"{parsed.wav}: {len(sound) / 2 / RATE_HZ:.1f} s, all that was heard", file=sys.stderr
        )
    return 0


def _compare(parsed: argparse.Namespace) -> int:
    from . import compare

    within_ms = compare.WITHIN_MS if parsed.within is None else parsed.within
    if not 0 <= within_ms < 1e9:
        raise _Wrong(f"--within {within_ms:g}: give milliseconds from 0 up")
    try:
        first, second = (compare.read(path) for path in (parsed.first, parsed.second))
    except compare.BadTrace as error:
        raise _Wrong(error) from None
    lines = compare.differences(first, second, within_ms)
    for line in lines:
        _print_line(line)
    if not lines:
        _print_line(f"the same: {len(first)} events, times within {within_ms:g} ms")
    return 1 if lines else 0


def _print_line(line: str) -> None:
    try:
        print(line, flush=True)
    except OSError as error:
        raise _NoOutput(error) from None


def _play(parsed: argparse.Namespace) -> int:
    from .web import cli as web

    if parsed.trace:
        _check_writable(parsed.trace)
    try:
        return web.run(parsed, _packs(parsed.lang or "es"))
    except web.Wrong as error:
        raise _Wrong(error) from None


def _print(parsed: argparse.Namespace) -> int:
    from .paper import cli as on_paper

    try:
        return on_paper.run(parsed)
    except on_paper.Wrong as error:
        raise _Wrong(error) from None


def _pace(speed: str) -> float | None:
    """Virtual seconds a second; None: as fast as it goes."""
    if speed == "max":
        return None
    try:
        pace = float(speed)
    except ValueError:
        pace = 0.0
    if not 0 < pace < 1e6:
        raise _Wrong(f"--speed is {speed!r}: give max, or a number such as 1 for real time")
    return pace


def _check_writable(path: Path) -> None:
    if not path.parent.is_dir():
        raise _Wrong(f"{path}: there is no folder {path.parent}")
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if path.exists() and not path.is_file():
            return  # a device, a pipe: what it says to it is heard in the end
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise _Wrong(f"{path}: cannot be written ({reason(error)})") from None


def _write(path: Path, data: bytes) -> None:
    """Write a file whole. Raises _Wrong."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise _Wrong(f"{path}: cannot be written ({reason(error)})") from None


def _print_trace(data: bytes) -> None:
    """Write a trace to the standard output: UTF-8, whatever the terminal knows."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(data.decode())
    else:
        binary.write(data)
        binary.flush()


def _packs(lang: str) -> dict[str, Path]:
    """The voice packs on the robot's flash: the one asked for, Spanish and English. Built when
    missing."""
    from host_tools.voice import cache_dir, ensure_pack

    known = sorted(path.stem for path in PHRASES.glob("*.txt"))
    if lang not in known:
        shown = lang if len(lang) <= 20 else lang[:20] + "…"
        raise _Wrong(f"there is no language {shown!r}: there are {', '.join(known)}")
    try:
        return {code: ensure_pack(code) for code in dict.fromkeys((lang, "es", "en"))}
    except OSError as error:
        raise _Wrong(
            f"the voice cannot be kept in {cache_dir()} ({reason(error)}): make room there, or "
            "name another folder in ROBOTO_CACHE"
        ) from None
    except (ValueError, RuntimeError) as error:
        raise _Wrong(error) from None


def _print_transcript(trace: Trace, speaking: Callable[[], str]) -> None:
    from .transcript import Transcript

    transcript = Transcript(speaking)

    def show(event: dict[str, Any]) -> None:
        line = transcript.line(event)
        if line is not None:
            try:
                print(line, flush=True)
            except OSError as error:
                raise _NoOutput(error) from None

    for event in trace.events:
        show(event)
    trace.watchers.append(show)


if __name__ == "__main__":
    sys.exit(main())
