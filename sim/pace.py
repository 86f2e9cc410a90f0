"""When a robot that is played live may go on: not before the clock on the wall, which is handed
in.

The page that plays the sound has the last word: when more than CREDIT_FRAMES are on their way to
it, the robot waits for it to report what it has played, as the ring of I2S would. Time lost there
is not made up for, so the delay never grows.
"""

from __future__ import annotations

from roboto.sound.format import RATE_HZ

TURN_US = 8000
CREDIT_FRAMES = 200 * RATE_HZ // 1000
CREDIT_PATIENCE_S = (
    0.5  # a page that reports nothing for so long is asleep: the game does not wait for it
)
_HURRY_MAX_S = 0.25  # further behind the wall clock than this, time is let go


class Pace:
    """`speed`: virtual seconds a second."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._origin_s: float | None = None
        self._blocked_s: float | None = None
        self._credit = False  # a page plays the sound and reports it
        self._sent = 0
        self._played = 0

    def wait_s(self, now_s: float, now_us: int, at_once: bool = False) -> float:
        """Return for how long the robot must wait, whose clock shows now_us; 0 when it may take a
        turn. at_once: it may be a turn early, since somebody has done something."""
        virtual_s = now_us / 1e6 / self._speed
        if self._origin_s is None:
            self._origin_s = now_s - virtual_s
        ahead_s = self._origin_s + virtual_s - now_s
        if self._credit and self._sent - self._played > CREDIT_FRAMES:
            if self._blocked_s is None:
                self._blocked_s = now_s
            wait_s = self._blocked_s + CREDIT_PATIENCE_S - now_s
            if wait_s > 0:
                return wait_s
            self._played = self._sent  # asleep; it is heard of again when it reports
        if ahead_s > (TURN_US / 1e6 if at_once else 0):
            return ahead_s
        if ahead_s <= 0 and (self._blocked_s is not None or ahead_s < -_HURRY_MAX_S):
            self._origin_s -= ahead_s  # what was lost is lost
            self._blocked_s = None
        return 0.0

    def listen(self, on: bool) -> None:
        """Note whether a page plays the sound from now on."""
        self._credit = on
        self._sent = self._played = 0

    def sent(self, frames: int) -> None:
        """Note that so many more are on their way."""
        self._sent += frames

    def dropped(self, frames: int) -> None:
        """Note that the last so many are never heard."""
        self._sent = max(self._played, self._sent - frames)

    def played(self, frames: int) -> None:
        """Note that the page has played so many since it listens."""
        self._played = min(self._sent, frames)

    @property
    def in_flight_ms(self) -> int | None:
        """Return how much sound is on its way to a page; None when none plays it."""
        return round((self._sent - self._played) * 1000 / RATE_HZ) if self._credit else None
