"""jackpot: after a wild, white: three reels spin, and two or three alike do something."""

from . import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play

REELS = ("star", "cherry", "bell", "lemon", "seven")
# How many of a round's spins show so many alike: none, two, three.
ROUND = (7, 10, 3)


class Jackpot(Rules):
    name = "jackpot"
    tones = {
        # the reels rattle, and stop one after the other
        "reels": (
            ("reed", 392, 40, 16, 12),
            ("reed", 494, 40, 16, 12),
            ("reed", 587, 40, 16, 12),
            ("reed", 392, 40, 16, 12),
            ("reed", 494, 40, 16, 12),
            ("reed", 587, 40, 16, 12),
            ("sine", 784, 96, 40, 10),
            ("reed", 392, 40, 16, 12),
            ("reed", 494, 40, 16, 12),
            ("reed", 587, 40, 16, 12),
            ("sine", 784, 96, 40, 10),
            ("reed", 392, 40, 16, 12),
            ("reed", 494, 40, 16, 12),
            ("sine", 784, 160, 45, 5),
        ),
    }

    def __init__(self, play: "Play") -> None:
        Rules.__init__(self, play)
        surprises = self.game.surprises
        self._spins = surprises.bag(sum(ROUND))
        self._two = surprises.bag(len(REELS))
        self._three = surprises.bag(len(REELS))
        self._other = surprises.bag(len(REELS))  # what stands beside two, or where none are alike
        self._place = surprises.bag(3)  # where the one that is not alike stands

    def lever(self) -> None:
        spin = self._spins.draw()
        alike = None
        if spin < ROUND[0]:
            shown: list[int] = []
            while len(shown) < 3:
                shown.append(self._other.draw([n for n in range(len(REELS)) if n not in shown]))
            effect = self.game.surprises.variant("jackpot.nothing")
        elif spin < ROUND[0] + ROUND[1]:
            alike = self._two.draw()
            shown = [alike, alike]
            other = self._other.draw([n for n in range(len(REELS)) if n != alike])
            shown.insert(self._place.draw(), other)
            effect = "jackpot_two." + REELS[alike]
        else:
            alike = self._three.draw()
            shown = [alike] * 3
            effect = "jackpot_three." + REELS[alike]
        names = [REELS[n] for n in shown]
        self.tell("reels", " ".join(names), ["jackpot_reel." + name for name in names] + [effect])
