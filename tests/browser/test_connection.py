"""Two pages, a server that dies, a token that is refused, what is shown and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import tools

Open = Callable[..., Any]
Start = Callable[..., tools.RobotServer]


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    robot = tools.RobotServer("--lang=es")
    yield robot
    robot.stop()


def test_second_page_watches(server: tools.RobotServer, open_page: Open) -> None:
    first, second = open_page(server), open_page(server)
    assert "watches" in second.locator("#role").inner_text()
    assert second.locator("button[data-control=plate]").is_disabled()
    tools.switch_on(first)
    second.wait_for_function("() => document.getElementById('caption').textContent !== ''")
    assert second.locator("input[value=on]").is_checked()
    # Past its disabled buttons:
    second.evaluate("() => roboto.link.send({ t: 'press', control: 'win', down: true })")
    second.evaluate("() => roboto.link.send({ t: 'switch', position: 'off' })")
    tools.press(first, "volume")
    first.wait_for_function("() => document.querySelector('#timeline .is-volume')")
    events = server.trace()
    assert not [event for event in events if event.get("control") == "win"]
    assert not [event for event in events if event.get("position") == "off"]
    first.close()
    second.wait_for_function("() => roboto.link.plays")
    assert second.locator("button[data-control=plate]").is_enabled()
    tools.press(second, "plate")
    second.wait_for_function("() => document.querySelector('#timeline [data-pressed=plate]')")


def test_server_dies_and_comes_back(start_robot: Start, open_page: Open) -> None:
    server = start_robot()
    page = open_page(server)
    tools.switch_on(page)
    tools.wait_for_state(page, "names")
    server.kill()
    page.wait_for_selector("body.gone")
    assert "does not answer" in page.locator("#role").inner_text()
    start_robot(port=server.port)
    page.wait_for_function("() => roboto.link.plays && document.body.dataset.state === 'off'")
    tools.switch_on(page)
    tools.wait_for_state(page, "names")
    page.wait_for_function("() => roboto.speaker.played > 1000")  # and it is heard


def test_token_refused(server: tools.RobotServer, browser: Any) -> None:
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(f"http://127.0.0.1:{server.port}/#not-the-token-at-all")
    page.wait_for_function("() => /address/.test(document.getElementById('role').textContent)")
    page.context.close()


def test_captions_in_the_pages_language(server: tools.RobotServer, open_page: Open) -> None:
    page = open_page(server, locale="en-GB")
    tools.switch_on(page)
    page.wait_for_function(
        "() => /I am Roboto/.test(document.getElementById('caption').textContent)"
    )
    page.locator("#language").select_option("es")
    page.wait_for_function(
        "() => /Soy Roboto/.test(document.getElementById('caption').textContent)"
    )
    assert page.evaluate("() => document.documentElement.lang") == "es"
    assert page.locator("#caption").get_attribute("aria-live") == "polite"


def test_inside_and_downloads(server: tools.RobotServer, open_page: Open) -> None:
    page = open_page(server)
    tools.switch_on(page)
    page.locator("#inside summary").click()
    page.wait_for_function(
        "() => /RECORD_LED/.test(document.getElementById('gauges').textContent)"
    )
    page.wait_for_function("() => document.querySelector('#gauges meter[max=\"1024\"]')")
    for name, starts in [("scenario", b"PK"), ("sound", b"RIFF"), ("trace", b'{"t"')]:
        with page.expect_download() as download:
            page.locator(f"#save-{name}").click()
        with open(download.value.path(), "rb") as file:
            assert file.read(4).startswith(starts), name


def test_without_a_loudspeaker_the_microphone_is_asked_for_all_the_same(
    start_robot: Start, open_page: Open
) -> None:
    """Where there is none, a browser never answers whether it plays."""
    page = open_page(start_robot())
    page.evaluate(
        """() => {
            AudioContext.prototype.resume = () => new Promise(() => {});
            window.asked = 0;
            const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = (what) => {
                window.asked += 1;
                return ask(what);
            };
        }"""
    )
    page.locator("label:has(input[value=on])").click()
    page.wait_for_function("() => window.asked === 1")
    tools.wait_for_state(page, "names")
