"""won: somebody has won; the tray begins a new game with the same players, and blue asks who it
was."""

from . import tuning
from .state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import Game
    from .utterance import Utterance

_QUESTION = -1  # in place of a player: the question itself is being said


class Won(State):
    name = phase = "won"

    def __init__(self, game: "Game") -> None:
        State.__init__(self, game)
        self._at: int | None = None  # the player whose name is said, while the robot asks
        self._since_ms = 0  # when that name's turn began
        self._before = -1  # who won the game before this one
        self._noted: int | None = None  # the winner of this game, once somebody has said so

    def enter(self) -> None:
        self._at = self._noted = None
        self._before, self.game.champion = self.game.champion, -1
        self.game.tone("fanfare")
        self.game.say(self.game.surprises.variant("won"))

    def known(self, player: int) -> None:
        """Reach this state with a winner whom the robot knows itself."""
        game = self.game
        game.go("won", quietly=True)
        self._noted = None
        self._before, game.champion = game.champion, -1
        game.tone("fanfare")
        self._note(player, game.utterance().phrase(game.surprises.variant("won")))

    def plate(self) -> None:
        self._at = None
        self.game.new_game()

    def win(self) -> None:
        """Blue again: ask who it was; and then it means the player whose name was said."""
        if self._at is None:
            self._at = _QUESTION
            self.game.say("win.ask")
        elif self._at == _QUESTION:
            self.game.not_now()
        else:
            # Nobody can mean a name that has not been heard yet: it was the one before.
            early = self.game.now_ms - self._since_ms < tuning.TOO_EARLY_MS
            self._note(self._at - 1 if early and self._at else self._at)

    def spoken(self, utterance: "Utterance") -> None:
        if self._at is not None:
            wait_ms = 1 if self._at == _QUESTION else tuning.WINNER_MS
            self.deadline_ms = self.game.now_ms + wait_ms

    def tick(self) -> None:
        """Say the next player's name: nobody meant that one."""
        game = self.game
        if self._at is None or game.speaking is not None:
            return
        self._at += 1
        self._since_ms = game.now_ms
        if self._at >= game.players:
            self._at = None
            return
        utterance = game.utterance()
        game.name(utterance, self._at)
        game.speak(utterance)

    def _note(self, player: int, after: "Utterance | None" = None) -> None:
        """Count a victory, one a game: whoever asks again corrects it. Say so, `after` this."""
        game = self.game
        self._at = self.deadline_ms = None
        if self._noted is not None:
            game.victories[self._noted] -= 1
        self._noted = player
        game.victories[player] += 1
        number = game.victories[player]
        game.note_victory(player)
        game.champion = player
        game.twice = player == self._before
        utterance = game.add(after or game.utterance(), "win.noted", [player])
        many = number > tuning.COUNTED_UP_TO
        game.speak(utterance.phrase("count_many" if many else f"count.{number}"))

    def menu_opened(self) -> None:
        self._at = self.deadline_ms = None
