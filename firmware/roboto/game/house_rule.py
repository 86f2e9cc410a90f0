"""house_rule: a player, called at random, records the House Rule of this game."""

from . import tuning
from .state import State


class HouseRule(State):
    name = phase = "house_rule"
    records = True

    def enter(self) -> None:
        rules = self.game.states["play"].rules()
        if rules is not None and not rules.has_house_rule:
            self.game.go("play")
            return
        self.game.say("rule.ask", [self.game.surprises.call()])

    def red(self) -> None:
        self.game.listen("house_rule", None, tuning.RULE_LIMIT_MS)

    def recorded(self, result: str) -> None:
        game = self.game
        if result == "stored":
            game.keep("house_rule")
            game.has_rule = True
            game.go("play")
        else:
            self.not_stored(result)

    def plate(self) -> None:
        self.game.go("play")
