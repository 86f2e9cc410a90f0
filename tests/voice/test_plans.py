"""What fits which board, and what a pack leaves out: rules for any language and size."""

import functools
import hashlib

import pytest

from host_tools.maker import firmware
from host_tools.maker.firmware import BUNDLE
from host_tools.voice import catalogue, packfile, plans
from host_tools.voice.catalogue import Phrase
from host_tools.voice.commands import Commands
from tests.voice.test_catalogue import ALL, WHOLE

COMMANDS = Commands()


def test_the_figures_of_the_boards():
    stock = plans.PLANS["pico"]
    assert stock.internal_bytes == 1408 * 1024
    assert 20 * 24_000 + 40_000 < plans.clips_bytes(16000) < 1.03 * (20 * 24_000 + 40_000)
    assert 20 * 12_000 + 40_000 < plans.clips_bytes(8000) < 1.03 * (20 * 12_000 + 40_000)
    assert stock.pack_bytes(8000) - stock.pack_bytes(16000) == 20 * 3 * plans.BLOCK_BYTES
    files = firmware.collect()
    blocks = sum(-(-len(data) // plans.BLOCK_BYTES) for data in files.values())
    assert 0.7 * plans.FIRMWARE_BYTES < blocks * plans.BLOCK_BYTES <= plans.FIRMWARE_BYTES
    assert len(files[BUNDLE]) + 6 * plans.BLOCK_BYTES < plans.UPDATE_BYTES
    assert plans.PLANS["w25q128"].pack_bytes(16000) > 15 << 20


def test_a_diet_costs_what_can_be_heard_least_first():
    """From what was asked for on, each smaller than the one before it; and of a voice and a denser
    one the clearer is tried first: figures in docs/voice.md."""
    whole = plans.diets("adpcm", 16000)
    assert [diet.codec for diet in whole][:3] == ["adpcm", "mdct", "mdct-dense"]
    assert whole[0].whole and not whole[0].sparing and not whole[-1].whole
    for asked, rate_hz in (("mdct", 16000), ("mdct-dense", 16000), ("adpcm", 8000)):
        diets = plans.diets(asked, rate_hz)
        assert diets[0].codec == asked and diets[0].whole
        assert all(diet.rate_hz == rate_hz for diet in diets)


class Language:
    """A language with sounds of the length of its texts, to be left out of."""

    def __init__(self, lang: str, alone: bool) -> None:
        self.phrases = catalogue.read(ALL[lang])
        self.sounds = {
            phrase.id: [self._sound(text) for text in phrase.segments()]
            for phrase in self.phrases.values()
        }
        self.free = plans.unheard(self.phrases, lang, alone)
        self.dear = plans.spare(self.phrases, COMMANDS)
        self.sizes: dict[frozenset[str], int] = {}

    @staticmethod
    def _sound(text: str) -> packfile.Segment:
        data = hashlib.sha256(text.encode()).digest() * (2 + len(text) // 4)
        return packfile.Segment(data, 2 * len(data))

    def n_bytes(self, kept: dict[str, Phrase]) -> int:
        ids = frozenset(kept)
        if ids not in self.sizes:
            self.sizes[ids] = len(packfile.pack_bytes("xx", 16000, 1, kept, self.sounds))
        return self.sizes[ids]

    def without(self, gone: list[str]) -> dict[str, Phrase]:
        return {id: phrase for id, phrase in self.phrases.items() if id not in gone}

    def left_out(self, limit: int) -> list[str]:
        return plans.left_out(self.phrases, self.n_bytes, limit, self.free, self.dear)


language = functools.cache(Language)
BUDGETS = [share / 20 for share in range(4, 23)]  # of the bytes that all of it takes


@pytest.mark.parametrize("share", BUDGETS)
@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("lang", ALL)
def test_what_goes_goes_in_order_and_no_more_than_has_to(lang, alone, share):
    there = language(lang, alone)
    whole = there.n_bytes(there.phrases)
    limit = int(share * whole)
    gone = there.left_out(limit)
    kept = there.without(gone)
    if whole <= limit:
        assert gone == []
        return
    # What nobody hears goes first and at once, then commands in their order, one by one.
    assert gone[: len(there.free)] == there.free
    assert gone[len(there.free) :] == there.dear[: len(gone) - len(there.free)]
    if len(gone) < len(there.free) + len(there.dear):
        assert there.n_bytes(kept) <= limit
    if len(gone) > len(there.free):
        assert there.n_bytes(there.without(gone[:-1])) > limit


def rank(id: str) -> int:
    return COMMANDS.keep.index(id)


@pytest.mark.parametrize("share", BUDGETS)
@pytest.mark.parametrize("lang", ALL)
def test_one_of_each_mechanic_is_kept_before_a_second_of_any(lang, share):
    there = language(lang, True)
    kept = there.without(there.left_out(int(share * there.n_bytes(there.phrases))))
    commands = [phrase.id for phrase in kept.values() if phrase.kind]
    wanted = {COMMANDS.mechanic(p.id) for p in there.phrases.values() if p.kind}
    lost = wanted - {COMMANDS.mechanic(id) for id in commands}
    ours = [id for id in commands if id in COMMANDS.keep]
    twice = [
        id
        for id in ours
        if sum(map(COMMANDS.mechanic(id).__eq__, map(COMMANDS.mechanic, commands))) > 1
    ]
    assert not (lost and twice), (lost, twice)
    # Of two that are played alike, the one further in front of the list is the last to go.
    for id in ours:
        for other in COMMANDS.keep[: rank(id)]:
            if other in there.phrases and COMMANDS.mechanic(other) == COMMANDS.mechanic(id):
                assert other in kept, f"{id} is kept and {other} is not"


@pytest.mark.parametrize("lang", ALL)
def test_a_game_can_be_played_with_whatever_is_left(lang):
    there = language(lang, True)
    for gone in (there.free, there.free + there.dear):
        rest = there.without(gone)
        assert not [id for id in there.dear if there.phrases[id].mark == "original"]
        for kind in catalogue.COMMANDS:
            assert any(p.kind == kind for p in rest.values()) or lang not in WHOLE
        for prefix in catalogue.VARIANTS:  # the robot counts them from 1 to the last
            if catalogue.game_of(prefix):
                continue  # a game goes whole
            numbers = sorted(
                int(id.rpartition(".")[2]) for id, p in rest.items() if p.prefix == prefix
            )
            assert numbers == list(range(1, len(numbers) + 1)) and (numbers or lang not in WHOLE)


@pytest.mark.parametrize("lang", WHOLE)
def test_forty_commands_of_every_kind_stay_as_long_as_they_can(lang):
    there = language(lang, True)
    before = [there.without(there.free + there.dear[:n]) for n in range(len(there.dear) + 1)]
    most = max(n for n, kept in enumerate(before) if _enough(kept))
    mechanics = {COMMANDS.mechanic(p.id) for p in there.phrases.values() if p.kind}
    kept = [p.id for p in before[most].values() if p.kind]
    assert {COMMANDS.mechanic(id) for id in kept} == mechanics
    assert len(kept) <= catalogue.COMMANDS_AT_LEAST + len(mechanics)
    for kept in before[: most + 1]:
        assert _enough(kept)


def _enough(kept: dict[str, Phrase]) -> bool:
    counts = [sum(p.kind == kind for p in kept.values()) for kind in catalogue.COMMANDS]
    least = [least for _, least in catalogue.COMMANDS.values()]
    return sum(counts) >= catalogue.COMMANDS_AT_LEAST and all(map(int.__ge__, counts, least))


@pytest.mark.parametrize("lang", ALL)
def test_what_a_robot_never_says_goes_before_any_command(lang):
    phrases = catalogue.read(ALL[lang])
    others = {f"menu.value.{code}" for code in ALL if code != lang} & set(phrases)
    alone, beside = plans.unheard(phrases, lang, True), plans.unheard(phrases, lang, False)
    assert others <= set(beside) < set(alone)
    assert set(alone) - set(beside) == {"menu.language", f"menu.value.{lang}"}
    assert not [id for id in alone if phrases[id].kind]
    assert "demo.sample_you.1" not in alone and "demo.sample_you.2" in alone


def test_the_list_begins_with_what_nothing_of_the_original_is_like():
    phrases = catalogue.read(ALL["es"])
    commands = [p.id for p in phrases.values() if p.kind]
    seen = {COMMANDS.mechanic(id) for id in commands if id not in COMMANDS.keep}
    front = 0
    for id in COMMANDS.keep:
        if COMMANDS.mechanic(id) in seen:
            break
        seen.add(COMMANDS.mechanic(id))
        front += 1
    assert seen == {COMMANDS.mechanic(id) for id in commands}
    assert front >= 8


def test_a_family_s_own_command_stays():
    phrases = dict(catalogue.read(ALL["es"]))
    phrases["duel.whistle"] = Phrase("duel.whistle", "ours", "{0} contra {1}: ¿quién silba?")
    assert "duel.whistle" not in plans.spare(phrases, COMMANDS)
