"""What `pipx install .` puts on a computer: all that runs, none of it in need of the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from roboto.version import VERSION

from host_tools.maker.device_files import SETTINGS
from host_tools.voice import cache_dir, ensure_pack
from tests.conftest import need
from tests.host_tools.test_image import a_stock_uf2

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("firmware", "sim", "host_tools")


def _tracked(*rooms: str) -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *rooms],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, so that nothing of an earlier build comes in."""
    need("pip", "make .venv/bin/.test")
    need("setuptools", "pip install -r requirements-test.lock")
    folder = tmp_path_factory.mktemp("wheel")
    for name in _tracked(*ROOMS, "pyproject.toml", "README.md", "LICENSE"):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / "source" / name)
    options = ("--no-deps", "--no-build-isolation", "--no-index", "-q", "-w", str(folder))
    command = [sys.executable, "-m", "pip", "wheel", *options, str(folder / "source")]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    assert made.name.startswith(f"roboto-{VERSION}-py3-none-any")
    return made


class Installed:
    """A computer with the wheel and what it depends on, and nothing else of ours."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder / "venv", with_pip=False)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = programs / ("python.exe" if os.name == "nt" else "python")
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        packages = subprocess.check_output([python, "-c", where], text=True).strip()
        # What is installed here serves as the dependencies. Its own .pth files do not count there.
        there = Path(packages) / "dependencies.pth"
        there.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
        subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
        self.command = str(programs / "roboto")
        self.packages = Path(packages)
        self.desk = folder / "desk"
        self.desk.mkdir()
        cache = folder / "cache" / "roboto" / "voice"
        cache.mkdir(parents=True)
        for lang in ("es", "en"):
            ensure_pack(lang)
            for kind in ("pack", "stamp"):
                shutil.copy(cache_dir() / f"{lang}.{kind}", cache)
        gone = ("PYTHONPATH", "ROBOTO_CACHE")
        self.environment = {k: v for k, v in os.environ.items() if k not in gone}
        self.environment |= {"XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder)}
        self.cache = cache

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *map(str, arguments)],
            cwd=self.desk, env=self.environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


def test_every_file_of_what_runs_comes_along_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if ".dist-info/" not in name]
    assert sorted(names) == sorted(_tracked(*ROOMS))


def test_it_says_what_it_is(installed: Installed) -> None:
    assert installed.run("--version").stdout == f"roboto {VERSION}\n"
    shown = installed.run("-h").stdout
    for command in ("flash", "doctor", "voice", "sim", "play"):
        assert f" {command} " in shown


def test_a_party_is_the_same_as_in_the_checkout(installed: Installed) -> None:
    party = installed.packages / "sim" / "demo" / "party.toml"
    done = installed.run("sim", "run", party, "--trace", "here.jsonl")
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "sim", "run", "sim/demo/party.toml", "--trace", "-"]
    here = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (installed.desk / "here.jsonl").read_text(encoding="utf-8") == here.stdout
    assert sorted(path.name for path in installed.desk.iterdir()) == ["here.jsonl"]


def test_the_page_is_served(installed: Installed) -> None:
    command = [installed.command, "play", "--no-open"]
    with subprocess.Popen(
        command, cwd=installed.desk, env=installed.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = line.split("at ")[1].split("#")[0]
            for page in ("", "static/main.js", "static/style.css"):
                with urllib.request.urlopen(address + page, timeout=10) as answer:
                    assert answer.status == 200 and len(answer.read()) > 1000
        finally:
            process.terminate()


def test_an_image_is_made_with_the_same_firmware(installed: Installed) -> None:
    from host_tools.image import PICO, SECTOR_BYTES, read_filesystem, read_uf2
    from host_tools.maker import firmware

    (installed.desk / "stock.uf2").write_bytes(a_stock_uf2(PICO))
    from sim.emulated.install import small_pack

    (installed.desk / "es.pack").write_bytes(small_pack("es", 20))
    done = installed.run(
        "image", "--micropython", "stock.uf2", "--pack", "es.pack", "-o", "out.uf2"
    )
    assert done.returncode == 0, done.stderr
    sectors = read_uf2((installed.desk / "out.uf2").read_bytes())
    first, erased = PICO.start_byte // SECTOR_BYTES, b"\xff" * SECTOR_BYTES
    data = b"".join(sectors.get(first + i, erased) for i in range(PICO.n_blocks))
    files = read_filesystem(data, PICO)
    assert files.keys() == firmware.collect().keys() | {"voice/es.pack", SETTINGS}
    assert all(files[name] == data for name, data in firmware.collect().items())


def test_voices_are_built_into_the_users_cache(installed: Installed) -> None:
    assert installed.run("voice", "check").returncode == 0
    done = installed.run("voice", "build", "-h")
    assert done.returncode == 0 and "packs" in done.stdout
    assert not (installed.packages / "build").exists()
