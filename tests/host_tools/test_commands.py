"""What a newcomer can get wrong with `roboto`: one line that says what to do, exit status 2."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import io
import os
import socket
import struct
import sys
import threading
import urllib.error
import urllib.request
import wave
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from host_tools import cli
from host_tools.maker import board as boards
from host_tools.maker import stock
from sim.emulated.install import small_pack

from .fake_repl import PICO, FakeRepl
from .test_clips_wav import tone_wav
from .test_image import a_stock_uf2

COMMANDS = {
    "flash": ["flash", "--pack", "es.pack"],
    "clips list": ["clips", "list"],
    "clips pull": ["clips", "pull", "party"],
    "clips push": ["clips", "push", "player-1-name.wav"],
    "clips play": ["clips", "play", "house-rule.wav"],
    "clips wipe": ["clips", "wipe", "--yes"],
    "backup": ["clips", "pull", "--backup", "robot.zip"],
    "doctor": ["doctor", "--no-ask"],
    "log": ["log"],
    "log --follow": ["log", "--follow"],
    "set": ["set"],
    "set volume": ["set", "volume", "3"],
    "console": ["console"],
}


@pytest.fixture(autouse=True)
def at_a_desk(tmp_path: Path, monkeypatch) -> None:
    """A folder with what the commands are given; nobody waits long."""
    (tmp_path / "es.pack").write_bytes(small_pack("es", 20))
    (tmp_path / "player-1-name.wav").write_bytes(tone_wav())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(boards, "PATIENCE", 0.05)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def run(monkeypatch, capsys, *arguments: str) -> tuple[int, str, str]:
    """(exit status, what it printed, what it complained about)."""
    monkeypatch.setattr(sys, "argv", ["roboto", *arguments])
    status = 0
    try:
        cli.main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return status, *capsys.readouterr()


@pytest.fixture
def fails(monkeypatch, capsys) -> Callable[..., str]:
    """Runs a command that must fail, and returns its one line."""

    def failing(*arguments: str) -> str:
        status, _, error = run(monkeypatch, capsys, *arguments)
        assert status == 2, error
        assert error.startswith("roboto: ") and error.count("\n") == 1, error
        assert error[:-1].isprintable(), ascii(error)
        return error

    return failing


# ---- boards


@pytest.mark.parametrize("command", COMMANDS)
def test_no_board(command: str, fails, monkeypatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: [])
    assert "no board found" in fails(*COMMANDS[command])
    assert "no board at" in fails(*COMMANDS[command], "--port", "/dev/ttyNOTHING")


@pytest.mark.parametrize("port", ["socket://127.0.0.1:9", "socket://nowhere", "COM", "foo://bar"])
def test_a_port_that_is_none(port: str, fails) -> None:
    assert "no board at" in fails("set", "--port", port)


@contextlib.contextmanager
def terminal() -> Iterator[str]:
    """A serial port on which nobody answers."""
    ours, theirs = os.openpty()
    try:
        yield os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


needs_pty = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals")


@needs_pty
@pytest.mark.parametrize("command", COMMANDS)
def test_a_port_in_use(command: str, fails) -> None:
    with terminal() as port:
        owner = boards.open_port(port)
        assert "is in use: close" in fails(*COMMANDS[command], "--port", port)
        owner.close()


@needs_pty
def test_something_that_does_not_answer(fails) -> None:
    with terminal() as port:
        line = fails("set", "--port", port)
    assert "does not answer as a MicroPython board" in line and "red button" in line


@needs_pty
def test_a_robot_that_is_no_robot_to_the_console(fails) -> None:
    with terminal() as port:
        assert "the robot does not answer" in fails("console", "--port", port)
        assert "the robot does not answer" in fails("log", "-f", "--port", port)


WRONG = {
    "esp32|1.28.0|24a1|Generic ESP32 module with ESP32": "not a board with an RP2040",
    "rp2|1.28.0|e661|Raspberry Pi Pico 2 with RP2350": "not a board with an RP2040",
    "rp2|1.28.0|e661|Raspberry Pi Pico W with RP2040": "its radio has the pins",
    "rp2|1.24.1|e661|Raspberry Pi Pico with RP2040": "too old: put 1.25 or newer",
    "hello": "not MicroPython for the RP2040",
}


@pytest.fixture
def answering(monkeypatch) -> Iterator[Callable]:
    """A board that answers so; its port."""
    monkeypatch.setattr(boards, "PATIENCE", 1.0)
    running: list[FakeRepl] = []

    def starts(answer: Callable[[str], str | Exception | None]) -> str:
        running.append(FakeRepl(answer))
        return running[-1].port

    yield starts
    for repl in running:
        repl.close()


@pytest.mark.parametrize("identity", WRONG)
def test_the_wrong_board(identity: str, fails, answering) -> None:
    asked: list[str] = []

    def answer(code: str) -> str:
        asked.append(code)
        return identity

    for command in ("flash", "doctor", "clips list"):
        assert WRONG[identity] in fails(*COMMANDS[command], "--port", answering(answer))
    assert not any("mem32" in code for code in asked), "it pokes at a board it does not know"


def test_circuitpython(fails, answering) -> None:
    port = answering(lambda code: ImportError("ImportError: no module named 'machine'"))
    assert "not MicroPython for the RP2040" in fails("set", "--port", port)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("log --follow", "console")])
def test_unplugged_half_way(command: str, fails, answering) -> None:
    port = answering(lambda code: PICO if "sys.platform" in code else None)
    line = fails(*COMMANDS[command], "--port", port)
    assert "went away" in line and "plug it in again" in line


def test_a_fault_on_the_board_is_one_line(fails, answering) -> None:
    def answer(code: str) -> str | Exception:
        if "sys.platform" in code:
            return PICO
        return OSError("OSError: [Errno 5] EIO") if "tree(" in code else ""

    line = fails("clips", "list", "--port", answering(answer))
    assert "failed on the board: its flash cannot be read" in line and "[Errno" not in line


# ---- what the commands are given


def wav(channels: int = 1, width: int = 2, rate_hz: int = 16000, frames: bytes = b"") -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, width, rate_hz, 0, "NONE", ""))
        out.writeframes(frames)
    return file.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return file.getvalue()


def damaged(data: bytes, at: int) -> bytes:
    return data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + 40]) + data[at + 40 :]


BAD_WAVS = {
    "empty": (b"", "not a WAV file that can be read"),
    "text": (b"this is a song", "not a WAV file that can be read"),
    "no sound": (wav(), "nothing but silence"),
    "too short": (wav(frames=struct.pack("<2h", 20_000, -20_000) * 800), "less than 0.3 s"),
    "silence": (wav(frames=bytes(40_000)), "nothing but silence"),
    "8 bit, silence": (wav(width=1, frames=bytes(9000)), "nothing but silence"),
    "24 bit, silence": (wav(width=3, frames=bytes(9000)), "nothing but silence"),
    "slow": (wav(rate_hz=10, frames=bytes(9000)), "10 samples a second"),
    "float": (
        wav(frames=bytes(90))[:20] + struct.pack("<H", 3) + wav(frames=bytes(90))[22:],
        "not a WAV file that can be read",
    ),
    "cut in its header": (tone_wav()[:30], "not a WAV file that can be read"),
}


@pytest.mark.parametrize("kind", BAD_WAVS)
def test_a_wav_that_cannot_be_pushed(kind: str, fails, tmp_path: Path) -> None:
    data, why = BAD_WAVS[kind]
    (tmp_path / "house-rule.wav").write_bytes(data)
    line = fails("clips", "push", "house-rule.wav", "--port", "/dev/ttyNOTHING")
    assert why in line and "house-rule.wav" in line


@pytest.mark.parametrize("cut", [45, 101, 8001])
def test_a_wav_cut_in_its_sound_is_taken_or_refused(cut: int, fails, tmp_path: Path) -> None:
    (tmp_path / "house-rule.wav").write_bytes(tone_wav()[:cut])
    fails("clips", "push", "house-rule.wav", "--port", "/dev/ttyNOTHING")


def test_what_is_not_there_or_not_named_so(fails, tmp_path: Path) -> None:
    for name in ("ana.wav", "player-0-name.wav", "player-11-name.wav", "party"):
        assert "player-N-name.wav" in fails("clips", "push", name)
        assert "player-N-name.wav" in fails("clips", "play", name)
    assert "No such file" in fails("clips", "push", "player-2-name.wav")
    assert "No such file" in fails("clips", "push", "--restore", "gone.zip")
    (tmp_path / "house-rule.wav").mkdir()
    assert "folder" in fails("clips", "push", "house-rule.wav")
    assert "name WAV files" in fails("clips", "push")
    assert "not a voice pack" in fails("flash", "--pack", "player-1-name.wav", "-p", "/dev/x")


WHOLE = zipped({"main.py": b"m" * 3000, "voice/es.pack": bytes(range(256)) * 20})
BACKUPS = {
    "empty": b"",
    "text": b"a backup",
    "cut": WHOLE[: len(WHOLE) // 2],
    "damaged": damaged(WHOLE, 60),
    "damaged directory": damaged(WHOLE, len(WHOLE) - 60),
    "another zip": zipped({"holiday.jpg": b"x"}),
    "leads out": zipped({"main.py": b"", "../../etc/passwd": b"x"}),
    "leads to the root": zipped({"main.py": b"", "/voice/es.pack": b"x"}),
}


@pytest.mark.parametrize("kind", BACKUPS)
def test_a_backup_that_is_none(kind: str, fails, tmp_path: Path) -> None:
    (tmp_path / "robot.zip").write_bytes(BACKUPS[kind])
    line = fails("clips", "push", "--restore", "robot.zip", "--port", "/dev/ttyNOTHING")
    assert "robot.zip: not a backup of a robot" in line


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("volume", "9"), "volume is 9: it must be a number from 1 to 3"),
        (("volume", "loud"), "a number from 1 to 3"),
        (("volume", ""), "a number from 1 to 3"),
        (("volume", "²"), "a number from 1 to 3"),
        (("pace", "mad"), "calm or normal or wild"),
        (("keep_game", "maybe"), "on or off"),
        (("sleep_s", "5"), "20 to 3600"),
        (("language", "Español"), "language code"),
        (("colour", "red"), "no setting 'colour': there are language"),
    ],
)
def test_a_setting_that_may_not_be(arguments: tuple, line: str, fails) -> None:
    assert line in fails("set", *arguments, "--port", "/dev/ttyNOTHING")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--board", "arduino"), "no board arduino: there are pico"),
        (("--micropython", "gone.uf2"), "gone.uf2: No such file"),
        (("--micropython", "player-1-name.wav"), "not a"),
        (("--micropython", "stock.uf2", "--lang", "xx"), "no phrases for the language xx"),
        (("--micropython", "stock.uf2", "--pack", "gone.pack"), "gone.pack: No such file"),
        (("--micropython", "cut.uf2", "--pack", "es.pack"), "cut short"),
        (("--micropython", "old.uf2", "--pack", "es.pack"), "take 1.25 or newer"),
        (("--micropython", "stock.uf2", "--pack", "big/es.pack"), "do not fit"),
        (("--micropython", "stock.uf2", "--pack", "fr.pack"), "fr.pack: it speaks es"),
        (("--micropython", "stock.uf2", "--pack", "cut/es.pack"), "cut short"),
        (("--micropython", "stock.uf2", "--pack", "worn/es.pack"), "build it again"),
    ],
)
def test_an_image_that_cannot_be_made(arguments: tuple, line: str, fails, tmp_path: Path) -> None:
    uf2 = a_stock_uf2()
    (tmp_path / "stock.uf2").write_bytes(uf2)
    (tmp_path / "cut.uf2").write_bytes(uf2[:-512])
    (tmp_path / "old.uf2").write_bytes(uf2.replace(b"v1.29.0", b"v1.20.0"))
    pack = small_pack("es", 20)
    worn = bytearray(pack)
    worn[-9] ^= 4
    (tmp_path / "fr.pack").write_bytes(pack)
    for folder, data in (("big", small_pack("es", 1600)), ("cut", pack[:-900]), ("worn", worn)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "es.pack").write_bytes(data)
    assert line in fails("image", *arguments, "-o", "roboto.uf2")
    assert not (tmp_path / "roboto.uf2").exists()


@pytest.mark.parametrize(
    "arguments", [("fly",), ("clips", "fly"), ("flash", "--fly"), ("image",), ("set", "-1")]
)
def test_what_there_is_not(arguments: tuple, monkeypatch, capsys) -> None:
    status, _, error = run(monkeypatch, capsys, *arguments)
    assert status == 2 and "Traceback" not in error


@pytest.mark.parametrize(
    "arguments",
    [(), ("clips",), ("voice",), *((name.split()) for name in COMMANDS if "set " not in name)],
)
def test_help_everywhere(arguments: tuple, monkeypatch, capsys) -> None:
    if "backup" in arguments:
        arguments = ("clips", "push")
    words = [word for word in arguments if not word.startswith("-")]
    for flag in ("-h", "--help"):
        status, text, error = run(monkeypatch, capsys, *words, flag)
        assert status == 0 and "Usage" in text and not error


# ---- the stock MicroPython


@pytest.fixture
def site(tmp_path: Path, monkeypatch) -> Iterator[SimpleNamespace]:
    """MicroPython's site: `files`, and how many bytes of the length it promises it sends."""
    offered = SimpleNamespace(files={}, sends=None, asked=[])

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            offered.asked.append(self.path)
            data = offered.files.get(self.path.lstrip("/"))
            if data is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: offered.sends])

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(stock, "SITE", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("ROBOTO_CACHE", str(tmp_path / "cache"))
    yield offered
    server.shutdown()
    server.server_close()


IMAGE = ("image", "--pack", "es.pack", "-o", "roboto.uf2")
FILE = stock.BOARDS["pico"].file


def known(monkeypatch, data: bytes) -> None:
    """Lets these bytes be the stock MicroPython whose SHA-256 is known."""
    release = stock.Release(FILE, hashlib.sha256(data).hexdigest())
    monkeypatch.setitem(stock.BOARDS, "pico", release)


def test_a_download_is_kept_and_compared(site, monkeypatch, capsys, fails, tmp_path) -> None:
    site.files[FILE] = a_stock_uf2(family=0xE48BFF56)
    known(monkeypatch, site.files[FILE])
    small = {"main.py": b"", "boot.py": b""}
    monkeypatch.setattr("host_tools.maker.firmware.collect", lambda *_: dict(small))
    for _ in range(2):
        assert run(monkeypatch, capsys, *IMAGE)[0] == 0
    assert len(site.asked) == 1
    first = (tmp_path / "roboto.uf2").read_bytes()
    cached = tmp_path / "cache" / "micropython" / FILE
    cached.write_bytes(cached.read_bytes()[:-700])  # the disk was full
    assert run(monkeypatch, capsys, *IMAGE)[0] == 0
    assert len(site.asked) == 2 and (tmp_path / "roboto.uf2").read_bytes() == first
    cached.unlink()
    site.files[FILE] = a_stock_uf2().replace(b"v1.29.0", b"v1.29.1")
    line = fails(*IMAGE)
    assert "came with the SHA-256" in line and "--micropython FILE.uf2" in line
    assert not cached.exists()
    assert (tmp_path / "roboto.uf2").read_bytes() == first


def test_downloads_that_fail(site, fails, tmp_path: Path, monkeypatch) -> None:
    known(monkeypatch, a_stock_uf2())
    line = fails(*IMAGE)
    assert "the server answers 404" in line and "--micropython FILE.uf2" in line
    site.files[FILE] = a_stock_uf2()
    site.sends = 5000
    assert "it broke off after 5000 bytes" in fails(*IMAGE)
    site.sends = None
    site.files[FILE] = b"<html>Please log in to the hotel's network</html>"
    assert stock.BOARDS["pico"].sha256 in fails(*IMAGE)
    monkeypatch.setattr(stock, "SITE", "http://127.0.0.1:9/")
    line = fails(*IMAGE)
    assert "no internet?" in line and "--micropython FILE.uf2" in line
    assert "no internet? Connection refused)" in line
    for error in (OSError(5, "EIO"), TimeoutError("timed out"), socket.gaierror(-2, "unknown")):

        def broken(*_, error=error, **__):
            raise urllib.error.URLError(error)

        monkeypatch.setattr(urllib.request, "urlopen", broken)
        assert "Errno" not in fails(*IMAGE)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("board", [b for b, release in stock.BOARDS.items() if not release.sha256])
def test_what_has_no_known_sum_is_not_fetched_unless_one_is_stated(
    board: str, site, fails, monkeypatch, capsys
) -> None:
    image = ("image", "--board", board, "--pack", "es.pack", "-o", "roboto.uf2")
    line = fails(*image)
    assert "no SHA-256 is known" in line and "--micropython FILE.uf2" in line
    assert not site.asked
    site.files[stock.BOARDS[board].file] = data = a_stock_uf2()
    assert "64 hexadecimal digits" in fails(*image, "--sha256", "12")
    assert "came with the SHA-256" in fails(*image, "--sha256", "0" * 64)
    monkeypatch.setattr("host_tools.maker.firmware.collect", lambda *_: {"main.py": b""})
    stated = hashlib.sha256(data).hexdigest().upper()
    assert run(monkeypatch, capsys, *image, "--sha256", stated)[0] == 0


def test_stock_images_may_lie_in_a_folder(tmp_path: Path, fails, monkeypatch, capsys) -> None:
    folder = tmp_path / "stock"
    folder.mkdir()
    monkeypatch.setenv("MICROPYTHON", str(folder))
    assert f"no {FILE} in it" in fails(*IMAGE)
    (folder / "RPI_PICO-20250101-v1.28.0.uf2").write_bytes(a_stock_uf2())
    monkeypatch.setattr("host_tools.maker.firmware.collect", lambda *_: {"main.py": b""})
    assert run(monkeypatch, capsys, *IMAGE)[0] == 0
