"""commands.toml: what the commands do to the cards."""

import pytest

from host_tools.voice import catalogue
from host_tools.voice.commands import Commands, check_texts


def test_phrases_and_commands_fit_together():
    assert check_texts() == ([], [])


def test_every_command_has_an_effect():
    commands = Commands()
    for phrase in catalogue.read(catalogue.PHRASES / "es.txt").values():
        if phrase.kind:
            assert commands.of(phrase.id)["effect"]


def test_effects_are_those_that_the_words_say():
    commands = Commands()
    assert commands.of("order.green") == {"effect": "discard_colour", "colour": "green"}
    assert commands.of("order.draw_two") == {"effect": "draw", "count": 2}
    assert commands.of("everyone.reverse") == {"effect": "reverse"}
    assert commands.of("swap.hands") == {"effect": "trade"}


def test_a_duel_that_a_family_adds_needs_no_line():
    assert Commands().of("duel.brand_new") == {"effect": "race", "loser_draws": 2}


DEFAULTS = "\n".join(
    f'{kind} = {{ effect = "none" }}' for kind in catalogue.COMMANDS if kind != "duel"
)
MISTAKES = [
    ("order = 3", "[default] order: no known effect; take one of none, discard"),
    ("", "[default] lacks duel"),
    ("[duels]\nx = 1", "[duels] is no kind of command; take order, swap"),
    ('[order]\nx = { effect = "fly" }', "[order] x: no known effect; take one of"),
    ('[order]\nx = { effect = "draw" }', "[order] x: draw needs count, a whole number from 1"),
    ('[order]\nx = { effect = "draw", count = 0 }', "count = 0; write a whole number from 1"),
    ('[order]\nx = { effect = "none", count = 1 }', "[order] x: none has no count"),
    ('[order]\nx = { effect = "trade" }', "[order] x: trade needs two named players"),
    ('[order]\nx = { effect = "discard_colour", colour = "pink" }', "colour = 'pink'; write red"),
    ("[order\n", "commands.toml: Expected ']'"),
]


@pytest.mark.parametrize("text, told", MISTAKES)
def test_every_mistake_is_one_clear_line(tmp_path, text, told):
    path = tmp_path / "commands.toml"
    path.write_text(f"[default]\n{DEFAULTS if text != 'order = 3' else ''}\n{text}", "utf-8")
    with pytest.raises(catalogue.CatalogueError) as caught:
        Commands(path)
    assert all(line.startswith("commands.toml: ") for line in caught.value.lines)
    assert any(told in line for line in caught.value.lines), caught.value.lines
