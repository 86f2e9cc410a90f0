"""names: the players record their names, one after the other."""

from . import tuning
from .state import State


class Names(State):
    name = phase = "names"
    records = True
    comes_again = False

    def enter(self) -> None:
        self.game.say("names.greeting")

    def red(self) -> None:
        game = self.game
        if game.players >= tuning.PLAYERS_MAX:
            game.say("names.full")
        else:
            game.listen("name", game.players, tuning.NAME_LIMIT_MS)

    def recorded(self, result: str) -> None:
        game = self.game
        if result == "stored":
            player = game.players
            game.keep(f"name/{player}")
            game.players += 1
            game.save()
            game.say("names.hello", [player])
        else:
            self.not_stored(result)

    def plate(self) -> None:
        game = self.game
        if game.players >= tuning.PLAYERS_MIN:
            game.new_game()
        else:
            game.say("names.missing_two" if game.players == 0 else "names.missing_one")
