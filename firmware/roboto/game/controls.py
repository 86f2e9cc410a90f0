"""The five buttons and the tray: which of the menu, a recording and the state a press is for."""

from . import tuning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import Game


class ClosedMenu:
    """Stands for the spoken menu until somebody opens it: menu.py is loaded then."""

    is_open = False
    deadline_ms = None

    def close(self, aloud: bool = False, over: bool = True) -> None:
        """Do nothing, as it is closed."""

    def open(self) -> None:
        """Do nothing: there is no menu yet."""

    next = change = tell = touched = open


class Controls:
    """Passes presses on to the menu or the present state."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._changed_ms = -tuning.BOUNCE_MS  # when a press last changed the state
        self._mode_since_ms: int | None = None

    def press(self, control: str, awake_only: bool) -> None:
        """Answer a press. awake_only: it came after the sleep warning, so that of the tray does
        nothing but keep the robot awake."""
        game = self._game
        before = game.state
        if control == "plate" and before.beeps:
            game.tone("plate")
            if awake_only or game.now_ms - self._changed_ms < tuning.BOUNCE_MS:
                return
        if control == "mode":
            self._mode_since_ms = game.now_ms
        elif control == "volume":
            game.change_setting("volume", game.settings.after("volume"))
            game.tone("volume")
            if not game.capturing and not game.menu.is_open:
                before.volume()
        elif game.capturing:
            # Whoever records is left in peace; but nobody has to wait for a recording to win.
            if control == "win" and before.may_leave_recording:
                game.drop_capture()
                before.win()
        elif control == "replay":
            self._replay()
        elif control == "record":
            self._record()
        else:
            if game.menu.is_open:
                game.menu.close(over=False)
                game.hush()
            if control == "plate":
                before.plate()
            else:
                before.win()
        if game.state is not before:
            self._changed_ms = game.now_ms

    def release(self, control: str) -> None:
        """Answer a release: red ends a recording, white pressed shortly is a veto."""
        game = self._game
        if control == "record":
            if game.capturing:
                game.finish()
        elif control == "mode" and self._mode_since_ms is not None:
            game.pressed_ms, self._mode_since_ms = self._mode_since_ms, None
            if game.menu.is_open:
                game.menu.next()
                game.menu.touched()
            elif not game.capturing:
                game.state.veto()
            elif game.state.may_leave_recording:
                game.drop_capture()
                game.state.veto()

    def menu_ms(self) -> "int | None":
        """Return when white will have been held long enough for the menu; None: it is not."""
        if self._mode_since_ms is None or self._game.capturing:
            return None
        return self._mode_since_ms + tuning.MENU_HOLD_MS

    def menu_due(self) -> None:
        """Open the menu, or close it: white was held long enough."""
        self._mode_since_ms = None
        game = self._game
        if game.menu.is_open:
            game.menu.close(aloud=True)
            return
        if type(game.menu) is ClosedMenu:
            from .menu import Menu

            game.menu = Menu(game)
        game.menu.open()
        game.menu.touched()

    def _record(self) -> None:
        menu = self._game.menu
        if menu.is_open:
            menu.change()
            menu.touched()
        else:
            self._game.state.red()

    def _replay(self) -> None:
        game = self._game
        if not game.menu.is_open and game.state.replay():
            return
        if game.last_said is None:
            game.not_now()
        else:
            game.speak(game.last_said)
