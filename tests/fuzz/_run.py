"""Runs surfaces: their corpus and what they draw, with each outcome counted."""

from __future__ import annotations

import importlib
import pkgutil
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests import fuzz

from . import _corpus

TRACEBACK, HANG = "traceback", "hang"
_SHRINK_TRIES = 300


class Hang(BaseException):
    """An input took longer than any may."""


def surfaces() -> list[str]:
    """Return the names of all surfaces."""
    names = [module.name for module in pkgutil.iter_modules(fuzz.__path__)]
    return sorted(name for name in names if not name.startswith(("test_", "_")))


def load(name: str) -> Any:
    """Return the module of a surface."""
    return importlib.import_module(f"tests.fuzz.{name}")


class Count:
    """How many inputs of a surface ended how, and the first failure of each kind in full."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs = 0
        self.of = dict.fromkeys((fuzz.TAKEN, fuzz.REFUSED, fuzz.LOST, TRACEBACK, HANG), 0)
        self.failures: list[str] = []

    @property
    def bad(self) -> int:
        """How many inputs ended as none may."""
        return self.of[TRACEBACK] + self.of[HANG] + self.of[fuzz.LOST]

    def row(self) -> str:
        """Return a line of the table that `python -m tests.fuzz` prints."""
        of = self.of
        return (
            f"{self.name:<16} {self.inputs:>9} {of[fuzz.REFUSED]:>9} {of[TRACEBACK]:>11} "
            f"{of[HANG]:>6} {of[fuzz.LOST]:>5}"
        )


HEADING = (
    f"{'surface':<16} {'inputs':>9} {'refused':>9} {'tracebacks':>11} {'hangs':>6} {'lost':>5}"
)


def run(
    name: str, seed: int = 0, count: int | None = None, seconds: float | None = None,
    keep: bool = False,
) -> Count:  # fmt: skip
    """Try the corpus of a surface, then `count` drawn inputs, or as many as `seconds` allow.

    With `keep` each new failure is made smaller and goes into the corpus; once a kind of place.
    """
    surface, counted = load(name), Count(name)
    for title, given in _corpus.kept(name):
        _tried(counted, surface, given, f"corpus/{name}/{title}")
    end_s = time.monotonic() + (seconds or 0)
    most = surface.IN_CI if count is None and seconds is None else count
    number = 0
    while number < most if most is not None else time.monotonic() < end_s:
        rng = random.Random(f"{name} {seed} {number}")
        given = surface.draw(rng)
        outcome, told = _tried(counted, surface, given, f"seed {seed} number {number}")
        if keep and told and counted.bad <= 5:
            small = smaller(given, lambda part, bad=outcome: outcome_of(surface, part)[0] == bad)
            counted.failures.append(f"kept as {_corpus.keep(name, small, outcome)}")
        number += 1
    return counted


def _tried(counted: Count, surface: Any, given: Any, where: str) -> tuple[str, str]:
    outcome, told = outcome_of(surface, given)
    counted.inputs += 1
    counted.of[outcome] += 1
    if told and len(counted.failures) < 20:
        counted.failures.append(f"{surface.__name__}, {where}: {outcome}\n{told}")
    return outcome, told


def outcome_of(surface: Any, given: Any) -> tuple[str, str]:
    """Try one input: (outcome, what is to be told of it if it must not be)."""
    try:
        with _in_time():
            outcome = surface.one(given)
    except Hang:
        return HANG, "".join(traceback.format_exc(limit=-6))
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever it is, SystemExit too: it came out of the door
        return TRACEBACK, traceback.format_exc(limit=-8)
    assert outcome in (fuzz.TAKEN, fuzz.REFUSED, fuzz.LOST), outcome
    return outcome, "lost" if outcome == fuzz.LOST else ""


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise Hang in whatever takes too long; on Windows nothing looks after that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def late(*_: object) -> None:
        raise Hang

    before = [signal.signal(number, late) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, fuzz.HANG_S)
    signal.setitimer(signal.ITIMER_REAL, fuzz.HANG_WALL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def smaller(given: Any, still_fails: Callable[[Any], bool]) -> Any:
    """Leave out parts of an input for as long as it goes on to fail."""
    tries = 0
    shrunk = True
    while shrunk and tries < _SHRINK_TRIES:
        shrunk = False
        for part in _parts(given):
            tries += 1
            if tries > _SHRINK_TRIES:
                break
            if still_fails(part):
                given, shrunk = part, True
                break
    return given


def _parts(given: Any) -> Iterator[Any]:
    """Yield what is left of an input without some of it, the largest cuts first."""
    if isinstance(given, bytes | str | list):
        cut = len(given)
        while cut:
            for start in range(0, len(given), cut):
                yield given[:start] + given[start + cut :]
            cut //= 2
    if isinstance(given, list):
        for i, item in enumerate(given):
            for part in _parts(item):
                yield given[:i] + [part] + given[i + 1 :]
    if isinstance(given, dict):
        for key in given:
            yield {k: v for k, v in given.items() if k != key}
        for key, value in given.items():
            for part in _parts(value):
                yield {**given, key: part}
