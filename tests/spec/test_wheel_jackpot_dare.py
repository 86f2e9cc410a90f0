"""SPEC section 8, wheel, jackpot and dare: sentence by sentence, with a whole robot."""

from .conftest import phrases_of
from .test_games import play


def pull(t):
    """White, and what came of it: the tone, the outcome, the phrases."""
    since = t.mark()
    t.press("mode").quiet(0.4)
    say = t.one("say", since)
    tone = t.one("tone", since)
    assert say["t"] - tone["t"] >= t.robot.tone_ms(tone["tone"])
    return tone["tone"], t.one("outcome", since)["outcome"], phrases_of(say)


def test_the_wheel_ticks_and_gives_one_of_twelve(table):
    """ "White: the wheel ticks, slows down, and gives one of twelve." """
    t = play(table, "wheel")
    pulled = [pull(t) for _ in range(12)]
    for tone, outcome, ids in pulled:
        assert tone == "wheel" and ids == [f"wheel_stops.{outcome}"]
    assert len({outcome for _, outcome, _ in pulled}) == 12


def test_the_wheel_slows_down():
    from roboto.game.games.wheel import Wheel

    rests = [ms for _, hz, ms, _, _ in Wheel.tones["wheel"] if not hz]
    assert rests == sorted(rests) and rests[-1] > 4 * rests[0]


def test_three_reels_and_what_they_do(table):
    """ "White: three reels rattle and stop, the robot says what they show, and what it does." """
    t = play(table, "jackpot")
    for _ in range(10):
        tone, outcome, ids = pull(t)
        shown = outcome.split()
        reels = [id.removeprefix("jackpot_reel.") for id in ids if id.startswith("jackpot_reel.")]
        alike = max(map(shown.count, shown))
        assert tone == "reels" and len(shown) == 3 and set(reels) == set(shown)
        assert ids[-1].partition(".")[0] == ("jackpot", "jackpot_two", "jackpot_three")[alike - 1]


def test_a_dare_for_whoever_asks(table):
    """ "White: a drum, and a dare." and "A gentle table has those of the table alone." """
    t = play(table, "dare")
    heads = [pull(t)[2][0].partition(".")[0] for _ in range(6)]
    assert set(heads) == {"dare_table", "dare_body", "dare_show"}
    t.robot.set("gentle", True)
    for _ in range(5):
        tone, _, ids = pull(t)
        assert tone == "drum" and ids[0].startswith("dare_table.")
