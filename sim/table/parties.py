"""Parties with the robot, one after another: each in a folder of its own, and what came of it."""

from __future__ import annotations

import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from roboto.game import tuning
from roboto.game.surprise import paced

from host_tools.voice import ensure_pack
from host_tools.voice.commands import Commands

from ..robot import Robot
from .game import Game
from .party import USUAL, Habits, Party
from .plain import note_game
from .players import seat_players
from .rules import Rules
from .tally import Tally
from .witness import Seen, Stuck

_LATE_MS = 150  # press to beep or light, at most, while something is saved


def gap_min(pace: str) -> int:
    """Return the fewest counted presses between two surprises at a pace."""
    return paced(tuning.GAP_MIN, pace)


def prepare(settings: Any) -> None:
    """Build the voice pack before several processes want it at once."""
    ensure_pack(settings.lang)


def play_one(
    settings: Any,
    rules: Rules,
    n_players: int,
    index: int,
    log: Callable[[str], None] | None = None,
    habits: Habits = USUAL,
) -> tuple[list[tuple[Seen, Game]], str]:
    """One party. What was seen of each game that began, and what went wrong, or ""."""
    rng = settings.rng(index)
    folder = Path(tempfile.mkdtemp(prefix="roboto-table-"))
    try:
        packs = {settings.lang: ensure_pack(settings.lang)}
        robot = Robot(packs, folder, rng.getrandbits(30), listen=False, language=settings.lang)
        _set_pace(folder, settings.lang, settings.pace)
        robot.chip.now_us = 0
        people = seat_players(settings.kinds, n_players)
        gap = gap_min(settings.pace)
        party = Party(robot, rules, people, Commands(), rng, habits, gap, log)
        trouble = ""
        try:
            party.play(settings.in_a_row)
        except Stuck as stuck:
            trouble = f"stuck: {stuck}"
        except Exception:
            trouble = "exception: " + traceback.format_exc().strip().replace("\n", " | ")[-500:]
        return party.results, trouble
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _set_pace(folder: Path, lang: str, pace: str) -> None:
    """Set the pace as the settings menu would have, before the party."""
    from roboto.storage.settings import Settings
    from roboto.storage.volume import Volume

    settings = Settings(Volume(str(folder)))
    settings.set("language", lang)
    settings.set("pace", pace)
    job = settings.save()
    while not job.step():
        pass


def play_into(tally: Tally, settings: Any, rules: Rules, n_players: int, index: int) -> None:
    """Play one party and add what it came to."""
    results, trouble = play_one(settings, rules, n_players, index)
    tally.add("matches")
    if trouble:
        tally.add("exceptions" if trouble.startswith("exception") else "stuck")
        tally.add(f"trouble/party {index}: {trouble}")
    for seen, game in results:
        for line in _late(seen):
            tally.add(f"trouble/party {index}: {line}")
        note_game(tally, game)
        _note_seen(tally, seen)
        for person in range(n_players):
            tally.add(f"won/{person}", int(seen.winner == person))


def _late(seen: Seen) -> Iterator[str]:
    """What took longer than SPEC.md allows, or never came."""
    if seen.beep_ms > _LATE_MS:
        yield f"a beep came {seen.beep_ms} ms after its press"
    if seen.light_ms > _LATE_MS:
        yield f"a light came {seen.light_ms} ms after its press"
    if seen.lost_presses:
        yield f"{seen.lost_presses} presses had no answer"


def _note_seen(tally: Tally, seen: Seen) -> None:
    tally.add("presses", seen.presses)
    tally.add("lost_presses", seen.lost_presses)
    tally.add("sleeps", seen.sleeps)
    tally.add("sleep_warnings", seen.sleep_warnings)
    tally.add("vetoes", seen.vetoes)
    tally.add("early", seen.early)
    tally.add("unknown_effects", seen.unknown_effects)
    tally.add("won_on_command", int(seen.won_on_command))
    tally.add("faults", len(seen.faults))
    for fault in seen.faults:
        tally.add(f"fault/{fault}")
    for kind, n in seen.kinds.items():
        tally.add(f"kind/{kind}", n)
    if seen.winner is None:
        return  # nothing that compares with whole games
    tally.see("robot_seconds", (seen.ended_ms - seen.began_ms) / 1000)
    tally.see("interruptions", seen.interruptions)
    tally.see("cards_moved", seen.cards_moved)
    tally.see("named_spread", max(seen.named) - min(seen.named))
    tally.see("ordered_spread", max(seen.ordered) - min(seen.ordered))
    tally.see("silence_ms", seen.silence_ms)
    tally.see("talk_seconds", seen.talk_ms / 1000)
    tally.see("beep_ms", seen.beep_ms)
    tally.see("light_ms", seen.light_ms)
