"""verdict: a duel that nobody can measure; the robot draws lots, and owns up to it."""

from . import Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..utterance import Utterance


class Verdict(Act):
    def over(self, utterance: "Utterance") -> bool:
        which = self.game.surprises.below(2)
        self.game.tell("act", act="verdict", loser=self.players[which])
        utterance.phrase("act.sensors")
        return self.loses(utterance, which)
