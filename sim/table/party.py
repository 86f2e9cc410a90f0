"""A party: people round the simulated robot, in virtual time, playing UNO.

The firmware runs unchanged (sim/robot.py). The people record their names, press the tray for every
card, listen, obey what the robot orders (obey.py), press the blue button when somebody is out, and
now and then do what people do: press at the wrong time, ask for a repeat, walk away. Every press
has an answer that can be seen in the trace; one that does not come is counted as lost, a robot
that does not go on as stuck.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roboto.sound.format import RATE_HZ

from host_tools.voice.commands import Commands

from ..robot import Robot
from ..trace import Event
from .game import Game
from .obey import obey
from .players import RandomPlayer
from .rules import Rules
from .voices import voice
from .witness import Seen, Stuck, Witness, named_in

PATIENCE_S = 60.0  # nothing expected takes longer: then the robot is stuck
ANSWER_MS = 160  # press to beep or light, at the worst while the flash is written
LIGHT_PATIENCE_S = 2.0
TURNS_MAX = 3000


@dataclass(frozen=True)
class Habits:
    """How people are. Shares are for each occasion, times in seconds."""

    think_median_s: float = 4.0  # for a turn; log-normal
    think_spread: float = 0.55
    brisk: float = 0.2  # records a name before the one before has been said back
    forgets_press: float = 0.02  # lays a card without pressing the tray
    wrong_press: float = 0.05  # presses for a card laid on command, too
    early_press: float = 0.10  # presses while the robot gives a command
    asks_again: float = 0.04  # green after a command
    turns_volume: float = 0.01  # yellow in a turn
    vetoes: float = 0.04  # white after a command
    red_in_play: float = 0.01  # red, for nothing
    records_rule: float = 0.5  # a House Rule, else the tray
    records_nickname: float = 0.8  # else half press the tray, half do nothing
    wanders_off: float = 0.002  # the table rests for WALK_S, in a turn
    walk_s: tuple[float, float] = (50.0, 120.0)
    hears_warning: float = 0.97  # presses the tray when the robot warns of sleep


USUAL = Habits()


class _FellAsleep(Exception):
    """People have just noticed that the robot sleeps, or slept in between."""


class Party:
    """One table around one robot that has just been switched on, for one game or several.

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
    ) -> None:
        self.robot = robot
        self.rules = rules
        self.players = players
        self.commands = commands
        self.rng = rng
        self.habits = habits
        self.log = log
        self.results: list[tuple[Seen, Game]] = []  # of the games that have begun
        self._seats = list(range(len(players)))  # of the persons; a new order of turns moves them
        self._heard_before = 0  # utterances, when the tray was pressed for the House Rule
        self._hands = 0  # on the robot
        self._pressed_ms = -1  # the last press of anything
        self.watch = Witness(robot, len(players), gap_min, self._answer_warning, self._say_line)

    # ---- the course of a party

    def play(self, n_games: int = 1) -> None:
        """From switching on to the end of the last game and the start of another. Raises Stuck."""
        self.robot.switch("on", quietly=True)
        known = False
        for _ in range(n_games):
            game = None
            while True:
                try:
                    if not known:
                        self._introduce()
                        known = True
                    self._house_rule()
                    game = self._first(game)
                    self._whole_game(game)
                    break
                except _FellAsleep:
                    self.watch.in_play = known = False  # whom it knew it has forgotten
                    self._wake()
        self.robot.switch("off")

    def _introduce(self) -> None:
        """Everybody records a name; then the tray."""
        self._expect("the robot to ask for names", lambda: self.watch.state == "names")
        for person in range(len(self.players)):
            self._quiet(self.rng.uniform(0.2, 1.0))
            self._record_name(person)
        self._quiet(self.rng.uniform(0.3, 2.0))
        self._heard_before = self.watch.says
        self._press("plate")
        self._expect("the House Rule to be asked for", lambda: self.watch.state == "house_rule")

    def _record_name(self, person: int) -> None:
        says = self.watch.says
        self._record("name", voice(person, round(self.rng.uniform(0.5, 1.6), 1)))
        if self.rng.random() >= self.habits.brisk:
            self._expect("the name to be said back", lambda: self.watch.says > says)

    def _house_rule(self) -> None:
        """Somebody records it or not; then play begins."""
        if self.rng.random() < self.habits.records_rule:
            before = self._heard_before
            self._expect("somebody to be called for it", lambda: self.watch.says > before)
            self._quiet(self.rng.uniform(0.5, 4.0))
            self._record("house_rule", voice(99, round(self.rng.uniform(2.0, 8.0), 1)))
        else:
            self._wait(self.rng.uniform(1.0, 6.0))  # perhaps while it still asks
            self._press("plate")
        self._expect("play to begin", lambda: self.watch.state == "play")
        self._expect("the first player to be called", lambda: self.watch.talking)

    def _first(self, game: Game | None) -> Game:
        """The robot calls who begins: cards are dealt, or those it has slept through go on."""
        self._quiet(0.3)
        first = self.watch.called()
        if game is not None:
            game.go_on(self._seats[first])
            return game
        self._say_line(f"person {first} begins")
        game = Game(
            self.rules, list(self.players), self.rng, first=self._seats[first], log=self.log
        )
        self.watch.seen.began_ms = self.robot.now_ms
        self.results.append((self.watch.seen, game))
        return game

    def _whole_game(self, game: Game) -> None:
        """The cards, to their end."""
        self.watch.play_begins()
        while game.winner is None and not game.blocked and game.turns < TURNS_MAX:
            self._turn(game)
        self.watch.in_play = False
        self.watch.seen.ended_ms = self.robot.now_ms
        if game.turns >= TURNS_MAX:
            raise Stuck(f"no end after {game.turns} turns")
        if game.winner is not None:
            self.watch.seen.winner = self._seats.index(game.winner)
        self._seats = list(range(len(self.players)))
        self._congratulate()

    def _turn(self, game: Game) -> None:
        """One turn and whatever the robot makes of it."""
        habits, rng = self.habits, self.rng
        says = self.watch.says
        self._do_nothing(self._thinks_s(), says)
        if rng.random() < habits.wanders_off:
            self._say_line("the table rests")
            self._do_nothing(rng.uniform(*habits.walk_s), says)
        if self._interrupted(says):  # by the press that kept the robot awake
            self._obey(game)
            return
        if rng.random() < habits.turns_volume:
            self._press("volume")
        if rng.random() < habits.red_in_play:
            self._press("record")
        laid = game.take_turn()
        if game.winner is not None or game.blocked:
            return
        if laid and rng.random() >= habits.forgets_press:
            self._press("plate")
            self._wait(rng.uniform(0.8, 1.4))  # the next player looks whether the robot speaks
            if self._interrupted(says):
                self._obey(game)
                return
        game.advance()

    def _do_nothing(self, seconds: float, says: int) -> None:
        """Nobody plays for so long, unless the robot gives a command."""
        end_us = self.robot.chip.now_us + int(seconds * 1e6)
        while self.robot.chip.now_us < end_us and not self._interrupted(says):
            self._until_told(end_us)

    def _interrupted(self, says: int) -> bool:
        return self.watch.says > says and bool(self.watch.last_kind())

    def _obey(self, game: Game) -> None:
        """Listen to a command, carry it out, go on as it says."""
        say, kind = self.watch.last_say or {}, self.watch.last_kind()
        self.watch.note_surprise(say, kind)
        if self.rng.random() < self.habits.early_press:
            self._wait(self.rng.uniform(0.1, 3.0))
            self._press("plate" if kind != "nickname" else "volume")
        self._quiet(self.rng.uniform(0.1, 0.8))
        if self.rng.random() < self.habits.asks_again and kind != "nickname":
            self._repeat()
        if self.rng.random() < self.habits.vetoes:
            says = self.watch.says
            self._press("mode")
            self._expect("the command to be taken back", lambda: self.watch.says > says)
            self.watch.seen.vetoes += 1
            self._say_line("vetoed")
        elif kind == "nickname":
            self._nickname(say)
        else:
            self._carry_out(game, say, kind)
        if game.winner is None:
            self._quiet(0.1)
            game.go_on(self._seats[self.watch.called()])

    def _carry_out(self, game: Game, say: Event, kind: str) -> None:
        command = _command_id(say, kind)
        named = named_in(say, kind)
        what = self.commands.of(command)
        done = obey(game, what, [self._seats[person] for person in named], self.rng)
        if what.get("effect") == "random_order":
            self._seats = [
                next(seat for seat, p in enumerate(game.players) if p is player)
                for player in self.players
            ]
        self.watch.seen.cards_moved += done.moved
        self.watch.seen.unknown_effects += not done.known
        if game.winner is not None:
            self.watch.seen.won_on_command = True
        self._wait(done.seconds)
        if done.moved and self.rng.random() < self.habits.wrong_press:
            self._press("plate")

    def _nickname(self, say: Event) -> None:
        says = self.watch.says
        self._expect("the nickname to be asked for", lambda: self.watch.state == "nickname")
        chance = self.rng.random()
        if chance < self.habits.records_nickname:
            self._wait(self.rng.uniform(1.0, 5.0))
            person = 50 + say["players"][1]
            self._record("nickname", voice(person, round(self.rng.uniform(0.5, 2.0), 1)))
        elif chance < (1 + self.habits.records_nickname) / 2:
            self._wait(self.rng.uniform(1.0, 5.0))
            self._press("plate")
        self._expect("the game to go on after a nickname", lambda: self.watch.says > says)
        self._expect("play to go on after a nickname", lambda: self.watch.state == "play")

    def _repeat(self) -> None:
        says = self.watch.says
        self.watch.repeating = True
        self._press("replay")
        self._expect("the command to be repeated", lambda: self.watch.says > says)
        self._quiet(0.3)
        self.watch.repeating = False

    def _congratulate(self) -> None:
        """The blue button; and play again."""
        self._wait(self.rng.uniform(0.3, 2.0))
        fanfares = self.watch.tones.get("fanfare", 0)
        self._press("win")
        self._expect(
            "the fanfare",
            lambda: self.watch.state == "won" and self.watch.tones.get("fanfare", 0) > fanfares,
        )
        self._quiet(self.rng.uniform(0.3, 3.0))
        self._heard_before = self.watch.says
        self._press("plate")
        self._expect("a new game with the same players", lambda: self.watch.state == "house_rule")

    def _wake(self) -> None:
        self.watch.slept = False
        self.robot.run_until(self.robot.chip.now_us + int(self.rng.uniform(1.0, 10.0) * 1e6))
        if self.robot.asleep:  # nobody has pressed it in the meantime
            self._say_line("the tray wakes the robot")
            self._press("plate")
        self._expect("the robot to wake", lambda: self.watch.state == "names")

    # ---- hands

    def _press(self, control: str) -> None:
        """Press and let go, at any instant of the firmware's loop; and look for the answer."""
        chip, rng = self.robot.chip, self.rng
        while self._hands:  # somebody else's: two fingers on one button are one press
            self._wait(0.3)
        self._hands += 1
        at_us = chip.now_us + int(rng.random() * 20_000)
        end_us = at_us + int(rng.uniform(0.03, 0.3) * 1e6)
        answered = self._answer_to(control)
        began_ms = at_us // 1000
        self.watch.seen.presses += 1

        def close() -> None:
            self._pressed_ms = self.robot.now_ms
            self.robot.note("press", control=control)
            if control == "plate":
                self.watch.plate_pressed()
            self.robot.contact(control, True)

        def open_() -> None:
            self.robot.contact(control, False)
            self.robot.note("release", control=control)

        chip.at(at_us, close)
        chip.at(end_us, open_)
        self.robot.run_until(max(end_us, at_us + ANSWER_MS * 1000))
        self._hands -= 1
        if not answered() and not self.watch.slept:
            self.watch.seen.lost_presses += 1
            self._say_line(f"the press of {control} at {began_ms} ms was not answered")

    def _answer_to(self, control: str) -> Callable[[], bool]:
        """What has to be seen after a press, as a question to ask then."""
        if control == "plate" and self.watch.in_play:
            beeps = self.watch.tones.get("plate", 0)
            return lambda: self.watch.tones.get("plate", 0) == beeps + 1
        if control == "volume":
            volumes = self.watch.volumes
            return lambda: self.watch.volumes == volumes + 1
        if control == "record" and self.watch.in_play:
            refused = self.watch.tones.get("not_now", 0)
            return lambda: self.watch.tones.get("not_now", 0) == refused + 1
        return lambda: True  # the words or the state that follow are waited for

    def _record(self, what: str, samples: Any) -> None:
        """Hold red, wait for the light, speak, let go; again if the robot heard nothing, unless
        it does not ask any more."""
        for _ in range(3):
            if what == "nickname" and self.watch.state != "nickname":
                return
            chip = self.robot.chip
            self.watch.recorded = None
            self.watch.lit = False
            self.watch.seen.presses += 1
            self.robot.note("press", control="record")
            pressed_us = chip.now_us
            self.robot.contact("record", True)
            while not self.watch.lit and chip.now_us < pressed_us + LIGHT_PATIENCE_S * 1e6:
                self.robot.run_until(chip.now_us + 8000)
            if not self.watch.lit:
                self.watch.seen.lost_presses += 1
                self._say_line("red was pressed and no light came")
            self.watch.seen.light_ms = max(
                self.watch.seen.light_ms, (chip.now_us - pressed_us) // 1000
            )
            self.robot.room.say(chip.now_us + 100_000, samples)
            held_s = 0.1 + len(samples) / RATE_HZ + self.rng.uniform(0.1, 0.4)
            self.robot.run_until(chip.now_us + int(held_s * 1e6))
            self.robot.contact("record", False)
            self.robot.note("release", control="record")
            self._expect(
                f"an answer to a recorded {what}", lambda: self.watch.recorded is not None
            )
            recorded = self.watch.recorded or {}
            if recorded["result"] == "stored" and recorded["what"] == what:
                self._wait(0.2)
                return
            self._quiet(0.3)
        raise Stuck(f"three times no {what} was stored")

    def _answer_warning(self) -> None:
        """Somebody hears the warning and presses the tray before the robot sleeps."""
        if self.rng.random() >= self.habits.hears_warning:
            return
        warned_ms = self.robot.now_ms
        at_us = self.robot.chip.now_us + int(self.rng.uniform(1.0, 6.0) * 1e6)

        def press() -> None:
            if self._hands or self._pressed_ms >= warned_ms:  # somebody was quicker
                return
            self._hands += 1
            self.watch.seen.presses += 1
            self.watch.plate_pressed()
            self.robot.note("press", control="plate")
            self.robot.contact("plate", True)
            self.robot.chip.at(self.robot.chip.now_us + 100_000, release)

        def release() -> None:
            self.robot.contact("plate", False)
            self.robot.note("release", control="plate")
            self._hands -= 1

        self.robot.chip.at(at_us, press)

    # ---- waiting

    def _thinks_s(self) -> float:
        habits = self.habits
        spread = math.exp(habits.think_spread * self.rng.gauss(0, 1))
        return min(45.0, max(0.8, habits.think_median_s * spread))

    def _wait(self, seconds: float) -> None:
        self.robot.run_until(self.robot.chip.now_us + int(seconds * 1e6))
        self._notice_sleep()

    def _notice_sleep(self) -> None:
        if self.watch.slept:
            raise _FellAsleep

    def _expect(self, what: str, happened: Callable[[], bool]) -> None:
        chip = self.robot.chip
        end_us = chip.now_us + PATIENCE_S * 1e6
        while not happened():
            if chip.now_us > end_us:
                raise Stuck(f"waited {PATIENCE_S:g} s for {what}; state {self.watch.state}")
            self._until_told(end_us)

    def _quiet(self, seconds: float) -> None:
        """Until the robot has been silent for so long."""
        chip = self.robot.chip
        end_us = chip.now_us + PATIENCE_S * 1e6
        while True:
            silent_us = (self.watch.sound_ends_ms + seconds * 1000) * 1000
            if not self.watch.talking and chip.now_us >= silent_us:
                return
            if chip.now_us > end_us:
                raise Stuck(f"the robot has talked for {PATIENCE_S:g} s; state {self.watch.state}")
            self._until_told(end_us if self.watch.talking else silent_us)

    def _until_told(self, until_us: float) -> None:
        """Until then, or until something is seen or heard of the robot."""
        self.watch.attentive = True
        self.robot.run_until(math.ceil(until_us) + 1)
        self.watch.attentive = False
        self._notice_sleep()

    def _say_line(self, line: str) -> None:
        if self.log:
            self.log(f"[{self.robot.now_ms / 1000:7.1f} s] {line}")


def _command_id(say: Event, kind: str) -> str:
    """The command's id: the phrase of the utterance that has the kind's prefix."""
    for part in say["parts"]:
        phrase = part.get("phrase", "")
        if phrase.startswith(kind + "."):
            return phrase
    return kind
