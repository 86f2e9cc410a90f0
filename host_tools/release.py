"""A release: all that somebody needs who has no checkout, in one folder with its checksums.

    python -m host_tools.release [--micropython FOLDER] [--lang es …] [--board pico …] [-o dist]

One UF2 for each language and flash size, a voice pack for each language, what a board house and a
printer want, leaflets and cards on paper, the wheel, notes out of CHANGELOG.md, and SHA256SUMS.
The same sources, tools and stock images give the same bytes. What cannot be built is named, one
line each, here and in the notes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from host_tools.maker import stock
from host_tools.maker.errors import MakerError
from host_tools.places import ROOT, VERSION
from host_tools.voice import cache_dir, catalogue

SUMS = "SHA256SUMS"
NOTES = "NOTES.md"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the date of every file in an archive: the oldest a zip can tell
_EPOCH_S = 315532800
_WHEEL_ROOMS = ("firmware", "sim", "host_tools", "pyproject.toml", "README.md", "LICENSE")
# Archive -> what goes in, below the root of the checkout.
_ARCHIVES = {
    "fabrication": ("hardware/pcb", ("*.zip", "*.csv", "*.pdf"), "hardware/bom.csv"),
    "prints": ("hardware/body/print", ("*.3mf", "*.stl"), None),
}


class ReleaseError(Exception):
    """One line for a person: what is wrong, where, and what to do."""


class Release:
    """A release that is being put together in a folder, and what is missing from it."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self.folder = folder
        self.missing: list[str] = []
        self._tell = tell

    def file(self, name: str) -> Path:
        """Return the path of a file of the release."""
        return self.folder / name

    def lacks(self, line: str) -> None:
        """Note what could not be built, and why."""
        self.missing.append(line)
        self._tell(f"not built: {line}")

    def has(self, name: str) -> None:
        """Tell that a file is done."""
        self._tell(f"{name}: {self.file(name).stat().st_size / 1024:.0f} KB")


def make(
    output: Path,
    micropython: Path | None,
    langs: list[str],
    boards: list[str],
    packs: Path | None,
    paper: Path | None,
    tell: Callable[[str], None],
) -> Release:
    """Put a release together in `output`, which takes the place of an earlier one.

    micropython: a folder of stock images; None fetches them. packs: a folder of LANG.pack to take
    as they are. paper: a folder that `make print` made, to take as it is. Raises ReleaseError
    before anything is written, or when nothing can be built.
    """
    _check_output(output)
    if micropython is not None and not micropython.is_dir():
        raise ReleaseError(f"{micropython}: no such folder; --micropython wants one of UF2 files")
    for kind, wanted, known in (
        ("language", langs, catalogue.languages()),
        ("board", boards, tuple(stock.BOARDS)),
    ):
        for code in wanted:
            if code not in known:
                raise ReleaseError(f"no {kind} {code}: there are {', '.join(known)}")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".release-") as temporary:
        folder = Path(temporary) / "release"
        folder.mkdir()
        release = Release(folder, tell)
        _voices(release, langs, packs)
        _images(release, langs, boards, micropython, packs, Path(temporary) / "build")
        for name, (source, patterns, extra) in _ARCHIVES.items():
            _archive(release, name, ROOT / source, patterns, ROOT / extra if extra else None)
        _paper(release, langs, paper, Path(temporary) / "paper")
        _wheel(release, Path(temporary))
        _notes(release)
        sums = "".join(f"{_sha256(path)}  {path.name}\n" for path in sorted(folder.iterdir()))
        release.file(SUMS).write_text(sums, encoding="utf-8", newline="\n")
        _take_place(folder, output)
        release.folder = output
    return release


# ---- the folder


def _check_output(output: Path) -> None:
    """Refuse a folder with anything in it that no release has put there."""
    if not output.exists():
        return
    if not output.is_dir() or output.is_symlink():
        raise ReleaseError(f"{output}: not a folder; -o wants a new one, or an earlier release")
    strange = {path.name for path in output.iterdir()} - _listed(output)
    if strange:
        raise ReleaseError(
            f"{output}: holds {min(strange)}, which no release put there: take another folder"
        )


