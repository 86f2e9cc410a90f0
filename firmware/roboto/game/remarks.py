"""What the robot remarks: in place of an attention call, or of the words that call a player, and
nowhere else. So no remark takes anybody's time or names anybody whom the game does not name.
"""

from . import tuning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import Game

# In place of an attention call: after so many cards of a game, each once and in this order.
_CALLS_ATTENTION = (
    (tuning.DUCK_CARDS, "attention.duck"),
    (tuning.DUCK_AGAIN_CARDS, "attention.duck_again"),
    (tuning.MANY_CARDS, "attention.many"),
    (tuning.ENDING_CARDS, "attention.ending"),
)
_DUCKS = 2  # as many of them are about the duck


class Remarks:
    """Remarks for one game. At most one comes in so many cards, and each comes once."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._cards = 0
        self._next_card = 0  # none before so many
        self._attentions = 0  # made so far
        self._made: list[str] = []
        self._called = -1  # the player whose turn the robot knows of
        self._since_ms: int | None = None  # when that player had been called
        self._slow = self._fast = -1  # players who took long, or hardly any time
        self._named = [0] * game.players  # the number of the last call or command that named each
        self._number = 0

    def card(self) -> None:
        """Count a card that was laid: the first one after a call is that player's."""
        self._cards += 1
        since_ms, self._since_ms = self._since_ms, None
        if since_ms is None:
            return
        ms = self._game.now_ms - since_ms
        if ms > tuning.SLOW_MS:
            self._slow = self._called
        elif ms < tuning.FAST_MS:
            self._fast = self._called

    def spoken(self) -> None:
        """Note that the robot has fallen silent: whoever was called begins to think."""
        if self._called >= 0:
            self._since_ms = self._game.now_ms

    def attention(self) -> "str | None":
        """Return what is said in place of an attention call; None: the usual."""
        if self._attentions < len(_CALLS_ATTENTION):
            cards, phrase = _CALLS_ATTENTION[self._attentions]
            if self._cards >= cards and self._may(phrase):
                self._attentions += 1
                return phrase
        return None

    def call(self, prefix: str, player: int, named: "list[int]") -> "str | None":
        """Return what calls a player, in place of the usual words; None: those.

        prefix: of the usual ones. named: whom the same utterance names before.
        """
        before, self._called = self._called, player
        self._since_ms = None
        last = self._named[player]
        for one in named:
            self._named[one] = self._number
        self._number += 1
        self._named[player] = self._number
        if prefix == "first":
            phrase = "first.twice" if self._game.twice else "first.champion"
            return phrase if player == self._game.champion and self._may(phrase) else None
        if player == self._slow and self._may("go_on.slow"):
            return "go_on.slow"
        if player == self._fast and self._may("go_on.fast"):
            return "go_on.fast"
        if self._attentions >= _DUCKS and self._may("go_on.duck"):
            return "go_on.duck"
        if (player == before or player in named) and self._may("go_on.again"):
            return "go_on.again"
        forgotten = self._number - last > tuning.FORGOTTEN_CALLS and player not in named
        return "go_on.forgotten" if forgotten and self._may("go_on.forgotten") else None

    def _may(self, phrase: str) -> bool:
        """Whether this may be said now, and the voice can; then it counts as said."""
        game = self._game
        if game.settings.gentle or phrase in self._made or self._cards < self._next_card:
            return False
        try:
            game.catalogue.phrase(phrase)
        except KeyError:
            return False
        self._made.append(phrase)
        calm = 2 if game.settings.pace == "calm" else 1
        self._next_card = self._cards + tuning.REMARK_CARDS * calm
        return True
