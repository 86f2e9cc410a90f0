"""firmware/phrases/say_as.toml: words that the voice says right only when spelled otherwise."""

import functools
import re
import tomllib
from pathlib import Path

from . import catalogue
from .catalogue import CatalogueError

NAME = "say_as.toml"
STANDING = ("UNO",)  # a family's own phrases may have it, ours or not


def respelled(text: str, lang: str) -> str:
    """Return a text as an engine has to read it; CatalogueError when the table is wrong."""
    words = _tables().get(lang, {})
    return _known(words).sub(lambda match: words[match[0]], text) if words else text


def check(catalogues: dict[str, dict[str, catalogue.Phrase]]) -> tuple[list[str], list[str]]:
    """Return the mistakes in the table, and the words in it that no phrase has; a line each.

    catalogues: the phrases of each language. What a draft does not have may still come.
    """
    try:
        tables = _tables()
    except CatalogueError as error:
        return error.lines, []
    mistakes = [
        f"{NAME}: there are no phrases in {lang}; correct or remove [{lang}]"
        for lang in tables
        if lang not in catalogue.languages()
    ]
    unused = []
    for lang, phrases in catalogues.items():
        words = tables.get(lang, {})
        if not words or catalogue.missing(phrases, lang):
            continue
        said = {
            word
            for phrase in phrases.values()
            for text in phrase.segments()
            for word in _known(words).findall(text)
        }
        unused += [
            f"{NAME}: [{lang}] {word} is in no phrase; correct or remove the line"
            for word in words
            if word not in said and word not in STANDING
        ]
    return mistakes, unused


def _known(words: dict[str, str]) -> re.Pattern[str]:
    """Return what finds the words of a table in a text, of two at one place the longer."""
    choice = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{choice})(?!\w)")


def _tables() -> dict[str, dict[str, str]]:
    path = catalogue.PHRASES / NAME
    try:
        return read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return {}


@functools.lru_cache(maxsize=4)
def read(path: Path, _changed_ns: int = 0) -> dict[str, dict[str, str]]:
    """Return language -> word -> spelling of a file. CatalogueError names every mistake in it."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError([f"{path.name}: {error}"]) from None
    mistakes = []
    for lang, words in tables.items():
        if not isinstance(words, dict):
            mistakes.append(f"{path.name}: {lang} stands alone; write [{lang}] and words under it")
            continue
        for word, spelling in words.items():
            place = f"{path.name}: [{lang}] {word}"
            if not any(c.isalnum() for c in word):
                mistakes.append(f'{path.name}: [{lang}] "{word}" is no word; remove the line')
            elif not isinstance(spelling, str) or not any(c.isalnum() for c in spelling):
                mistakes.append(f"{place} = {spelling!r}; write a spelling in quotes")
            else:
                wrong = catalogue.text_mistakes(spelling)
                mistakes += [f"{place} has {mistake}" for mistake in wrong]
    if mistakes:
        raise CatalogueError(mistakes)
    return tables
