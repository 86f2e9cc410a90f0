"""A match as people at a table note it down, and the score sheet that comes of it.

A note is plain data, as JSON can write it: who went out of each game, and what was left in the
hands, as cards or as a sum. The page of the browser keeps one and knows no rule: `counted` is put
to it by the server, or by the MicroPython in the page, so there is one way to count.
"""

from .cards import BLANK, COLOURS, POINTS, SYMBOLS, WILD, WILD_DRAW_FOUR, hand_points, parse
from .scoring import GAMES_PER_PARTNER, KINDS, new_sheet

PLAYERS_MAX = 10
GAMES_MAX = 300  # so that a note is worked through at once
TARGET_MAX = 100000
HAND_MAX = 112  # cards: all that are in the box
SUM_MAX = HAND_MAX * max(POINTS)

# What is tapped, where the colour does not count.
_TAPPED = {symbol: parse(f"{COLOURS[0]} {symbol}") for symbol in SYMBOLS}
_TAPPED.update({"wild": WILD, "wild draw four": WILD_DRAW_FOUR, "blank": BLANK})


def values() -> dict[str, int]:
    """Return what each card that can be tapped counts in a hand."""
    return {name: POINTS[card] for name, card in _TAPPED.items()}


def ways(n_players: int) -> list[str]:
    """Return the methods that so many players can play by, but for the one without points."""
    good = []
    for kind in KINDS[1:]:
        try:
            kind(n_players)
        except ValueError:
            continue
        good.append(kind.way)
    return good


def counted(note: dict) -> dict:
    """Return the sheet of a match, as `Sheet.to_json` gives it, and what else a page shows.

    note: {"way", "target", "players": how many, "games": [game …], "now": hands}. A game is
    {"out": who was rid of the cards, or None, "hands": hands}; hands hold an entry for each of the
    players: a sum, or a list of cards as `values` names them; None, or whatever stands there, for
    who did not sit at that game. "now" (optional) are the hands of a game that is still being
    noted. Beside the sheet there are "seated" (who sits down for the next game, None when the
    match is won), "pairs" (whether those opposite are partners), "ways" (those that so many can
    play by), "each" (games with each partner), "values", and "now": what those hands count so far.
    ValueError, in one line, for what is no such note.
    """
    if not isinstance(note, dict):
        raise ValueError("a match is an object")
    n_players = _whole(note.get("players"), "players", 2, PLAYERS_MAX)
    target = _whole(note.get("target"), "target", 1, TARGET_MAX)
    games = note.get("games")
    if not isinstance(games, list) or len(games) > GAMES_MAX:
        raise ValueError(f"games must be a list of at most {GAMES_MAX}")
    way = note.get("way")
    if not isinstance(way, str):
        raise ValueError("way must be a word")
    sheet = new_sheet(way, n_players, target)
    for number, game in enumerate(games, 1):
        try:
            _note(sheet, game)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
    now = _hands(note["now"], n_players) if "now" in note else [0] * n_players
    return dict(
        sheet.to_json(),
        seated=sheet.seated,
        pairs=sheet.pairs,
        ways=ways(n_players),
        each=GAMES_PER_PARTNER,
        now=now,
        values=values(),
    )


def _note(sheet, game: dict) -> None:
    if sheet.seated is None:
        raise ValueError("this match is won already")
    if not isinstance(game, dict):
        raise ValueError("a game is an object")
    hands, out = _hands(game.get("hands"), sheet.n_players), game.get("out")
    if out is not None:
        _whole(out, "out", 0, sheet.n_players - 1)
        if out not in sheet.seated:
            raise ValueError("who went out does not sit at this game")
        if hands[out]:
            raise ValueError("who went out has no cards left")
    left = [hands[who] for who in sheet.seated]
    sheet.note(left, None if out is None else sheet.seated.index(out))


def _hands(hands: object, n_players: int) -> list[int]:
    if not isinstance(hands, list) or len(hands) != n_players:
        raise ValueError("hands must be a list with an entry for each player")
    return [_hand(hand) for hand in hands]


def _hand(hand: object) -> int:
    if hand is None:
        return 0
    if not isinstance(hand, list):
        return _whole(hand, "a hand", 0, SUM_MAX)
    if len(hand) > HAND_MAX:
        raise ValueError(f"a hand has at most {HAND_MAX} cards")
    for card in hand:
        if not isinstance(card, str) or card not in _TAPPED:
            raise ValueError("a hand holds a card that there is not")
    return hand_points([_TAPPED[card] for card in hand])


def _whole(number: object, what: str, least: int, most: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{what} must be a whole number from {least} to {most}")
    return number
