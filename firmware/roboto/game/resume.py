"""names, after sleep or a power cut with keep_game: shall the game go on?"""

from . import kept
from .state import State


class Resume(State):
    name = "resume"
    phase = "names"  # as at power-on, with a question before
    comes_again = False

    def enter(self) -> None:
        self.game.say("resume.ask")

    def plate(self) -> None:
        self.go_on()

    def go_on(self) -> None:
        """Go on with the game where it was."""
        game = self.game
        saved = game.saved
        if saved is None:
            return
        state = saved["state"]
        game.saved = None
        kept.restore(game, saved)
        if state == "names":
            game.go("names")
        elif state == "house_rule":
            game.go("house_rule")
        elif state == "won":
            game.go("won", quietly=True)
            game.say(game.surprises.variant("won"))
        else:
            game.states["play"].resume("resume.go_on")

    def red(self) -> None:
        """Start over, as at power-on."""
        self.game.forget_all()
        self.game.go("names")
