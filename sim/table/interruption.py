"""What people do when the robot interrupts: listen, obey or veto, and go on as it says."""

from __future__ import annotations

from host_tools.voice.commands import Commands

from ..trace import Event
from .acts import take_part
from .game import Game
from .hands import Hands
from .obey import obey
from .scene import Scene
from .voices import voice
from .witness import named_in


class Interruption:
    """Takes commands for a table; `commands` says what each does to the cards."""

    def __init__(self, scene: Scene, hands: Hands, commands: Commands) -> None:
        self._scene = scene
        self._hands = hands
        self._commands = commands

    def take(self, game: Game) -> None:
        """Listen to the command just given, carry it out, go on with whom it calls."""
        scene, watch, habits = self._scene, self._scene.watch, self._scene.habits
        say, kind = watch.last_say or {}, watch.last_kind()
        calls = watch.calls - watch.has_call(say)
        watch.note_surprise(say, kind)
        if scene.chance(habits.early_press):
            scene.wait(0.1, 3.0)
            self._hands.press("plate")
        scene.quiet(0.1, 0.8)
        if scene.chance(habits.asks_again) and kind != "nickname":
            self._repeat()
        if scene.chance(habits.vetoes) and watch.calls == calls + watch.has_call(say):
            self._veto()
        elif kind == "nickname":
            self._nickname(say)
        else:
            self._carry_out(game, say, kind, calls)
        if game.winner is None:
            scene.expect("somebody to be called to go on", lambda: watch.calls > calls)
            scene.quiet(0.1)
            game.go_on(scene.seats[watch.called()])

    def _veto(self) -> None:
        watch = self._scene.watch
        calls = watch.calls
        self._hands.press("mode")
        self._scene.expect("the command to be taken back", lambda: watch.calls > calls)
        watch.seen.vetoes += 1
        self._scene.say_line("vetoed")

    def _carry_out(self, game: Game, say: Event, kind: str, calls: int) -> None:
        """Do what the command says to the cards. calls: how many there were before it."""
        scene, watch = self._scene, self._scene.watch
        named = named_in(say, kind)
        command = _command_id(say, kind)
        what = self._commands.of(command)
        people = [game.players[seat] for seat in scene.seats]
        if say.get("act"):
            take_part(say["act"], scene, self._hands, game, calls)
            return
        done = obey(game, what, [scene.seats[person] for person in named], scene.rng)
        if what.get("effect") == "random_order":
            scene.seats = [
                next(seat for seat, p in enumerate(game.players) if p is player)
                for player in people
            ]
        watch.seen.cards_moved += done.moved
        watch.seen.unknown_effects += not done.known
        if game.winner is not None:
            watch.seen.won_on_command = True
        scene.wait(done.seconds)
        if self._commands.traits(command).race:
            self._end_race(calls)
        elif done.moved and scene.chance(scene.habits.wrong_press):
            self._hands.press("plate")

    def _end_race(self, calls: int) -> None:
        """Tell the robot that the race is over, or forget to, and wait for its call."""
        scene, watch = self._scene, self._scene.watch
        watch.seen.races += 1
        if watch.calls > calls:  # somebody pressed before it was over, or nobody for too long
            watch.seen.races_cut += 1
        elif scene.chance(scene.habits.forgets_race):
            watch.seen.races_forgotten += 1
            scene.say_line("nobody tells the robot that the race is over")
        else:
            self._hands.press("plate")

    def _nickname(self, say: Event) -> None:
        scene, watch = self._scene, self._scene.watch
        calls = watch.calls
        scene.expect("the nickname to be asked for", lambda: watch.state == "nickname")
        chance, records = scene.rng.random(), scene.habits.records_nickname
        if chance < records:
            scene.wait(1.0, 5.0)
            person = 50 + say["players"][1]
            self._hands.record("nickname", voice(person, round(scene.rng.uniform(0.5, 2.0), 1)))
        elif chance < (1 + records) / 2:
            scene.wait(1.0, 5.0)
            self._hands.press("plate")
        scene.expect("the game to go on after a nickname", lambda: watch.calls > calls)
        scene.expect("play to go on after a nickname", lambda: watch.state == "play")
        recorded = watch.recorded or {}
        if chance < records and recorded.get("result") == "stored":
            if scene.chance(scene.habits.refuses_nickname):
                self._refuse_nickname()

    def _refuse_nickname(self) -> None:
        """Press white while the nickname is said back, or soon after."""
        scene, watch = self._scene, self._scene.watch
        if scene.chance(0.5):
            scene.quiet(0.5, 7.0)
        else:
            scene.wait(0.1, 1.0)
        says = watch.says
        self._hands.press("mode")
        scene.expect("the nickname to be taken back", lambda: watch.says > says)
        watch.seen.refused += 1
        scene.say_line("the nickname is refused")

    def _repeat(self) -> None:
        watch = self._scene.watch
        says = watch.says
        watch.repeating = True
        self._hands.press("replay")
        self._scene.expect("the command to be repeated", lambda: watch.says > says)
        self._scene.quiet(0.3)
        watch.repeating = False


def _command_id(say: Event, kind: str) -> str:
    """Return the command's id: the phrase of the utterance that has the kind's prefix."""
    for part in say["parts"]:
        phrase = part.get("phrase", "")
        if phrase.startswith(kind + "."):
            return phrase
    return kind
