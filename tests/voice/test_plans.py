"""What fits which board, and what may be left out."""

from host_tools.voice import catalogue, plans


def test_the_figures_of_the_boards():
    stock = plans.PLANS["pico"]
    assert stock.internal_bytes == 1408 * 1024
    assert plans.NAME_BYTES >= 3 * 8000 and plans.HOUSE_RULE_BYTES >= 10 * 4000
    assert 150 < stock.seconds(8000) < 200
    assert plans.PLANS["w25q128"].seconds(16000) > 2000


def test_what_is_left_out_leaves_a_game():
    phrases = catalogue.read(catalogue.PHRASES / "es.txt")
    n_bytes = {id: len(phrase.text) for id, phrase in phrases.items()}
    gone = plans.spare(phrases, n_bytes)
    assert gone
    assert not [id for id in gone if phrases[id].mark == "original" or not phrases[id].kind]
    assert all(not id.startswith(("nickname.", "house_rule.")) for id in gone)
    rest = {id: phrase for id, phrase in phrases.items() if id not in gone}
    assert catalogue.missing(rest, "es.txt") == []
    assert sum(bool(p.kind) for p in rest.values()) == catalogue.COMMANDS_AT_LEAST


def test_the_longest_go_first_within_a_kind():
    phrases = catalogue.read(catalogue.PHRASES / "es.txt")
    n_bytes = {id: len(phrase.text) for id, phrase in phrases.items()}
    duels = [id for id in plans.spare(phrases, n_bytes) if phrases[id].kind == "duel"]
    kept = [n_bytes[id] for id, p in phrases.items() if p.kind == "duel" and id not in duels]
    assert min(n_bytes[id] for id in duels) >= max(kept)
