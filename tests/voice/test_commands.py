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


def test_what_a_command_asks_of_a_table():
    traits = Commands().traits
    plain = traits("duel.brand_new")
    assert (plain.players_min, plain.race, plain.gentle) == (2, True, True)
    assert (plain.hands, plain.judge, plain.holds) == (False, "", False)
    assert traits("order.silence").holds and not traits("order.silence").race
    assert traits("everyone.reverse").players_min == 3
    assert traits("duel.duck").judge == "others" and traits("duel.duck").race
    assert traits("duel.thumbs").hands and not traits("duel.thumbs").gentle
    assert Commands().of("duel.thumbs") == {"effect": "race", "loser_draws": 2}


def test_a_gentle_table_and_two_players_have_enough_commands():
    """Of every kind some, and duels enough that they are not the same three each evening."""
    commands = Commands()
    ids = [p.id for p in catalogue.read(catalogue.PHRASES / "es.txt").values() if p.kind]
    for fits in (lambda t: t.gentle, lambda t: t.players_min <= 2):
        left = [id.split(".")[0] for id in ids if fits(commands.traits(id))]
        assert all(left.count(kind) >= 3 for kind in catalogue.COMMANDS)
        assert left.count("duel") >= 8 and left.count("order") >= 9


def test_every_command_that_is_ours_has_its_place_in_what_a_small_pack_keeps():
    ids = [
        p.id
        for p in catalogue.read(catalogue.PHRASES / "es.txt").values()
        if p.kind and p.mark == "ours" and not p.prefix
    ]
    assert sorted(Commands().keep) == sorted(ids)


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
    ("[order]\nx = { players_min = 1 }", "players_min = 1; write a whole number from 2 to 10"),
    ("[order]\nx = { race = 1 }", "[order] x: race = 1; write true or false"),
    ("[order]\nx = { hands = 2 }", "[order] x: hands = 2; write true or false"),
    ('[order]\nx = { gentle = "no" }', "[order] x: gentle = 'no'; write true or false"),
    ('[order]\nx = { judge = "me" }', "[order] x: judge = 'me'; write others"),
    ('[swap]\nx = { judge = "others" }', "the others judge, so players_min is 3 or more"),
    ("[everyone]\nx = { holds = true }", "[everyone] x: it holds nobody, for it names nobody"),
    ("[order]\nx = { plays = 3 }", "[order] x: none has no plays"),
]

KEEPS = [
    ("keep = 3", 'keep is a list of ids, like "duel.stare"'),
    ("keep = [1]", 'keep is a list of ids, like "duel.stare"'),
    ('keep = ["duel.a", "duel.b", "duel.a"]', "keep has duel.a more than once; one place each"),
]


@pytest.mark.parametrize("text, told", KEEPS)
def test_a_wrong_order_of_what_is_kept_is_one_clear_line(tmp_path, text, told):
    path = tmp_path / "commands.toml"
    path.write_text(f'{text}\n[default]\n{DEFAULTS}\nduel = {{ effect = "none" }}', "utf-8")
    with pytest.raises(catalogue.CatalogueError) as caught:
        Commands(path)
    assert caught.value.lines == [f"commands.toml: {told}"]


@pytest.mark.parametrize("text, told", MISTAKES)
def test_every_mistake_is_one_clear_line(tmp_path, text, told):
    path = tmp_path / "commands.toml"
    path.write_text(f"[default]\n{DEFAULTS if text != 'order = 3' else ''}\n{text}", "utf-8")
    with pytest.raises(catalogue.CatalogueError) as caught:
        Commands(path)
    assert all(line.startswith("commands.toml: ") for line in caught.value.lines)
    assert any(told in line for line in caught.value.lines), caught.value.lines
