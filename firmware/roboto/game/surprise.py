"""Surprise commands: when they come, which one, and whom they name (SPEC.md section 3)."""

from . import tuning
from .bag import Bag
from .fairness import Fairness
from .kinds import ACTS, KINDS, PACES, names_in, races

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shapes import Catalogue
    from .rng import Rng


def paced(presses: int, pace: str) -> int:
    """Return how many presses these become at a pace."""
    for name, times, parts in PACES:
        if name == pace:
            return -(-presses * times // parts)
    return presses


class Command:
    """A surprise command that was drawn: `kind`, `phrase` (its id), `players` (whom it names),
    `race` (whether people race), `holds` (whether it binds its player until the next beep), `act`
    (what it does after it was said, see acts/)."""

    def __init__(
        self,
        kind: str,
        phrase: str,
        players: "list[int]",
        race: bool,
        holds: bool,
        act: "str | None",
    ) -> None:
        self.kind = kind
        self.phrase = phrase
        self.players = players
        self.race = race
        self.holds = holds
        self.act = act


class Surprises:
    """Plans surprises for one robot; the bags of commands live on from game to game."""

    def __init__(self, rng: "Rng", catalogue: "Catalogue") -> None:
        self._rng = rng
        self._catalogue = catalogue
        self._commands: dict[str, Bag] = {}  # by kind
        self._variants: dict[str, Bag] = {}  # by prefix
        self._kinds_before = ("", "")
        self._players = 0
        self._fairness = Fairness(rng, 0)
        self._presses_left = 0
        self._quiet_since_ms: int | None = 0  # the last command's end; None while one is spoken
        self._rarer = 1  # surprises wait for so many times as many presses
        self._rule_in = 0  # surprises until the House Rule comes first; 0: it comes by chance

    def change_catalogue(self, catalogue: "Catalogue") -> None:
        """Take another language: the same ids, perhaps another number of variants."""
        self._catalogue = catalogue
        self._commands = {}
        self._variants = {}

    def new_game(self, players: int, pace: str) -> None:
        """Begin a game: everybody has been named as often as everybody else, never."""
        self._players = players
        self._fairness = Fairness(self._rng, players)
        self._quiet_since_ms = -tuning.REST_AFTER_COMMAND_MS
        first, last = tuning.RULE_FIRST_MIN, tuning.RULE_FIRST_MAX
        self._rule_in = first + self._rng.below(last - first + 1)
        self.plan(pace)

    def plan(self, pace: str) -> None:
        """Draw how many counted presses the next surprise waits for."""
        gap = tuning.GAP_MIN + self._rng.below(tuning.GAP_MAX - tuning.GAP_MIN + 1)
        self._presses_left = paced(gap, pace) * self._rarer

    def come_rarer(self, times: int) -> None:
        """Let surprises wait for so many times as many presses as their pace says, the next one
        included."""
        self._presses_left = self._presses_left * times // self._rarer
        self._rarer = times

    def command_begins(self) -> None:
        """Note that a command, or the end of one, is being spoken from now on."""
        self._quiet_since_ms = None

    def command_ends(self, now_ms: int) -> None:
        """Note that it has been spoken."""
        self._quiet_since_ms = now_ms

    def deaf(self, now_ms: int) -> bool:
        """Return whether tray presses count for nothing: a command is spoken, or just was."""
        since_ms = self._quiet_since_ms
        return since_ms is None or now_ms - since_ms < tuning.DEAF_AFTER_COMMAND_MS

    def press(self, now_ms: int) -> "tuple[bool, bool]":
        """Count a tray press in play. Return whether it counted, and whether a command is due."""
        since_ms = self._quiet_since_ms
        if since_ms is None or self.deaf(now_ms):
            return False, False
        if self._presses_left > 0:
            self._presses_left -= 1
        return True, self._presses_left == 0 and self.rested(now_ms)

    def rested(self, now_ms: int) -> bool:
        """Return whether the last command is long enough over for another interruption."""
        since_ms = self._quiet_since_ms
        return since_ms is not None and now_ms - since_ms > tuning.REST_AFTER_COMMAND_MS

    def draw(
        self, house_rule: bool, gentle: bool, pace: str = "normal", acts: bool = True
    ) -> "Command | None":
        """Choose the next command; None where the voice pack has none that fits this table.

        house_rule: whether one was recorded. gentle: leave out what not every child would do.
        pace: what is too much for a calm table stays out of one. acts: whether the command may be
        one that does something after it was said.
        """
        usable, now = self._fitting(gentle, pace, acts)
        kind = self._draw_kind(now, house_rule)
        if kind is None:
            return None
        self._kinds_before = (self._kinds_before[1], kind)
        number = self._bag(kind).draw(usable[kind], now[kind])
        act = None
        named_again = kind == "nickname"
        for name, of_kind, again, _ in ACTS:
            if of_kind == kind and self._catalogue.trait(name, kind, number):
                act = name
                named_again = again
        players = self._fairness.command(names_in(kind), named_again)
        race = self._catalogue.trait("race", kind, number)
        return Command(
            kind,
            self._catalogue.command(kind, number),
            players,
            races(kind) if race is None else race,
            bool(self._catalogue.trait("holds", kind, number)),
            act,
        )

    def _fitting(self, gentle: bool, pace: str, acts: bool) -> "tuple[dict, dict]":
        """Return the numbers of the commands that fit this table, by kind, and of those the ones
        that may come now; none of a kind whose round would be broken by that."""
        catalogue = self._catalogue
        never = [name for name, _, _, calm in ACTS if pace == "calm" and not calm]
        waiting = [
            name
            for name, _, again, _ in ACTS
            if not acts or (again and not self._fairness.has_room_for_two())
        ]
        unfit = catalogue.unfit(self._players, gentle, never)
        usable = {row[0]: catalogue.fitting(row[0], unfit) for row in KINDS}
        if not waiting:
            return usable, usable
        unfit = catalogue.unfit(self._players, gentle, never + waiting)
        now = {row[0]: catalogue.fitting(row[0], unfit) for row in KINDS}
        for kind in now:
            if now[kind] != usable[kind] and not self._bag(kind).has(usable[kind], now[kind]):
                now[kind] = []
        return usable, now

    def _draw_kind(self, usable: dict, house_rule: bool) -> "str | None":
        if house_rule and self._rule_in and usable["house_rule"]:
            self._rule_in -= 1
            if not self._rule_in:
                return "house_rule"
            house_rule = False
        possible = []
        total = 0
        for kind, weight, _, _ in KINDS:
            if kind == "house_rule" and not house_rule:
                continue
            if kind == "nickname" and not self._fairness.has_room_for_two():
                continue
            if self._kinds_before == (kind, kind):  # never three of a kind running
                continue
            if usable[kind]:
                possible.append((kind, weight))
                total += weight
        if not possible:
            return None
        at = self._rng.below(total)
        for kind, weight in possible:
            if at < weight:
                return kind
            at -= weight
        return None

    def call(self, but: int = -1) -> int:
        """Return the player who is called: to record the House Rule, to begin, to go on; not
        `but`."""
        return self._fairness.call(but)

    def may_call(self, player: int) -> bool:
        """Return whether this player may be the one who is called; named() counts it then."""
        return self._fairness.may_call(player)

    def named(self, player: int) -> None:
        """Count a player who was named beside commands and calls."""
        self._fairness.named(player)

    def variant(self, prefix: str) -> str:
        """Return one of the phrases "prefix.1", "prefix.2" …, as a phrase id."""
        bag = self._variants.get(prefix)
        if bag is None:
            n = self._catalogue.variants(prefix)
            bag = self._variants[prefix] = Bag(self._rng, n if n else 1)
        return f"{prefix}.{bag.draw() + 1}"

    def outcome(self, group: str) -> str:
        """Draw one of a group of phrases, as commands are drawn, and return its id; "" where the
        voice pack has none."""
        bag = self._bag(group)
        return self._catalogue.command(group, bag.draw()) if self._catalogue.kinds(group) else ""

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, drawn by lot."""
        return self._rng.below(n)

    def bag(self, size: int) -> Bag:
        """Return a new bag of the numbers below size."""
        return Bag(self._rng, size)

    # ---- which commands have been used, over sleep and power-off

    def unused(self) -> dict:
        """Return what the bags of commands have still to bring, as plain values to be kept."""
        left = {kind: bag.left for kind, bag in self._commands.items()}
        return {"pack": self._catalogue.stamp, "left": left}

    def go_on_with(self, kept: "Any") -> None:
        """Go on with the bags that unused() gave once. What does not fit this pack is ignored."""
        try:
            if kept["pack"] != self._catalogue.stamp:
                return
            for kind, left in kept["left"].items():
                wrong = [n for n in left if type(n) is not int or left.count(n) > 1]
                if not wrong and min(left) >= 0 and max(left) < self._catalogue.kinds(kind):
                    self._bag(kind).left = list(left)
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # nothing left of a round, or no bags at all

    def _bag(self, kind: str) -> Bag:
        bag = self._commands.get(kind)
        if bag is None:
            bag = self._commands[kind] = Bag(self._rng, self._catalogue.kinds(kind))
        return bag
