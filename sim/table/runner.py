"""Many games: cut into parts, played wherever there is room, and added up.

A result does not depend on the number of jobs, on the order of the parts, on where they were
played, nor on how often the run was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from . import plain
from .executors import Workers, workers
from .rules import Rules, load
from .save_file import SaveFile
from .settings import RunError, Settings
from .tally import Tally

__all__ = ["RunError", "SaveFile", "Settings", "merge", "parts_to_play", "play_part", "run"]

_LOOK_S = 2.0  # between looks whether the workers still work


def play_part(
    settings: Settings, sets: dict[str, Rules], start: int, stop: int
) -> dict[str, Tally]:
    """Play the games start to stop - 1. Return tallies by key."""
    tallies: dict[str, Tally] = {}
    for index in range(start, stop):
        name, n_players = settings.table(index)
        tally = tallies.setdefault(settings.key(index), Tally())
        if settings.robot:
            from . import parties  # only where it is wanted: it brings the firmware along

            parties.play_into(tally, settings, sets[name], n_players, index)
        else:
            plain.play_into(tally, settings, sets[name], n_players, index)
    return tallies


def merge(into: dict[str, Tally], tallies: dict[str, Tally]) -> None:
    """Add tallies by key to others."""
    for key, tally in tallies.items():
        into.setdefault(key, Tally()).merge(tally)


def parts_to_play(n_games: int, done: Collection[int], size: int) -> list[tuple[int, int]]:
    """Return stretches [start, stop) of at most `size` games that cover all that are not done."""
    parts = []
    start = None
    for index in range(n_games + 1):
        wanted = index < n_games and index not in done
        if start is not None and (not wanted or index - start == size):
            parts.append((start, index))
            start = None
        if wanted and start is None:
            start = index
    return parts


def run(
    settings: Settings,
    jobs: int = 1,
    save: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
    part_size: int | None = None,
    on: str | None = None,
) -> dict[str, Tally]:
    """Play a whole run, or what a save file lacks of it. Return tallies by key.

    jobs, on: see executors.workers. progress: called with the number of games done. part_size:
    games a part; by default few where the firmware is in the loop, since a part is what an
    interruption loses.
    """
    sets = load(settings.rules_file)
    if settings.robot:
        from . import parties

        parties.prepare(settings)
    size = part_size or (5 if settings.robot else 200)
    tallies: dict[str, Tally] = {}
    done = 0
    saved = SaveFile(save, settings) if save else None
    if saved:
        merge(tallies, saved.tallies)
        done = len(saved.done)
    parts = parts_to_play(settings.games, saved.done if saved else (), size)
    if progress:
        progress(done)
    if not parts:
        return tallies
    sets = {name: sets[name] for name in settings.rules}
    with workers(jobs, on) as them:
        for start, stop, part in _play_parts(settings, sets, parts, them):
            if saved:
                saved.add(start, stop, part)
            merge(tallies, part)
            done += stop - start
            if progress:
                progress(done)
    return tallies


def _play_parts(
    settings: Settings, sets: dict[str, Rules], parts: list[tuple[int, int]], them: Workers
) -> Iterator[tuple[int, int, dict[str, Tally]]]:
    """Yield each part as it is done: start, stop, and its tallies."""
    waiting = iter(parts)
    running: dict[Future[dict[str, Tally]], tuple[int, int]] = {}
    while True:
        while len(running) < them.width and (part := next(waiting, None)):
            running[them.executor.submit(play_part, settings, sets, *part)] = part
        if not running:
            return
        finished, _ = wait(running, _LOOK_S, return_when=FIRST_COMPLETED)
        if not finished:
            them.check()
        for future in finished:
            start, stop = running.pop(future)
            yield start, stop, them.result(future)
