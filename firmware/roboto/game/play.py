"""play: the robot beeps for every card, and interrupts with surprise commands."""

from . import tuning
from .state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .acts import Act
    from .game import Game
    from .games import Rules
    from .remarks import Remarks
    from .utterance import Utterance


class Play(State):
    name = phase = "play"

    def __init__(self, game: "Game") -> None:
        State.__init__(self, game)
        self._hinted = False  # the word about the tray was said since switching on
        self._rules: Rules | None = None  # of the game that was chosen; None: Roboto as ever
        self._chosen: object = ("roboto",)
        self._command: Utterance | None = None  # the last one
        self._act: Act | None = None  # what a command does after it was said
        self._remarks: Remarks | None = None  # of this game
        self._patient_until_ms = 0  # the table waits no longer for the end of a race
        self._settle()

    def rules(self) -> "Rules | None":
        """Return the rules of the game that is played, loaded when it has just been chosen."""
        name = self.game.settings.game
        if self._rules is None and name == "roboto":
            return None
        chosen = (name, self.game.catalogue.stamp)
        if chosen != self._chosen:
            self._chosen = chosen
            from .games import choose

            self._rules = choose(self, name, self._rules)
        return self._rules

    def _settle(self) -> None:
        """Forget what the last command left open."""
        if self._act is not None and not self._act.lasts:
            self._drop_act()
        self._may_veto = False
        self._race: Utterance | None = None  # the command whose race is not over yet
        self._again: Utterance | None = None  # a command to be said again after the menu
        self._refusable: int | None = None  # the player whose nickname may be refused
        self._refuse_until_ms: int | None = None  # None: it is being said back

    def _drop_act(self) -> None:
        act, self._act = self._act, None
        if act is not None and act.request.act is not None:
            act.drop()
            self.game.ask("unload", "acts." + act.request.act)

    def enter(self) -> None:
        """Call the first player; a House Rule just recorded is said back before."""
        self._drop_act()
        self._remarks = None
        self._settle()
        game = self.game
        utterance = game.utterance()
        if game.has_rule:
            utterance.phrase("rule.heard").clip("house_rule", "[house rule]")
        rules = self.rules()
        if rules is None or not rules.begins(rules.explain(utterance)):
            self.call(utterance, "first")

    def plate(self) -> None:
        game = self.game
        if self._race is not None and self._again is None:
            if game.speaking is None or not game.speaking.commands:
                self._race_over()
            return
        rules = self.rules()
        if rules is not None and self._again is None and rules.tray():
            return
        counted, due = game.surprises.press(game.now_ms)
        if self._again is not None:
            self.menu_closed()
        else:
            if counted:
                self._may_veto = False
                self._remark().card()
            if due:
                self.deadline_ms = game.now_ms + 1  # the beep comes first: to draw takes 20 ms
            elif counted and self._act is not None and self._act.card():
                self._drop_act()
            elif counted and rules is not None:
                rules.card()

    def tick(self) -> None:
        if self._race is None:
            self.surprise()
        elif self.game.speaking is None:
            act = self._racing()
            if act is None or not self._wait(act.tick()):
                self._race_over()
        # else the patience begins anew when it has been said

    def spoken(self, utterance: "Utterance") -> None:
        now_ms = self.game.now_ms
        if self._race is not None:
            self.deadline_ms = self._patient_until_ms = now_ms + tuning.RACE_PATIENCE_MS
            act = self._racing()
            if act is not None and utterance is self._race:
                self._wait(act.said())
        elif self._remarks is not None:
            self._remarks.spoken()
        if self._refusable is not None and self._refuse_until_ms is None:
            lever = self.rules() is not None  # then white is wanted for something else soon
            self._refuse_until_ms = now_ms + (
                tuning.DEAF_AFTER_COMMAND_MS if lever else tuning.REFUSE_MS
            )

    def _remark(self) -> "Remarks":
        if self._remarks is None:
            from .remarks import Remarks

            self._remarks = Remarks(self.game)
        return self._remarks

    def _racing(self) -> "Act | None":
        """Return the act of the race that is on, if it has one."""
        act = self._act
        return act if act is not None and act.request is self._race else None

    def _wait(self, ms: "int | None") -> bool:
        """Wait so long for an act that is in play, but no longer than the table's patience; None:
        for that alone. Return whether it has not ended yet."""
        now_ms = self.game.now_ms
        self.deadline_ms = self._patient_until_ms
        if ms is not None and now_ms + ms < self._patient_until_ms:
            self.deadline_ms = now_ms + ms
        return now_ms < self._patient_until_ms

    def surprise(self) -> None:
        """Attention, command, and the call of the player who goes on: one utterance. Where people
        race, the call waits until they have."""
        game = self.game
        settings = game.settings
        command = game.surprises.draw(
            game.has_rule, settings.gentle, settings.pace, self._act is None
        )
        if command is None:
            return
        game.surprises.plan(game.settings.pace)
        game.save_bags()
        self._settle()
        self._command = utterance = game.utterance(command.kind, command.phrase)
        if command.kind != "house_rule":  # which is a shout of its own
            rules = self.rules()
            attention = "attention" if rules is None else rules.attention
            usual = game.surprises.variant(attention)
            remark = self._remark().attention() if attention == "attention" else None
            utterance.phrase(remark or usual)
        game.add(utterance, command.phrase, command.players)
        if command.kind == "nickname":
            game.states["nickname"].ask(utterance, command.players[1])
            return
        self._may_veto = True
        if command.kind == "house_rule":
            utterance.clip("house_rule", "[house rule]").phrase("rule.last")
        elif command.kind == "duel":
            utterance.phrase(game.surprises.variant("duel_end"))
        act = command.act
        tells_tray = act is not None and self._begin_act(act, utterance, command.players)
        if command.race and not self._hinted and not tells_tray:
            self._hinted = True
            utterance.phrase("race.hint")
        if not command.race:
            self.call(utterance, "go_on", command.players[0] if command.holds else -1)
            return
        utterance.race = True
        self._race = utterance
        game.speak(utterance)

    def _begin_act(self, act: str, utterance: "Utterance", players: "list[int]") -> bool:
        from .acts import load

        utterance.act = act
        self._act = load(act)(self, utterance, players)
        return self._act.begin()

    def _race_over(self) -> None:
        act = self._racing()
        utterance = self.game.utterance()
        utterance.commands = True
        called = act is not None and act.over(utterance)
        self._settle()
        self.deadline_ms = None
        if called:
            self.game.speak(utterance)
        else:
            self.call(utterance, "go_on")

    def call(self, utterance: "Utterance", prefix: str, but: int = -1) -> None:
        """End the utterance with the call of a player, not of `but`, and say it."""
        game = self.game
        usual = game.surprises.variant(prefix)  # drawn first: a remark changes nothing of chance
        player = game.surprises.call(but)
        remark = self._remark().call(prefix, player, utterance.players)
        game.add(utterance, remark or usual, [player])
        game.speak(utterance)

    def veto(self) -> None:
        """Take the nickname just given, or the command, back."""
        game = self.game
        until_ms = self._refuse_until_ms
        if self._refusable is not None and (until_ms is None or game.pressed_ms < until_ms):
            self._refuse(self._refusable)
        elif self._may_take_back():
            if self._act is not None and self._act.request is self._command:
                self._drop_act()
            self.resume(game.surprises.variant("veto"))
        else:
            rules = self.rules()
            if rules is None or (game.speaking is not None and game.speaking.commands):
                game.not_now()
            else:
                self._may_veto = False
                rules.lever()

    def _may_take_back(self) -> bool:
        """Whether white takes the last command back. Where it is a game's lever it does so only as
        long as the command is said, or its race goes on, and a little after."""
        if not self._may_veto or self._race is not None or self.rules() is None:
            return self._may_veto
        return self.game.surprises.deaf(self.game.pressed_ms)

    def _refuse(self, player: int) -> None:
        game = self.game
        game.drop_nickname(player)
        if game.speaking is not None and game.speaking.commands:
            self.resume("nick.refused")  # whoever was to go on had not been called yet
        else:
            self._refusable = None
            game.say("nick.refused")

    def resume(
        self, phrase: str, players: "Sequence[int]" = (), refusable: "int | None" = None
    ) -> None:
        """Say one phrase after a nickname or a veto, then the call of a player.

        refusable: the player whose new nickname is said back.
        """
        game = self.game
        if game.state is not self:
            game.go("play", quietly=True)
        self._settle()
        self._refusable = refusable
        self.deadline_ms = None
        utterance = game.utterance()
        utterance.commands = True
        game.add(utterance, phrase, players)
        rules = self.rules()
        if rules is None or not rules.goes_on(rules.explain(utterance)):
            self.call(utterance, "go_on")

    def win(self) -> None:
        self.game.go("won")

    def menu_opened(self) -> None:
        """Have a command that is cut short, or whose race is on, said again afterwards."""
        speaking = self.game.speaking
        self._again = speaking if speaking is not None and speaking.commands else self._race
        if self._race is not None:
            self.deadline_ms = None

    def menu_closed(self) -> bool:
        utterance = self._again
        self._again = None
        rules = self.rules()
        if utterance is None and rules is not None and not rules.explained:
            utterance = rules.explain(self.game.utterance())
            if rules.begins(utterance):
                return True
        if utterance is not None:
            self.game.speak(utterance)
        return utterance is not None
