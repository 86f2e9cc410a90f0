"""The games of SPEC.md section 8 at the table: who presses white, and what the cards then do.

The robot only says what came of it; the rest is the players' business, here as at home. A game is
a Game whose cards are drawn, or laid, with the robot in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from .cards import BY_COLOUR, COLOUR_OF, COLOURS, POINTS, SKIP, WILD
from .game import Game
from .hands import Hands
from .obey import obey
from .scene import Scene

FIVE = 5  # the number at which the table turns the wheel: the robot's proposal
_DEAF_S = 3.1  # after a command white still takes it back: whoever wants the lever waits
ASKS_FOR_DARE = 0.7  # share of those who have to draw two or four
DARES = 0.75  # share of those who then do it

# What an outcome does to whoever pressed white, as effects of commands.toml; those of `_OWN` have
# none there. `others`: everybody else is meant; `chosen`: somebody of the presser's choice.
_DRAW, _GIVE = {"effect": "draw"}, {"effect": "discard", "choose": "any"}
OUTCOMES: dict[str, dict[str, Any]] = {
    "wheel show": {"effect": "none"},
    "wheel discard": {**_GIVE, "count": 1},
    "wheel draw_two": {**_DRAW, "count": 2},
    "wheel pass_left": {"effect": "trade_all", "direction": "left", "all": True},
    "wheel swap": {"effect": "trade", "with_chosen": True},
    "jackpot star 2": {**_DRAW, "count": 2, "chosen": True},
    "jackpot cherry 2": {**_GIVE, "count": 1},
    "jackpot bell 2": {**_DRAW, "count": 1, "others": True},
    "jackpot lemon 2": {**_DRAW, "count": 1},
    "jackpot seven 2": {**_GIVE, "count": 2},
    "jackpot star 3": {"effect": "trade", "with_chosen": True},
    "jackpot bell 3": {**_DRAW, "count": 2, "others": True},
    "jackpot lemon 3": {**_DRAW, "count": 4},
}


class Lever:
    """White at a table with a robot: pull() presses it and returns what the robot said."""

    def __init__(self, scene: Scene, hands: Hands) -> None:
        self._scene = scene
        self._hands = hands
        self.pulled: Counter[str] = Counter()
        self.dark = False  # the side of the world, in flip
        self._outcome = ""
        scene.robot.trace.watchers.append(self._see)

    def _see(self, event: dict[str, Any]) -> None:
        if event["event"] == "outcome":
            self._outcome = event["outcome"]
            if event["game"] == "flip":
                self.dark = event["outcome"] == "dark"
                self.pulled[f"flip {event['outcome']}"] += 1
        elif event["event"] == "state" and event["state"] != "nickname":
            self.dark = False  # a game begins on the bright side

    def pull(self, game: str) -> str:
        """Press white once nothing can be taken back, and listen. Raises Stuck."""
        scene, watch = self._scene, self._scene.watch
        scene.quiet(0.2, 0.8)
        rest_ms = watch.command_end_ms + _DEAF_S * 1000 - scene.robot.now_ms
        if rest_ms > 0:
            scene.wait(rest_ms / 1000)
        self._outcome = ""
        says = watch.says
        self._hands.press("mode")
        scene.expect("what came of white", lambda: bool(self._outcome) and watch.says > says)
        scene.quiet(0.1)
        self.pulled[f"{game} {self._outcome}"] += 1
        scene.say_line(f"{game}: {self._outcome}")
        return self._outcome


class ShelfGame(Game):
    """A game of UNO with a lever; the rules of the cards are those of its rule set."""

    lever: Lever

    def __init__(self, *arguments: Any, lever: Lever, **options: Any) -> None:
        self.lever = lever
        self.moved = 0  # cards that changed their place because of an outcome
        self._by_card = False  # a card has somebody draw, not a penalty or a command
        self._in_turn = False
        self._busy = False  # an outcome is carried out
        super().__init__(*arguments, **options)

    def take_turn(self) -> bool:
        """Play one turn, as Game has it."""
        self._in_turn = True
        try:
            return super().take_turn()
        finally:
            self._in_turn = False

    def settle(self, seat: int) -> None:
        """Do what the top card does, as Game has it."""
        self._by_card = True
        try:
            super().settle(seat)
        finally:
            self._by_card = False

    def _one_of_others(self, seat: int) -> int:
        return (seat + self.rng.randrange(1, self.n)) % self.n

    def _do(self, what: dict[str, Any], seat: int) -> None:
        if what.get("all"):
            named = list(range(self.n))
        elif what.get("others"):
            named = [other for other in range(self.n) if other != seat]
        elif what.get("chosen"):
            named = [self._one_of_others(seat)]
        elif what.get("with_chosen"):
            named = [seat, self._one_of_others(seat)]
        else:
            named = [seat]
        self.moved += obey(self, what, named, self.rng).moved

    def _lay_all(self, seat: int, cards: list[int], keep: int = 0) -> None:
        """Lay these cards of a hand, one at a time, but for so many of the hand."""
        for card in cards:
            if self.winner is not None or len(self.hands[seat]) <= keep:
                return
            if card in self.hands[seat]:
                self.lay_by_command(seat, card)
                self.moved += 1


class LauncherGame(ShelfGame):
    """Whoever has to draw presses white instead, once for each card."""

    def _draw_one(self, seat: int) -> None:
        thrown = int(self.lever.pull("launcher"))
        self._idle_turns = 0
        self.moved += Game.draw(self, seat, thrown)

    def draw(self, seat: int, n_cards: int) -> int:
        """Draw, or let the launcher say how many where a card has somebody draw."""
        if self._by_card:
            n_cards = sum(int(self.lever.pull("launcher")) for _ in range(n_cards))
            self.moved += n_cards
        return super().draw(seat, n_cards)


class DareGame(ShelfGame):
    """Whoever has to draw two or four may do a dare instead."""

    def draw(self, seat: int, n_cards: int) -> int:
        """Draw, unless a dare was asked for and done."""
        if self._by_card and n_cards in (2, 4) and self.rng.random() < ASKS_FOR_DARE:
            self.lever.pull("dare")
            if self.rng.random() < DARES:
                return 0
        return super().draw(seat, n_cards)


class FlipGame(ShelfGame):
    """On the dark side whoever has to draw draws twice as many."""

    def draw(self, seat: int, n_cards: int) -> int:
        """Draw so many, or twice as many."""
        if self.lever.dark:
            self.moved += n_cards
            n_cards *= 2
        return super().draw(seat, n_cards)


class _AfterCard(ShelfGame):
    """White is pressed after certain cards, laid in a turn."""

    game = ""

    def lay(self, seat: int, card: int) -> None:
        """Lay a card, and pull the lever where it is one for that."""
        super().lay(seat, card)
        if self._in_turn and not self._busy and self.winner is None and self._pulls(card):
            self._busy = True
            try:
                self._carry_out(self.lever.pull(self.game), seat)
            finally:
                self._busy = False

    def _pulls(self, card: int) -> bool:
        raise NotImplementedError

    def _carry_out(self, outcome: str, seat: int) -> None:
        raise NotImplementedError


class WheelGame(_AfterCard):
    """A five turns the wheel."""

    game = "wheel"

    def _pulls(self, card: int) -> bool:
        return card < WILD and card % 13 == FIVE

    def _carry_out(self, outcome: str, seat: int) -> None:
        hand = self.hands[seat]
        if outcome == "number":
            numbers = Counter(card % 13 for card in hand if card < WILD and card % 13 < SKIP)
            if numbers:
                most = numbers.most_common(1)[0][0]
                self._lay_all(seat, [c for c in hand if c < WILD and c % 13 == most])
        elif outcome == "colour":
            self._lay_all(seat, _largest_colour(hand))
        elif outcome == "keep_two":
            self._lay_all(seat, sorted(hand, key=POINTS.__getitem__, reverse=True), keep=2)
        elif outcome in ("until_red", "until_blue"):
            colour = COLOURS.index(outcome.removeprefix("until_"))
            while self.pile or len(self.discard) > 1:
                self.moved += self.draw(seat, 1)
                if hand[-1] < WILD and COLOUR_OF[hand[-1]] == colour:
                    break
        elif outcome == "war":
            self._war()
        elif outcome == "gift":
            card = self.players[seat].gives(self, seat)
            if len(hand) > 1:
                hand.remove(card)
                self.hands[self._one_of_others(seat)].append(card)
                self.moved += 1
        else:
            self._do(OUTCOMES[f"wheel {outcome}"], seat)

    def _war(self) -> None:
        laid: dict[int, int] = {}
        for seat in range(self.n):
            numbers = [c for c in self.hands[seat] if c < WILD and c % 13 < SKIP]
            if numbers and self.winner is None:
                card = max(numbers, key=POINTS.__getitem__)
                laid[seat] = POINTS[card]
                self._lay_all(seat, [card])
        if laid and self.winner is None:
            self.moved += self.draw(min(laid, key=laid.__getitem__), 2)


class JackpotGame(_AfterCard):
    """A wild starts the reels."""

    game = "jackpot"

    def _pulls(self, card: int) -> bool:
        return card >= WILD

    def _carry_out(self, outcome: str, seat: int) -> None:
        symbol, alike = Counter(outcome.split()).most_common(1)[0]
        if alike == 1:
            return
        hand = self.hands[seat]
        if (symbol, alike) == ("cherry", 3):
            self._lay_all(seat, _largest_colour(hand))
        elif (symbol, alike) == ("seven", 3):
            self._lay_all(seat, sorted(hand, key=POINTS.__getitem__, reverse=True), keep=1)
        else:
            self._do(OUTCOMES[f"jackpot {symbol} {alike}"], seat)


def _largest_colour(hand: list[int]) -> list[int]:
    """Return the cards of the colour of which a hand has most."""
    return max(([c for c in hand if c in colour] for colour in BY_COLOUR), key=len)


GAMES: dict[str, Callable[..., ShelfGame]] = {
    "launcher": LauncherGame,
    "wheel": WheelGame,
    "jackpot": JackpotGame,
    "dare": DareGame,
    "flip": FlipGame,
}
