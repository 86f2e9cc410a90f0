"""Where things lie: in a checkout, and as well where pip has installed them.

The firmware stands beside this package in both. Only a checkout has room for what is built.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .desktop import firmware

FIRMWARE = firmware.FOLDER
ROOT = FIRMWARE.parent
PHRASES = FIRMWARE / "phrases"

firmware.make_importable()
from roboto.version import VERSION  # noqa: E402

__all__ = ["FIRMWARE", "PHRASES", "ROOT", "VERSION", "build_folder", "user_cache"]


def build_folder() -> Path:
    """Return the folder for what is slow to make: build/ in a checkout, else the user's cache.

    ROBOTO_BUILD names another one.
    """
    if wish := os.environ.get("ROBOTO_BUILD"):
        return Path(wish)
    checkout = (ROOT / "pyproject.toml").is_file()
    return ROOT / "build" if checkout else user_cache()


def user_cache() -> Path:
    """Return the folder for what this user need not fetch or make twice.

    ROBOTO_CACHE names another one. It need not exist. Raises RuntimeError where the user has no
    folder at all.
    """
    if wish := os.environ.get("ROBOTO_CACHE"):
        return Path(wish)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "roboto" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "roboto"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "roboto"
