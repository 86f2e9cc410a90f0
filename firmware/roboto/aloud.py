"""The self-test aloud: with white held at power-on the robot tells what of it works, to whoever
has no computer at hand. Loaded only then.

It stands in for the game: events in, actions out. Whoever builds the robot presses each button and
the tray, and hears its name; then the robot listens to a tone of its own, measures its cells, and
ends with a fanfare or with what is at fault. Without these phrases in its voice it beeps: a bell a
press, "not now" a fault. Then, or when the slide switch moves, it starts as ever.
"""

from .board.inputs import CONTROLS
from .game.utterance import Utterance
from .unload import unload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App
    from .shapes import Action, Event

_PATIENCE_MS = 20000  # without a press: what has not been pressed by then does not answer
_QUIET_MS = 400  # of a recording, before the robot is to hear itself
_LISTEN_MS = 2200
_HEARD = "fanfare"  # what it listens to: longer than a slip of the finger, as a recording must be


def begin(app: "App") -> None:
    """Let the self-test take the game's place until it asks for a restart."""
    unload("roboto.aloud")
    app.board.power.start_watchdog()
    app.game = Aloud(app)
    app.handle(("begin",))


class Aloud:
    """See begin(). It is a game to the app: handle(), deadline_ms, and state.phase."""

    phase = "self_test"

    def __init__(self, app: "App") -> None:
        self.state = self
        self.deadline_ms: int | None = None
        self._app = app
        self._missing = list(CONTROLS)  # not pressed yet
        self._down = [control for control in CONTROLS if app.board.inputs.held(control)]
        self._stage = "buttons"  # then "listen", "report", "over"
        self._to_say = ["test.ask"]  # phrases that wait for the robot to end its sentence
        self._talking = False
        self._faults: list[str] = []  # phrases
        self._voice = True
        try:
            app.speech.pack.phrase("test.ask")
        except KeyError:
            self._voice = False

    def handle(self, event: "Event", now_ms: int) -> "list[Action]":
        """Answer an event with actions: see game/__init__.py; and ("begin",) comes first."""
        what = event[0]
        actions: list[Action] = []
        if what == "begin":
            self.deadline_ms = now_ms + _PATIENCE_MS
            actions += [("state", self.phase), ("ready", True)]
        elif what == "switch":
            return [("hush",), ("cancel",), ("ready", False), ("restart", event[1])]
        elif what == "press" or what == "release":
            actions += self._contact(event[1], what == "press", now_ms)
        elif what == "spoken":
            self._talking = False
        elif what == "full":
            return [("finish",)]
        elif what == "recorded":
            actions.append(("ready", False))
            self._judge_sound(event[1])
        elif what == "tick":
            self.deadline_ms = None
            if self._stage == "listen":
                return [("tone", _HEARD)]
            self._missing_are_faults()
        return actions + self._go_on(now_ms)

    def _contact(self, control: str, closed: bool, now_ms: int) -> "list[Action]":
        """Name a button at its press; one that was held from the start at its release."""
        if closed:
            self._down.append(control)
        elif control in self._down:
            self._down.remove(control)
        actions: list[Action] = []
        if closed and control == "plate":
            actions.append(("tone", "plate"))  # as in every state
        if self._stage != "buttons" or not (closed or control in self._missing):
            return actions
        if control in self._missing:
            self._missing.remove(control)
            self.deadline_ms = now_ms + _PATIENCE_MS
        self._to_say.append("test." + control)
        if not self._voice and control != "plate":
            actions.append(("tone", "volume"))
        return actions

    def _go_on(self, now_ms: int) -> "list[Action]":
        """Say what waits; when nothing does, take the next step."""
        if self._talking:
            return []
        if self._to_say and self._voice:
            utterance = Utterance(self._app.speech.pack)
            for phrase in self._to_say:
                utterance.phrase(phrase)
            self._to_say = []
            self._talking = True
            return [("say", utterance)]
        if self._stage == "buttons" and not self._missing and not self._down:
            self._stage = "listen"
            self.deadline_ms = now_ms + _QUIET_MS
            return [("listen", "test", None, _LISTEN_MS)]
        if self._stage == "report":
            self._stage = "over"
            self._to_say = ["test.fault"] + self._faults if self._faults else ["test.good"]
            return self._go_on(now_ms)
        if self._stage == "over":
            self._stage = "restarting"
            actions: list[Action] = [("restart", self._app.board.inputs.position)]
            if not self._faults:
                actions.insert(0, ("tone", "fanfare"))
            elif not self._voice:
                actions.insert(0, ("tone", "not_now"))
            return actions
        return []

    def _missing_are_faults(self) -> None:
        """Nobody has pressed anything for so long: what is left to press does not answer."""
        for control in CONTROLS:
            if control in self._down:
                self._fault("test." + control, "test.stuck")
            elif control in self._missing:
                self._fault("test." + control, "test.silent")
        self._missing = []
        self._down = []

    def _judge_sound(self, result: str) -> None:
        """Take in what came of listening, and measure the cells, but for a robot on USB."""
        self._stage = "report"
        self.deadline_ms = None
        if result == "stored":
            self._to_say.append("test.heard")
        else:
            self._fault("deaf" if result == "deaf" else "test.unheard")
        power = self._app.board.power
        low = power.low_battery()
        if low >= 0:
            self._to_say += _volts(power.battery_mv())
        if low > 0:
            self._fault("low_battery")

    def _fault(self, *phrases: str) -> None:
        self._faults += phrases
        self._app.fault("self-test: " + " ".join(phrases))


def _volts(mv: int) -> list[str]:
    """Return the phrases of a voltage, to a tenth: "cells", "four", "point", "two", "volts"."""
    tenths = (mv + 50) // 100
    phrases = ["test.cells", "count.%d" % (tenths // 10)]
    if tenths % 10:
        phrases += ["test.point", "count.%d" % (tenths % 10)]
    return phrases + ["test.volts"]
