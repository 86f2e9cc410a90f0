"""won: somebody has won; the plate begins a new game with the same players."""

from .state import State


class Won(State):
    name = phase = "won"

    def enter(self):
        self.game.tone("fanfare")
        self.game.say(self.game.surprises.variant("won"))

    def plate(self):
        self.game.new_game()
