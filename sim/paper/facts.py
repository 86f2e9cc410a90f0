"""What the leaflet says and does not decide: numbers of the game and of the cards, and the words
that the robot and the browser page use for their settings and buttons."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from roboto.game import tuning
from roboto.storage import settings

from host_tools.places import PHRASES
from host_tools.voice import catalogue
from host_tools.voice.commands import Commands

from ..table import cards, rules
from ..table.scoring import new_sheet
from . import STATIC

CONTROLS = ("record", "replay", "volume", "win", "mode")  # as they lie on the robot
COLOURS = {"red": "record", "yellow": "volume", "green": "replay", "blue": "win"}  # and a button

_AGE = 7  # years; the sheets name it, nothing computes with it
_CELLS = 3  # docs/build.md

_WORD = re.compile(r'(?:^|[\s,{])"?([\w-]+)"?: "((?:[^"\\]|\\.)*)"')


@cache
def page_words(lang: str) -> dict[str, str]:
    """Return the browser page's words in a language, by key."""
    text = (STATIC / f"words-{lang}.js").read_text(encoding="utf-8")
    return dict(_WORD.findall(text))


@cache
def phrases(lang: str) -> dict[str, str]:
    """Return what the robot says in a language, as it is read, by id."""
    found = catalogue.read(PHRASES / f"{lang}.txt")
    return {id: phrase.shown for id, phrase in found.items()}


def numbers() -> dict[str, int]:
    """Return every number of the leaflet by its name there. Times are in seconds."""
    robot = rules.load()["robot"]
    box = Counter(cards.name(card).removeprefix("red ") for card in cards.BOX)
    action = cards.parse("red skip")
    duel = Commands().of("duel.stare")
    return {
        "age": _AGE,
        "cells": _CELLS,
        "players_min": tuning.PLAYERS_MIN,
        "players_max": tuning.PLAYERS_MAX,
        "name_s": tuning.NAME_LIMIT_MS // 1000,
        "rule_s": tuning.RULE_LIMIT_MS // 1000,
        "race_s": tuning.RACE_PATIENCE_MS // 1000,
        "nickname_s": tuning.NICKNAME_PATIENCE_MS // 1000,
        "refuse_s": tuning.REFUSE_MS // 1000,
        "asleep_s": tuning.SLEEP_AFTER_WARNING_MS // 1000,
        "menu_s": tuning.MENU_HOLD_MS // 1000,
        "idle_s": _default("sleep_s"),
        "gap_min": tuning.GAP_MIN,
        "gap_max": tuning.GAP_MAX,
        "loser_draws": duel["loser_draws"],
        "box": len(cards.BOX),
        "numbers": sum(box[str(number)] for number in range(10)),
        "skips": 4 * box["skip"],
        "reverses": 4 * box["reverse"],
        "draw_twos": 4 * box["draw two"],
        "wilds": box["wild"],
        "wild_draw_fours": box["wild draw four"],
        "spares": box["blank"],
        "hand": robot.hand_cards,
        "guilty_draws": robot.guilty_draws,
        "innocent_draws": robot.innocent_draws,
        "uno_draws": robot.uno_penalty,
        "action_points": cards.POINTS[action],
        "wild_points": cards.POINTS[cards.WILD],
        "target": new_sheet("winner", tuning.PLAYERS_MIN).target,
    }


def _default(key: str) -> int:
    value = next(row[1] for row in settings.TABLE if row[0] == key)
    assert isinstance(value, int)
    return value


def said(lang: str) -> dict[str, str]:
    """Return the robot's and the page's own words that the leaflet quotes, by name."""
    return {
        "on": page_words(lang)["on"],
        "house_rule": phrases(lang)["house_rule.1"],
        "menu_open": phrases(lang)["menu.open"],
    }


def buttons(lang: str) -> dict[str, str]:
    """Return what the page says of each control, by its name: colour, place, purpose."""
    return {control: page_words(lang)[control] for control in (*CONTROLS, "plate")}


def colours(lang: str) -> dict[str, str]:
    """Return each colour of the cards in a language."""
    return {colour: page_words(lang)[f"press_{button}"] for colour, button in COLOURS.items()}


def menu_lines(lang: str) -> list[tuple[str, list[str]]]:
    """Return the spoken menu: each setting's name and what may be chosen, as the robot says it."""
    words = phrases(lang)
    lines = []
    for key, _, _, allowed in settings.TABLE:
        if f"menu.{key}" not in words:
            continue  # one that only a computer sets, or a button
        values = catalogue.languages() if key == "language" else map(_in_the_menu, allowed)
        choices = [words[f"menu.value.{value}"] for value in values]
        lines.append((words[f"menu.{key}"].rstrip(" :"), choices))
    return lines


def _in_the_menu(value: object) -> object:
    return {False: "off", True: "on"}.get(value, value) if isinstance(value, bool) else value
