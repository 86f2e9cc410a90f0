"""A transcript that people read: who pressed what, what the robot said, what it did, with
times."""

from __future__ import annotations

import re
from collections.abc import Callable

from .trace import Event

_TONES = {
    "plate": "beep",
    "volume": "ding",
    "limit": "time is up",
    "not_now": "not now",
    "sleep_warning": "sleepy tones",
    "fanfare": "fanfare!",
    "whirr": "whirrrr",
    "wheel": "tick, tick … tick … tock",
    "reels": "rattle, clack, clack, clack",
    "drum": "drum roll",
    "flip": "slide down, bump",
    "flip_back": "slide up",
    "dice": "dice roll",
    "missing": "flutter: something is missing",
}
_RESULTS = {
    "stored": "is kept",
    "too_short": "is too short",
    "silent": "is only silence",
    "cancelled": "is dropped",
}


class Transcript:
    """Turns trace events into lines. `speaking()` tells whose words went into the microphone
    last."""

    def __init__(self, speaking: Callable[[], str]) -> None:
        self._speaking = speaking
        self._names: dict[int, str] = {}
        self._nicknames: dict[int, str] = {}
        self._rule = ""

    def line(self, event: Event) -> str | None:
        """Return the line for an event, or None when people would not notice it."""
        text = self._text(event)
        if text is None:
            return None
        minutes, ms = divmod(event["t"], 60_000)
        return f"{minutes:3d}:{ms / 1000:06.3f}  {text}"

    def _text(self, event: Event) -> str | None:  # noqa: C901 - a case an event
        what = event["event"]
        if what == "press":
            return f"       [{event['control']}] pressed"
        if what == "release":
            return (
                f"       [{event['control']}] released" if event["control"] == "record" else None
            )
        if what == "say":
            kind = f" ({event['kind'].replace('_', ' ')})" if event["kind"] else ""
            return f"ROBOTO{kind}: {self._spoken(event)}"
        if what == "quiet":
            return "ROBOTO falls silent" if event["cut"] else None
        if what == "tone":
            return f"ROBOTO: *{_TONES.get(event['tone'], event['tone'])}*"
        if what == "record":
            return self._recorded(event)
        if what == "led" and event["led"] == "record":
            return f"       record LED {'on' if event['on'] else 'off'}"
        if what == "state":
            if event["state"] in ("names", "house_rule"):
                self._nicknames.clear()
            return f"--- {event['state'].replace('_', ' ')}"
        if what == "switch":
            return f"       switch to {event['position']}"
        if what == "power":
            return f"       battery {'in' if event['on'] else 'out'}"
        if what in ("act", "victory"):
            return f"       {self._known(event)}"
        if what == "outcome":
            return f"       {event['game']}: {event['outcome']}"
        if what == "volume":
            return f"       volume {event['level']}"
        if what == "fault":
            return f"!      {event['what']}"
        if what in ("sleep", "wake"):
            return "zzz" if what == "sleep" else "       it wakes"
        return None

    def _known(self, event: Event) -> str:
        """What the robot knows, in words."""
        if event["event"] == "victory":
            n = event["victories"]
            return f"{self._name(event['player'])} has won {n} time{'s' * (n != 1)}"
        told = {k: v for k, v in event.items() if k not in ("t", "event", "act")}
        if "loser" in told:
            told["loser"] = self._name(told["loser"])
        return f"{event['act']}: " + ", ".join(f"{k} {v}" for k, v in told.items())

    def _recorded(self, event: Event) -> str:
        said = self._speaking().replace("_", " ")
        said = said[:1].upper() + said[1:]
        kept = event["result"] == "stored"
        what, player = event["what"], event["player"]
        if what == "house_rule":
            if kept:
                self._rule = said
            of = "the House Rule"
        elif what == "name":
            if kept:
                self._names[player] = said or f"Player {player + 1}"
                self._nicknames.pop(player, None)
            of = f"the name of player {player + 1}" + (f", {self._names[player]}," if kept else "")
        else:
            of = f"the nickname of {self._name(player)}"
            if kept:
                self._nicknames[player] = said or f"nickname of {self._name(player)}"
                of += f", {self._nicknames[player]},"
        return f"       {of} {_RESULTS[event['result']]} ({event['ms'] / 1000:.2f} s)"

    def _name(self, player: int) -> str:
        return self._nicknames.get(player) or self._names.get(player) or f"Player {player + 1}"

    def _spoken(self, event: Event) -> str:
        text = re.sub(r"\s*\[\d+\]\s*", " ", event["text"]).strip()
        for slot, player in enumerate(event["players"]):
            text = text.replace(f"{{{slot}}}", self._name(player))
        return text.replace("[house rule]", f"«{self._rule}»")