def _listed(output: Path) -> set[str]:
    """Return the names of the files that an earlier release left in its folder."""
    try:
        lines = (output / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    if not all(re.fullmatch(r"[0-9a-f]{64}  [^/\\]+", line) for line in lines):
        return set()  # a list of somebody else's
    return {SUMS, *(line[66:] for line in lines)}


def _take_place(folder: Path, output: Path) -> None:
    """Move the new files into the folder, and the earlier release's out of it."""
    output.mkdir(exist_ok=True)
    for name in _listed(output):
        (output / name).unlink(missing_ok=True)
    for path in sorted(folder.iterdir()):
        path.replace(output / path.name)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- its parts


def _roboto(*words: str, build: Path | None = None) -> str:
    """Run a command of `roboto`, as anybody would; return why it failed, "" when it did not."""
    return _run("host_tools", *words, build=build)


def _run(module: str, *words: str, build: Path | None = None) -> str:
    """Run a module with a command line; return why it failed, "" when it did not.

    build: what it builds goes there, and what lies in the user's own folders stays out of it.
    """
    environment = dict(os.environ)
    if build is not None:
        environment |= {"ROBOTO_BUILD": str(build), "ROBOTO_CACHE": str(cache_dir())}
    done = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return (
        lines[-1].removeprefix("roboto: ").removeprefix("python -m sim: ")
        if lines
        else f"exit status {done.returncode}"
    )


def _voices(release: Release, langs: list[str], packs: Path | None) -> None:
    for lang in langs:
        name = f"{lang}.pack"
        if packs is not None:
            if (packs / name).is_file():
                shutil.copyfile(packs / name, release.file(name))
                wrong = ""
            else:
                wrong = f"{packs} has none"
        else:
            with tempfile.TemporaryDirectory(dir=release.folder.parent) as folder:
                wrong = _roboto("voice", "build", "--lang", lang, "-o", folder)
                if not wrong:
                    (Path(folder) / name).replace(release.file(name))
        if wrong:
            release.lacks(f"{name}: {wrong}")
        else:
            release.has(name)


def _images(
    release: Release,
    langs: list[str],
    boards: list[str],
    micropython: Path | None,
    packs: Path | None,
    build: Path,
) -> None:
    given = None if micropython is None else _stock_images(release, micropython)
    for board in boards:
        names = ", ".join(f"{_image_name(lang, board)}" for lang in langs)
        try:
            base = stock.fetch(board) if given is None else given.get(board)
        except MakerError as error:
            release.lacks(f"{names}: {error}")
            continue
        if base is None:
            release.lacks(f"{names}: no stock image for {board} in {micropython}")
            continue
        for lang in langs:
            name = _image_name(lang, board)
            words = ["image", "--lang", lang, "--board", board, "--micropython", str(base)]
            if packs is not None:
                words += ["--pack", str(packs / f"{lang}.pack")]
            wrong = _roboto(*words, "-o", str(release.file(name)), build=build)
            if wrong:
                release.lacks(f"{name}: {wrong}")
            else:
                release.has(name)


def _image_name(lang: str, board: str) -> str:
    return f"roboto-{VERSION}-{lang}-{board}.uf2"


def _stock_images(release: Release, folder: Path) -> dict[str, Path]:
    """Return board -> its stock image in the folder, told by how much flash each is for."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.uf2")):
        try:
            layout = stock.load("", path).layout
        except MakerError as error:
            release.lacks(f"anything on {error}")
            continue
        megabytes = (layout.start_byte + layout.n_blocks * 4096 + 0xFFFFF) >> 20
        board = "pico" if megabytes <= 2 else f"pico{megabytes}m"
        if board in found:
            release.lacks(f"anything on {path}: {found[board].name} is for the same board")
        else:
            found[board] = path.resolve()
    return found


def _paper(release: Release, langs: list[str], made: Path | None, folder: Path) -> None:
    """Print leaflets, House Rule cards and stickers; without a browser they are HTML alone."""
    for lang in langs if made is None else []:
        words = ("sim", "print", "--lang", lang, "-o", str(folder))
        if wrong := _run(*words):
            release.lacks(f"leaflet, cards and stickers in {lang} as PDF: {wrong}")
            _run(*words, "--no-pdf")
    _archive(release, "paper", made or folder, ("*.html", "*.pdf"), None)


def _archive(
    release: Release, kind: str, source: Path, patterns: tuple[str, ...], extra: Path | None
) -> None:
    """Pack generated files into one archive, as they are."""
    name = f"roboto-{VERSION}-{kind}.zip"
    paths = [path for pattern in patterns for path in source.glob(pattern)]
    if not paths:
        how = "print" if kind == "paper" else "hardware"
        release.lacks(f"{name}: {source} has no {' '.join(patterns)}: run `make {how}`")
        return
    paths += [extra] if extra else []
    with zipfile.ZipFile(release.file(name), "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(paths):
            entry = zipfile.ZipInfo(f"roboto-{VERSION}-{kind}/{path.name}", _EPOCH)
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            entry.create_system = 3  # Unix, wherever it is made
            archive.writestr(entry, path.read_bytes())
    release.has(name)


def _wheel(release: Release, temporary: Path) -> None:
    """Build the wheel from a copy, so that neither its files' dates nor an earlier build tell."""
    source = temporary / "source"
    for path in _sources():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
        target.chmod(0o644)
    options = ("--no-deps", "--no-build-isolation", "-q", "-w", str(temporary))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(source)],
        env=os.environ | {"SOURCE_DATE_EPOCH": str(_EPOCH_S)},
        umask=0o022 if os.name == "posix" else -1,
        capture_output=True, text=True,
    )  # fmt: skip
    made = list(temporary.glob("*.whl"))
    if done.returncode or not made:
        why = "needs pip and setuptools: make .venv/bin/.test"
        release.lacks(f"roboto-{VERSION}-py3-none-any.whl: {why}")
        return
    made[0].replace(release.file(made[0].name))
    release.has(made[0].name)


