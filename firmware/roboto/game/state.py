"""What every state of the game answers when it has nothing special to say."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import Game
    from .utterance import Utterance


class State:
    """One state of SPEC.md section 2. Methods are called by Game; each acts through
    `self.game`."""

    name = ""  # in the code and in a kept game
    phase = ""  # what SPEC.md and traces call it
    records = False  # whether red records here: the microphone is kept ready
    saved = True  # whether a game that is here is kept
    may_leave_recording = False  # whether blue and white end a recording that runs
    comes_again = True  # whether a game comes back to it
    beeps = True  # whether the tray is answered by its beep, and keeps the robot awake

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.deadline_ms: int | None = None  # when tick() is wanted

    def enter(self) -> None:
        """Take over: the state has just been reached."""

    def red(self) -> None:
        """Red was pressed."""
        self.game.not_now()

    def recorded(self, result: str) -> None:
        """Take what came of a recording: "stored", "too_short", "silent", "no_room", "deaf" or
        "cancelled"."""

    def not_stored(self, result: str) -> None:
        """Say why a recording was not kept; nothing where it was cancelled."""
        if result in ("no_room", "deaf"):
            self.game.say(result)
        elif result != "cancelled":
            self.game.say("heard_nothing")

    def plate(self) -> None:
        """Answer a press of the discard tray, which has beeped."""

    def volume(self) -> None:
        """Notice that the volume has been changed."""

    def replay(self) -> bool:
        """Green was pressed. Return True when the state has answered it in a way of its own."""
        return False

    def win(self) -> None:
        """Blue was pressed."""
        self.game.not_now()

    def veto(self) -> None:
        """Answer a short press of the mode button."""
        self.game.not_now()

    def spoken(self, utterance: "Utterance") -> None:
        """Notice that the robot has finished saying something, or was cut short."""

    def tick(self) -> None:
        """Do what is due when deadline_ms has come."""

    def menu_opened(self) -> None:
        """Prepare for the spoken menu, which is about to open and to cut what is being said."""

    def menu_closed(self) -> bool:
        """Go on after the menu. Return True when the state has said something because of it."""
        return False
