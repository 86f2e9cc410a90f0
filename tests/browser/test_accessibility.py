"""axe-core finds nothing, in either language, light and dark, wide and narrow; and the page keeps
to its own policy."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import need

from . import tools


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    robot = tools.RobotServer()
    yield robot
    robot.stop()


def _axe() -> Path | None:
    """axe.min.js: in AXE, in the project's node_modules, or where npm pack was unpacked in its
    cache."""
    places = [
        Path(os.environ.get("AXE", "")) / "axe.min.js",
        tools.ROOT / "node_modules" / "axe-core" / "axe.min.js",
        Path.home() / ".cache" / "roboto" / "axe-core" / "package" / "axe.min.js",
    ]
    return next((place for place in places if place.is_file()), None)


@pytest.mark.parametrize(
    ("locale", "scheme", "width"), [("es-ES", "light", 1280), ("en-GB", "dark", 390)]
)
def test_axe(
    server: tools.RobotServer, open_page: Callable[..., Any], locale: str, scheme: str, width: int
) -> None:
    axe = need("axe-core", "npm install axe-core", found=_axe() or "")
    page = open_page(
        server, locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844},
        reduced_motion="reduce",
    )  # fmt: skip
    page.add_script_tag(path=axe)
    if scheme == "light":
        _no_violations(page, "off")
    tools.switch_on(page)
    tools.wait_for_state(page, "names")
    page.locator("#inside summary").click()
    page.wait_for_function("() => document.querySelector('#gauges meter')")
    if scheme == "dark":
        _no_violations(page, "names")
    page.locator("#open-score").click()
    page.wait_for_selector(".score-setup")
    _no_violations(page, "how to count")
    page.locator("[data-focus=begin]").click()
    page.locator("[data-focus=out-0]").check(force=True)
    page.locator("[data-focus=card-1-wild]").click()
    page.wait_for_selector(".held-card")
    _no_violations(page, "score sheet")
    page.locator("[data-focus=close]").click()
    if scheme == "light":
        page.locator("#table").click()
        page.wait_for_selector("body.at-table")
        _no_violations(page, "table")


def _no_violations(page: Any, state: str) -> None:
    found = page.evaluate("() => axe.run()")["violations"]
    assert not found, (
        state
        + ": "
        + "; ".join(
            f"{rule['id']}: {rule['help']} {[node['target'] for node in rule['nodes']]}"
            for rule in found
        )
    )


def test_nothing_sideways_at_phone_width(
    server: tools.RobotServer, open_page: Callable[..., Any]
) -> None:
    page = open_page(server, viewport={"width": 360, "height": 740})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    tray = page.locator("button[data-control=plate]").bounding_box()
    mode = page.locator("button[data-control=mode]").bounding_box()
    assert tray and mode
    assert mode["width"] >= 24 and tray["x"] >= 0 and tray["x"] + tray["width"] <= 360


def test_the_pages_policy_holds(server: tools.RobotServer, browser: Any) -> None:
    """Nothing that the page does itself is blocked by its Content-Security-Policy."""
    page = browser.new_context(locale="en-GB").new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(server.url)
    page.wait_for_selector("html[data-greeted]")
    page.locator("input[value=off]").check(force=True)
    page.wait_for_selector("body[data-state=off]")
    page.locator("input[value=on]").check(force=True)
    page.wait_for_selector("#microphone[data-state=on]")
    page.context.close()
    assert not said
