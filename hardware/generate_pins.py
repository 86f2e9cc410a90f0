"""Writes firmware/roboto/board/pins.py from board.toml: plain constants, so that the robot needs
no parser.

python -m hardware.generate_pins           writes it
python -m hardware.generate_pins --check   exit status 2 when the file there differs
"""

import pathlib
import sys
from typing import Any

from hardware import board

PINS_PY = board.REPO / "firmware" / "roboto" / "board" / "pins.py"

_HEAD = '''\
"""GPIO numbers. hardware/generate_pins.py makes them from hardware/board.toml: edit that."""
'''


def text(table: dict[str, Any]) -> str:
    """Return what pins.py must contain."""
    lines = [_HEAD]
    for name, pin in table["gpio"].items():
        lines.append(f"{name} = {pin['gpio']}  # {pin['what']}")
    lines.append("")
    for name, bus in table["bus"].items():
        lines.append(f"{name} = {bus['id']}")
    return "\n".join(lines) + "\n"


def write(table: dict[str, Any], path: pathlib.Path = PINS_PY) -> None:
    path.write_text(text(table), encoding="utf-8")


def main(arguments: list[str]) -> int:
    table = board.load()
    if "--check" in arguments:
        if PINS_PY.exists() and PINS_PY.read_text(encoding="utf-8") == text(table):
            return 0
        print(
            "pins.py differs from board.toml: run python -m hardware.generate_pins",
            file=sys.stderr,
        )
        return 2
    write(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
