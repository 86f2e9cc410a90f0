"""The phrase files of firmware/phrases: read, and checked with one clear line a mistake.

A line is `id | original | text` or `id | ours | text`. Ids that differ in the number at their end
alone are variants. In a text {0} and {1} are name slots, and [300] is a pause of 300 ms. A stretch
of text between name slots that holds a letter, a digit or a pause is a segment: it is spoken.
"""

import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from roboto.game.kinds import GAMES, KINDS

from host_tools.places import PHRASES

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]+)*$")
_LANGUAGE_NAME = "menu.value."  # and the code: a file needs no name but its own, if any

# Commands: the part of the id before the dot is their kind. How many name slots, and how many
# commands there must be at least.
_AT_LEAST = {"order": 9, "swap": 3, "everyone": 5, "duel": 15}
COMMANDS = {kind: (names, _AT_LEAST.get(kind, 2)) for kind, _, names, _ in KINDS}
COMMANDS_AT_LEAST = 40

# Numbered variants, .1 and on: how many name slots, and how many there must be at least.
VARIANTS = {
    "duel_end": (0, 1),
    "attention": (0, 4),
    "go_on": (1, 4),
    "first": (1, 3),
    "veto": (0, 3),
    "won": (0, 3),
    "count": (0, 5),
    "demo.sample": (1, 3),
    "demo.sample_you": (0, 3),
    "launcher.none": (0, 3),
    "jackpot.nothing": (0, 3),
    "flip_dark.attention": (0, 3),
}

# What a game of firmware/roboto/game/games draws as commands are drawn, named freely after the
# dot: how many of a group there must be at least.
OUTCOMES = {"wheel_stops": 12, "dare_table": 4, "dare_body": 4, "dare_show": 4}

_REELS = ("star", "cherry", "bell", "lemon", "seven")

# Single phrases: how many name slots.
SINGLES = {
    "names.greeting": 0,
    "names.hello": 1,
    "names.full": 0,
    "names.missing_two": 0,
    "names.missing_one": 0,
    "heard_nothing": 0,
    "no_room": 0,
    "rule.ask": 1,
    "rule.heard": 0,
    "rule.last": 0,
    "race.hint": 0,
    "nick.heard": 1,
    "nick.never_mind": 0,
    "nick.refused": 0,
    "win.ask": 0,
    "win.noted": 1,
    "count_many": 0,
    "demo.greeting": 0,
    "demo.ask": 0,
    "demo.hello": 1,
    "resume.ask": 0,
    "resume.go_on": 0,
    "menu.open": 0,
    "menu.language": 0,
    "menu.game": 0,
    "menu.pace": 0,
    "menu.names_voice": 0,
    "menu.keep_game": 0,
    "menu.gentle": 0,
    "menu.value.roboto": 0,
    "menu.value.launcher": 0,
    "menu.value.calm": 0,
    "menu.value.normal": 0,
    "menu.value.wild": 0,
    "menu.value.squeaky": 0,
    "menu.value.plain": 0,
    "menu.value.on": 0,
    "menu.value.off": 0,
    "menu.close": 0,
    "sorry": 0,
    "low_battery": 0,
    "flash_full": 0,
    "deaf": 0,
    "test.ask": 0,
    "test.record": 0,
    "test.replay": 0,
    "test.volume": 0,
    "test.win": 0,
    "test.mode": 0,
    "test.plate": 0,
    "test.silent": 0,
    "test.stuck": 0,
    "test.heard": 0,
    "test.unheard": 0,
    "test.cells": 0,
    "test.point": 0,
    "test.volts": 0,
    "test.good": 0,
    "test.fault": 0,
    "launcher.rules": 0,
    "launcher.one": 0,
    "launcher.two": 0,
    "launcher.three": 0,
    "launcher.four": 0,
    "launcher.five": 0,
    "launcher.six": 0,
    "launcher.seven": 0,
    "menu.value.wheel": 0,
    "wheel.rules": 0,
    "menu.value.jackpot": 0,
    "jackpot.rules": 0,
    **{f"jackpot_{what}.{reel}": 0 for what in ("reel", "two", "three") for reel in _REELS},
    "menu.value.dare": 0,
    "dare.rules": 0,
    "menu.value.flip": 0,
    "flip.rules": 0,
    "flip.turn": 0,
    "flip.still": 0,
    "flip_dark.turn": 0,
    "flip_dark.still": 0,
    "menu.value.dice": 0,
    **{f"dice.{what}": 0 for what in ("rules", "pile", "wild", "fits", "again")},
    **{f"dice.{what}": 0 for what in ("misses", "lost", "keeps", "uno")},
    **{f"dice_colour.{colour}": 0 for colour in ("red", "yellow", "green", "blue")},
}

