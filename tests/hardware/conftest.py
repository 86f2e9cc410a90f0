"""The board of board.toml, fresh for each test that wants to spoil it."""

import copy
from typing import Any

import pytest

from hardware import board


@pytest.fixture(scope="session")
def whole_table() -> dict[str, Any]:
    return board.load()


@pytest.fixture
def table(whole_table: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy(whole_table)
