"""`roboto voice`: build, say, listen, check, list."""

import dataclasses
import io
import shutil
import subprocess
import sys
import tempfile
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from roboto.game import tuning
from roboto.sound.format import HALF_RATE_HZ, RATE_HZ

from host_tools import disk
from host_tools.places import build_folder

from . import (
    DEFAULT_CODEC,
    DEFAULT_PRESET,
    DEFAULT_RATE_HZ,
    cache_dir,
    catalogue,
    plans,
)

app = typer.Typer(
    help="Voice packs: what the robot says, spoken.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
out = Console(highlight=False)
if not out.is_terminal:
    out = Console(highlight=False, width=140)  # a file or a pipe has room
err = Console(stderr=True, highlight=False, markup=False)  # a line may have [brackets]

PACKS = build_folder() / "packs"  # where `roboto flash` looks for them

Lang = Annotated[list[str], typer.Option("--lang", "-l", help="Language; may be repeated.")]
Preset = Annotated[str, typer.Option(help="Character of the voice: robot, friendly, plain.")]
Engine = Annotated[
    str,
    typer.Option(
        help="auto, pico, espeak, wavdir:DIR (own recordings), kokoro:VOICE or cmd:PROGRAM."
    ),
]
Rate = Annotated[int, typer.Option(help="Samples a second: 16000 or 8000.")]
Limit = Callable[[int], int]  # rate_hz -> bytes that a pack may have
_SLOWEST, _FASTEST = 0.5, 1.5
Codec = Annotated[
    str, typer.Option(help="adpcm; or mdct, a quarter of the bytes; or mdct-dense, fewer still.")
]
Encoder = Annotated[str, typer.Option(help="plain, or search: slow, less noise, same size.")]


def _preset(name: str):
    from . import effects

    known = effects.presets()
    if name not in known:
        raise ValueError(f"unknown preset {name}; take one of {', '.join(known)}")
    return known[name]


def _voice(
    lang: str,
    preset,
    rate_hz: int,
    engine: str,
    encoder: str = "plain",
    codec: str = DEFAULT_CODEC,
):
    from . import adpcm, build, codecs, engines

    if rate_hz not in (RATE_HZ, HALF_RATE_HZ):
        raise ValueError(f"--rate {rate_hz}: the device plays {RATE_HZ} and {HALF_RATE_HZ}")
    if encoder not in adpcm.ENCODERS:
        raise ValueError(f"unknown encoder {encoder}; take one of {', '.join(adpcm.ENCODERS)}")
    codecs.check(codec, rate_hz)
    chosen = engines.choose(engine, lang, preset, lambda line: err.print(line, style="yellow"))
    return build.Voice(lang, preset, rate_hz, chosen, encoder, codec)


@dataclasses.dataclass(frozen=True)
class Asked:
    """What packs are to be like; `alone`: a pack lies on its board without another language."""

    preset: str = DEFAULT_PRESET
    rate_hz: int = DEFAULT_RATE_HZ
    engine: str = "auto"
    encoder: str = "plain"
    codec: str = DEFAULT_CODEC
    speed: float = 1.0  # factor on the preset's own
    alone: bool = True

    def voice(self, lang: str):
        """Return the voice of a language. Raises ValueError, EngineError."""
        if not _SLOWEST <= self.speed <= _FASTEST:
            raise ValueError(f"--speed {self.speed}: take {_SLOWEST} to {_FASTEST}")
        preset = _preset(self.preset)
        preset = dataclasses.replace(preset, speed=preset.speed * self.speed)
        return _voice(lang, preset, self.rate_hz, self.engine, self.encoder, self.codec)


def _phrases(lang: str):
    if lang not in catalogue.languages():
        raise ValueError(f"no phrases for {lang}; there are {', '.join(catalogue.languages())}")
    return catalogue.read(catalogue.PHRASES / f"{lang}.txt")


def _texts() -> dict:
    """Return the phrases of every language as they are written."""
    return {
        lang: catalogue.parse(catalogue.PHRASES / f"{lang}.txt")[0]
        for lang in catalogue.languages()
    }


def _bar() -> Progress:
    """A progress bar on a terminal, nothing elsewhere."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=not err.is_terminal,
    )


def _make(voice, phrases, title: str) -> bytes:
    from . import build

    return build.pack(voice, phrases, _speak(voice, phrases, title))


def _speak(voice, phrases, title: str):
    from . import build, engines

    if isinstance(voice.engine, engines.WavDirEngine):
        for name in voice.engine.unused({id: len(p.segments()) for id, p in phrases.items()}):
            err.print(f"{name}: no phrase has this name; it is not used", style="yellow")
    with _bar() as bar:
        task = bar.add_task(title, total=None)
        return build.speak(
            voice,
            phrases,
            cache_dir() / "pieces",
            lambda done, total: bar.update(task, completed=done, total=total),
        )


@app.command("build")
def build_command(
    lang: Lang,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the packs.")] = PACKS,
    preset: Preset = DEFAULT_PRESET,
    rate: Rate = DEFAULT_RATE_HZ,
    engine: Engine = "auto",
    encoder: Encoder = "plain",
    codec: Codec = DEFAULT_CODEC,
    speed: Annotated[float, typer.Option(help="1.15: everything is spoken 15 % faster.")] = 1.0,
    fit: Annotated[
        str | None,
        typer.Option(
            help="Bytes a pack may have, or a board: pico, pico-4mb, pico-16mb, w25q128."
        ),
    ] = None,
) -> None:
    """Builds LANG.pack for each language; --fit makes it small enough and tells what it cost."""
    asked = Asked(preset, rate, engine, encoder, codec, speed, alone=len(set(lang)) == 1)
    build_packs(lang, output, _limit(fit), asked)


def build_packs(
    langs: list[str], output: Path, limit: Limit | None, asked: Asked | None = None
) -> None:
    """Builds LANG.pack for each language and tells what it cost; `limit` says how many bytes a
    pack of a rate may have. Raises ValueError, OSError."""
    from . import check

    if output.is_file():
        raise ValueError(f"{output}: a file; -o wants a folder")
    asked = asked or Asked()
    output.mkdir(parents=True, exist_ok=True)  # told now, and not after a minute of speaking
    table = Table(
        Column("pack", overflow="fold"), "rate", "phrases", "seconds", "KiB", "what it gave up"
    )
    try:
        for code in langs:
            phrases = _phrases(code)
            if limit is None:
                data, cost = _make(asked.voice(code), phrases, code), ""
            else:
                fitted = _fit(asked, code, phrases, limit)
                data, cost = fitted.data, fitted.cost
            path = output / f"{code}.pack"
            disk.save(path, data)
            found = check.measure(path)
            for line in found.mistakes:
                err.print(line, style="yellow")
            table.add_row(
                str(path),
                f"{found.rate_hz // 1000} kHz",
                str(found.n_phrases),
                f"{found.seconds:.0f}",
                f"{found.n_bytes / 1024:.0f}",
                cost or "nothing",
            )
    finally:
        if table.rows:  # what was built before one failed is told as well
            out.print(table)


def _limit(fit: str | None) -> Limit | None:
    if fit is None:
        return None
    if fit in plans.PLANS:
        return plans.PLANS[fit].pack_bytes
    if not fit.isdigit() or not int(fit):
        raise ValueError(f"--fit {fit}: write bytes or one of {', '.join(plans.PLANS)}")
    return lambda _: int(fit)


@dataclasses.dataclass
class Fitted:
    """A pack that fits: its bytes, what it cost in words, and the phrases it leaves out."""

    data: bytes
    cost: str
    left_out: list[str]


def _fit(asked: "Asked", code: str, phrases: dict, limit_of: Limit) -> Fitted:
    """Return the best pack of at most what was asked for, in the bytes that it may have."""
    from . import build
    from .commands import Commands

    asked.voice(code)  # what is wrong with these is told first
    free = plans.unheard(phrases, code, asked.alone)
    limit, data = 0, b""
    for diet in plans.diets(asked.codec, asked.rate_hz):
        limit = limit_of(diet.names_hz)
        voice = dataclasses.replace(asked, codec=diet.codec).voice(code)
        sounds = _speak(voice, phrases, f"{code} {diet.told()}")
        dear = [] if diet.whole else plans.spare(phrases, Commands())

        def n_bytes(kept: dict) -> int:
            return len(build.pack(voice, kept, sounds))  # noqa: B023 - called before the next diet

        gone = plans.left_out(phrases, n_bytes, limit, free, dear)
        kept = {id: phrase for id, phrase in phrases.items() if id not in gone}
        data = build.pack(voice, kept, sounds, diet.sparing)
        if len(data) <= limit:
            commands = [id for id in gone if phrases[id].kind]
            games = {catalogue.game_of(id): None for id in gone if catalogue.game_of(id)}
            told = [] if diet.codec == asked.codec and not diet.sparing else [diet.told()]
            if games:
                told.append(f"games left out: {' '.join(games)}")
            if commands:
                told.append(f"{len(commands)} commands left out: {' '.join(sorted(commands))}")
            if gone:
                told.append("and what this robot never says")
            return Fitted(data, "; ".join(told), gone)
    raise ValueError(
        f"{code}: the smallest pack has {len(data)} bytes, {limit} were given; "
        "shorten phrases or take a board with more flash"
    )


@app.command()
def say(
    text: Annotated[str, typer.Argument(help="What to say; [300] is a pause of 300 ms.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="WAV to write.")] = None,
    lang: Annotated[str, typer.Option("--lang", "-l")] = "es",
    preset: Preset = DEFAULT_PRESET,
    rate: Rate = DEFAULT_RATE_HZ,
    engine: Engine = "auto",
    codec: Codec = DEFAULT_CODEC,
) -> None:
    """Says a text as the robot would, through the codec as well."""
    from . import codecs

    if not any(isinstance(piece, str) for piece in catalogue.pieces(text)):
        raise ValueError("nothing to say: the text has no letters")
    for mistake in catalogue.text_mistakes(text):
        raise ValueError(f"the text has {mistake}")
    voice = _voice(lang, _preset(preset), rate, engine, codec=codec)
    try:
        samples = voice.sound(text)
    finally:
        voice.engine.close()
    samples = codecs.decode(codec, codecs.encode(codec, samples), len(samples))
    _hear_or_write(samples, rate, output)


def _hear_or_write(samples, rate_hz: int, output: Path | None) -> None:
    if output:
        _write_wav(output, samples, rate_hz)
        out.print(f"{output}: {len(samples) / rate_hz:.1f} s")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "roboto.wav")
        _write_wav(path, samples, rate_hz)
        for player in (
            ["aplay", "-q"],
            ["paplay"],
            ["afplay"],
            ["ffplay", "-nodisp", "-autoexit"],
        ):
            if shutil.which(player[0]):
                done = subprocess.run([*player, str(path)], capture_output=True, check=False)
                if done.returncode == 0:
                    return
        if sys.platform == "win32":
            import winsound

            winsound.PlaySound(str(path), winsound.SND_FILENAME)
            return
    raise ValueError("this computer cannot play sound from here; write it with -o FILE.wav")


def _write_wav(path: Path, samples, rate_hz: int) -> None:
    whole = io.BytesIO()
    with wave.open(whole, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.astype("<i2").tobytes())
    disk.save(path, whole.getvalue())


@app.command()
def listen(
    pack: Annotated[Path, typer.Argument(help="A pack file, or a language: es")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Page to write.")] = None,
    play: Annotated[str | None, typer.Option(help="Play this phrase id, no page.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = False,
) -> None:
    """Writes a web page with every phrase of a pack to hear, or plays one phrase."""
    from . import ensure_pack
    from . import listen as page_maker

    if not pack.exists():
        known = catalogue.languages()
        if str(pack) not in known:
            raise ValueError(f"{pack}: no such file, nor a language; there are {', '.join(known)}")
        pack = ensure_pack(str(pack))
    if play:
        from . import device, hear

        opened = device.open_whole(pack)
        if play not in device.ids_of(opened):
            raise ValueError(f"{pack}: no phrase {play}")
        samples = device.played(opened, play, hear.NAME_PAUSE_MS)
        _hear_or_write(samples, RATE_HZ, output)
        return
    path = output or pack.with_suffix(".html")
    disk.save(path, page_maker.page(pack).encode())
    out.print(f"{path}")
    if browser:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


@app.command("check")
def check_command(
    packs: Annotated[list[Path] | None, typer.Argument(help="Pack files to measure.")] = None,
    lang: Annotated[
        list[str] | None, typer.Option("--lang", "-l", help="Build and measure this language.")
    ] = None,
    hear: Annotated[bool, typer.Option(help="The listening test as well (minutes).")] = False,
    strict: Annotated[bool, typer.Option(help="Languages that differ are mistakes.")] = False,
    fit: Annotated[
        str | None,
        typer.Option(help="What each --lang leaves out to fit a board, or so many bytes."),
    ] = None,
) -> None:
    """Checks the phrase files, and packs: length, clipping, loudness, size, what they leave out,
    recognition."""
    from . import commands, ensure_pack

    limit = _limit(fit)
    if limit and not lang:
        raise ValueError("--fit tells what a language leaves out: name one with --lang")
    mistakes, differences = commands.check_texts()
    if strict:
        mistakes += differences
    else:
        for line in differences:
            err.print(line, style="yellow")
    for line in mistakes:
        err.print(line, style="red")
    if mistakes:
        raise typer.Exit(1)
    drafts = catalogue.drafts(_texts())
    whole = len(catalogue.languages()) - len(drafts)
    some = f", {len(drafts)} {'draft' if len(drafts) == 1 else 'drafts'}" if drafts else ""
    out.print(f"phrases: {whole} languages in order{some}")
    if limit:
        for code in dict.fromkeys(lang or []):
            phrases = _phrases(code)
            fitted = _fit(Asked(), code, phrases, limit)
            size = f"{len(fitted.data) / 1024:.0f} KiB"
            told = _leaves_out(phrases, fitted.left_out)
            out.print(f"{code} for {fit}: {size}, {told}", soft_wrap=True)
    paths = list(packs or []) + [ensure_pack(code) for code in lang or [] if not limit]
    if not paths:
        return
    from . import check

    table = Table(
        "pack", "rate", "KiB", "phrases", "seconds", "longest", "loudness", "recognised", "nearest"
    )
    failed = False
    left_out = []
    for path in paths:
        found = check.measure(path)
        for line in found.mistakes:
            err.print(line, style="red")
        failed = failed or bool(found.mistakes)
        phrases = _phrases(found.lang) if found.lang in catalogue.languages() else {}
        if gone := [id for id in phrases if id not in found.ids]:
            left_out.append(f"{path.name}: {_leaves_out(phrases, gone)}")
        table.add_row(
            path.name,
            f"{found.rate_hz // 1000} kHz",
            f"{found.n_bytes / 1024:.0f}",
            str(found.n_phrases),
            f"{found.seconds:.0f}",
            f"{found.longest_s:.1f} s",
            f"{found.loudness_lufs:.1f} ± {found.loudness_spread_db:.2f} LUFS",
            *(_heard(path, found.lang) if hear else ("-", "-")),
        )
    out.print(table)
    for line in left_out:
        out.print(line, soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _leaves_out(phrases: dict, gone: list[str]) -> str:
    """Return which phrases of a language are in no pack, and how many commands are."""
    n = sum(bool(phrase.kind) and id not in gone for id, phrase in phrases.items())
    return f"{n} commands; leaves out {' '.join(gone) or 'nothing'}"


def _heard(path: Path, lang: str) -> tuple[str, str]:
    """Return how many phrases the two listeners got, in words; what was missed is told."""
    heard = _listening_test(path, lang)
    if heard.other:
        err.print(f"{path.name}: {heard.other} phrases are not those of today; not heard")
    for line in heard.missed:
        err.print(f"not understood: {line}", style="dim")
    recognised = f"{heard.recognised} of {heard.asked}" if heard.asked else "-"
    return recognised, f"{heard.nearest} of {heard.total}"


def _listening_test(path: Path, lang: str):
    from . import check

    with _bar() as bar:
        task = bar.add_task(f"hearing {path.name}", total=None)
        return check.listen(
            path,
            _phrases(lang),
            cache_dir() / "pieces",
            progress=lambda done, of: bar.update(task, completed=done, total=of),
        )


@app.command("list")
def list_command(
    lang: Annotated[str | None, typer.Argument(help="Show the phrases of this language.")] = None,
) -> None:
    """Shows languages, engines, presets and storage plans; or the phrases of a language."""
    if lang:
        table = Table("phrase", "mark", "text")
        for phrase in _phrases(lang).values():
            table.add_row(phrase.id, phrase.mark, phrase.text.replace("[", "\\["))
        out.print(table)
        return
    from . import effects, engines

    table = Table("language", "phrases", "engine")
    texts = _texts()
    most = max(map(len, texts.values()))
    for code, phrases in texts.items():
        try:
            name = engines.choose("auto", code, effects.presets()["plain"]).name
        except engines.EngineError as error:
            name = str(error)
        n = len(phrases)
        table.add_row(code, str(n) if n == most else f"{n} of {most}", name)
    out.print(table)
    table = Table("preset", "pitch", "ring", "comb", "band")
    for preset in effects.presets().values():
        table.add_row(
            preset.name + (" (default)" if preset.name == DEFAULT_PRESET else ""),
            f"{preset.pitch}",
            f"{preset.ring_hz:.0f} Hz, {preset.ring_mix:.0%}",
            f"{preset.comb_ms:.0f} ms, {preset.comb_gain:.0%}",
            f"{preset.low_hz:.0f}-{preset.high_hz:.0f} Hz",
        )
    out.print(table)
    out.print(_plan_table())


def _plan_table() -> Table:
    table = Table("board (--fit)", "", "KiB for packs", "with names at 8 kHz")
    for key, plan in plans.PLANS.items():
        table.add_row(
            key,
            plan.name,
            f"{plan.pack_bytes(16000) / 1024:.0f}",
            f"{plan.pack_bytes(8000) / 1024:.0f}",
        )
    table.caption = (
        f"kept free: firmware {plans.FIRMWARE_BYTES // 1024} KiB and {plans.UPDATE_BYTES // 1024} "
        f"KiB for its next version, settings and log "
        f"{plans.SYSTEM_BYTES // 1024} KiB, {tuning.PLAYERS_MAX} names and nicknames of 3 s and a "
        f"House Rule of 10 s {plans.clips_bytes(16000) // 1024} KiB, or at 8 kHz "
        f"{plans.clips_bytes(8000) // 1024}"
    )
    return table
