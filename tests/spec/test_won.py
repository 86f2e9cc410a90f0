"""SPEC section 2, won."""

from .conftest import phrases_of
from .voices import said, voice


def test_new_game(table):
    """ "Plate: new game with the same players, names kept, nicknames and House Rule dropped; the
    robot calls a player to
    record a new House Rule." """
    t = table(seed=3)
    t.to_play(3, rule=said(voice(1.5)))
    t.surprise("nickname")
    t.record().quiet()
    assert list(t.flash.glob("nickname*")) and (t.flash / "house_rule.clip").exists()
    t.press("win").wait(1.6)
    since = t.mark()
    t.press("plate").wait(2.0)
    assert t.state == "house_rule"
    ask = t.said(since)[-1]
    assert phrases_of(ask) == ["rule.ask"]
    t.quiet(1.0)
    assert len(list(t.flash.glob("name-*"))) == 3
    assert not list(t.flash.glob("nickname*")) and not (t.flash / "house_rule.clip").exists()
    t.press("plate")
    since = t.mark()
    for _ in range(6):
        assert t.surprise()["kind"] != "house_rule"
    assert max(player for say in t.said(since) for player in say["players"]) == 2


def test_to_change_players_switch_off_and_on(table):
    """ "To change players, switch off and on." """
    t = table()
    t.to_play(2).press("win")
    since = t.mark()
    t.hold("record", 0.8, said(voice(0.8)))
    t.one("tone", since, tone="not_now")
    t.none("record", since)
    t.switch("off").wait(1.0)
    t.switch("on").wait(1.0)
    assert t.state == "names"
    since = t.mark()
    t.record()
    assert t.one("record", since)["player"] == 0
