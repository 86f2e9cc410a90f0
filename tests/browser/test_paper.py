"""On paper nothing overflows and nothing is cut off, in any language; and the PDFs have the pages
that they should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.paper import cli, house_rules, leaflet, to_pdf
from sim.paper.words import LANGUAGES
from tests.conftest import need

from . import tools

PAGES = {"leaflet": 2, "house-rules": 4, "stickers": 1}

# The text that does not lie within its box less the padding, give or take a millimetre.
OUTSIDE = """() => {
  const wrong = [];
  for (const box of document.querySelectorAll(".panel, .card, .stickers, .for-buttons li")) {
    const style = getComputedStyle(box), around = box.getBoundingClientRect();
    const inside = {
      left: around.left + parseFloat(style.paddingLeft) - 4,
      right: around.right - parseFloat(style.paddingRight) + 4,
      top: around.top + parseFloat(style.paddingTop) - 4,
      bottom: around.bottom - parseFloat(style.paddingBottom) + 4,
    };
    const range = document.createRange();
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.data.trim()) continue;
      range.selectNodeContents(walker.currentNode);
      for (const line of range.getClientRects()) {
        if (line.left < inside.left || line.right > inside.right || line.top < inside.top ||
            line.bottom > inside.bottom) {
          wrong.push(`${box.className}: ${walker.currentNode.data.trim().slice(0, 40)}`);
          break;
        }
      }
    }
  }
  return wrong;
}"""
BROKEN_WORDS = """() => [...document.querySelectorAll(".idea")].filter(idea => {
  const range = document.createRange(), text = idea.firstChild;
  return text?.data?.match(/\\S+/g).some(word => {
    const at = text.data.indexOf(word);
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    return range.getClientRects().length > 1 && !word.includes("-");
  });
}).map(idea => idea.innerText)"""


@pytest.fixture(scope="module")
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1123, "height": 1588})
    yield context.new_page()
    context.close()


def _documents(lang: str) -> dict[str, str]:
    return cli.documents(lang, house_rules.read(house_rules.FILES / f"{lang}.txt"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_overflows(page: Any, lang: str) -> None:
    for name, document in _documents(lang).items():
        page.set_content(document)
        assert not page.evaluate(OUTSIDE), name
        assert not page.evaluate(BROKEN_WORDS), name


def test_what_overflows_is_seen(page: Any) -> None:
    """The measure itself: one paragraph more in each panel is too much for one of them."""
    document = leaflet.pages("fr").replace("</section>", f"<p>{'encore ' * 300}</p></section>")
    page.set_content(document)
    assert page.evaluate(OUTSIDE)
    long = house_rules.Idea("un" * 50, seated=True)
    page.set_content(cli.documents("fr", [long])["house-rules-fr"])
    assert page.evaluate(BROKEN_WORDS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_leaflet_as_a_page_fits_a_phone(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_content(leaflet.web_page(lang))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    others = page.locator(".languages a")
    assert others.count() == len(LANGUAGES)
    page.set_viewport_size({"width": 1123, "height": 1588})


def test_the_page_leads_to_the_leaflet_under_its_own_policy(browser: Any) -> None:
    with tools.RobotServer("--lang=en") as server:
        context = browser.new_context(locale="it-IT")
        page = context.new_page()
        said: list[str] = []
        context.on("console", lambda message: said.append(message.text))
        page.goto(server.url)
        page.wait_for_selector("html[data-greeted]")
        with context.expect_page() as opened:
            page.locator("#leaflet").click()
        shown = opened.value
        shown.wait_for_load_state()
        assert shown.locator("html").get_attribute("lang") == "it"
        colour = "() => getComputedStyle(document.querySelector('h1')).color"
        assert shown.evaluate(colour) == "rgb(181, 71, 12)"
        shown.locator(".languages a[lang=de]").click()
        shown.wait_for_selector("html[lang=de]")
        assert shown.goto(f"http://127.0.0.1:{server.port}/leaflet-xx.html").status == 404
        assert not [line for line in said if "404" not in line]
        context.close()


def test_the_pdfs(tmp_path: Path) -> None:
    need("chromium", "apt install chromium, or set CHROMIUM", found=_browser())
    for name, document in _documents("de").items():
        path = tmp_path / f"{name}.pdf"
        to_pdf.write(document, path)
        data = path.read_bytes()
        assert len(re.findall(rb"/Type /Page\b", data)) == PAGES[name.removesuffix("-de")]
        assert set(re.findall(rb"/MediaBox \[([^\]]*)\]", data)) == {b"0 0 841.91998 594.95996"}
    to_pdf.write(document, path)  # the last one again: a release is the same each time
    assert path.read_bytes() == data


def _browser() -> str:
    try:
        return to_pdf.browser()
    except to_pdf.NoPdf:
        return ""
