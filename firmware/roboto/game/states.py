"""The states of the game by their names, each loaded when the game first comes to it: what an
evening never sees, such as the demo, takes nothing of the heap."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .game import Game


class States:
    """Makes a state when it is first asked for, as states["play"]."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._made: dict[str, Any] = {}

    def leave(self, name: str) -> None:
        """Forget a state that a game does not come back to soon; it is made anew if it does."""
        self._made.pop(name, None)

    def __getitem__(self, name: str) -> "Any":
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = _class_of(name)(self._game)
        return made


def _class_of(name: str) -> "Any":
    """Load the class of a state. Raises KeyError for a name that none has."""
    if name == "names":
        from .names import Names as State
    elif name == "house_rule":
        from .house_rule import HouseRule as State
    elif name == "play":
        from .play import Play as State
    elif name == "nickname":
        from .nickname import Nickname as State
    elif name == "won":
        from .won import Won as State
    elif name == "demo":
        from .demo import Demo as State
    elif name == "resume":
        from .resume import Resume as State
    else:
        raise KeyError(name)
    return State
