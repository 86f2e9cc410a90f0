"""Parties with the robot, one after another: each in a folder of its own, and what came of it."""

from __future__ import annotations

import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from roboto.game import tuning
from roboto.game.games import RARER
from roboto.game.surprise import paced

from host_tools.voice import ensure_pack
from host_tools.voice.commands import Commands

from ..robot import Robot
from .dice_party import DiceParty
from .game import Game
from .habits import USUAL, Habits
from .party import Party
from .plain import note_game, note_sheet
from .players import seat_players
from .rules import Rules
from .scoring import Sheet, new_sheet
from .settings import Settings
from .shelf import GAMES
from .tally import Tally
from .witness import Seen, Stuck

_LATE_MS = 150  # press to beep or light, at most, while something is saved


def gap_min(pace: str, game: str = "roboto") -> int:
    """Return the fewest counted presses between two surprises at a pace."""
    return paced(tuning.GAP_MIN, pace) * (RARER if game in GAMES else 1)


def prepare(settings: Settings) -> None:
    """Build the voice pack before several processes want it at once."""
    ensure_pack(settings.lang)


@dataclass
class Played:
    """What came of one party, or of one match over several games."""

    sheet: Sheet
    results: list[tuple[Seen, Game]] = field(default_factory=list)  # of the games that have begun
    trouble: str = ""  # what went wrong


def play_one(
    settings: Settings,
    rules: Rules,
    n_players: int,
    index: int,
    log: Callable[[str], None] | None = None,
    habits: Habits = USUAL,
) -> tuple[list[tuple[Seen, Game]], str]:
    """Play one party. Return what was seen of each game that began, and what went wrong, or ""."""
    played = play(settings, rules, n_players, index, log, habits)
    return played.results, played.trouble


def play(
    settings: Settings,
    rules: Rules,
    n_players: int,
    index: int,
    log: Callable[[str], None] | None = None,
    habits: Habits = USUAL,
) -> Played:
    """Play one party, or a whole match where points are counted, round one robot in a folder of
    its own."""
    rng = settings.rng(index)
    played = Played(new_sheet(settings.scoring, n_players, settings.target))
    folder = Path(tempfile.mkdtemp(prefix="roboto-table-"))
    try:
        packs = {settings.lang: ensure_pack(settings.lang)}
        robot = Robot(packs, folder, rng.getrandbits(30), listen=False, language=settings.lang)
        _set(folder, language=settings.lang, pace=settings.pace, game=settings.game)
        robot.chip.now_us = 0
        people = seat_players(settings.kinds, n_players)
        gap = gap_min(settings.pace, settings.game)
        commands = Commands()

        def sit_down(seated: list[int]) -> Party:
            seats = [people[who] for who in seated]
            pairs = played.sheet.pairs
            party = DiceParty if settings.game == "dice" else Party
            return party(
                robot, rules, seats, commands, rng, habits, gap, log, pairs, settings.game
            )

        try:
            if settings.scoring == "none":
                _in_a_row(played, sit_down(list(range(n_players))), settings.in_a_row)
            else:
                _match(played, sit_down, log)
        except Stuck as stuck:
            played.trouble = f"stuck: {stuck}"
        except Exception:
            lines = traceback.format_exc().strip().replace("\n", " | ")
            played.trouble = "exception: " + lines[-500:]
        return played
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _in_a_row(played: Played, party: Party, n_games: int) -> None:
    played.results = party.results
    party.play(n_games)


def _match(
    played: Played,
    sit_down: Callable[[list[int]], Party],
    log: Callable[[str], None] | None,
) -> None:
    """Play until the sheet says that somebody has won. Where others sit down, the robot is
    switched off and on, as its own sheet has it, and hears their names."""
    sheet = played.sheet
    seated, party = sheet.seated, None
    while sheet.seated is not None:
        if party is None or sheet.seated != seated:
            if party is not None:
                party.end()
            seated = sheet.seated
            party = sit_down(seated)
            party.begin()
        before = len(party.results)
        try:
            sheet.note(*party.play_game())
        finally:
            played.results += party.results[before:]
        if log:
            log(f"game {len(sheet.rows)}: {sheet.last_words()}")
    if party is not None:
        party.end()


def _set(folder: Path, **chosen: str) -> None:
    """Set these as the settings menu would have, before the party."""
    from roboto.storage.settings import Settings
    from roboto.storage.volume import Volume

    settings = Settings(Volume(str(folder)))
    for key, value in chosen.items():
        settings.set(key, value)
    job = settings.save()
    while not job.step():
        pass


def play_into(
    tally: Tally,
    settings: Settings,
    rules: Rules,
    n_players: int,
    index: int,
    habits: Habits = USUAL,
) -> Played:
    """Play one party or match, add what it came to, and return it."""
    played = play(settings, rules, n_players, index, None, habits)
    tally.add("matches")
    if played.trouble:
        tally.add("exceptions" if played.trouble.startswith("exception") else "stuck")
        tally.add(f"trouble/party {index}: {played.trouble}")
    for seen, game in played.results:
        for line in _late(seen):
            tally.add(f"trouble/party {index}: {line}")
        note_game(tally, game)
        _note_seen(tally, seen)
    if settings.scoring != "none":
        note_sheet(tally, settings, index, played.sheet)
        return played
    for seen, _ in played.results:
        for person in range(n_players):
            tally.add(f"won/{person}", int(seen.winner == person))
    return played


def _late(seen: Seen) -> Iterator[str]:
    """Yield what took longer than SPEC.md allows, never came, or went otherwise."""
    if seen.beep_ms > _LATE_MS:
        yield f"a beep came {seen.beep_ms} ms after its press"
    if seen.light_ms > _LATE_MS:
        yield f"a light came {seen.light_ms} ms after its press"
    yield from seen.wrong
    if seen.lost_presses:
        yield f"{seen.lost_presses} presses had no answer"


def _note_seen(tally: Tally, seen: Seen) -> None:
    tally.add("presses", seen.presses)
    tally.add("lost_presses", seen.lost_presses)
    tally.add("sleeps", seen.sleeps)
    tally.add("sleep_warnings", seen.sleep_warnings)
    tally.add("vetoes", seen.vetoes)
    for name in ("races", "races_forgotten", "races_cut", "refused", "named_winner"):
        tally.add(name, getattr(seen, name))
    tally.add("early", seen.early)
    tally.add("wrong", len(seen.wrong))
    tally.add("unknown_effects", seen.unknown_effects)
    tally.add("won_on_command", int(seen.won_on_command))
    tally.add("faults", len(seen.faults))
    for fault in seen.faults:
        tally.add(f"fault/{fault}")
    for outcome, n in seen.pulled.items():
        tally.add(f"pulled/{outcome}", n)
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
