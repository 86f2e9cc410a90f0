"""The demo's WAV says what its transcript claims: a speech recogniser is asked, for each
command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from host_tools.voice import ensure_pack
from sim.robot import Robot
from sim.scenario import People, play, read
from tests.conftest import need

DEMO = Path(__file__).resolve().parents[2] / "sim" / "demo" / "party.toml"
_LATENCY_MS = 36  # from a `say` in the trace to its first sound


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_commands_are_understood(lang: str, tmp_path: Path) -> None:
    need("pocketsphinx", "pip install pocketsphinx")
    from host_tools.voice import catalogue, hear

    packs = {lang: ensure_pack(lang)}
    robot = Robot(packs, tmp_path, seed=3, language=lang)
    play(robot, People(robot, read(DEMO)))
    assert robot.tape is not None
    tape = np.frombuffer(robot.tape.samples(0, robot.chip.now_us), "<i2")

    phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
    commands = {phrase.id: hear.sentence(phrase) for phrase in phrases.values() if phrase.kind}
    recogniser = hear.Recogniser(lang, list(commands.values()))
    said = [event for event in robot.trace.events if event["event"] == "say" and event["kind"]]
    whole = [event for event in said if not _cut(robot.trace.events, event)]
    heard = {event["command"]: recogniser.hear(_command_sound(tape, event)) for event in whole}
    right = [command for command, words in heard.items() if words == commands[command]]
    print(f"{lang}: {len(right)} of {len(heard)} commands understood")
    assert len(heard) >= 5
    assert len(right) >= 0.7 * len(heard), heard


def _cut(events: list[dict[str, Any]], say: dict[str, Any]) -> bool:
    after = events[events.index(say) :]
    return next(event["cut"] for event in after if event["event"] == "quiet")


def _command_sound(tape: np.ndarray, say: dict[str, Any]) -> np.ndarray:
    """What was played of the command itself; where a name is, a short pause."""
    pieces = []
    at = say["t"] + _LATENCY_MS - 8
    for part in say["parts"]:
        if part.get("phrase") == say["command"]:
            pieces.append(tape[at * 16 : (at + part["ms"] + 8) * 16])
        elif pieces:
            pieces.append(np.zeros(150 * 16, "<i2"))
        at += part["ms"]
    return np.concatenate(pieces)
