"""Reads board.toml: the parts, nets and pins of one robot."""

import pathlib
import tomllib
from typing import Any

HERE = pathlib.Path(__file__).parent
REPO = HERE.parent
BOARD_TOML = HERE / "board.toml"


def load(path: pathlib.Path = BOARD_TOML) -> dict[str, Any]:
    """The whole of board.toml as plain tables. Raises ValueError with the place of a syntax error."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}; mend that line") from error
