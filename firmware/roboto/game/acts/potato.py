"""potato: a card goes round while the robot ticks, faster and faster, until it bangs."""

from .. import tuning
from . import Act

_TONES = {
    "tick": (("sine", 2349, 24, 30, 10),),
    "bang": (("reed", 98, 48, 60, 55), ("reed", 65, 400, 60, 5)),
}


class Potato(Act):
    _since_ms = 0  # when it began to tick
    _bang_ms = 0  # after that; 0: it does not tick

    def begin(self) -> bool:
        self.game.ask("tones", _TONES)
        return False

    def said(self) -> "int | None":
        least, most = tuning.POTATO_LEAST_MS, tuning.POTATO_MOST_MS
        self._since_ms = self.game.now_ms
        self._bang_ms = least + self.game.surprises.below(most - least + 1)
        return tuning.POTATO_SLOW_MS

    def tick(self) -> "int | None":
        if not self._bang_ms:
            return None
        left_ms = self._bang_ms - (self.game.now_ms - self._since_ms)
        if left_ms > 0:
            self.game.ask("sound", "tick")
            slower_ms = tuning.POTATO_SLOW_MS - tuning.POTATO_FAST_MS
            return min(left_ms, tuning.POTATO_FAST_MS + slower_ms * left_ms // self._bang_ms)
        self._bang_ms = 0
        self.game.ask("sound", "bang")
        self.game.tell("act", act="potato", ms=self.game.now_ms - self._since_ms)
        return None
