"""The cards of UNO as small integers, and the tables that say what fits on what.

A card is its kind, 0 to 53: colour * 13 + symbol for the coloured ones, then the two wilds. Cards
of one kind are alike, so a hand is a plain list of kinds. What lies on top is a *face*: the kind
of a coloured card, or WILD + colour once a wild has been named a colour. FITS[face] is then all
that a player has to look up.
"""

COLOURS = ("blue", "green", "red", "yellow")
SYMBOLS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "skip", "reverse", "draw two")
SKIP, REVERSE, DRAW_TWO = 10, 11, 12
N_SYMBOLS = len(SYMBOLS)

WILD = 52
WILD_DRAW_FOUR = 53
BLANK = 54  # a card without a face; in play only where a family's rules say what it does
N_KINDS = 54  # printed ones
N_IN_PLAY = 108

# What a card does to the player who would go on.
NOTHING, SKIPS, REVERSES, TWO, FOUR, OTHERS = range(6)


def kind(colour, symbol):
    """Return the card of a colour ("red") and a symbol ("7", "skip", "reverse", "draw two")."""
    return COLOURS.index(colour) * N_SYMBOLS + SYMBOLS.index(symbol)


def _copies(card):
    if card >= WILD:
        return 4
    return 1 if card % N_SYMBOLS == 0 else 2


def name(card):
    """Return the card as people say it: "red 7", "blue draw two", "wild draw four"."""
    if card < WILD:
        return f"{COLOURS[card // N_SYMBOLS]} {SYMBOLS[card % N_SYMBOLS]}"
    return ("wild", "wild draw four", "blank")[card - WILD]


def parse(text):
    """Return the card that `name` calls so. ValueError, naming the text, when there is none."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise ValueError(f"no such card: {text!r} (say it like 'red 7' or 'wild')") from None


def in_words(cards):
    """Return some cards in one line, sorted; "nothing" where there are none."""
    return ", ".join(name(card) for card in sorted(cards)) or "nothing"


def _points(card):
    if card >= WILD:
        return 50
    symbol = card % N_SYMBOLS
    return symbol if symbol < SKIP else 20


def _effect(card):
    if card == WILD_DRAW_FOUR:
        return FOUR
    symbol = card % N_SYMBOLS if card < WILD else 0
    return {SKIP: SKIPS, REVERSE: REVERSES, DRAW_TWO: TWO}.get(symbol, NOTHING)


def _fits(face):
    wilds = {WILD, WILD_DRAW_FOUR, BLANK}
    if face >= WILD:
        return frozenset(wilds | set(BY_COLOUR[face - WILD]))
    colour, symbol = divmod(face, N_SYMBOLS)
    same_symbol = {c * N_SYMBOLS + symbol for c in range(4)}
    return frozenset(wilds | same_symbol | set(BY_COLOUR[colour]))


BOX = tuple(card for card in range(N_KINDS) for _ in range(_copies(card))) + (BLANK,) * 4
DECK = tuple(card for card in BOX if card != BLANK)  # the 108 that are played with

POINTS = tuple(_points(card) for card in range(N_KINDS + 1))  # a blank as a wild, unless told
EFFECT = tuple(_effect(card) for card in range(N_KINDS))
BY_COLOUR = tuple(
    frozenset(range(colour * N_SYMBOLS, (colour + 1) * N_SYMBOLS)) for colour in range(4)
)
DRAW_TWOS = frozenset(colour * N_SYMBOLS + DRAW_TWO for colour in range(4))
ACTIONS = frozenset(card for card in range(N_KINDS) if card >= WILD or EFFECT[card])

N_FACES = WILD + 4
FITS = tuple(_fits(face) for face in range(N_FACES))
COLOUR_OF = tuple(face - WILD if face >= WILD else face // N_SYMBOLS for face in range(N_FACES))
_BY_NAME = {name(card): card for card in range(N_KINDS + 1)}


def face_name(face):
    """Return what lies on top, as people say it: "red 7"; "wild, red" for a wild named red."""
    return name(face) if face < WILD else f"wild, {COLOURS[face - WILD]}"


def hand_points(hand, blank=50):
    """Add up a hand: numbers count their value, actions 20, wilds 50, blanks as told."""
    return sum([POINTS[card] for card in hand]) + hand.count(BLANK) * (blank - POINTS[BLANK])


def shuffle(cards, rng):
    """Shuffle a list in place: sorted by random numbers, which is quicker than random.shuffle."""
    random = rng.random
    cards.sort(key=lambda _: random())
