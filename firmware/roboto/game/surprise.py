"""Surprise commands: when they come, which one, and whom they name (SPEC.md section 3)."""

from . import tuning
from .bag import Bag
from .fairness import Fairness
from .kinds import KINDS, names_in


def paced(presses: int, pace: str) -> int:
    """Return how many presses these become at a pace."""
    for name, times, parts in tuning.PACES:
        if name == pace:
            return -(-presses * times // parts)
    return presses


class Surprises:
    """Plans surprises for one robot; the bags of commands live on from game to game."""

    def __init__(self, rng, catalogue):
        self._rng = rng
        self._catalogue = catalogue
        self._commands = {}  # kind -> Bag
        self._variants = {}  # prefix -> Bag
        self._kinds_before = (None, None)
        self._fairness = None
        self._presses_left = 0
        self._quiet_since_ms = 0  # the end of the last command; None while one is being spoken

    def change_catalogue(self, catalogue):
        """Another language: the same ids, perhaps another number of variants."""
        self._catalogue = catalogue
        self._commands = {}
        self._variants = {}

    def new_game(self, players, pace):
        """Everybody has been named as often as everybody else: never."""
        self._fairness = Fairness(self._rng, players)
        self._quiet_since_ms = -tuning.REST_AFTER_COMMAND_MS
        self.plan(pace)

    def plan(self, pace):
        """Draws how many counted presses the next surprise waits for."""
        gap = tuning.GAP_MIN + self._rng.below(tuning.GAP_MAX - tuning.GAP_MIN + 1)
        self._presses_left = paced(gap, pace)

    def command_begins(self):
        self._quiet_since_ms = None

    def command_ends(self, now_ms):
        self._quiet_since_ms = now_ms

    def press(self, now_ms):
        """A plate press in play. Returns (counted, due)."""
        if self._quiet_since_ms is None:
            return False, False
        quiet_ms = now_ms - self._quiet_since_ms
        if quiet_ms < tuning.DEAF_AFTER_COMMAND_MS:
            return False, False
        if self._presses_left > 0:
            self._presses_left -= 1
        return True, self._presses_left == 0 and quiet_ms > tuning.REST_AFTER_COMMAND_MS

    def draw(self, house_rule):
        """Chooses (kind, phrase id, players named). `house_rule`: whether one was recorded."""
        kind = self._draw_kind(house_rule)
        if kind is None:
            return None, None, []
        self._kinds_before = (self._kinds_before[1], kind)
        bag = self._commands.get(kind)
        if bag is None:
            bag = self._commands[kind] = Bag(self._rng, self._catalogue.kinds(kind))
        phrase = self._catalogue.command(kind, bag.draw())
        players = []
        for _ in range(names_in(kind)):
            players.append(self._fairness.order(players[0] if players else -1))
        return kind, phrase, players

    def _draw_kind(self, house_rule):
        possible = []
        total = 0
        for kind, weight, _, _ in KINDS:
            if kind == "house_rule" and not house_rule:
                continue
            if self._kinds_before == (kind, kind):  # never three of a kind running
                continue
            if self._catalogue.kinds(kind):
                possible.append((kind, weight))
                total += weight
        if not possible:
            return None
        at = self._rng.below(total)
        for kind, weight in possible:
            if at < weight:
                return kind
            at -= weight

    def call(self):
        """The player who is called: to record the House Rule, to begin, to go on."""
        return self._fairness.call()

    def named(self, player):
        """This player was named beside commands and calls: it counts all the same."""
        self._fairness.named(player)

    def variant(self, prefix):
        """One of the phrases "prefix.1", "prefix.2" …, as a phrase id."""
        bag = self._variants.get(prefix)
        if bag is None:
            n = self._catalogue.variants(prefix)
            bag = self._variants[prefix] = Bag(self._rng, n if n else 1)
        return f"{prefix}.{bag.draw() + 1}"
