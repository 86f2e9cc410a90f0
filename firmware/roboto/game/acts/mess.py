"""mess: for the next five cards the robot says who plays; then the order is the usual one."""

from .. import tuning
from . import Act


class Mess(Act):
    lasts = True
    _left = tuning.MESS_CARDS

    def card(self) -> bool:
        self._left -= 1
        game = self.game
        utterance = game.utterance()
        if not self._left:
            utterance.phrase("act.order")
        game.tell("act", act="mess", left=self._left)
        game.states["play"].call(utterance, "go_on")
        return not self._left
