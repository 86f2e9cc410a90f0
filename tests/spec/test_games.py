"""SPEC section 8, what holds for all games: how one is chosen, what white is, how rare surprises
are. With a whole robot."""

import struct
import zlib

import pytest
from roboto.game.kinds import GAMES
from roboto.storage.pack import Pack

from .conftest import phrases_of
from .voices import said, voice

OURS = GAMES[1:]
WITH_CARDS = [game for game in OURS if game != "dice"]
LEVER = ("launcher", "wheel", "jackpot", "dare")  # whose white draws something


def play(table, game, players=3, seed=2, rule=None, **options):
    """A table that plays this game, just when the first player has been called."""
    t = table(seed=seed, **options)
    t.robot.set("game", game)
    if game == "dice":  # which asks for no House Rule
        t.names(players).press("plate").wait(0.1)
        assert t.state == "play"
        return t.quiet(0.4)
    return t.to_play(players, rule=rule)


@pytest.mark.parametrize("game", OURS)
def test_the_rules_are_said_once_before_the_first_call(table, game):
    """ "When a game is played for the first time since it was chosen, its rules are said in a
    sentence before the first call." """
    t = play(table, game)
    say = t.said()[-1]
    assert phrases_of(say)[0] == f"{game}.rules" and say["players"]
    since = t.mark()
    t.press("win").quiet(0.5).press("plate").wait(1.6).press("plate").quiet(0.1)
    assert t.state == "play" and f"{game}.rules" not in t.phrases(since)


@pytest.mark.parametrize("game", OURS)
def test_the_menu_chooses_it(table, game):
    """ "It is a setting like language and pace … it survives power-off" """
    t = table(seed=2)
    t.to_play(2)
    t.press("mode", 2.2).quiet(0.4)
    while "menu.game" not in t.phrases()[-2:]:
        t.press("mode").quiet(0.4)
    assert t.phrases()[-1] == "menu.value.roboto"
    while t.phrases()[-1] != f"menu.value.{game}":
        t.press("record").quiet(0.4)
    since = t.mark()
    t.press("mode", 2.2).quiet(0.4)  # done
    assert t.phrases(since)[0] == f"{game}.rules"
    again = table(seed=3)
    since = again.mark()
    again.names(2).press("plate").wait(1.6)
    if again.state != "play":
        again.press("plate")
    again.quiet(0.4)
    assert f"{game}.rules" in again.phrases(since)


def test_the_menu_offers_what_the_voice_can_say(table, without_games):
    """ "The menu offers only games whose phrases the voice has" and "Where it lacks those of the
    game that was chosen, Roboto's own is played." """
    t = table(seed=2, packs=without_games)
    t.press("mode", 2.2).quiet(0.4)
    for _ in range(8):
        t.press("mode").quiet(0.4)
    assert "menu.pace" in t.phrases() and "menu.game" not in t.phrases()
    t.press("plate")
    t.robot.set("game", OURS[0])
    since = t.mark()
    t.to_play(2)
    assert not [id for id in t.phrases(since) if id.startswith(OURS)]
    since = t.mark()
    t.press("mode").wait(0.5)
    t.one("tone", since, tone="not_now")


@pytest.fixture
def without_games(packs, tmp_path):
    """The voice packs, with a group of another name in place of their games."""
    found = {}
    for lang, path in packs.items():
        data = bytearray(path.read_bytes().replace(b"\x06+games", b"\x06+other"))
        end = Pack(str(path))._records_end
        struct.pack_into("<I", data, 28, zlib.crc32(data[32:end]))
        found[lang] = tmp_path / f"{lang}.pack"
        found[lang].write_bytes(data)
    return found


