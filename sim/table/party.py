"""A party: people round the simulated robot, in virtual time, playing UNO.

The firmware runs unchanged (sim/robot.py). The people record their names, press the tray for every
card, listen, obey what the robot orders (interruption.py), press the blue button when somebody is
out, and now and then do what people do: press at the wrong time, ask for a repeat, walk away. A
robot that does not go on as it has to is stuck.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from functools import partial

from host_tools.voice.commands import Commands

from ..robot import Robot
from .game import Game
from .habits import USUAL, Habits
from .hands import Hands
from .interruption import Interruption
from .players import RandomPlayer
from .rules import Rules
from .scene import FellAsleep, Scene
from .shelf import GAMES, Lever, ShelfGame
from .voices import voice
from .witness import Seen, Stuck

TURNS_MAX = 3000


class Party:
    """One table around one robot, which is off; for one game or several.

    players: one a seat. Whom the robot knows as player i is the person who recorded the i-th name.
    """

    def __init__(
        self,
        robot: Robot,
        rules: Rules,
        players: list[RandomPlayer],
        commands: Commands,
        rng: random.Random,
        habits: Habits = USUAL,
        gap_min: int = 0,
        log: Callable[[str], None] | None = None,
        pairs: bool = False,
        game: str = "roboto",
    ) -> None:
        self.robot = robot
        self.results: list[tuple[Seen, Game]] = []  # of the games that have begun
        self._rules = rules
        self._players = players
        self._pairs = pairs
        self._scene = Scene(robot, len(players), rng, habits, gap_min, log)
        self._watch = self._scene.watch
        self._hands = Hands(self._scene)
        self._lever = Lever(self._scene, self._hands)
        self._game = partial(GAMES[game], lever=self._lever) if game in GAMES else Game
        self._interruption = Interruption(self._scene, self._hands, commands)
        self._known = False  # whether the robot knows the names
        self._victories = [0] * len(players)  # that it has noted
        self._heard_before = 0  # utterances, when the tray was pressed for the House Rule

    def play(self, n_games: int = 1) -> None:
        """Play from switching on to the end of the last game. Raises Stuck."""
        self.begin()
        for _ in range(n_games):
            self.play_game()
        self.end()

    def begin(self) -> None:
        """Switch the robot on."""
        self.robot.switch("on", quietly=True)

    def end(self) -> None:
        """Switch the robot off and leave it to others."""
        self.robot.switch("off")
        self._watch.leave()

    def play_game(self) -> tuple[list[int], int | None]:
        """Play a game from the House Rule, or the names, to the start of another. Raises Stuck.

        Return what a score sheet notes: the points left in the hands, by person, and who is out.
        """
        game = None
        while True:
            try:
                if not self._known:
                    self._introduce()
                    self._known = True
                self._house_rule()
                game = self._first(game)
                return self._whole_game(game)
            except FellAsleep:
                self._wake()

    def _introduce(self) -> None:
        """Record everybody's name; then press the tray."""
        scene, watch = self._scene, self._watch
        scene.expect("the robot to ask for names", lambda: watch.state == "names")
        for person in range(len(self._players)):
            scene.perhaps_rest()
            scene.quiet(0.2, 1.0)
            says = watch.says
            self._hands.record("name", voice(person, round(scene.rng.uniform(0.5, 1.6), 1)))
            if not scene.chance(scene.habits.brisk):
                scene.expect("the name to be said back", lambda says=says: watch.says > says)
        scene.quiet(0.3, 2.0)
        self._ask_for_rule("the House Rule to be asked for")

    def _house_rule(self) -> None:
        """Record one or skip it; then play begins."""
        scene, watch = self._scene, self._watch
        scene.perhaps_rest()
        if scene.chance(scene.habits.records_rule):
            before = self._heard_before
            scene.expect("somebody to be called for it", lambda: watch.says > before)
            scene.quiet(0.5, 4.0)
            self._hands.record("house_rule", voice(99, round(scene.rng.uniform(2.0, 8.0), 1)))
        else:
            scene.wait(0.2, 6.0)  # perhaps while it still asks
            self._hands.press_until("plate", "play", lambda: watch.state == "play")
        scene.expect("play to begin", lambda: watch.state == "play")
        scene.expect("the first player to be called", lambda: watch.talking)

    def _first(self, game: Game | None) -> Game:
        """Let the robot call who begins: deal, or take up the cards that it has slept through."""
        scene = self._scene
        scene.quiet(0.3)
        first = self._watch.called()
        if game is not None:
            game.go_on(scene.seats[first])
            return game
        scene.say_line(f"person {first} begins")
        seat = scene.seats[first]
        people = list(self._players)
        game = self._game(
            self._rules, people, scene.rng, first=seat, pairs=self._pairs, log=scene.log
        )
        self._watch.seen.began_ms = self.robot.now_ms
        self.results.append((self._watch.seen, game))
        return game

    def _whole_game(self, game: Game) -> tuple[list[int], int | None]:
        """Play the cards to their end; then as play_game."""
        scene, watch = self._scene, self._watch
        watch.play_begins()
        while game.winner is None and not game.blocked and game.turns < TURNS_MAX:
            self._turn(game)
        watch.in_play = False
        watch.seen.ended_ms = self.robot.now_ms
        if game.turns >= TURNS_MAX:
            raise Stuck(f"no end after {game.turns} turns")
        watch.seen.pulled, self._lever.pulled = dict(self._lever.pulled), Counter()
        if isinstance(game, ShelfGame):
            watch.seen.cards_moved += game.moved
        if game.winner is not None:
            watch.seen.winner = scene.seats.index(game.winner)
        left = [game.points(seat) for seat in scene.seats]
        scene.seats = list(range(len(self._players)))
        won = watch.seen.winner
        try:
            self._congratulate(won)
        except FellAsleep:
            self._wake()
        return left, won

    def _turn(self, game: Game) -> None:
        """Play one turn and whatever the robot makes of it."""
        scene, habits = self._scene, self._scene.habits
        says = self._watch.says
        self._do_nothing(self._thinks_s(), says)
        if scene.chance(habits.wanders_off):
            scene.say_line("the table rests")
            self._do_nothing(scene.rng.uniform(*habits.walk_s), says)
        if self._interrupted(says):  # by a hand that had bounced
            self._interruption.take(game)
            return
        if scene.chance(habits.turns_volume):
            self._hands.press("volume")
        if scene.chance(habits.red_in_play):
            self._hands.press("record")
        calls = self._watch.calls
        laid = game.take_turn()
        if game.winner is not None or game.blocked:
            return
        if laid and not scene.chance(habits.forgets_press):
            self._hands.press("plate")
            scene.wait(0.8, 1.4)  # the next player looks whether the robot speaks
            if self._interrupted(says):
                self._interruption.take(game)
                return
        if self._watch.calls > calls:  # in a mess the robot says who plays
            game.go_on(scene.seats[self._watch.called()])
            return
        game.advance()

    def _do_nothing(self, seconds: float, says: int) -> None:
        """Let nobody play for so long, unless the robot gives a command."""
        end_us = self.robot.chip.now_us + int(seconds * 1e6)
        while self.robot.chip.now_us < end_us and not self._interrupted(says):
            self._scene.until_told(end_us)

    def _thinks_s(self) -> float:
        habits = self._scene.habits
        spread = math.exp(habits.think_spread * self._scene.rng.gauss(0, 1))
        return min(45.0, max(0.8, habits.think_median_s * spread))

    def _interrupted(self, says: int) -> bool:
        return self._watch.says > says and bool(self._watch.last_kind())

    def _congratulate(self, winner: int | None) -> None:
        """Press the blue button, perhaps say who has won; and the tray, to play again."""
        scene, watch = self._scene, self._watch
        scene.wait(0.3, 2.0)
        fanfares = watch.tones.get("fanfare", 0)
        self._hands.press("win")
        scene.expect(
            "the fanfare",
            lambda: watch.state == "won" and watch.tones.get("fanfare", 0) > fanfares,
        )
        scene.quiet(0.3, 3.0)
        scene.perhaps_rest()
        if winner is not None and scene.chance(scene.habits.names_winner):
            self._name_winner(winner)
        self._ask_for_rule("a new game with the same players")

    def _ask_for_rule(self, what: str) -> None:
        """Press the tray, so that the robot calls somebody to record a House Rule."""
        watch = self._watch
        self._heard_before = watch.says
        self._hands.press_until("plate", what, lambda: watch.state == "house_rule")

    def _name_winner(self, winner: int) -> None:
        """Have the robot ask who it was, and press blue after that name; or let all pass."""
        scene, watch = self._scene, self._watch
        says = watch.says
        self._hands.press("win")
        scene.expect("the robot to ask who has won", lambda: watch.says > says)
        if not scene.chance(scene.habits.knows_winner):
            return  # the tray ends the asking
        watch.victory = None
        self._hands.press_when_said("win", lambda: watch.said() == [winner], 0.9)
        scene.expect(
            f"the victory of person {winner} to be noted", lambda: watch.victory is not None
        )
        self._victories[winner] += 1
        if watch.victory != (winner, self._victories[winner]):
            watch.seen.wrong.append(f"noted {watch.victory} for victory of person {winner}")
        watch.seen.named_winner += 1
        scene.quiet(0.3, 2.0)

    def _wake(self) -> None:
        """Find the robot asleep, or just woken by somebody, and have it ask for names: whom it
        knew it has forgotten."""
        scene = self._scene
        self._watch.slept = self._watch.in_play = self._known = False
        self._watch.fell_silent = lambda: None
        self._victories = [0] * len(self._players)
        self.robot.run_until(self.robot.chip.now_us + int(scene.rng.uniform(1.0, 10.0) * 1e6))
        if self.robot.asleep:  # nobody has pressed it in the meantime
            scene.say_line("the tray wakes the robot")
            self._hands.press("plate")
        scene.expect("the robot to wake", lambda: self._watch.state == "names")
