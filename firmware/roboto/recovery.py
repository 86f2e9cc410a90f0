"""What is done when a part of the robot raises: it costs what it was about, and the robot goes on.

Loaded when that happens for the first time. Each place that raises is noted once. A part that
raises again and again is left alone for ever longer; a game that does so starts over from what was
kept, then afresh, then without its voice, and at last stands still for a while. Whatever cannot be
helped so leaves the watchdog unfed, which restarts the robot.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

_PLACES_MOST = 16  # that are remembered, and so noted once
_IN_A_ROW_MS = 10000  # a game that fails again so soon has not got over it
_SHORTEST_MS = 1000
_LONGEST_MS = 300000
_OF_GAME = ("game", "sleep", "restart")  # without these the game cannot go on


class NoGame:
    """What stands in for the game when each one fails: it asks for another after a while."""

    phase = "names"  # of its state

    def __init__(self, position: str, deadline_ms: int) -> None:
        self.state = self
        self.deadline_ms = deadline_ms
        self._position = position

    def handle(self, event: tuple, now_ms: int) -> list:
        """Answer presses with a tone, and time with a new game. A fault changes nothing."""
        if event[0] == "tick":
            return [("restart", self._position)]
        if event[0] == "switch":
            return [("restart", event[1])]
        return [("tone", "not_now")] if event[0] == "press" else []


class Recovery:
    """failed() is told of each exception that came out of a part of the app."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._places: list[str] = []
        self._rows: dict[str, list[int]] = {}  # what -> [failures in a row, when the last one was]

    def failed(self, error: Exception, what: str) -> int:
        """Note the error, and get over it. `what`: "step", "game", "background", "console", or the
        name of the action that failed. Return the milliseconds that it is to be left alone."""
        app = self._app
        app.collect()
        self._note(error, what)
        if what in _OF_GAME:
            self._start_over()
        elif what in ("background", "console"):
            pause_ms = min(_SHORTEST_MS << self._in_a_row(what, 2 * _LONGEST_MS), _LONGEST_MS)
            if what == "background":
                app.background_ms = app.now_ms + pause_ms
            return pause_ms
        elif what in ("listen", "finish"):
            self._drop_recording()
        elif what == "say":
            self._drop_speech()
        elif what == "step":
            if app.recordings.capturing:
                self._drop_recording()
            self._drop_speech()
        return 0

    def _in_a_row(self, what: str, within_ms: int) -> int:
        """Return how many times it has failed before, without a pause between."""
        now_ms = self._app.now_ms
        row = self._rows.setdefault(what, [-1, now_ms])
        row[0] = row[0] + 1 if now_ms - row[1] <= within_ms else 0
        row[1] = now_ms
        return min(row[0], 16)

    def _note(self, error: Exception, what: str) -> None:
        place = _place(error)
        if place in self._places:
            return
        self._places.append(place)
        if len(self._places) > _PLACES_MOST:
            self._places.pop(0)
        self._app.fault(f"{place}: {type(error).__name__} {error} ({what})")

    # ---- speech and recordings

    def _drop_speech(self) -> None:
        """The utterance is over for the game, as if it had been heard."""
        app = self._app
        waited_for = app.speech.drop()
        try:
            app.board.speaker.close()
        except Exception as error:
            self._note(error, "speaker")
        if waited_for:
            app.handle(("spoken",))

    def _drop_recording(self) -> None:
        """The game hears that there was nothing, and the players an apology."""
        app = self._app
        app.recordings.capturing = False
        try:
            app.recordings.cancel()
            app.board.microphone.warm(False)
        except Exception as error:
            self._note(error, "microphone")
        app.handle(("recorded", "silent", 0))
        app.handle(("trouble", "sorry"))

    # ---- the game

    def _start_over(self) -> None:
        """Begin again from what was kept; when that fails too, with ever less."""
        app = self._app
        from .storage.silent_pack import SilentPack

        tries = self._in_a_row("game", _IN_A_ROW_MS)
        app.asked = []  # what it wanted means nothing to the next
        app.speech.drop()
        if app.recordings.capturing:
            app.recordings.cancel()
        while tries < 3:
            try:
                if tries == 2:
                    app.speech.pack = SilentPack()  # it may be what the game stumbles over
                app.begin(app.board.inputs.position, resumed=tries == 0, afresh=tries > 0)
                return
            except Exception as error:
                self._note(error, "game")
                tries += 1
                self._rows["game"][0] = tries
        app.game = NoGame(
            app.board.inputs.position, app.now_ms + min(_SHORTEST_MS << tries, _LONGEST_MS)
        )
        app.deadline_ms = app.game.deadline_ms


def _place(error: Exception) -> str:
    """Return where an exception was raised, such as "game/play.py:80"."""
    file, line = "?", 0
    trace = getattr(error, "__traceback__", None)
    if trace is not None:
        while trace.tb_next:
            trace = trace.tb_next
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
    elif hasattr(sys, "print_exception"):  # MicroPython's
        import io

        told = io.StringIO()
        # The stubs know less of a StringIO than MicroPython.
        sys.print_exception(error, told)  # pyright: ignore[reportArgumentType]
        text: str = told.getvalue()  # pyright: ignore[reportAttributeAccessIssue]
        for part in text.split("\n"):
            if part.startswith('  File "'):
                file = part.split('"')[1]
                line = part.split("line ")[1].split(",")[0]
    return f"{file.replace(chr(92), '/').split('roboto/')[-1]}:{line}"
