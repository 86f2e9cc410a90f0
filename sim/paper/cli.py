"""The command `roboto print`: leaflets, House Rule cards and stickers, as HTML and PDF."""

from __future__ import annotations

import argparse
import html
from pathlib import Path

from host_tools.places import build_folder
from host_tools.plain_file import write_whole

from . import house_rules, leaflet, stickers, to_pdf
from .words import LANGUAGES, WORDS

_STYLE = Path(__file__).with_name("cards.css")


class Wrong(Exception):
    """One line for the user."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to its parser."""
    parser.add_argument(
        "--lang", action="append", choices=LANGUAGES, help="language (default: all; repeatable)"
    )
    parser.add_argument(
        "--rules", type=Path, metavar="FILE.txt",
        help="House Rule ideas of your own, a line each: seated | Clap three times.",
    )  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="default: build/print")
    parser.add_argument("--no-pdf", action="store_true", help="HTML alone, without a browser")


def run(parsed: argparse.Namespace) -> int:
    """Print all that is asked for, and tell each file. Raises Wrong and OSError."""
    langs = list(dict.fromkeys(parsed.lang or LANGUAGES))
    if parsed.rules and len(langs) > 1:
        raise Wrong("--rules needs one --lang, for what else stands on the cards")
    try:
        ideas = {
            lang: house_rules.read(parsed.rules or house_rules.FILES / f"{lang}.txt")
            for lang in langs
        }
    except house_rules.BadRules as error:
        raise Wrong(str(error)) from None
    folder = parsed.output or build_folder() / "print"
    if folder.exists() and not folder.is_dir():
        raise Wrong(f"{folder}: not a folder; -o wants one")
    folder.mkdir(parents=True, exist_ok=True)
    if not parsed.no_pdf:
        try:
            to_pdf.browser()
        except to_pdf.NoPdf as error:
            raise Wrong(f"{error}; --no-pdf leaves the PDFs out") from None
    for lang in langs:
        for name, document in documents(lang, ideas[lang]).items():
            _write(folder, name, document, not parsed.no_pdf)
    return 0


def documents(lang: str, ideas: list[house_rules.Idea]) -> dict[str, str]:
    """Return what is printed in a language: a file's name without its ending -> HTML."""
    return {
        f"leaflet-{lang}": leaflet.pages(lang),
        f"house-rules-{lang}": _document(lang, "cards", house_rules.cards(lang, ideas)),
        f"stickers-{lang}": _document(lang, "stickers", stickers.page(lang)),
    }


def _document(lang: str, what: str, body: str) -> str:
    style = _STYLE.read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
        f"<title>Roboto: {html.escape(WORDS[lang][what])}</title><style>{style}</style></head>\n"
        f"<body>{body}</body>\n</html>\n"
    )


def _write(folder: Path, name: str, document: str, with_pdf: bool) -> None:
    page = folder / f"{name}.html"
    if name.startswith("leaflet-"):
        write_whole(page, leaflet.web_page(name.removeprefix("leaflet-")).encode())
    else:
        write_whole(page, document.encode())
    print(page, flush=True)
    if with_pdf:
        try:
            to_pdf.write(document, page.with_suffix(".pdf"))
        except to_pdf.NoPdf as error:
            raise Wrong(str(error)) from None
        print(page.with_suffix(".pdf"), flush=True)
