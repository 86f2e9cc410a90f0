"""A short scene of each game of SPEC.md section 8 on the emulated board: it is loaded, white is
its lever, and enough of the heap is left; chosen no more, it is unloaded."""

from __future__ import annotations

import pytest
from roboto.game.kinds import GAMES

from sim.emulated import install
from sim.emulated.board import EmulatedBoard

from . import people

_FREE_AT_LEAST = 70 * 1024  # bytes of the heap, as tests/bench/bench_board.py has it

_MAIN = b"""
import gc, json, sys
from roboto import start

def tell(event, fields):
    fields["event"] = event
    if event in ("say", "quiet"):
        gc.collect()
        fields["free"] = gc.mem_free()
        fields["loaded"] = [n for n in sys.modules if n.startswith("roboto.game.games.")]
    print(json.dumps(fields))

start.run(tell, seed=1)
"""


def _quiet(board: EmulatedBoard) -> None:
    board.silent_for(400)


def _pressed(board: EmulatedBoard, control: str) -> list[dict]:
    """Press, until it has answered and is silent; what was told meanwhile."""
    before = len(people.trace(board))
    board.press(control, 60)
    board.run(300)
    _quiet(board)
    return people.trace(board)[before:]


def _with(game: str) -> EmulatedBoard:
    files = install.robot_files()
    files["main.py"] = _MAIN
    data = people.kept_game(game=game)
    files.update({f"data/{name}": content for name, content in data.items()})
    board = EmulatedBoard(files, console=True)
    board.power_on()
    board.until(lambda: board.amplifier.switched, 5000)
    _quiet(board)
    return board


@pytest.mark.parametrize("game", GAMES[1:])
def test_a_scene(image, game):
    board = _with(game)
    begun = _pressed(board, "plate")  # the kept game goes on
    said = [part.get("phrase") for e in begun if e["event"] == "say" for part in e["parts"]]
    assert f"{game}.rules" in said
    if game == "dice":
        assert "dice.pile" in said
    told = _pressed(board, "mode") + _pressed(board, "mode")
    says = [e for e in told if e["event"] == "say"]
    outcomes = [e for e in told if e["event"] == "outcome"]
    assert len(says) == 2 and len(outcomes) == (0 if game == "flip" else 2)
    for event in (e for e in people.trace(board) if "free" in e):
        assert event["free"] > _FREE_AT_LEAST, event
    assert f"roboto.game.games.{game}" in says[-1]["loaded"]
    assert not [e for e in people.trace(board) if e["event"] == "fault"]
    free = min(e["free"] for e in people.trace(board) if "free" in e)
    print(f"{game}: {free / 1024:.1f} KB free")


def test_chosen_no_more_it_is_unloaded(image):
    """From the last of the games the menu's next value is Roboto's own."""
    board = _with(GAMES[-1])
    _pressed(board, "plate")
    board.press("mode", 2200)
    board.run(2500)
    _quiet(board)
    told = _pressed(board, "record")  # one pack: the first setting is the game
    said = [part.get("phrase") for e in told if e["event"] == "say" for part in e["parts"]]
    assert said == ["menu.game", "menu.value.roboto"]
    _pressed(board, "plate")
    told = _pressed(board, "replay")
    assert [e for e in told if e["event"] == "say"][-1]["loaded"] == []
