"""What fits which board, and what may be left out."""

from host_tools.maker import firmware
from host_tools.maker.firmware import BUNDLE
from host_tools.voice import catalogue, plans


def test_the_figures_of_the_boards():
    stock = plans.PLANS["pico"]
    assert stock.internal_bytes == 1408 * 1024
    assert 20 * 24_000 + 40_000 < plans.clips_bytes(16000) < 1.03 * (20 * 24_000 + 40_000)
    assert 20 * 12_000 + 40_000 < plans.clips_bytes(8000) < 1.03 * (20 * 12_000 + 40_000)
    assert 190 < stock.seconds(8000) < 220
    files = firmware.collect()
    blocks = sum(-(-len(data) // plans.BLOCK_BYTES) for data in files.values())
    assert 0.8 * plans.FIRMWARE_BYTES < blocks * plans.BLOCK_BYTES <= plans.FIRMWARE_BYTES
    assert len(files[BUNDLE]) + 6 * plans.BLOCK_BYTES < plans.UPDATE_BYTES
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
