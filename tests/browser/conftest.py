"""A real Chromium with a fake microphone, and a robot for each test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import need

from .tools import RobotServer, chromium_arguments, chromium_path, write_fake_microphone


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    need("playwright", "pip install playwright")
    path = need("chromium", "apt install chromium, or set CHROMIUM", found=chromium_path() or "")
    from playwright.sync_api import sync_playwright

    microphone = tmp_path_factory.mktemp("microphone") / "names.wav"
    write_fake_microphone(microphone)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=chromium_arguments(microphone)
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """open_page(server, **options of the browser's context): a page in a context of its own.

    An error in the page's scripts fails the test.
    """
    with pages(browser) as open_it:
        yield open_it


@contextlib.contextmanager
def pages(browser: Any) -> Iterator[Callable[..., Any]]:
    """What open_page gives, for any scope."""
    contexts, errors = [], []

    def open_it(server: RobotServer, **options: Any) -> Any:
        options = {"locale": "en-GB", "bypass_csp": True, **options}
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.url)
        page.wait_for_function("() => document.documentElement.dataset.greeted")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def start_robot() -> Iterator[Callable[..., RobotServer]]:
    servers = []

    def start(*arguments: str, **options: Any) -> RobotServer:
        server = RobotServer(*arguments, **options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        if server.process.poll() is None:
            for event in server.trace()[-30:]:  # shown when the test has failed
                print(event)
            server.stop()


@pytest.fixture
def server(start_robot: Callable[..., RobotServer]) -> RobotServer:
    return start_robot()


@pytest.fixture
def flash_settings(tmp_path: Path) -> Callable[..., Path]:
    """flash_settings(sleep_s=20, …): a flash folder on which these settings are saved."""

    def write(**values: Any) -> Path:
        from roboto.storage.settings import Settings
        from roboto.storage.volume import Volume

        folder = tmp_path / "flash"
        folder.mkdir()
        settings = Settings(Volume(str(folder)))
        for key, value in values.items():
            settings.set(key, value)
        job = settings.save()
        while not job.step():
            pass
        return folder

    return write
