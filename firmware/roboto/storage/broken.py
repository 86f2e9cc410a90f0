"""What can go wrong with a file: it is damaged, or now is not the time to write."""

FULL = "flash full"  # of a Job's `failed`: the kind that the players hear of


class Broken(Exception):
    """A stored file is there, but what it holds cannot be trusted. str() is a line for the log."""


class Refused(Exception):
    """The guard refused a write. Nothing was touched: the same step may be tried again later."""
