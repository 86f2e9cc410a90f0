"""`python -m sim compare A.jsonl B.jsonl`: where two traces part, one line a difference.

Events are matched a channel at a time (what is said, the tones, each light, each kind of what
people do), so that two things that happen at once may come in either order. Times are compared
from one matched event to the next: whoever is a little later at each press is not late at the end,
and one delay is one difference. A length in "ms" may differ as much as a time; all else is the
same or a difference. What tells of the bench (`bench`) is no part of the party.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from host_tools.plain_file import read_text, reason

from .trace import Event

WITHIN_MS = 200  # what a board takes to look a recording through, and the console to tell it
_MOST_BYTES = 200_000_000
_SHOWN = 120  # letters of an event
_BENCH = "bench"


class BadTrace(Exception):
    """One line: which file, which line, what is wrong."""


def read(path: Path) -> list[Event]:
    """Return the events of a trace. Raise BadTrace."""
    try:
        text = read_text(path, _MOST_BYTES)
    except FileNotFoundError:
        raise BadTrace(f"{path}: there is no such file") from None
    except OSError as error:
        raise BadTrace(f"{path}: cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise BadTrace(f"{path}: not a trace: {error}") from None
    return list(_events(path, text))


def _events(path: Path, text: str) -> Iterator[Event]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise BadTrace(f"{path}: line {number} is no event: a trace has one in JSON a line")
        t = event.get("t")
        if isinstance(t, bool) or not isinstance(t, (int, float)) or not 0 <= t < 1e12:
            raise BadTrace(f'{path}: line {number} has no time: "t" in milliseconds')
        if event["event"] != _BENCH:
            yield event


def differences(first: list[Event], second: list[Event], within_ms: float) -> list[str]:
    """Return one line for each difference, in the order of time."""
    found: list[tuple[float, str]] = []
    pairs: list[tuple[Event, Event]] = []
    ours, theirs = _channels(first), _channels(second)
    for channel in sorted(ours.keys() | theirs.keys()):
        a, b = ours.get(channel, []), theirs.get(channel, [])
        matcher = SequenceMatcher(None, [_key(e) for e in a], [_key(e) for e in b], False)
        for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
            if tag == "equal":
                pairs += zip(a[a_from:a_to], b[b_from:b_to], strict=True)
            else:
                found += _unlike(a[a_from:a_to], b[b_from:b_to])
    drift = 0.0
    for a, b in sorted(pairs, key=lambda pair: pair[0]["t"]):
        now = b["t"] - a["t"]
        if abs(now - drift) > within_ms:
            late = "later" if now > drift else "earlier"
            found.append(
                (a["t"], f"{_at(a)}: {abs(now - drift):.0f} ms {late} in the second: {_shown(a)}")
            )
        drift = now
        for what, x, y in _lengths(a, b):
            if abs(x - y) > within_ms:
                found.append((a["t"], f"{_at(a)}: {what} is {x} and {y} ms: {_shown(a)}"))
    return [line for _, line in sorted(found, key=lambda entry: entry[0])]


def _channels(events: list[Event]) -> dict[str, list[Event]]:
    channels: dict[str, list[Event]] = {}
    for event in events:
        channels.setdefault(f"{event['event']} {event.get('led', '')}", []).append(event)
    return channels


def _unlike(a: list[Event], b: list[Event]) -> Iterator[tuple[float, str]]:
    for x, y in zip(a, b, strict=False):
        yield x["t"], f"{_at(x)}: {_shown(x)} is in the second, at {_at(y)}, {_shown(y)}"
    for x in a[len(b) :]:
        yield x["t"], f"{_at(x)}: only in the first: {_shown(x)}"
    for y in b[len(a) :]:
        yield y["t"], f"{_at(y)}: only in the second: {_shown(y)}"


def _key(event: Event) -> str:
    return json.dumps(_timeless(event), sort_keys=True)


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if k not in ("t", "ms")}
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    return value


def _lengths(a: Any, b: Any, where: str = "") -> Iterator[tuple[str, float, float]]:
    """Yield each "ms" of two events that are the same but for those."""
    if isinstance(a, dict):
        for key in a.keys() & b.keys():
            inside = f"{where} {key}".strip()
            if key == "ms" and all(isinstance(v, (int, float)) for v in (a[key], b[key])):
                yield inside, a[key], b[key]
            elif key != "t":
                yield from _lengths(a[key], b[key], inside)
    elif isinstance(a, list):
        for number, (x, y) in enumerate(zip(a, b, strict=True), 1):
            yield from _lengths(x, y, f"{where} {number}")


def _at(event: Event) -> str:
    return f"{event['t'] / 1000:.3f} s"


def _shown(event: Event) -> str:
    fields = {key: value for key, value in event.items() if key not in ("t", "event", "parts")}
    told = " ".join(f"{key}={_value(value)}" for key, value in fields.items())
    line = f"{event['event']} {told}".strip()
    line = "".join(c if c.isprintable() else " " for c in line)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