# Phrases of acts, which a pack has only with a command that has the act: how many name slots.
_VERDICT = {"go_on.loses": 1, "act.first_loses": 0, "act.second_loses": 0}
OF_ACTS: dict[str, dict[str, int]] = {
    "stopwatch": {"act.go": 0, "act.on_time": 0, "act.early": 0, "act.late": 0, **_VERDICT},
    "verdict": {"act.sensors": 0, **_VERDICT},
    "mess": {"act.order": 0},
}
# What the robot remarks in place of the usual words, and can do without.
REMARKS = {
    "attention.duck": 0,
    "attention.duck_again": 0,
    "attention.many": 0,
    "attention.ending": 0,
    "go_on.duck": 1,
    "go_on.slow": 1,
    "go_on.fast": 1,
    "go_on.again": 1,
    "go_on.forgotten": 1,
    "first.champion": 1,
    "first.twice": 1,
}
SINGLES.update(REMARKS)
for _phrases in OF_ACTS.values():
    SINGLES.update(_phrases)

LOW = "flip_dark."  # what the robot says in a deeper voice: ids begin so

MARKS = ("original", "ours")
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")
_SLOT = re.compile(r"\{(\d)\}")
_PAUSE = re.compile(r"\[(\d+)\]")
_TAILS = ".,:;!?"
_PAUSE_MOST_MS = 2000
_TEXT_MOST_BYTES = 500
_SEGMENTS_MOST = 8  # the device notes in one byte which segments it has checked


class CatalogueError(ValueError):
    """Mistakes in a phrase file; `lines` has one line for each."""

    def __init__(self, lines):
        super().__init__("\n".join(lines))
        self.lines = lines


class Phrase:
    """One line of a phrase file."""

    def __init__(self, id: str, mark: str, text: str, where: str = "") -> None:
        self.id, self.mark, self.text, self.where = id, mark, text, where
        head, _, tail = id.partition(".")
        self.kind = head if head in COMMANDS and tail else ""

    @property
    def prefix(self) -> str:
        """Return the id without the number at its end; "" when there is none."""
        head, _, tail = self.id.rpartition(".")
        return head if tail.isdigit() else ""

    @property
    def shown(self) -> str:
        """Return the text as it is read: without pauses."""
        return re.sub(r"\s+", " ", _PAUSE.sub(" ", self.text)).strip()

    def slots(self) -> list[int]:
        """Name slots in the order of the text."""
        return [int(n) for n in _SLOT.findall(self.text)]

    def parts(self) -> list[int]:
        """Numbers >= 0 are segments, -1-k is name slot k: as the pack holds them."""
        return self._cut()[0]

    def segments(self) -> list[str]:
        """Return the spoken stretches of text, with their pauses."""
        return self._cut()[1]

    def tails(self) -> list[str | None]:
        """Return for each segment the punctuation behind the name that follows it: a comma where
        words go on without any, None where no name follows."""
        found: list[str | None] = []
        pieces = _SLOT.split(self.text)
        for i in range(0, len(pieces), 2):
            if any(c.isalnum() for c in pieces[i]):
                last = i + 1 == len(pieces)
                behind = "" if last else pieces[i + 2].lstrip()
                tail = behind[0] if behind and behind[0] in _TAILS else "," if behind else "."
                found.append(None if last else tail)
        return found

    def _cut(self):
        parts: list[int] = []
        segments: list[str] = []
        for i, piece in enumerate(_SLOT.split(self.text)):
            if i % 2:
                parts.append(-1 - int(piece))
            elif any(c.isalnum() for c in piece):
                parts.append(len(segments))
                segments.append(piece.strip())
        return parts, segments


def pieces(segment: str) -> list:
    """Return a segment cut at its pauses: strings to speak and numbers of ms to be silent, in
    order."""
    cut: list = []
    for i, piece in enumerate(_PAUSE.split(segment)):
        if i % 2:
            cut.append(int(piece))
        elif any(c.isalnum() for c in piece):
            cut.append(piece.strip())
    return cut


def languages() -> list[str]:
    """Return the codes of the phrase files that are there, in alphabetical order."""
    codes = (path.stem for path in PHRASES.glob("*.txt"))
    return sorted(code for code in codes if _LANGUAGE.match(code))


def slots_of(id: str) -> int | None:
    """Return how many name slots a phrase of this id has; None when the id is unknown."""
    head, _, tail = id.partition(".")
    if head in COMMANDS and tail:
        return COMMANDS[head][0]
    prefix, _, number = id.rpartition(".")
    if number.isdigit() and prefix in VARIANTS:
        return VARIANTS[prefix][0]
    if head in OUTCOMES and tail:
        return 0
    if id.startswith(_LANGUAGE_NAME) and _LANGUAGE.match(id.removeprefix(_LANGUAGE_NAME)):
        return 0
    return SINGLES.get(id)


