"""flip: the robot turns the world over when it likes; on the dark side penalties count double, and
its own words are deeper, until it turns back. White says which side it is."""

from ..surprise import paced
from . import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play

BRIGHT = (6, 12)  # counted presses until the world turns over
DARK = (4, 8)  # and until it turns back


class Flip(Rules):
    name = "flip"
    tones = {
        # a slide down, and a bump
        "flip": (
            ("sine", 1568, 48, 30, 30),
            ("sine", 1319, 48, 30, 30),
            ("sine", 1109, 48, 32, 32),
            ("sine", 932, 48, 32, 32),
            ("sine", 784, 48, 34, 34),
            ("sine", 659, 48, 34, 34),
            ("sine", 554, 48, 36, 36),
            ("sine", 466, 48, 36, 36),
            ("sine", 0, 80, 0, 0),
            ("reed", 131, 240, 45, 5),
        ),
        "flip_back": (
            ("sine", 466, 48, 30, 30),
            ("sine", 554, 48, 30, 30),
            ("sine", 659, 48, 32, 32),
            ("sine", 784, 48, 32, 32),
            ("sine", 932, 48, 34, 34),
            ("sine", 1109, 48, 34, 34),
            ("sine", 1319, 48, 36, 36),
            ("sine", 1568, 240, 40, 5),
        ),
    }

    def __init__(self, play: "Play") -> None:
        Rules.__init__(self, play)
        surprises = self.game.surprises
        self._bags = [surprises.bag(last - first + 1) for first, last in (BRIGHT, DARK)]
        self._turn_to(False)

    def _turn_to(self, dark: bool) -> None:
        self.dark = dark
        self.attention = "flip_dark.attention" if dark else "attention"
        first = (DARK if dark else BRIGHT)[0]
        presses = first + self._bags[dark].draw()
        self._presses_left = paced(presses, self.game.settings.pace)

    def begins(self, utterance: object) -> bool:
        """Begin a game, on the bright side."""
        if self.dark:
            self._turn_to(False)
        return False

    def card(self) -> None:
        self._presses_left -= 1
        if self._presses_left <= 0 and self.game.surprises.rested(self.game.now_ms):
            self._turn_to(not self.dark)
            if self.dark:
                self.tell("flip", "dark", ["flip_dark.turn"])
            else:
                self.tell("flip_back", "bright", ["flip.turn"])

    def lever(self) -> None:
        self.game.say("flip_dark.still" if self.dark else "flip.still")
