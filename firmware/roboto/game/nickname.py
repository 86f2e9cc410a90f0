"""nickname: inside play, one player records a nickname for another."""

from . import tuning
from .state import State


class Nickname(State):
    name = phase = "nickname"
    records = True
    may_leave_recording = True

    def ask(self, players):
        """Player `players[0]` is asked to record a nickname for player `players[1]`."""
        self._player = players[1]
        self.deadline_ms = None  # patience begins when the request has been said
        self.game.go("nickname", quietly=True)

    def red(self):
        self.deadline_ms = None
        self.game.listen("nickname", self._player, tuning.NAME_LIMIT_MS)

    def recorded(self, result):
        game = self.game
        if result == "stored":
            game.keep(f"nickname/{self._player}")
            game.nicknames.add(self._player)
            game.surprises.named(self._player)
            game.states["play"].resume("nick.heard", [self._player])
        elif result != "cancelled":
            game.say("heard_nothing")

    def spoken(self, utterance):
        if not self.game.capturing:
            self.deadline_ms = self.game.now_ms + tuning.NICKNAME_PATIENCE_MS

    def plate(self):
        self.game.tone("plate")
        self.tick()

    def tick(self):
        """Never mind: the game goes on, and the player keeps the old name."""
        self.game.states["play"].resume("nick.never_mind")

    def veto(self):
        self.tick()

    def win(self):
        self.game.go("won")
