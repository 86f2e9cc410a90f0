"""play: the robot beeps for every card, and interrupts with surprise commands."""

from .kinds import races
from .state import State


class Play(State):
    name = phase = "play"

    def __init__(self, game):
        State.__init__(self, game)
        self._may_veto = False

    def enter(self):
        """The first player is called; a House Rule just recorded is said back before."""
        game = self.game
        utterance = game.utterance()
        if game.has_rule:
            utterance.phrase("rule.heard").clip("house_rule", "[house rule]")
        self.call(utterance, "first")

    def plate(self):
        game = self.game
        game.tone("plate")
        counted, due = game.surprises.press(game.now_ms)
        if counted:
            self._may_veto = False
        if due:
            self.deadline_ms = game.now_ms + 1  # the beep comes first: to draw takes 20 ms

    def tick(self):
        self.surprise()

    def surprise(self):
        """Attention, command, and the call of the player who goes on: one utterance."""
        game = self.game
        kind, command, players = game.surprises.draw(game.has_rule)
        if kind is None:  # a voice pack without any command
            return
        game.surprises.plan(game.settings.pace)
        utterance = game.utterance(kind, command)
        utterance.phrase(game.surprises.variant("attention"))
        game.add(utterance, command, players)
        self._may_veto = True
        if kind == "nickname":
            game.states["nickname"].ask(players)
            game.speak(utterance)
            return
        if kind == "house_rule":
            utterance.clip("house_rule", "[house rule]").phrase("rule.last")
        elif kind == "duel":
            utterance.phrase(game.surprises.variant("duel_end"))
        self.call(utterance, "go_on_after" if races(kind) else "go_on")

    def call(self, utterance, prefix):
        """Ends the utterance with the call of a player, and says it."""
        game = self.game
        game.add(utterance, game.surprises.variant(prefix), [game.surprises.call()])
        game.speak(utterance)

    def veto(self):
        """The command just given is taken back, and somebody goes on."""
        if not self._may_veto:
            self.game.not_now()
            return
        self.resume(self.game.surprises.variant("veto"))

    def resume(self, phrase, players=()):
        """After a nickname or a veto: one phrase, then the call of a player."""
        game = self.game
        if game.state is not self:
            game.go("play", quietly=True)
        self._may_veto = False
        utterance = game.utterance()
        utterance.commands = True
        game.add(utterance, phrase, players)
        self.call(utterance, "go_on")

    def win(self):
        self.game.go("won")
