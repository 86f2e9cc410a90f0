"""A kept game: what of a game outlives sleep, a power cut or a hang, and when it is sound.

Game.snapshot() makes it; this module is loaded only where one is taken up again. It is a dict of
plain values: `state` (the name of a State), `players` (how many), `nicknames` (the
players who have one), `has_rule`, `victories` (a number for each player).
"""

from . import tuning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .game import Game


def restore(game: "Game", saved: dict) -> None:
    """Put what was kept into a game that has just begun."""
    game.players = saved["players"]
    game.surprises.new_game(game.players, game.settings.pace)
    game.nicknames = set(saved["nicknames"])
    game.has_rule = saved["has_rule"]
    for player, number in enumerate(saved["victories"]):
        game.victories[player] = number


def consistent(saved: dict, keys: "Collection[str]") -> dict:
    """Return a kept game, less what the recordings that are there do not bear out.

    keys: those of the recordings, such as "name/0". Raises ValueError, with one line, when it is
    no kept game.
    """
    try:
        players = 0
        while players < saved["players"] and f"name/{players}" in keys:
            players += 1
        return {
            "state": saved["state"] if players >= tuning.PLAYERS_MIN else "names",
            "players": players,
            "nicknames": [
                p for p in saved["nicknames"] if p < players and f"nickname/{p}" in keys
            ],
            "has_rule": bool(saved["has_rule"]) and "house_rule" in keys,
            "victories": [_count(n) for n in saved.get("victories", ())][:players],
        }
    except (KeyError, TypeError, AttributeError):
        raise ValueError("the saved game is damaged")


def _count(n: object) -> int:
    return n if type(n) is int and n > 0 else 0


def made_of(keys: "Collection[str]") -> dict:
    """Return the kept game of somebody who laid these recordings there by hand."""
    everybody = tuning.PLAYERS_MAX
    whole = {
        "state": "play",
        "players": everybody,
        "nicknames": list(range(everybody)),
        "has_rule": True,
    }
    return consistent(whole, keys)
