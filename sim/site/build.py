"""`make site`: the robot, leaflets and a release's files as a folder that any host can serve.

    python -m sim.site.build [--lang es …] [--packs FOLDER] [--micropython FOLDER]
                             [--release FOLDER] [-o build/site]

All addresses are relative. What pages need lies in a folder whose name has the sum of what is in
it, and voices have theirs in their names: so a browser may keep them for ever.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import html
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from host_tools.places import FIRMWARE, ROOT, VERSION, build_folder
from host_tools.voice import catalogue

from ..paper import leaflet
from ..paper.words import LANGUAGES
from ..web.captions import phrases_shown
from . import micropython

HERE = Path(__file__).parent
PAGE = ROOT / "sim" / "web" / "static"
# What of the simulator runs beside the page; tests/sim/test_layers.py holds it to little.
LAYER = (
    "__init__", "under_micropython", "costs", "deeds", "firmware", "flash", "live", "live_sound",
    "machine/__init__", "machine/chip", "machine/i2s", "machine/modules", "pace", "robot", "room",
    "site/__init__", "site/on_page", "trace", "unheard", "web/__init__", "web/captions",
)  # fmt: skip
# What of the firmware only a board, or a board's USB, has.
_ON_A_BOARD = {
    "console.py", "i2s_dma.py", "in_place.py", "relink.py", "selftest.py", "spi_bus.py",
    "spi_flash.py", "still.py", "thumb.py", "thumb_record.py", "viper.py", "w25q.py",
}  # fmt: skip
_SERVERS_OWN = {"link.js", "link-worker.js"}
_HALF_RATE = "8000"
BUDGET_BYTES = 1_500_000  # of a first visit, compressed
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'{style}; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


class SiteError(Exception):
    """One line for the user."""


def build(
    output: Path,
    languages: list[str],
    packs: Path | None,
    wasm: Path | None,
    release: Path | None = None,
    fit: int | None = None,
) -> dict[str, int]:
    """Build the site in `output`, in the place of an earlier one. Return what a first visit loads,
    compressed: part -> bytes. Raises SiteError, micropython.NoMicroPython."""
    if output.exists() and not (output / "service-worker.js").is_file() and any(output.iterdir()):
        raise SiteError(f"{output}: holds something that is no site: take another folder")
    source = micropython.folder(wasm)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent) as temporary:
        site = Path(temporary) / "site"
        site.mkdir()
        static = site / "static"
        _static(static, source)
        voices = _voices(site / "voice", languages, packs, fit)
        (static / "voices.json").write_text(json.dumps(voices), encoding="utf-8")
        named = f"static-{_sum(static)}"
        static.rename(site / named)
        _pages(site, named, release)
        _service_worker(site, named, voices)
        visit = _first_visit(site, named, voices)
        if output.exists():
            shutil.rmtree(output)
        site.rename(output)
    return visit


def _static(static: Path, wasm: Path) -> None:
    """Copy what the pages load: the page of `make sim`, its robot, and the interpreter."""
    static.mkdir()
    for folder, left_out in ((PAGE, {*_SERVERS_OWN, "index.html"}), (HERE / "static", set())):
        for path in sorted(folder.iterdir()):
            if path.name not in left_out and path.suffix not in (".html", ".webmanifest"):
                shutil.copyfile(path, static / path.name)
    (static / "service-worker.js").unlink()
    shutil.copyfile(ROOT / "docs" / "images" / "table.webp", static / "table.webp")
    for name in micropython.FILES:
        shutil.copyfile(wasm / name, static / name)
    robot = {"version": VERSION, "files": sources()}
    (static / "robot.json").write_text(json.dumps(robot), encoding="utf-8")
    captions = json.dumps(phrases_shown(), ensure_ascii=False)
    (static / "captions.json").write_text(captions, encoding="utf-8")


def sources() -> dict[str, str]:
    """Return path -> text of all that runs under MicroPython beside the page."""
    files = {
        f"firmware/{path.relative_to(FIRMWARE).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted((FIRMWARE / "roboto").rglob("*.py"))
        if path.name not in _ON_A_BOARD
    }
    for name in LAYER:
        files[f"sim/{name}.py"] = (ROOT / "sim" / f"{name}.py").read_text(encoding="utf-8")
    return files


def _voices(
    folder: Path, languages: list[str], packs: Path | None, fit: int | None
) -> dict[str, str]:
    """Build the voices, or take them from `packs`. Return language -> address, as from the static
    folder."""
    folder.mkdir()
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        for language in languages:
            source = packs or Path(temporary)
            if packs is None:
                _build_voice(language, source, fit)
            pack = source / f"{language}.pack"
            if not pack.is_file():
                raise SiteError(f"{packs}: has no {language}.pack")
            data = pack.read_bytes()
            name = f"{language}-{hashlib.sha256(data).hexdigest()[:12]}.pack"
            (folder / name).write_bytes(data)
            found[language] = f"../voice/{name}"
    return found


def _build_voice(language: str, folder: Path, fit: int | None) -> None:
    words = ["voice", "build", "--lang", language, "--rate", _HALF_RATE, "-o", str(folder)]
    words += ["--fit", str(fit)] if fit else []
    done = subprocess.run(
        [sys.executable, "-m", "host_tools", *words], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        raise SiteError(f"{language}.pack: {(done.stderr.splitlines() or ['not built'])[-1]}")


def _sum(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _pages(site: Path, named: str, release: Path | None) -> None:
    play = (PAGE / "index.html").read_text(encoding="utf-8")
    head = (
        '<link rel="manifest" href="manifest.webmanifest">\n'
        '<link rel="apple-touch-icon" href="static/icon-192.png">\n'
        '<meta name="theme-color" content="#f47b35">\n'
    )
    _page(site / "play.html", play.replace("</head>", f"{head}</head>"), named)
    landing = (HERE / "static" / "landing.html").read_text(encoding="utf-8")
    files = _files(site, release)
    _page(site / "index.html", landing.replace("{files}", files), named)
    licences = (HERE / "static" / "licences.html").read_text(encoding="utf-8")
    ours = html.escape((ROOT / "LICENSE").read_text(encoding="utf-8"))
    licences = licences.replace("{ours}", ours).replace("{micropython}", micropython.VERSION)
    _page(site / "licences.html", licences, named)
    digest = hashlib.sha256(leaflet.style().encode()).digest()
    style = f" 'sha256-{base64.b64encode(digest).decode()}'"
    for language in LANGUAGES:
        _page(site / f"leaflet-{language}.html", leaflet.web_page(language), named, style)
    manifest = (HERE / "static" / "manifest.webmanifest").read_text(encoding="utf-8")
    (site / "manifest.webmanifest").write_text(manifest.replace("static/", f"{named}/"))


def _page(path: Path, text: str, named: str, style: str = "") -> None:
    policy = _POLICY.format(style=style)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    assert '<meta charset="utf-8">' in text
    text = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{meta}', 1)
    path.write_text(text.replace('"static/', f'"{named}/'), encoding="utf-8")


def _files(site: Path, release: Path | None) -> str:
    """Put the books, and the files of a release when there is one, into files/. Return them as
    links."""
    folder = site / "files"
    folder.mkdir()
    for name in ("build.md", "build.es.md", "safety.md", "playing.md"):
        shutil.copyfile(ROOT / "docs" / name, folder / name)
    for path in sorted(release.iterdir()) if release else []:
        shutil.copyfile(path, folder / path.name)
    return "\n".join(
        f'<li><a href="files/{html.escape(path.name)}">{html.escape(path.name)}</a></li>'
        for path in sorted(folder.iterdir())
    )


def _service_worker(site: Path, named: str, voices: dict[str, str]) -> None:
    """Name in it all that is kept at the first visit; a voice is kept when it has been chosen."""
    kept = ["./", "play.html", "manifest.webmanifest"]
    kept += [f"leaflet-{language}.html" for language in LANGUAGES] + ["licences.html"]
    kept += sorted(f"{named}/{path.name}" for path in (site / named).iterdir())
    known = [address.removeprefix("../") for address in voices.values()]
    pages = "".join((site / name).read_text(encoding="utf-8") for name in kept[1:3])
    name = f"{named}-{hashlib.sha256(pages.encode()).hexdigest()[:8]}"
    text = (HERE / "static" / "service-worker.js").read_text(encoding="utf-8")
    head = f"const NAME = {json.dumps(name)};\nconst FILES = {json.dumps(kept)};\n"
    head += f"const VOICES = {json.dumps(known)};\n"
    (site / "service-worker.js").write_text(head + text, encoding="utf-8")


def _first_visit(site: Path, named: str, voices: dict[str, str]) -> dict[str, int]:
    static = site / named
    parts = {
        "MicroPython": [static / name for name in micropython.FILES],
        "robot": [static / "robot.json", static / "captions.json"],
        "page": [site / "play.html"]
        + [p for p in static.iterdir() if p.suffix in (".js", ".css", ".svg", ".webmanifest")],
        "the largest voice": [
            max((site / "voice").iterdir(), key=lambda path: path.stat().st_size)
        ],
    }
    return {
        part: sum(len(gzip.compress(path.read_bytes(), 9)) for path in paths)
        for part, paths in parts.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Carry out the command line, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sim.site.build", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="default: build/site/")
    parser.add_argument("--lang", action="append", help="language of a voice (default: all)")
    parser.add_argument("--packs", type=Path, help="take LANG.pack from here, build none")
    parser.add_argument(
        "--fit",
        type=int,
        metavar="BYTES",
        help="voices of at most so many bytes each, with fewer commands: 1130000 for a first "
        "visit of 1.5 MB",
    )
    parser.add_argument("--micropython", type=Path, help="a folder with its two files")
    parser.add_argument("--release", type=Path, help="what `make release` made, to be offered")
    asked = parser.parse_args(arguments)
    output = asked.output or build_folder() / "site"
    languages = asked.lang or list(LANGUAGES)
    try:
        for language in languages:
            if language not in catalogue.languages():
                raise SiteError(f"--lang {language}: there are {', '.join(catalogue.languages())}")
        visit = build(output, languages, asked.packs, asked.micropython, asked.release, asked.fit)
    except (SiteError, micropython.NoMicroPython, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    for part, n_bytes in visit.items():
        print(f"{part:20} {n_bytes / 1000:7.0f} KB")
    total = sum(visit.values())
    print(
        f"{'a first visit':20} {total / 1000:7.0f} KB compressed, at most {BUDGET_BYTES // 1000}"
    )
    print(f"{output}: try it with  python3 -m http.server --directory {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
