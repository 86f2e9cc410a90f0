"""Takes the pictures of docs/playing.md: python -m tests.browser.screenshots (needs chromium,
playwright, pillow)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from . import tools

IMAGES = tools.ROOT / "docs" / "images"
PLAYERS = (("lucia", "Lucía"), ("mateo", "Mateo"), ("abuela_rosa", "Abuela Rosa"))
RULE = "quien_saque_un_siete_baila_la_danza_del_pollo"
TALL_PHONE = {"width": 390, "height": 844}


def _keep(page: Any, name: str) -> None:
    picture = Image.open(io.BytesIO(page.screenshot()))
    path: Path = IMAGES / f"{name}.webp"
    picture.save(path, "WEBP", quality=82, method=6)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


def _until_loud(page: Any) -> None:
    """Until it has opened its mouth."""
    page.wait_for_function(
        "() => +getComputedStyle(robot).getPropertyValue('--loud') > 0.55", timeout=20_000
    )


def _say(page: Any, name: str) -> None:
    tools.drop_wav(page, (tools.DEMO / f"{name}.wav").read_bytes())


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tools.RobotServer("--lang=es", seed=5) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=tools.chromium_path(), args=tools.chromium_arguments()
        )

        def open_page(**options: Any) -> Any:
            context = browser.new_context(locale="es-ES", bypass_csp=True, **options)
            page = context.new_page()
            page.goto(server.url)
            page.wait_for_function("() => document.documentElement.dataset.greeted")
            return page

        page = open_page(viewport={"width": 1280, "height": 800})
        _keep(page, "off")
        tools.switch_on(page)
        _until_loud(page)
        _keep(page, "greeting")
        for i, (name, shown) in enumerate(PLAYERS):
            _say(page, name)
            if i == 0:
                page.wait_for_selector("body.recording")
                page.emulate_media(color_scheme="dark")
                _keep(page, "recording")
                page.emulate_media(color_scheme="light")
            page.wait_for_function(
                "n => document.querySelectorAll('#names input').length > n", arg=i
            )
            page.locator("#names input").nth(i).fill(shown)
        tools.press(page, "plate")
        tools.wait_for_state(page, "house_rule")
        _say(page, RULE)
        tools.wait_for_state(page, "play")
        while not [event for event in server.trace() if event.get("kind")]:
            tools.press(page, "plate")
            page.wait_for_timeout(500)
        _until_loud(page)
        page.locator("#inside summary").click()
        page.wait_for_selector("#gauges meter")
        page.locator("#inside summary").click()
        _keep(page, "command")
        page.locator("#table").click()
        page.wait_for_selector("body.at-table")
        page.mouse.move(5, 5)
        page.wait_for_timeout(300)  # the animation
        _keep(page, "table")
        page.context.close()

        phone = open_page(viewport=TALL_PHONE, color_scheme="dark", has_touch=True)
        phone.wait_for_function("() => roboto.link.plays")
        tools.switch_on(phone)
        _until_loud(phone)
        _keep(phone, "phone")
        tools.wait_for_state(phone, "asleep", timeout_s=120)
        phone.emulate_media(color_scheme="light")
        phone.wait_for_timeout(1500)  # the letters rise
        _keep(phone, "asleep")
        browser.close()


if __name__ == "__main__":
    main()
