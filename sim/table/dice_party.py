"""A party without cards: people round the robot that rolls the dice (SPEC.md section 8, dice)."""

from __future__ import annotations

from typing import Any

from .game import COUNTED
from .party import TURNS_MAX, Party
from .witness import Stuck

STOPS_AT = 2  # so many laid in a turn, and the tray keeps them


class DiceTable:
    """What a game of dice came to, with the names that a Game has for it."""

    def __init__(self) -> None:
        self.turns = self.laid = self.drawn = 0
        self.blocked = False
        self.winner: int | None = None
        self.counts = dict.fromkeys(COUNTED, 0)
        self.left: dict[int, int] = {}  # dice of those who have rolled, by person

    def points(self, seat: int) -> int:
        """Return how many dice a person has left."""
        return self.left.get(seat, 0)


class DiceParty(Party):
    """A party at which the robot rolls: people press white, and the tray when they have enough."""

    _roll: dict[str, Any] | None = None

    def begin(self) -> None:
        """Switch the robot on, and listen for its rolls."""
        self.robot.trace.watchers.append(self._see)
        super().begin()

    def _see(self, event: dict[str, Any]) -> None:
        if event["event"] == "outcome":
            self._roll = event

    def _ask_for_rule(self, what: str) -> None:
        """Press the tray: no House Rule is asked for."""
        watch = self._watch
        self._heard_before = watch.calls
        del what
        self._hands.press_until("plate", "the dice to be rolled", lambda: watch.state == "play")

    def _house_rule(self) -> None:
        calls = self._heard_before
        self._scene.expect("the first player to be called", lambda: self._watch.calls > calls)

    def _first(self, game: Any) -> Any:
        """Hear who begins; a game that the robot has slept through begins anew."""
        if game is None:
            game = DiceTable()
            self.results.append((self._watch.seen, game))
        game.left = {}
        self._watch.seen.began_ms = self.robot.now_ms
        return game

    def _whole_game(self, game: Any) -> tuple[list[int], int | None]:
        scene, watch = self._scene, self._watch
        watch.play_begins()
        while game.winner is None:
            scene.quiet(0.4)
            self._dice_turn(game, watch.called())
        watch.in_play = False
        watch.seen.ended_ms = self.robot.now_ms
        watch.seen.winner = game.winner
        left = [game.left.get(person, 0) for person in scene.seats]
        scene.quiet(0.5, 3.0)
        self._ask_for_rule("a new game")
        return left, game.winner

    def _dice_turn(self, game: Any, person: int) -> None:
        """Roll until it does not fit, or until enough was laid."""
        scene, watch = self._scene, self._watch
        game.turns += 1
        if game.turns > TURNS_MAX:
            raise Stuck(f"no end after {game.turns} turns")
        laid = 0
        while laid < STOPS_AT:
            scene.quiet(0.4)
            scene.wait(self._thinks_s() / 2)
            self._roll = None
            calls, says = watch.calls, watch.says
            self._hands.press("mode")
            scene.expect("a roll", lambda: self._roll is not None)
            scene.expect("what it is in words", lambda says=says: watch.says > says)
            roll = self._roll or {}
            watch.seen.pulled["dice"] = watch.seen.pulled.get("dice", 0) + 1
            if roll["player"] != person:
                watch.seen.wrong.append(f"person {roll['player']} rolled, {person} was called")
            if not roll["fits"]:
                game.left[person] = roll["left"]
                scene.expect("the next one to be called", lambda calls=calls: watch.calls > calls)
                return
            laid += 1
            game.laid += 1
            if not roll["left"]:
                game.winner, game.left[person] = person, 0
                scene.expect("the victory", lambda: watch.state == "won" and watch.talking)
                return
        calls = watch.calls
        scene.quiet(0.4, 0.8)
        self._hands.press("plate")
        scene.expect("the next one to be called", lambda: watch.calls > calls)
        game.left[person] = (self._roll or {"left": 0})["left"]