def game_of(id: str) -> str:
    """Return the game of firmware/roboto/game/games that alone says a phrase; "" for one that is
    said in any."""
    head = id.removeprefix(_LANGUAGE_NAME).partition(".")[0].partition("_")[0]
    return head if head in GAMES[1:] else ""


def games(phrases: Iterable[str]) -> list[str]:
    """Return the games that can be played with these phrases: all that one says is there."""
    ids = set(phrases)
    wanted = [*SINGLES, *(f"{v}.{n}" for v in VARIANTS for n in range(1, VARIANTS[v][1] + 1))]
    lacking = {game_of(id) for id in wanted if id not in ids}
    lacking |= {game_of(group) for group in OUTCOMES if not any(_in(id, group) for id in ids)}
    return [game for game in GAMES[1:] if game not in lacking]


def _in(id: str, group: str) -> bool:
    return id.startswith(group + ".")


def names_another_language(id: str, lang: str) -> bool:
    """Tell whether a phrase is another language's name: a robot that speaks `lang` is never heard
    to say it, since the menu names the language it speaks."""
    code = id.removeprefix(_LANGUAGE_NAME)
    return code not in (id, lang) and id not in SINGLES and bool(_LANGUAGE.match(code))


def read(path: Path) -> dict[str, Phrase]:
    """Return the phrases of a file, by id; few are enough, for a draft is read as well.

    A language that does not tell its own name in the menu goes by its code. CatalogueError names
    every mistake in the file.
    """
    phrases, mistakes = parse(path)
    if not mistakes and not phrases:
        mistakes = [f"{path.name}: no phrase in it; write a line: id | ours | text"]
    if mistakes:
        raise CatalogueError(mistakes)
    own_name = _LANGUAGE_NAME + path.stem
    if slots_of(own_name) == 0:
        phrases.setdefault(own_name, Phrase(own_name, "ours", path.stem, path.name))
    return phrases


