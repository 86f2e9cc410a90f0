"""Plays a WAV through whatever this computer has for it."""

import shutil
import subprocess
import sys
from pathlib import Path

from .errors import MakerError

_PLAYERS = (
    ("afplay",),
    ("paplay",),
    ("pw-play",),
    ("aplay", "-q"),
    ("ffplay", "-autoexit", "-nodisp"),
)


def play(path: Path) -> None:
    """Returns when it has been heard. Raises MakerError."""
    if sys.platform == "win32":
        import winsound

        winsound.PlaySound(str(path), winsound.SND_FILENAME)
        return
    for command in _PLAYERS:
        if shutil.which(command[0]):
            done = subprocess.run([*command, str(path)], capture_output=True, check=False)
            if done.returncode == 0:
                return
    raise MakerError(
        "nothing here plays a WAV (afplay, paplay, pw-play, aplay, ffplay): `roboto clips pull` "
        "and use a player of "
        "your own"
    )