@pytest.mark.parametrize("game", LEVER)
def test_white_takes_back_only_what_there_is_to_take_back(table, game):
    """ "White takes a surprise command back while it is said, until its race is over, and for 3 s
    after; else it is the lever." """
    for wait_s, taken_back in ((0.1, True), (2.0, True), (3.6, False)):
        t = play(table, game, flash=f"flash{wait_s}")
        while not t.said()[-1]["kind"] or t.said()[-1]["race"]:
            if t.said()[-1]["kind"]:
                t.quiet(0.1).press("plate").quiet(0.1)
            t.surprise()
            if t.state == "nickname":
                t.press("mode").quiet(0.4)
        t.quiet(0.01).wait(wait_s - 0.1)
        since = t.mark()
        t.press("mode").wait(0.3)
        assert bool(t.all("outcome", since)) != taken_back
        t.quiet(0.4)
        assert any(id.startswith("veto.") for id in t.phrases(since)) == taken_back


def test_a_nickname_is_refused_only_until_3_s_after_it_was_said_back(table):
    """ "A nickname, too, is refused only until 3 s after it was said back." """
    for wait_s, refused in ((1.0, True), (3.6, False)):
        t = play(table, "launcher", flash=f"nick{wait_s}")
        t.surprise("nickname")
        t.quiet(0.1).record().quiet(0.01)
        t.wait(wait_s)
        since = t.mark()
        t.press("mode").quiet(0.4)
        assert ("nick.refused" in t.phrases(since)) == refused
        assert bool(t.all("outcome", since)) != refused


@pytest.mark.parametrize("game", LEVER)
def test_white_waits_until_the_outcome_was_said(table, game):
    """ "Pressed again before its outcome was said, it is the "not now" tone." """
    t = play(table, game)
    since = t.mark()
    t.press("mode").wait(0.3).press("mode").wait(0.3)
    t.one("tone", since, tone="not_now")
    t.quiet(0.4)
    assert len(t.all("outcome", since)) == len(t.said(since)) == 1


@pytest.mark.parametrize("game", LEVER)
def test_an_outcome_is_replayed_and_comes_again_after_the_menu(table, game):
    """ "Green says an outcome again and draws nothing; the menu that cuts one says it again." """
    t = play(table, game)
    t.press("mode").quiet(0.4)
    said_ids = phrases_of(t.said()[-1])
    since = t.mark()
    t.press("replay").quiet(0.1)
    assert t.phrases(since) == said_ids and not t.all("outcome", since)
    since = t.mark()
    t.press("mode").wait(0.2).press("mode", 2.2).quiet(0.4).press("plate").quiet(0.1)
    assert len(t.all("outcome", since)) == 1
    assert t.said(since)[-1]["parts"] and phrases_of(t.said(since)[-1])[0].startswith(game)


@pytest.mark.parametrize("game", WITH_CARDS)
def test_surprises_go_on_half_as_often(table, game):
    """ "Surprise commands go on, half as often." """
    gaps = {}
    for played in ("roboto", game):
        t = play(table, played, flash=played, seed=5)
        presses = []
        for _ in range(6):
            since = t.mark()
            n = 0
            while not [e for e in t.said(since) if e["kind"]]:
                turning = t.mark()
                t.press("plate").wait(0.4)
                n += 1
                if t.all("outcome", turning):  # the world has turned over
                    t.quiet(0.4).wait(10.1)
            presses.append(n)
            t.quiet(0.4)
            if t.said()[-1].get("race"):
                t.press("plate").quiet(0.1)
            if t.state == "nickname":
                t.press("mode").quiet(0.4)
            t.wait(10.5)
        gaps[played] = presses
    assert all(3 <= n <= 8 for n in gaps["roboto"])
    assert all(6 <= n <= 16 and n % 2 == 0 for n in gaps[game])


@pytest.mark.parametrize("game", WITH_CARDS)
def test_a_house_rule_and_sleep_are_as_ever(table, game):
    """ "All else is as in Roboto's own game." """
    t = play(table, game, rule=said(voice(1.0)))
    assert "rule.heard" in t.phrases()
    t.wait(71.0)
    t.one("tone", tone="sleep_warning")
    assert t.state == "asleep"
