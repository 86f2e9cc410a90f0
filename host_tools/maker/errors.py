"""What went wrong and what to do, in one line: the command line prints it and exits with status "
"2."""


class MakerError(RuntimeError):
    """str() is one line for the maker."""


class BoardError(MakerError):
    """Something about the board or the way to it."""
