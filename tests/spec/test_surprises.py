"""SPEC section 3, as heard: what a surprise consists of. tests/game has its statistics."""

import re
from pathlib import Path

import pytest
from roboto.game import kinds
from roboto.storage.pack import Pack

from .conftest import clips_of, phrases_of
from .voices import said, voice

ROOT = Path(__file__).resolve().parents[2]
# What SPEC says of kinds, written once more: a second list on purpose.
NAMES = {"order": 1, "swap": 2, "everyone": 0, "duel": 2, "nickname": 2, "house_rule": 0}
KINDS = tuple(NAMES)


def test_the_firmware_knows_the_same_kinds():
    assert {kind: names for kind, _, names, _ in kinds.KINDS} == NAMES


def test_the_contract_names_them_all():
    """ "Kinds: **order** to one player; **swap** …" """
    section = (ROOT / "docs" / "SPEC.md").read_text("utf-8").split("Kinds: ")[1].split("\n\n")[0]
    told = re.findall(r"\*\*([a-z ]+)\*\*", section)
    assert {name.replace(" ", "_") for name in told} == set(NAMES)


@pytest.mark.parametrize("lang", ("es", "en"))
def test_enough_commands(packs, lang):
    """ "At least 40 different commands, of which at least 15 duels, in every language." """
    pack = Pack(str(packs[lang]))
    counts = {kind: pack.kinds(kind) for kind in KINDS}
    assert sum(counts.values()) >= 40 and counts["duel"] >= 15 and all(counts.values())
    texts = {pack.phrase(pack.command(k, i)).text for k in KINDS for i in range(counts[k])}
    assert len(texts) == sum(counts.values())


@pytest.mark.parametrize("kind", KINDS)
def test_an_utterance(table, kind):
    """ "an attention call, the command with the names in place, and the call of the player who
    goes on ... All of it is one utterance"; where people race, and for a nickname, the call comes
    later; the House Rule has no attention call."""
    t = table(seed=1)
    t.to_play(3, rule=said(voice(1.0)))
    say = t.surprise(kind)
    phrases = phrases_of(say)
    if kind != "house_rule":
        assert phrases.pop(0).startswith("attention.")
    assert phrases[0] == say["command"]
    names = NAMES[kind]
    called = phrases[-1].startswith("go_on.")
    assert called == (kind != "nickname" and not say["race"])
    assert len(say["players"]) == names + called
    assert say["race"] or kind not in ("duel", "house_rule")
    assert ("house_rule" in clips_of(say)) == (kind == "house_rule")
    if names == 2:
        assert say["players"][0] != say["players"][1]


def test_no_house_rule_unless_one_was_recorded(table):
    """ "only if one was recorded" """
    t = table(seed=1)
    t.to_play(2)
    assert "house_rule" not in {t.surprise()["kind"] for _ in range(8)}
