"""Where things lie: in a checkout, and as well where pip has installed them.

The firmware stands beside this package in both.
"""

from __future__ import annotations

from .desktop import firmware

FIRMWARE = firmware.FOLDER
ROOT = FIRMWARE.parent
PHRASES = FIRMWARE / "phrases"

firmware.make_importable()
from roboto.version import VERSION  # noqa: E402

__all__ = ["FIRMWARE", "PHRASES", "ROOT", "VERSION"]
