"""Where things lie: in a checkout, and as well where pip has installed them.

The firmware stands beside this package in both. Importing this module makes it importable.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRMWARE = ROOT / "firmware"
PHRASES = FIRMWARE / "phrases"

if str(FIRMWARE) not in sys.path:
    sys.path.append(str(FIRMWARE))

from roboto.version import VERSION  # noqa: E402

__all__ = ["FIRMWARE", "PHRASES", "ROOT", "VERSION"]
