"""The idle clock: a minute without activity brings a warning, and a little later sleep."""

from . import tuning


class Idle:
    """Notes when the robot was last active; it is told the time and never looks at a clock."""

    def __init__(self) -> None:
        self._active_ms = 0
        self._warned_ms: int | None = None

    @property
    def warned(self) -> bool:
        """Return whether the warning has sounded and nothing has happened since."""
        return self._warned_ms is not None

    def touch(self, now_ms: int) -> None:
        """Note activity: a press, a recording, the robot's own words."""
        self._active_ms = now_ms
        self._warned_ms = None

    def warn(self, now_ms: int) -> None:
        """Note that the warning sounds now."""
        self._warned_ms = now_ms

    def deadline_ms(self, sleep_s: int) -> int:
        """Return when the warning is due, or after it when sleep is.

        sleep_s: the setting of that name, which is when the warning comes.
        """
        if self._warned_ms is None:
            return self._active_ms + sleep_s * 1000
        return self._warned_ms + tuning.SLEEP_AFTER_WARNING_MS
