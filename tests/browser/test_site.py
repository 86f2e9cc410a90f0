"""The robot as static files: played in Chromium, replayed by `sim run`, without a server."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest

from host_tools.voice import ensure_pack
from sim.site import build, micropython
from tests.conftest import need

from . import tools

_PATIENCE_MS = 60_000
_SEED = 3


class _Host:
    """A static host, with the site in a subfolder."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*command, "--directory", str(folder)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout
        port = self._process.stdout.readline().split("port ")[1].split()[0]
        self.host = f"127.0.0.1:{port}"

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        wasm = micropython.folder()
    except micropython.NoMicroPython as error:
        need("the browser's MicroPython", str(error), found="")
        raise
    folder = tmp_path_factory.mktemp("host")
    build.build(folder / "sub" / "site", ["es"], ensure_pack("es").parent, wasm)
    return folder


@pytest.fixture
def host(site: Path) -> Iterator[_Host]:
    host = _Host(site)
    yield host
    host.stop()


@pytest.fixture
def visit(browser: Any, host: _Host) -> Iterator[Callable[..., Any]]:
    """visit(query, script): a page of the site; all pages of a test share their storage."""
    context = browser.new_context(locale="es-ES")
    asked: list[str] = []
    errors: list[str] = []
    context.on("request", lambda request: asked.append(request.url))

    def open_it(
        query: str = "",
        script: str = "",
        greeted: bool = True,
        prepare: Callable[[Any], None] = lambda page: None,
    ) -> Any:
        page = context.new_page()
        prepare(page)
        page.set_default_timeout(_PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(f"http://{host.host}/sub/site/play.html?seed={_SEED}{query}")
        if greeted:
            page.wait_for_function("() => document.documentElement.dataset.greeted")
        return page

    yield open_it
    context.close()
    assert not errors
    elsewhere = {url for url in asked if urlsplit(url).netloc != host.host}
    assert {url for url in elsewhere if urlsplit(url).scheme in ("http", "https")} == set()


def _kept(page: Any, what: str) -> bytes:
    return bytes(page.evaluate(f"async () => Array.from(await roboto.link.kept('{what}'))"))


def _timeline(page: Any, kind: str, count: int = 1) -> None:
    page.wait_for_function(
        "([kind, count]) => document.querySelectorAll(`#timeline .is-${kind}`).length >= count",
        arg=[kind, count],
    )


def test_a_game_in_the_page_is_the_same_in_the_simulator(visit: Any, tmp_path: Path) -> None:
    page = visit("&fresh")
    tools.switch_on(page)
    _timeline(page, "say")
    for count, name in enumerate(("lucia", "hugo"), 1):
        tools.drop_wav(page, (tools.DEMO / f"{name}.wav").read_bytes())
        _timeline(page, "record", count)
        page.wait_for_timeout(3000)
    tools.press(page, "plate")
    tools.wait_for_state(page, "house_rule", _PATIENCE_MS / 1000)
    page.locator("#gentle").check()
    page.wait_for_timeout(2000)
    for _ in range(10):  # on a busy machine two presses may be one
        tools.press(page, "plate")
        page.wait_for_timeout(3000)
        if page.evaluate("document.body.dataset.state") == "play":
            break
    for _ in range(6):
        tools.press(page, "plate")
        page.wait_for_timeout(1700)
    page.locator("input[value=off]").check(force=True)
    tools.wait_for_state(page, "off")
    archive = zipfile.ZipFile(io.BytesIO(_kept(page, "scenario")))
    assert archive.testzip() is None
    archive.extractall(tmp_path)
    played = [json.loads(line) for line in _kept(page, "trace").splitlines()]
    sound = _kept(page, "sound")
    _replay(tmp_path, tmp_path / "session" / "session.toml")
    replayed = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert replayed[: len(played)] == played
    assert {"say", "record", "press", "set", "tone"} <= {event["event"] for event in played}
    heard = (tmp_path / "sound.wav").read_bytes()
    n = min(len(heard), len(sound))
    assert heard[44:n] == sound[44:n] and any(sound[44:n])
    assert n > played[-1]["t"] * 2 * tools.RATE_HZ // 1000


def _replay(folder: Path, scenario: Path) -> None:
    command = [
        sys.executable, "-m", "sim", "run", str(scenario), "--lang", "es",
        f"--trace={folder / 'trace.jsonl'}", f"--wav={folder / 'sound.wav'}",
    ]  # fmt: skip
    subprocess.run(command, cwd=tools.ROOT, check=True, stderr=subprocess.DEVNULL)


def test_the_robot_hears_the_microphone(visit: Any) -> None:
    page = visit("&fresh")
    tools.switch_on(page)
    tools.wait_for_state(page, "names", _PATIENCE_MS / 1000)
    page.wait_for_timeout(8000)
    tools.say_name(page, "lucia")
    page.wait_for_selector("#names input")
    archive = zipfile.ZipFile(io.BytesIO(_kept(page, "scenario")))
    takes = [name for name in archive.namelist() if name.endswith(".wav")]
    heard = np.frombuffer(archive.read(takes[-1])[44:], "<i2")
    assert tools.likeness(tools.wav(tools.DEMO / "lucia.wav"), heard) > 0.7


def test_offline_after_one_visit(visit: Any, host: _Host) -> None:
    page = visit()
    page.wait_for_function("() => roboto.link.offline")
    host.stop()
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.greeted")
    tools.switch_on(page)
    page.wait_for_function("() => roboto.speaker.played > 8000")


def test_the_flash_outlives_the_page_and_a_second_page_has_its_own(visit: Any) -> None:
    page = visit()
    tools.switch_on(page)
    _timeline(page, "say")
    page.locator("#gentle").check()
    while page.evaluate("async () => (await roboto.link.figures()).virtual_ms") < 20_000:
        page.wait_for_timeout(1000)  # it is saved when all is quiet
    second = visit()
    assert "otro robot" in second.locator("#beside").inner_text()
    second.close()
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.greeted")
    assert "Recuerda" in page.locator("#beside").inner_text()
    tools.switch_on(page)
    page.wait_for_function("() => document.getElementById('gentle').checked")


_FORBIDDEN = """
for (const name of ["localStorage", "indexedDB", "caches"]) if (name in self)
  Object.defineProperty(self, name, { get() { throw new Error("forbidden"); } });
"""


def test_a_browser_that_keeps_nothing_plays_and_says_so(visit: Any) -> None:
    def forbid(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=_FORBIDDEN + answer.text())

    page = visit(
        script=_FORBIDDEN,
        prepare=lambda page: page.route("**/robot-worker.js", forbid),
    )
    assert "no guarda nada" in page.locator("#beside").inner_text()
    tools.switch_on(page)
    _timeline(page, "say")


def test_a_browser_without_webassembly_says_so(visit: Any) -> None:
    page = visit(script="delete window.WebAssembly;", greeted=False)
    page.wait_for_function("() => trouble.textContent.includes('WebAssembly')")


def test_the_landing_page_leads_to_all_there_is(visit: Any, host: _Host) -> None:
    page = visit("&fresh")
    page.goto(f"http://{host.host}/sub/site/")
    links = page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)")
    assert len(links) >= 8
    for address in links:
        assert page.request.get(address.split("#")[0]).ok, address
    assert "árbitr" in page.locator(".about").inner_text() or "arbitra" in page.inner_text("main")


def test_the_layer_that_is_sent_is_all_that_is_imported() -> None:
    sent = build.sources()
    assert "sim/site/on_page.py" in sent and "firmware/roboto/app.py" in sent
    for path, text in sent.items():
        for line in text.splitlines():
            assert not line.startswith(("import numpy", "import threading", "from pathlib")), path
