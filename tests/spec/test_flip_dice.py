"""SPEC section 8, flip and dice: sentence by sentence, with a whole robot."""

from .conftest import phrases_of
from .test_games import play


def turned(t, at_most=60):
    """Lay cards until the world turns; what was heard."""
    for _ in range(at_most):
        since = t.mark()
        t.press("plate").wait(0.3)
        if t.all("outcome", since):
            t.quiet(0.4)
            return since
        t.quiet(0.4)
        if t.said(since) and t.said(since)[-1].get("race"):
            t.press("plate").quiet(0.4)
        if t.state == "nickname":
            t.press("mode").quiet(0.4)
        if t.said(since):
            t.wait(10.1)
    raise AssertionError("it did not turn")


def test_the_world_turns_over_when_the_robot_likes_and_back(table):
    """ "After six to twelve counted presses the robot turns the world over", "on the dark side
    commands begin deeper" and "White says which side it is." """
    t = play(table, "flip")
    t.press("mode").quiet(0.4)
    assert t.phrases()[-1] == "flip.still" and not t.all("outcome")
    for side, tone, turn, still in (
        ("dark", "flip", "flip_dark.turn", "flip_dark.still"),
        ("bright", "flip_back", "flip.turn", "flip.still"),
    ):
        since = turned(t)
        assert t.one("outcome", since)["outcome"] == side
        t.one("tone", since, tone=tone)
        assert turn in t.phrases(since)
        t.wait(3.1).press("mode").quiet(0.4)
        assert t.phrases()[-1] == still


def test_commands_of_the_dark_side_begin_so(table):
    t = play(table, "flip")
    turned(t)
    t.wait(10.1)
    for _ in range(40):
        since = t.mark()
        t.press("plate").wait(0.3)
        commands = [e for e in t.said(since) if e["kind"]]
        if commands:
            first = phrases_of(commands[0])[0]
            assert first.startswith(("flip_dark.attention.", "house_rule."))
            return
        if t.all("outcome", since):
            t.quiet(0.4)
            turned(t)
            t.wait(10.1)
    raise AssertionError("no command")


def test_dice_begins_without_a_house_rule(table):
    """ "No House Rule is asked for: the robot rolls what lies on the table … and calls a
    player." """
    t = play(table, "dice")
    say = t.said()[-1]
    ids = phrases_of(say)
    assert ids[0] == "dice.rules" and "dice.pile" in ids and ids[-1].startswith("first.")
    assert "rule.ask" not in t.phrases() and len(say["players"]) == 1
    t.one("tone", tone="dice")


def test_the_robot_keeps_the_count_and_calls_and_knows_who_has_won(table):
    """ "White rolls", "the tray keeps what was laid", "who has none left has won: the fanfare, the
    name, and the victory is noted" """
    t = play(table, "dice", players=2)
    called = t.said()[-1]["players"][-1]
    left = [5, 5]
    for _ in range(200):
        since = t.mark()
        t.press("mode").wait(0.2)
        roll = t.one("outcome", since)
        assert roll["player"] == called
        if t.state == "won":
            break
        t.quiet(0.4)
        ids = t.phrases(since)
        if roll["fits"]:
            assert "dice.fits" in ids and f"count.{roll['left']}" in ids
            assert ("dice.uno" in ids) == (roll["left"] == 1)
            since = t.mark()
            t.press("plate").quiet(0.4)
            left[called] = roll["left"]
            assert t.phrases(since)[:2] == ["dice.keeps", f"count.{left[called]}"]
        else:
            assert "dice.misses" in ids and roll["left"] == left[called]
        assert t.said()[-1]["players"] == [1 - called]
        called = 1 - called
    t.quiet(0.4)
    t.one("tone", tone="fanfare")
    assert t.one("victory") == {**t.one("victory"), "player": called, "victories": 1}
    assert "win.noted" in t.phrases() and t.said()[-1]["players"] == [called]
    t.press("plate").quiet(0.4)
    assert t.state == "play" and "dice.pile" in phrases_of(t.said()[-1])


def test_the_tray_passes_and_does_nothing_while_it_talks(table):
    """ "a player may also pass; while the robot talks the tray only beeps" """
    t = play(table, "dice", players=3)
    first = t.said()[-1]["players"][-1]
    since = t.mark()
    t.press("plate").wait(0.6).press("plate").quiet(0.4)
    assert len(t.all("tone", since, tone="plate")) == 2
    assert [say["players"] for say in t.said(since)] == [[(first + 1) % 3]]
