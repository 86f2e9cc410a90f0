"""Prints the course of a long and wild evening, the same for every interpreter: micropython
tests/game/course.py"""

import sys

sys.path.insert(0, "firmware")
sys.path.insert(0, ".")

from roboto.game.rng import Rng

from tests.game.driver import Driver
from tests.game.test_robust import shake


def line(entry):
    """One event as text."""
    words = []
    for word in entry:
        if hasattr(word, "parts"):
            word = (word.parts, word.text, word.kind, word.players)
        if isinstance(word, dict):
            word = sorted(word.items())
        words.append(repr(word))
    return " ".join(words)


def lines():
    """Everything that happens in twelve games, each with its seed."""
    found = []
    dice = Rng(2026)
    for seed in range(12):
        driver = Driver(seed, "wild").to_play(2 + seed % 9, rule=seed % 2 == 0)
        driver.surprises(8, nicknames=True)
        shake(driver, dice, 150)
        found += [line(entry) for entry in driver.log]
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
