"""What went wrong and what to do, in one line: the command line prints it and exits with 2."""


class MakerError(RuntimeError):
    """str() is one line for the maker."""


class BoardError(MakerError):
    """Something about the board or the way to it."""


class Gone(BoardError):
    """The port broke off: the board was unplugged, or restarted by itself."""


class Late(BoardError):
    """An exchange was not over when its time was."""


class TooMuch(BoardError):
    """An exchange brought more bytes than it may."""


class Stranger(BoardError):
    """What runs on the board talks, but not as a robot does."""


class Nonsense(BoardError):
    """An answer came in time that is none to what was asked."""


class RemoteError(BoardError):
    """Code on the board raised. kind is the exception's name there, errno its number or None;
    traceback is what the board printed, as it came."""

    def __init__(
        self, line: str, kind: str = "", errno: int | None = None, traceback: str = ""
    ) -> None:
        super().__init__(line)
        self.kind, self.errno, self.traceback = kind, errno, traceback
