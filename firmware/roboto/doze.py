"""Asleep, and the processor not yet stopped. Loaded when the robot goes to sleep."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

_RELEASED_MS = 50  # a level of the tray wakes it: it must have come to rest before
_LAST_SAVES_MS = 10000  # what cannot be saved by then is lost; sleep comes all the same


class Doze:
    """All is off from now on. What is unsaved comes first, cards that lie on the tray must be
    taken off, and while USB is plugged in the processor never stops; tray and switch wake the
    robot as they should."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._since_ms = self._plate_up_ms = app.now_ms
        board = app.board
        app.mixer.cut()
        board.speaker.close()
        app.recordings.ready(False)
        board.lights.record(False)
        board.lights.talk(0)

    def step(self, now_ms: int) -> None:
        """Do what is left to do; do not return when the processor stops, or when it wakes."""
        app = self._app
        board = app.board
        event = board.inputs.take()
        while event is not None:
            if event[0] == "switch" or event == ("plate", True):
                board.power.restart()
            event = board.inputs.take()
        if board.inputs.held("plate"):
            self._plate_up_ms = now_ms
        worth_waiting = not board.guard.low_battery and now_ms - self._since_ms < _LAST_SAVES_MS
        if app.saver.busy and worth_waiting:
            app.saver.step()
        elif now_ms - self._plate_up_ms >= _RELEASED_MS and board.power.may_sleep():
            board.power.sleep()
