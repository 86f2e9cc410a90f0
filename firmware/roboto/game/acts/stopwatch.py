"""stopwatch: one of the two presses the tray when ten seconds seem to be over, and the robot,
which has a clock, says who has lost."""

from .. import tuning
from . import Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..utterance import Utterance


class Stopwatch(Act):
    _since_ms: "int | None" = None  # when the clock began to run

    def begin(self) -> bool:
        self.request.phrase("act.go")
        return True

    def said(self) -> "int | None":
        self._since_ms = self.game.now_ms

    def over(self, utterance: "Utterance") -> bool:
        """Return the first of the two wins when the press came in time, else the second."""
        if self._since_ms is None:
            return False
        ms = self.game.now_ms - self._since_ms
        off_ms = ms - tuning.STOPWATCH_MS
        in_time = abs(off_ms) <= tuning.STOPWATCH_OFF_MS
        which = 1 if in_time else 0
        self.game.tell("act", act="stopwatch", ms=ms, loser=self.players[which])
        utterance.phrase("act.on_time" if in_time else "act.early" if off_ms < 0 else "act.late")
        return self.loses(utterance, which)