def _sources() -> Iterator[Path]:
    for room in _WHEEL_ROOMS:
        paths = [ROOT / room] if (ROOT / room).is_file() else sorted((ROOT / room).rglob("*"))
        for path in paths:
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                yield path


def _notes(release: Release) -> None:
    """Write what the changelog says of this version, what is here, and what is missing."""
    changed = section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION)
    if not changed:
        release.lacks(f"the notes: CHANGELOG.md has no section [{VERSION}]")
    there = "".join(f"* `{path.name}`\n" for path in sorted(release.folder.iterdir()))
    text = f"# Roboto {VERSION}\n\n{changed}\n## Files\n\n{there}"
    if release.missing:
        text += "\n## Not in this release\n\n" + "".join(f"* {x}\n" for x in release.missing)
    release.file(NOTES).write_text(text, encoding="utf-8", newline="\n")


def section(changelog: str, version: str) -> str:
    """Return what a changelog says under `## [version]`, "" when it has no such section."""
    match = re.search(
        rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |^\[[^\]]+\]: |\Z)",
        changelog,
        re.MULTILINE | re.DOTALL,
    )
    return match[1].strip() + "\n" if match else ""


# ---- the command


class _Parser(argparse.ArgumentParser):
    """Errors are one line, and exit status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} ({self.prog} -h helps)\n")


def main(arguments: list[str] | None = None) -> int:
    """Carry out the command line, and return the exit status."""
    parser = _Parser(prog="python -m host_tools.release", description="Put a release together.")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="default: dist/")
    parser.add_argument(
        "--micropython", type=Path, metavar="FOLDER",
        help="stock UF2 files, told apart by what flash they are for (default: they are fetched)",
    )  # fmt: skip
    parser.add_argument("--lang", action="append", help="language (default: all; may be repeated)")
    parser.add_argument("--board", action="append", help="board (default: all; may be repeated)")
    parser.add_argument(
        "--packs", type=Path, metavar="FOLDER", help="take LANG.pack from here, build none"
    )
    parser.add_argument(
        "--paper", type=Path, metavar="FOLDER", help="take what `make print` made from here"
    )
    asked = parser.parse_args(arguments)
    if not (ROOT / "CHANGELOG.md").is_file():
        print(f"{parser.prog}: no CHANGELOG.md in {ROOT}: run it in a checkout", file=sys.stderr)
        return 2
    try:
        release = make(
            asked.output,
            asked.micropython,
            asked.lang or list(catalogue.languages()),
            asked.board or list(stock.BOARDS),
            asked.packs,
            asked.paper,
            lambda line: print(line, flush=True),
        )
    except (ReleaseError, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{parser.prog}: stopped", file=sys.stderr)
        return 130
    missing = f"; {len(release.missing)} not built, see {NOTES}" if release.missing else ""
    print(f"{asked.output}: release {VERSION}, {len(list(asked.output.iterdir()))} files{missing}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
