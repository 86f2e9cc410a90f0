"""The trace of SPEC.md section 7: what could be seen and heard, one JSON object an event."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Event = dict  # str -> Any


class Trace:
    """Collects events; `watchers` are told of each as it happens."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.watchers: list[Callable[[Event], None]] = []

    def add(self, t_ms: int, event: str, fields: dict[str, Any]) -> None:
        entry: Event = {"t": t_ms, "event": event}
        entry.update(fields)
        self.events.append(entry)
        for watcher in self.watchers:
            watcher(entry)

    def lines(self) -> str:
        """Return it as JSON Lines."""
        return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in self.events)
