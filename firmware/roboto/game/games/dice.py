"""dice: no cards at all. White rolls a colour and a number; what fits the one before is one less
of five, and who has none left has won. The robot keeps the count and calls."""

from . import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play
    from ..utterance import Utterance

START = 5  # dice that everybody has to be rid of
COLOURS = ("red", "yellow", "green", "blue")
NUMBERS = 5
SIXTH = 6  # one roll of so many is a wild


class Dice(Rules):
    name = "dice"
    has_house_rule = False
    tones = {
        # they roll, and lie still
        "dice": (
            ("reed", 262, 32, 24, 8),
            ("sine", 0, 24, 0, 0),
            ("reed", 330, 32, 28, 8),
            ("sine", 0, 32, 0, 0),
            ("reed", 247, 32, 26, 8),
            ("sine", 0, 24, 0, 0),
            ("reed", 311, 32, 30, 8),
            ("sine", 0, 48, 0, 0),
            ("reed", 262, 32, 24, 8),
            ("sine", 0, 72, 0, 0),
            ("reed", 196, 48, 34, 6),
            ("sine", 0, 112, 0, 0),
            ("reed", 165, 64, 38, 4),
        ),
    }

    def __init__(self, play: "Play") -> None:
        Rules.__init__(self, play)
        self._left: list[int] = []  # by player; none before it has begun
        self._player = 0  # whose turn it is
        self._laid = 0  # in this turn, and not kept yet
        self._pile = (0, 0)  # colour and number that have to be matched

    def begins(self, utterance: "Utterance") -> bool:
        """Roll what lies on the table, and call a player to begin."""
        game = self.game
        self._left = [START] * game.players
        self._laid = 0
        self._pile = self._roll()
        self._player = game.surprises.call()
        self._add_roll(utterance.phrase("dice.pile"), self._pile)
        game.add(utterance, game.surprises.variant("first"), [self._player])
        self._speak(utterance, "dice")
        return True

    def goes_on(self, utterance: "Utterance") -> bool:
        return self.begins(utterance)

    def lever(self) -> None:
        game = self.game
        if not self._left:
            self.begins(game.utterance())
            return
        player = self._player
        wild = not game.surprises.below(SIXTH)
        roll = self._pile if wild else self._roll()
        fits = wild or roll[0] == self._pile[0] or roll[1] == self._pile[1]
        lost = self._laid
        self._laid = self._laid + 1 if fits else 0
        left = self._left[player] - self._laid
        shown = "wild" if wild else "%s %d" % (COLOURS[roll[0]], roll[1] + 1)
        game.tell("outcome", game=self.name, outcome=shown, player=player, fits=fits, left=left)
        if fits:
            self._pile = roll
            if not left:
                self._left = []
                game.states["won"].known(player)
                return
        utterance = game.utterance()
        if wild:
            utterance.phrase("dice.wild")
        else:
            self._add_roll(utterance, roll)
        if fits:
            utterance.phrase("dice.fits")
            self._add_left(utterance, left)
            utterance.phrase("dice.again")
        else:
            utterance.phrase("dice.lost" if lost else "dice.misses")
            self._add_next(utterance)
        self._speak(utterance, "dice")

    def tray(self) -> bool:
        """Keep what was laid, and call the next player."""
        speaking = self.game.speaking
        if self._left and not (speaking is not None and speaking.commands):
            utterance = self.game.utterance()
            if self._laid:
                self._left[self._player] -= self._laid
                self._laid = 0
                self._add_left(utterance.phrase("dice.keeps"), self._left[self._player])
            self._add_next(utterance)
            self._speak(utterance)
        return True

    def _roll(self) -> "tuple[int, int]":
        below = self.game.surprises.below
        return below(len(COLOURS)), below(NUMBERS)

    def _add_roll(self, utterance: "Utterance", roll: "tuple[int, int]") -> None:
        utterance.phrase("dice_colour." + COLOURS[roll[0]]).phrase("count.%d" % (roll[1] + 1))

    def _add_left(self, utterance: "Utterance", left: int) -> None:
        utterance.phrase("count.%d" % left)
        if left == 1:
            utterance.phrase("dice.uno")

    def _add_next(self, utterance: "Utterance") -> None:
        game = self.game
        self._player = (self._player + 1) % game.players
        game.surprises.named(self._player)
        game.add(utterance, game.surprises.variant("go_on"), [self._player])

    def _speak(self, utterance: "Utterance", tone: str = "") -> None:
        utterance.commands = True
        self.game.hush()
        if tone:
            self.game.tone(tone)
        self.game.speak(utterance)
