"""What some commands do after they were said: a clock that runs, a potato that ticks.

A module each, loaded when such a command is drawn and unloaded when it is over. Which there are is
in kinds.py; which command does what is data of the command (`act` in commands.toml).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play import Play
    from ..utterance import Utterance


class Act:
    """One command in play. Play asks it; it acts through `self.game`, and never while somebody
    waits for a press to be answered.

    `request`: the command as it was said; `players`: whom it names.
    """

    lasts = False  # whether later commands, and the end of a race, leave it in play

    def __init__(self, play: "Play", request: "Utterance", players: "list[int]") -> None:
        self.game = play.game
        self.request = request
        self.players = players

    def begin(self) -> bool:
        """Add to the request what is to be said behind the command. Return whether that tells
        people what the tray is for."""
        return False

    def said(self) -> "int | None":
        """Begin: the command has been said, for the first time or again, and the race is on.
        Return in how many ms tick() is wanted; None: not before the table's patience ends."""

    def tick(self) -> "int | None":
        """Do what is due. Return as said() does."""

    def over(self, utterance: "Utterance") -> bool:
        """End the race: add the verdict to what is about to be said. Return whether
        that calls the player who goes on; else anybody is called in the usual words."""
        return False

    def card(self) -> bool:
        """Notice that a card was laid, and no command is due. Return whether this act is over."""
        return False

    def loses(self, utterance: "Utterance", which: int) -> bool:
        """Name the loser, the first (0) or second (1) of the two, who goes on; where that player
        has been named too often by now, say which of the two it is. Return as over() does."""
        game = self.game
        player = self.players[which]
        if not game.surprises.may_call(player):
            utterance.phrase("act.second_loses" if which else "act.first_loses")
            return False
        game.surprises.named(player)
        game.add(utterance, "go_on.loses", [player])
        return True

    def drop(self) -> None:
        """Forget it: it is over, or was taken back, and no sound or deadline of it may come any
        more."""


def load(name: str) -> "type[Act]":
    """Load the module of an act and return its class. Raises KeyError for one that is unknown."""
    if name == "stopwatch":
        from .stopwatch import Stopwatch as found
    elif name == "verdict":
        from .verdict import Verdict as found
    elif name == "potato":
        from .potato import Potato as found
    elif name == "mess":
        from .mess import Mess as found
    else:
        raise KeyError(name)
    return found
