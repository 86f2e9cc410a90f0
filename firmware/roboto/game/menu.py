"""The spoken settings menu: hold the mode button for two seconds, in any state.

White (mode): the next setting. Red: its next value, which takes effect at once. Green and yellow
as always. Plate and blue close the menu and do what they always do; so does patience.
"""

from . import tuning
from .kinds import GAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Setting
    from .game import Game


# In the menu's order. What each may be is said in storage/settings.py.
_SETTINGS = ("language", "game", "pace", "names_voice", "keep_game", "gentle")


class Menu:
    _items: "list[tuple[str, tuple[Setting, ...]]]"  # settings, and what they may be
    _at: int  # the one that was told last

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.is_open = False
        self.deadline_ms: int | None = None

    def open(self) -> None:
        self.game.state.menu_opened()
        self.is_open = True
        self._items = []
        for key in _SETTINGS:
            if key == "language":
                values = self.game.languages
            elif key == "game":
                from .games import offered

                values = offered(self.game.catalogue)
            else:
                values = self.game.settings.choices(key)
            if len(values) > 1:
                self._items.append((key, values))
        self._at = 0
        self.tell("menu.open")

    def close(self, aloud: bool = False, over: bool = True) -> None:
        """Close the menu. aloud: say so, unless the state has something to say.

        over: the state goes on where the menu interrupted it; False: something else comes.
        """
        if not self.is_open:
            return
        self.is_open = False
        self.deadline_ms = None
        if self.game.settings.game == GAMES[0]:
            self.game.ask("unload", "games")  # it was asked which games there are
        if over and not self.game.state.menu_closed() and aloud:
            self.game.say("menu.close")

    def next(self) -> None:
        self._at = (self._at + 1) % len(self._items)
        self.tell()

    def change(self) -> None:
        key, values = self._items[self._at]
        now = getattr(self.game.settings, key)
        at = values.index(now) + 1 if now in values else 0
        self.game.change_setting(key, values[at % len(values)])
        if key != "language":  # that is told when the other voice pack is open
            self.tell()

    def tell(self, before: str | None = None) -> None:
        """Says the setting and its value."""
        game = self.game
        key = self._items[self._at][0]
        value = getattr(game.settings, key)
        if isinstance(value, bool):
            value = "on" if value else "off"
        utterance = game.utterance()
        if before:
            utterance.phrase(before)
        utterance.phrase("menu." + key).phrase("menu.value." + value)
        game.speak(utterance)

    def touched(self) -> None:
        self.deadline_ms = self.game.now_ms + tuning.MENU_PATIENCE_MS
