"""The tools of a maker's computer. They import the firmware, which lies beside them."""

import sys
from pathlib import Path

_FIRMWARE = str(Path(__file__).resolve().parent.parent / "firmware")
if _FIRMWARE not in sys.path:
    sys.path.append(_FIRMWARE)
