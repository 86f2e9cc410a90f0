"""launcher: whoever has to draw presses white instead; a whirr, and it says how many cards."""

from . import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play

# How many cards come how often in a round of launches: 0, 1, 2 … Mostly few, and whoever presses:
# 33 cards in 20 launches.
ROUND = (9, 4, 2, 1, 1, 1, 1, 1)
LUCK_MOST = 3  # so often running it throws nothing, and then something

_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven")


class Launcher(Rules):
    name = "launcher"
    tones = {
        # it winds up, and then it throws
        "whirr": (
            ("reed", 196, 160, 12, 16),
            ("reed", 247, 120, 16, 20),
            ("reed", 311, 120, 20, 24),
            ("reed", 392, 96, 24, 28),
            ("reed", 494, 96, 28, 30),
            ("reed", 622, 72, 30, 34),
            ("reed", 784, 72, 34, 38),
            ("sine", 0, 48, 0, 0),
            ("sine", 220, 96, 45, 8),
        ),
    }

    def __init__(self, play: "Play") -> None:
        Rules.__init__(self, play)
        self._cards: list[int] = []
        for cards, times in enumerate(ROUND):
            self._cards += [cards] * times
        self._bag = self.game.surprises.bag(len(self._cards))
        self._round: list[int] = []  # what is still to be thrown in this round, the next one last
        self._luck = 0  # how often running it has thrown nothing

    def lever(self) -> None:
        while not self._round:
            self._round = [self._cards[self._bag.draw()] for _ in self._cards]
            if self._luckier():
                self._round = []
        cards = self._round.pop()
        self._luck = 0 if cards else self._luck + 1
        if cards:
            phrase_id = "launcher." + _WORDS[cards]
        else:
            phrase_id = self.game.surprises.variant("launcher.none")
        self.tell("whirr", str(cards), [phrase_id])

    def _luckier(self) -> bool:
        """Return whether luck would last longer in this round than it may."""
        luck = self._luck
        for i in range(len(self._round) - 1, -1, -1):
            luck = 0 if self._round[i] else luck + 1
            if luck > LUCK_MOST:
                return True
        return False
