"""SPEC section 7, the trace: its events, and their fields."""

import json
import random
from pathlib import Path

import pytest

from .test_surprises import NAMES

FIELDS = {
    "state": {"state"},
    "press": {"control"},
    "release": {"control"},
    "switch": {"position"},
    "led": {"led", "on"},
    "record": {"what", "player", "ms", "result"},
    "say": {"parts", "text", "kind", "players", "ms"},
    "quiet": {"cut"},
    "tone": {"tone"},
    "volume": {"level"},
    "sleep": set(),
    "wake": set(),
    "power": {"on"},
    "fault": {"what"},
}
TONES = {"plate", "volume", "limit", "not_now", "sleep_warning", "fanfare", "missing"}
STATES = {"names", "house_rule", "play", "nickname", "won", "demo", "asleep"}

EVENING = Path(__file__).with_name("evening.toml")


def test_every_event_has_its_fields_in_order(scenario):
    run = scenario(EVENING.read_text(), seed=4)
    assert {e["event"] for e in run.events} == set(FIELDS) - {"fault"}
    last = 0
    for event in run.events:
        json.dumps(event)
        assert FIELDS[event["event"]] <= set(event), event
        assert type(event["t"]) is int and event["t"] >= last
        last = event["t"]
    assert {e["tone"] for e in run.all("tone")} <= TONES
    assert {e["state"] for e in run.all("state")} <= STATES
    assert {e["kind"] for e in run.all("say")} <= {*NAMES, None}
    talk = [e["on"] for e in run.all("led", led="talk")]
    assert talk == [True, False] * (
        len(talk) // 2
    )  # "only off/on at the start and end of an utterance"


def test_say(scenario):
    """ "parts: list of {"phrase": id} or {"clip": ...}; text: as written, names as {0}; players:
    0-based players named, in
    order; ms: its length" """
    run = scenario(EVENING.read_text(), seed=4)
    for say in run.said():
        names = [
            part["clip"] for part in say["parts"] if part.get("clip", "house_rule") != "house_rule"
        ]
        assert {int(clip.split("/")[1]) for clip in names} == set(say["players"])
        assert all(("phrase" in part) != ("clip" in part) for part in say["parts"])
        for slot in range(len(say["players"])):
            assert "{%d}" % slot in say["text"]
        end = next(e for e in run.events[run.events.index(say) :] if e["event"] == "quiet")
        if not end["cut"]:
            assert 0 <= end["t"] - say["t"] - say["ms"] <= 120


def test_kept_events_stay_the_same_objects(scenario):
    """`t` "runs on through power cuts"."""
    run = scenario(
        '[[step]]\nafter = 1.0\npower = "cut"\n[[step]]\nafter = 5.0\npower = "restore"\n'
    )
    assert [e["t"] for e in run.all("power")] == [1000, 6000]
    assert run.all("state")[-1]["t"] >= 6000


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_trace_does_not_depend_on_whether_anybody_listens(scenario, seed):
    """`--wav` adds a file and changes nothing else, whenever somebody presses."""
    dice = random.Random(seed)
    presses = "".join(
        f"[[step]]\nafter = {dice.uniform(0.05, 6):.3f}\n"
        f'hold = "{dice.choice(("plate", "plate", "plate", "replay", "volume", "mode"))}"\n'
        f"for = {dice.uniform(0.02, 0.4):.3f}\n"
        for _ in range(120)
    )
    text = EVENING.read_text() + presses
    unheard = scenario(text, seed, flash="unheard")
    heard = scenario(text, seed, listen=True, flash="heard")
    assert len(heard.events) > 500
    assert unheard.events == heard.events
