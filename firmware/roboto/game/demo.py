"""demo: the try-me position; one name, and a short show at any button. Nothing is kept."""

from . import tuning
from .state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .utterance import Utterance


class Demo(State):
    name = phase = "demo"
    records = True
    beeps = False
    saved = False
    _show: "Utterance | None"  # the last one, from enter() on
    comes_again = False

    def enter(self) -> None:
        self._show = None
        game = self.game
        game.speak(game.utterance().phrase("demo.greeting").phrase("demo.ask"))

    def red(self) -> None:
        self.game.listen("name", 0, tuning.NAME_LIMIT_MS)

    def recorded(self, result: str) -> None:
        game = self.game
        if result == "stored":
            game.keep("name/0", lasting=False)
            game.players = 1
            game.say("demo.hello", [0])
        else:
            self.not_stored(result)

    def plate(self) -> None:
        """Give the show: a greeting, and a sample command with the name, or with "you"."""
        game = self.game
        utterance = game.utterance().phrase("demo.greeting")
        if game.players:
            game.add(utterance, game.surprises.variant("demo.sample"), [0])
        else:
            utterance.phrase(game.surprises.variant("demo.sample_you"))
        self._show = utterance
        game.speak(utterance)

    win = veto = volume = plate

    def replay(self) -> bool:
        """Say the last show again, or give one. Return True when there was none to be said
        again."""
        if self.game.last_said is not self._show or self._show is None:
            self.plate()
            return True
        return False
