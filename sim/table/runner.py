"""Many games: cut into parts, on several processes, kept in a file so that a run can be taken up.

Each game has its own seed, made of the run's seed and its number, so a result does not depend on
the number of jobs, on the order of the parts, nor on how often the run was interrupted.
"""

import json
import multiprocessing
import os
import random
import signal
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path

from . import plain
from .players import seat_players
from .rules import RULES_FILE, load
from .tally import Tally

_SEED_STRIDE = 1 << 32


class RunError(ValueError):
    """A run that cannot be made or taken up; the message says why and what to do."""


@dataclass(frozen=True)
class Settings:
    """What a run plays. Games take turns through all pairs of rule set and number of players."""

    games: int
    players: tuple[int, ...] = (4,)
    rules: tuple[str, ...] = ("robot",)
    rules_file: str = str(RULES_FILE)
    kinds: tuple[str, ...] = ("sensible",)
    scoring: str = "none"
    target: int = 500
    seed: int = 1
    robot: bool = False
    pace: str = "normal"
    lang: str = "es"
    in_a_row: int = 1  # games of a party: names are recorded once

    def table(self, index):
        """The rule set's name and the number of players of a game."""
        which = index % (len(self.rules) * len(self.players))
        return self.rules[which // len(self.players)], self.players[which % len(self.players)]

    def rng(self, index):
        """The game's own source of chance."""
        return random.Random(self.seed * _SEED_STRIDE + index)

    def key(self, index):
        """Under which name a game's figures are kept: rule set and players, "robot/4"."""
        name, n_players = self.table(index)
        return f"{name}/{n_players}"


def play_part(settings, start, stop):
    """Play the games start to stop - 1. Tallies by key."""
    sets = load(settings.rules_file)
    tallies = {}
    for index in range(start, stop):
        name, n_players = settings.table(index)
        tally = tallies.setdefault(settings.key(index), Tally())
        if settings.robot:
            from . import parties  # only where it is wanted: it brings the firmware along

            parties.play_into(tally, settings, sets[name], n_players, index)
        else:
            players = seat_players(settings.kinds, n_players)
            plain.play_into(
                tally,
                sets[name],
                players,
                settings.rng(index),
                settings.scoring,
                settings.target,
            )
    return tallies


def merge(into, tallies):
    """Add tallies by key to others."""
    for key, tally in tallies.items():
        into.setdefault(key, Tally()).merge(tally)


class SaveFile:
    """Parts that are done, one JSON line each, after a first line that says of which run.

    A line that was not written to its end (the power went) is left out; its part is played again.
    The number of games is no part of what a run is: asked for more, it goes on.
    """

    def __init__(self, path, settings):
        self.path = Path(path)
        self.done = set()  # numbers of games
        self.tallies = {}
        said = asdict(settings)
        n_games = said.pop("games")
        header = json.dumps({"settings": said})
        try:
            # Bytes, so that a last line cut in the middle of a letter does no harm.
            lines = self.path.read_bytes().split(b"\n") if self.path.exists() else [b""]
            first = lines[0].decode(errors="replace")
            if len(lines) > 1 and first == header:
                whole = 1 + self._read(lines[1:-1])
                self._cut_after(lines[:whole])
            elif len(lines) == 1 and header.startswith(first):
                self.path.write_text(header + "\n", encoding="utf-8")
            else:
                raise RunError(
                    f"{path}: is not a run with these settings; "
                    "give the same options, or another file"
                )
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}") from None
        if self.done and max(self.done) >= n_games:
            raise RunError(
                f"{path}: holds {max(self.done) + 1} games already; ask for as many, or more"
            )

    def _read(self, lines):
        for number, line in enumerate(lines):
            try:
                part = json.loads(line)
                games = range(*part["games"])
                tallies = {key: Tally.from_json(data) for key, data in part["tallies"].items()}
            except (ValueError, KeyError, TypeError, AttributeError):
                return number
            if self.done.isdisjoint(games):
                self.done.update(games)
                merge(self.tallies, tallies)
        return len(lines)

    def _cut_after(self, lines):
        size = sum(len(line) + 1 for line in lines)
        if size < self.path.stat().st_size:
            os.truncate(self.path, size)

    def add(self, start, stop, tallies):
        """Keep a part that is done; it is on the disk when this returns."""
        data = {key: tally.to_json() for key, tally in tallies.items()}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"games": [start, stop], "tallies": data}) + "\n")
            file.flush()
            os.fsync(file.fileno())


def parts_to_play(n_games, done, size):
    """Stretches [start, stop) of at most `size` games that cover all that are not done."""
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


def run(settings, jobs=1, save=None, progress=None, part_size=None):
    """Play a whole run, or what a save file lacks of it. Tallies by key.

    progress: called with the number of games done. part_size: games a part; by default few where
    the firmware is in the loop, since a part is what an interruption loses.
    """
    if settings.robot:
        from . import parties

        parties.prepare(settings)
    size = part_size or (5 if settings.robot else 200)
    tallies = {}
    done = 0
    saved = SaveFile(save, settings) if save else None
    if saved:
        merge(tallies, saved.tallies)
        done = len(saved.done)
    parts = parts_to_play(settings.games, saved.done if saved else (), size)
    if progress:
        progress(done)
    for start, stop, part in _play_parts(settings, parts, jobs):
        if saved:
            saved.add(start, stop, part)
        merge(tallies, part)
        done += stop - start
        if progress:
            progress(done)
    return tallies


def _play_parts(settings, parts, jobs):
    if jobs <= 1:
        for start, stop in parts:
            yield start, stop, play_part(settings, start, stop)
        return
    waiting = iter(parts)
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(jobs, initializer=_leave_signals_to_the_parent) as pool:
        running = {}
        try:
            while True:
                while len(running) < 2 * jobs:
                    part = next(waiting, None)
                    if part is None:
                        break
                    running[pool.submit(play_part, settings, *part)] = part
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    start, stop = running.pop(future)
                    yield start, stop, future.result()
        except BaseException:
            # Nobody waits for what is half played: it is not kept, and will be played again.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                if child not in others:
                    child.terminate()
            raise


def _leave_signals_to_the_parent():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