def parse(path: Path) -> tuple[dict[str, Phrase], list[str]]:
    """Return the phrases of a file and what is wrong with its lines."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}, [f"{path}: no such phrase file"]
    except UnicodeDecodeError as error:
        return {}, [f"{path}: not UTF-8 at byte {error.start}: save it as UTF-8"]
    phrases: dict[str, Phrase] = {}
    mistakes = []
    for number, line in enumerate(lines, 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        where = f"{path.name}, line {number}"
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != 3:
            mistakes.append(f"{where}: {len(fields)} fields; write: id | ours | text")
            continue
        phrase = Phrase(fields[0], fields[1], fields[2], where)
        if phrase.id in phrases:
            first = phrases[phrase.id].where.rpartition(" ")[2]
            mistakes.append(
                f"{where}: {phrase.id} is there already in line {first}; give one another name"
            )
            continue
        phrases[phrase.id] = phrase
        mistakes += [f"{where}: {mistake}" for mistake in _mistakes(phrase)]
    mistakes += [
        f"{path.name}: {id} is missing; number them from 1 without gaps" for id in _gaps(phrases)
    ]
    return phrases, mistakes


def _gaps(phrases: dict[str, Phrase]):
    """Yield the numbers left out between variants: the robot takes them from 1 to the last."""
    for prefix in VARIANTS:
        numbers = _numbers(phrases, prefix)
        for n in range(1, max(numbers, default=0)):
            if n not in numbers:
                yield f"{prefix}.{n}"


def _numbers(phrases: dict[str, Phrase], prefix: str) -> set[int]:
    return {int(p.id.rpartition(".")[2]) for p in phrases.values() if p.prefix == prefix}


def _mistakes(phrase: Phrase):
    """What is wrong with one phrase, each with what to do about it."""
    if not _ID.match(phrase.id):
        yield f'"{phrase.id}" is no id; use small letters, digits, _ and dots'
        return
    if phrase.mark not in MARKS:
        yield f'"{phrase.mark}" between the bars; write original or ours'
    wanted = slots_of(phrase.id)
    if wanted is None:
        yield f"unknown id {phrase.id}; commands begin with {'. '.join(COMMANDS)}."
        return
    if not any(c.isalpha() for c in _PAUSE.sub("", phrase.text)):
        yield f"{phrase.id} has no text; write what is to be said"
        return
    names = [f"{{{k}}}" for k in range(wanted)]
    if sorted(set(phrase.slots())) != list(range(wanted)):
        need = " and ".join(names) if names else "no name slot"
        yield f"{phrase.id} needs {need}; it has {_found(phrase)}"
    for mistake in text_mistakes(_SLOT.sub("", phrase.text)):
        yield f"{phrase.id} has {mistake}"
    if len(phrase.segments()) > _SEGMENTS_MOST:
        yield f"{phrase.id} is cut by names into more than {_SEGMENTS_MOST} pieces; name less"


def text_mistakes(text: str):
    """Yield what is wrong with a text in which names have no place."""
    for pause in _PAUSE.findall(text):
        if int(pause) > _PAUSE_MOST_MS:
            yield f"a pause of [{pause}] ms, which is too long; at most [{_PAUSE_MOST_MS}]"
    stray = re.search(r"[\[\]{}<>]", _PAUSE.sub("", text))
    if stray:
        yield f'a stray "{stray.group()}"; name slots are {{0}} and {{1}}, pauses are like [300]'
    if len(text.encode()) > _TEXT_MOST_BYTES:
        yield f"more than {_TEXT_MOST_BYTES} bytes; write it shorter"


def _found(phrase: Phrase) -> str:
    found = sorted(set(phrase.slots()))
    return " and ".join(f"{{{k}}}" for k in found) if found else "none"


def missing(phrases: dict[str, Phrase], name: str) -> list[str]:
    """Return what a phrase file lacks for a whole game, one line each; none where it is no draft.

    name: the file's, for the lines.
    """
    lacks = [f"{name}: {id} is missing; add the line" for id in SINGLES if id not in phrases]
    for prefix, (_, least) in VARIANTS.items():
        numbers = _numbers(phrases, prefix)
        for n in range(1, least + 1):
            if n not in numbers:
                lacks.append(f"{name}: {prefix}.{n} is missing; add the line")
    for group, least in OUTCOMES.items():
        n = sum(_in(id, group) for id in phrases)
        if n < least:
            lacks.append(f"{name}: {n} of at least {least} {group}. lines; add {least - n}")
    for kind, (_, least) in COMMANDS.items():
        n = sum(p.kind == kind for p in phrases.values())
        if n < least:
            lacks.append(f"{name}: {n} of at least {least} {kind} commands; add {least - n}")
    n = sum(bool(p.kind) for p in phrases.values())
    if n < COMMANDS_AT_LEAST:
        lacks.append(f"{name}: {n} of at least {COMMANDS_AT_LEAST} commands in all; add some")
    return lacks


def drafts(catalogues: dict[str, dict[str, Phrase]]) -> dict[str, str]:
    """Return the languages that lack something for a whole game, each with one line about it.

    catalogues: the phrases of each language, as parse() has them.
    """
    lacking = {lang: phrases for lang, phrases in catalogues.items() if missing(phrases, lang)}
    whole = [phrases for lang, phrases in catalogues.items() if lang not in lacking]
    wanted = list(dict.fromkeys(id for phrases in whole for id in phrases))
    lines = {}
    for lang, phrases in lacking.items():
        there = sum(id in phrases for id in wanted) or len(phrases)
        next_ids = [
            id for id in wanted if id not in phrases and not names_another_language(id, lang)
        ]
        lines[lang] = f"{lang}.txt: a draft, {there} of {len(wanted) or 'too few'} phrases"
        if next_ids:
            more = f" and {len(next_ids) - 3} more" if len(next_ids) > 3 else ""
            lines[lang] += f"; still to write: {' '.join(next_ids[:3])}{more}"
    return lines


def differences(catalogues: dict[str, dict[str, Phrase]]) -> list[str]:
    """Return the phrases that some languages have and others lack, or that are marked differently.

    A draft is told in one line, and the name of a language is nobody's loss.
    """
    told = drafts(catalogues)
    found = list(told.values())
    whole = {lang: phrases for lang, phrases in catalogues.items() if lang not in told}
    everything = {id: p for phrases in whole.values() for id, p in phrases.items()}
    for id, example in everything.items():
        lacking = [
            lang
            for lang, phrases in whole.items()
            if id not in phrases and not names_another_language(id, lang)
        ]
        if lacking:
            found.append(f"{', '.join(lacking)}: {id} is missing ({example.where} has it)")
    for id in dict.fromkeys(id for phrases in catalogues.values() for id in phrases):
        marks = {phrases[id].mark for phrases in catalogues.values() if id in phrases}
        if len(marks) > 1:
            found.append(f"{id}: original in one language, ours in another; make them equal")
    return found


def version(phrases: dict[str, Phrase]) -> int:
    """Return the catalogue version of a pack: CRC-32 of what is said, in whatever order."""
    lines = sorted(f"{p.id}|{p.mark}|{p.text}\n" for p in phrases.values())
    return zlib.crc32("".join(lines).encode())
