"""How far a run has come, for whoever waits for it."""

from __future__ import annotations

import sys
import time


class Progress:
    """A bar on a terminal where rich is installed; else a line now and then, to standard error.

    Call it with the number of games that are done.
    """

    def __init__(self, total: int, quiet: bool, what: str = "games") -> None:
        self.total = total
        self._what = what
        self.bar = None
        self._began = time.monotonic()
        self._next_line = self._began + 5
        self._at_start: int | None = None  # games that were done before
        self._quiet = quiet and not sys.stderr.isatty()
        if sys.stderr.isatty():
            try:
                from rich.console import Console
                from rich.progress import (
                    BarColumn,
                    MofNCompleteColumn,
                    Progress,
                    TextColumn,
                    TimeRemainingColumn,
                )
            except ImportError:
                return
            self.bar = Progress(
                TextColumn(what),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self.bar.add_task(what, total=total)

    def __enter__(self) -> Progress:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def __call__(self, done: int) -> None:
        if self._at_start is None:
            self._at_start = done
        now = time.monotonic()
        if self.bar:
            self.bar.update(self._task, completed=done)
        elif not self._quiet and now >= self._next_line and done > self._at_start:
            spent = now - self._began
            self._next_line = now + max(5, spent / 10)  # ever more seldom
            left = spent * (self.total - done) / (done - self._at_start)
            time_left = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min"
            line = f"{done} of {self.total} {self._what}, {time_left} left"
            print(line, file=sys.stderr, flush=True)
