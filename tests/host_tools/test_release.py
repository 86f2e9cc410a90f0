"""`make release`: all is there or named, the same each time, and no file of others is lost."""

from __future__ import annotations

import hashlib
import re
import zipfile
from pathlib import Path

import pytest
from roboto.version import VERSION

from host_tools import release
from host_tools.image import PICO, SECTOR_BYTES, Layout, read_filesystem, read_uf2
from sim.emulated.install import small_pack
from tests.conftest import need

from .test_image import a_stock_uf2

LARGE = Layout(0x100000, (4 << 20) // SECTOR_BYTES - 256)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> Path:
    """Stock images of two of the four sizes, something that is none, and two voices."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "a.uf2").write_bytes(a_stock_uf2(PICO))
    (folder / "b.uf2").write_bytes(a_stock_uf2(LARGE))
    (folder / "c.uf2").write_bytes(b"no firmware")
    (folder / "leaflet-es.html").write_text("what make print made", "utf-8")
    for lang in ("es", "en"):
        (folder / f"{lang}.pack").write_bytes(small_pack(lang, 20))
    return folder


def _make(output: Path, given: Path, capsys, *more: str) -> tuple[int, list[str], list[str]]:
    """(exit status, what was told, what was complained about), line by line."""
    paper = ["--paper", str(given)] if "--paper" not in more else []
    words = ["-o", str(output), "--micropython", str(given), "--packs", str(given), *paper, *more]
    status = release.main(words)
    told = capsys.readouterr()
    return status, told.out.splitlines(), told.err.splitlines()


SOME = (
    "--lang",
    "es",
    "--lang",
    "en",
    "--board",
    "pico",
    "--board",
    "pico16m",
    "--board",
    "pico4m",
)


def test_all_of_it_is_there_or_named_and_the_same_each_time(tmp_path, given, capsys) -> None:
    need("pip", "make .venv/bin/.test")
    need("setuptools", "pip install -r requirements-test.lock")
    one, two = tmp_path / "one", tmp_path / "two"
    status, told, complaints = _make(one, given, capsys, *SOME)
    assert (status, complaints) == (0, [])
    assert _make(two, given, capsys, *SOME)[0] == 0
    names = sorted(path.name for path in one.iterdir())
    here = f"roboto-{VERSION}"
    assert names == sorted(
        ["NOTES.md", "SHA256SUMS", "es.pack", "en.pack", f"{here}-py3-none-any.whl"]
        + [f"{here}-{kind}.zip" for kind in ("fabrication", "paper", "prints")]
        + [f"{here}-{lang}-{board}.uf2" for lang in ("es", "en") for board in ("pico", "pico4m")]
    )
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    for line in (one / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((one / name).read_bytes()).hexdigest() == digest
    assert len((one / "SHA256SUMS").read_text().splitlines()) == len(names) - 1
    missing = [line for line in told if line.startswith("not built: ")]
    assert len(missing) == 2 and "c.uf2" in missing[0]
    assert f"{here}-es-pico16m.uf2" in missing[1] and f"{here}-en-pico16m.uf2" in missing[1]
    notes = (one / "NOTES.md").read_text(encoding="utf-8")
    assert f"# Roboto {VERSION}" in notes
    assert release.section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION) in notes
    assert all(line.removeprefix("not built: ") in notes for line in missing)


def test_without_a_browser_paper_is_html_alone(tmp_path, given, monkeypatch, capsys) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "no browser"))
    output = tmp_path / "dist"
    words = ["-o", str(output), "--micropython", str(given), "--packs", str(given)]
    status = release.main([*words, "--lang", "en", "--board", "pico16m"])
    told = capsys.readouterr().out
    assert status == 0 and "CHROMIUM" in told and "in en as PDF" in told
    with zipfile.ZipFile(output / f"roboto-{VERSION}-paper.zip") as archive:
        names = [Path(name).name for name in archive.namelist()]
    assert names == ["house-rules-en.html", "leaflet-en.html", "stickers-en.html"]


def test_an_image_speaks_its_language(tmp_path, given, capsys) -> None:
    _make(tmp_path / "dist", given, capsys, "--lang", "en", "--board", "pico")
    image = tmp_path / "dist" / f"roboto-{VERSION}-en-pico.uf2"
    sectors = read_uf2(image.read_bytes())
    first, erased = PICO.start_byte // SECTOR_BYTES, b"\xff" * SECTOR_BYTES
    data = b"".join(sectors.get(first + i, erased) for i in range(PICO.n_blocks))
    files = read_filesystem(data, PICO)
    assert files["voice/en.pack"] == (given / "en.pack").read_bytes()


def test_the_archives_hold_what_was_generated(tmp_path, given, capsys) -> None:
    _make(tmp_path / "dist", given, capsys, "--lang", "en", "--board", "pico16m")
    for kind, source in (("fabrication", "hardware/pcb"), ("prints", "hardware/body/print")):
        with zipfile.ZipFile(tmp_path / "dist" / f"roboto-{VERSION}-{kind}.zip") as archive:
            for name in archive.namelist():
                file = ROOT / source / Path(name).name
                file = file if file.exists() else ROOT / "hardware" / Path(name).name
                assert archive.read(name) == file.read_bytes()
            assert len(archive.namelist()) >= 5
            assert all(entry.date_time[0] == 1980 for entry in archive.infolist())


def test_a_release_takes_the_place_of_an_earlier_one(tmp_path, given, capsys) -> None:
    output = tmp_path / "dist"
    _make(output, given, capsys, "--lang", "en", "--board", "pico")
    assert _make(output, given, capsys, "--lang", "es", "--board", "pico16m")[0] == 0
    names = {path.name for path in output.iterdir()}
    assert "es.pack" in names and not {name for name in names if "en" in name.split("-")}
    assert "en.pack" not in names


@pytest.mark.parametrize("name", ["letters.txt", "SHA256SUMS", ".git", "es.pack"])
def test_a_folder_of_somebody_elses_is_left_alone(tmp_path, given, capsys, name: str) -> None:
    output = tmp_path / "mine"
    output.mkdir()
    (output / name).write_text("mine")
    status, _, complaints = _make(output, given, capsys, "--lang", "en", "--board", "pico16m")
    assert status == 2 and len(complaints) == 1 and str(output) in complaints[0]
    assert all(path.read_text() == "mine" for path in output.iterdir())


@pytest.mark.parametrize("line", ["../letter.txt", "/letter.txt", "sub/letter.txt"])
def test_a_list_of_sums_cannot_reach_out_of_its_folder(tmp_path, given, capsys, line) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    output = tmp_path / "dist"
    output.mkdir()
    (output / "SHA256SUMS").write_text("0" * 64 + f"  {line}\n")
    assert _make(output, given, capsys, "--lang", "en", "--board", "pico16m")[0] == 2
    assert (tmp_path / "letter.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--lang", "xx"], "no language xx: there are "),
        (["--board", "toaster"], "no board toaster: there are pico, "),
        (["--micropython", "nowhere"], "nowhere: no such folder"),
        (["--fly"], "unrecognized arguments: --fly"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(tmp_path, given, capsys, words, what) -> None:
    try:
        status, _, complaints = _make(tmp_path / "dist", given, capsys, *words)
    except SystemExit as ended:
        status, complaints = ended.code, capsys.readouterr().err.splitlines()
    assert status == 2 and len(complaints) == 1 and what in complaints[0]
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize("version", ["0.2.0", "1.0.0"])
def test_the_notes_are_the_section_of_this_version(version: str) -> None:
    changelog = (
        "# Changelog\n\n## [Unreleased]\n\nsoon\n\n## [1.0.0] - 2027-01-01\n\n### Added\n- 1.0.0"
        " it\n\n## [0.2.0]\n- 0.2.0 it\n\n[1.0.0]: https://example.org\n"
    )
    found = release.section(changelog, version)
    assert f"{version} it" in found and "soon" not in found and "example" not in found
    assert len(re.findall(" it", found)) == 1
    assert release.section(changelog, "0.2.1") == release.section(changelog, "0.2") == ""


def test_the_changelog_has_this_version() -> None:
    assert release.section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION)
