"""`roboto voice`: build, say, listen, check, list."""

import dataclasses
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

from host_tools.places import build_folder

from . import (
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
err = Console(stderr=True, highlight=False)

PACKS = build_folder() / "packs"  # where `roboto flash` looks for them

Lang = Annotated[list[str], typer.Option("--lang", "-l", help="Language; may be repeated.")]
Preset = Annotated[str, typer.Option(help="Character of the voice: robot, friendly, plain.")]
Engine = Annotated[
    str, typer.Option(help="auto, pico, espeak, wavdir:DIR (own recordings) or cmd:PROGRAM.")
]
Rate = Annotated[int, typer.Option(help="Samples a second: 16000 or 8000.")]
Limit = Callable[[int], int]  # rate_hz -> bytes that a pack may have
Encoder = Annotated[str, typer.Option(help="plain, or search: slow, less noise, same size.")]


def _preset(name: str):
    from . import effects

    known = effects.presets()
    if name not in known:
        raise ValueError(f"unknown preset {name}; take one of {', '.join(known)}")
    return known[name]


def _voice(lang: str, preset, rate_hz: int, engine: str, encoder: str = "plain"):
    from . import adpcm, build, engines

    if rate_hz not in (RATE_HZ, HALF_RATE_HZ):
        raise ValueError(f"--rate {rate_hz}: the device plays {RATE_HZ} and {HALF_RATE_HZ}")
    if encoder not in adpcm.ENCODERS:
        raise ValueError(f"unknown encoder {encoder}; take one of {', '.join(adpcm.ENCODERS)}")
    chosen = engines.choose(engine, lang, preset, lambda line: err.print(line, style="yellow"))
    return build.Voice(lang, preset, rate_hz, chosen, encoder)


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
    from . import build, engines

    if isinstance(voice.engine, engines.WavDirEngine):
        for name in voice.engine.unused({id: len(p.segments()) for id, p in phrases.items()}):
            err.print(f"{name}: no phrase has this name; it is not used", style="yellow")
    with _bar() as bar:
        task = bar.add_task(title, total=None)
        return build.make(
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
    fit: Annotated[
        str | None,
        typer.Option(
            help="Bytes a pack may have, or a board: pico, pico-4mb, pico-16mb, w25q128."
        ),
    ] = None,
) -> None:
    """Builds LANG.pack for each language; --fit makes it small enough and tells what it cost."""
    build_packs(lang, output, _limit(fit), preset, rate, engine, encoder)


def build_packs(
    langs: list[str],
    output: Path,
    limit: Limit | None,
    preset: str = DEFAULT_PRESET,
    rate_hz: int = DEFAULT_RATE_HZ,
    engine: str = "auto",
    encoder: str = "plain",
) -> None:
    """Builds LANG.pack for each language and tells what it cost; `limit` says how many bytes a
    pack of a rate may have. Raises ValueError, OSError."""
    from . import build, check

    if output.is_file():
        raise ValueError(f"{output}: a file; -o wants a folder")
    output.mkdir(parents=True, exist_ok=True)  # told now, and not after a minute of speaking
    table = Table(
        Column("pack", overflow="fold"), "rate", "phrases", "seconds", "KiB", "what it gave up"
    )
    try:
        for code in langs:
            phrases = _phrases(code)
            if limit is None:
                voice = _voice(code, _preset(preset), rate_hz, engine, encoder)
                data, cost = _make(voice, phrases, code), ""
            else:
                data, cost = _fit(code, phrases, preset, rate_hz, engine, encoder, limit)
            path = output / f"{code}.pack"
            build.write_atomic(path, data)
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


def _fit(
    code: str, phrases: dict, preset: str, rate_hz: int, engine: str, encoder: str, limit_of: Limit
):
    """The best pack of at most rate_hz and the bytes that its rate may have, and what it cost in
    words."""
    from . import check

    base = _preset(preset)
    _voice(code, base, rate_hz, engine, encoder)  # what is wrong with these is told first
    data = b""
    limit = 0
    for diet in plans.DIETS:
        if diet.rate_hz > rate_hz:
            continue
        limit = limit_of(diet.rate_hz)
        shaped = dataclasses.replace(base, speed=base.speed * diet.speed)
        voice = _voice(code, shaped, diet.rate_hz, engine, encoder)
        cost = "" if diet.whole and diet.rate_hz == rate_hz else diet.told()
        data = _make(voice, phrases, f"{code} {diet.told()}")
        if len(data) > limit and not diet.whole:
            n_bytes = check.own_bytes(data)
            left_out = []
            unheard = plans.never_said_alone(phrases)
            over = len(data) - limit - sum(n_bytes[id] for id in unheard)
            for id in plans.spare(phrases, n_bytes):
                if over <= 0:
                    break
                left_out.append(id)
                over -= n_bytes[id]
            gone = {*unheard, *left_out}
            kept = {id: phrase for id, phrase in phrases.items() if id not in gone}
            data = _make(voice, kept, f"{code} {diet.told()}, fewer commands")
            cost += f"; {len(left_out)} commands left out: {' '.join(sorted(left_out))}"
            cost += ", and the menu's languages"
        if len(data) <= limit:
            return data, cost
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
) -> None:
    """Says a text as the robot would, through the codec as well."""
    from . import adpcm

    if not any(isinstance(piece, str) for piece in catalogue.pieces(text)):
        raise ValueError("nothing to say: the text has no letters")
    for mistake in catalogue.text_mistakes(text):
        raise ValueError(f"the text has {mistake}")
    voice = _voice(lang, _preset(preset), rate, engine)
    try:
        samples = voice.sound(text)
    finally:
        voice.engine.close()
    samples = adpcm.decode(adpcm.encode(samples), len(samples))
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
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as whole, wave.open(whole, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.astype("<i2").tobytes())


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
    path.write_text(page_maker.page(pack), encoding="utf-8")
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
) -> None:
    """Checks the phrase files, and packs: length, clipping, loudness, size, recognition."""
    from . import commands, ensure_pack

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
    paths = list(packs or []) + [ensure_pack(code) for code in lang or []]
    if not paths:
        return
    from . import check

    table = Table(
        "pack", "rate", "KiB", "phrases", "seconds", "longest", "loudness", "recognised", "nearest"
    )
    failed = False
    for path in paths:
        found = check.measure(path)
        for line in found.mistakes:
            err.print(line, style="red")
        failed = failed or bool(found.mistakes)
        recognised = nearest = "-"
        if hear:
            heard = _listening_test(path, found.lang)
            if heard.other:
                err.print(f"{path.name}: {heard.other} phrases are not those of today; not heard")
            if heard.asked:
                recognised = f"{heard.recognised} of {heard.asked}"
            nearest = f"{heard.nearest} of {heard.total}"
            for line in heard.missed:
                err.print(f"not understood: {line}", style="dim")
        table.add_row(
            path.name,
            f"{found.rate_hz // 1000} kHz",
            f"{found.n_bytes / 1024:.0f}",
            str(found.n_phrases),
            f"{found.seconds:.0f}",
            f"{found.longest_s:.1f} s",
            f"{found.loudness_lufs:.1f} ± {found.loudness_spread_db:.2f} LUFS",
            recognised,
            nearest,
        )
    out.print(table)
    if failed:
        raise typer.Exit(1)


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
    table = Table("board (--fit)", "", "KiB at 16 kHz", "s", "KiB at 8 kHz", "s")
    for key, plan in plans.PLANS.items():
        table.add_row(
            key,
            plan.name,
            f"{plan.pack_bytes(16000) / 1024:.0f}",
            f"{plan.seconds(16000):.0f}",
            f"{plan.pack_bytes(8000) / 1024:.0f}",
            f"{plan.seconds(8000):.0f}",
        )
    table.caption = (
        f"kept free: firmware {plans.FIRMWARE_BYTES // 1024} KiB and {plans.UPDATE_BYTES // 1024} "
        f"KiB for its next version, settings and log "
        f"{plans.SYSTEM_BYTES // 1024} KiB, {tuning.PLAYERS_MAX} names and nicknames of 3 s and a "
        f"House Rule of 10 s {plans.clips_bytes(16000) // 1024} KiB, or beside a voice at 8 kHz "
        f"{plans.clips_bytes(8000) // 1024}"
    )
    return table
