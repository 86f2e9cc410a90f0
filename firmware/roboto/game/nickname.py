"""nickname: inside play, one player records a nickname for another."""

from . import tuning
from .state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .utterance import Utterance


class Nickname(State):
    name = phase = "nickname"
    records = True
    may_leave_recording = True
    _player: int  # who gets the nickname; from ask() on

    def ask(self, request: "Utterance", player: int) -> None:
        """Say the request; a nickname for that player is recorded."""
        self._player = player
        self._request = request
        self._again = False  # the request is to be said again after the menu
        self.game.go("nickname", quietly=True)
        self.game.speak(request)  # patience begins when it has been said

    def red(self) -> None:
        self.deadline_ms = None
        self.game.listen("nickname", self._player, tuning.NAME_LIMIT_MS)

    def recorded(self, result: str) -> None:
        game = self.game
        if result == "stored":
            player = self._player
            game.keep(f"nickname/{player}")
            game.nicknames.add(player)
            game.surprises.named(player)
            game.states["play"].resume("nick.heard", [player], player)
        else:
            self.not_stored(result)

    def spoken(self, utterance: "Utterance") -> None:
        if not self.game.capturing:
            self.deadline_ms = self.game.now_ms + tuning.NICKNAME_PATIENCE_MS

    def plate(self) -> None:
        if self._again:
            self.menu_closed()
        elif not self.game.surprises.deaf(self.game.now_ms):
            self.tick()

    def tick(self) -> None:
        """Let it be: the game goes on, and the player keeps the old name."""
        self.game.states["play"].resume("nick.never_mind")

    def veto(self) -> None:
        self.tick()

    def win(self) -> None:
        self.game.go("won")

    def menu_opened(self) -> None:
        self._again = True

    def menu_closed(self) -> bool:
        again, self._again = self._again, False
        if again:
            self.game.speak(self._request)
        return again
