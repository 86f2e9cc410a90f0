"""dare: whoever has to draw two or four may press white and do a dare instead. Dares for a table,
a body, a show, list by list."""

from . import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play

LISTS = ("dare_table", "dare_body", "dare_show")
GENTLE = 1  # of these, from the first: those that everybody can do and would


class Dare(Rules):
    name = "dare"
    tones = {
        # a drum roll and its beat
        "drum": (
            ("reed", 98, 40, 20, 8),
            ("reed", 98, 40, 22, 8),
            ("reed", 98, 40, 24, 8),
            ("reed", 98, 40, 26, 8),
            ("reed", 98, 40, 28, 8),
            ("reed", 98, 40, 30, 8),
            ("reed", 98, 40, 32, 8),
            ("reed", 98, 40, 34, 8),
            ("sine", 0, 80, 0, 0),
            ("reed", 147, 160, 45, 5),
        ),
    }

    def __init__(self, play: "Play") -> None:
        Rules.__init__(self, play)
        self._lists = self.game.surprises.bag(len(LISTS))

    def lever(self) -> None:
        gentle = self.game.settings.gentle
        number = self._lists.draw(list(range(GENTLE)) if gentle else None)
        self.draw("drum", LISTS[number])
