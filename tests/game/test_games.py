"""The games beside Roboto's own (SPEC.md section 8): what they draw, over many seeds. Runs under
CPython and MicroPython."""

from roboto.game.games import dare, dice, flip, jackpot, launcher
from roboto.game.kinds import GAMES
from roboto.game.rng import Rng

from tests.game.driver import Catalogue, Driver
from tests.game.test_robust import answers, shake
from tests.portable import MICROPYTHON

OURS = GAMES[1:]
SEEDS = 20 if MICROPYTHON else 200


def sit(game, seed=1, players=3, pace="normal"):
    """A table that plays this game."""
    catalogue = Catalogue()
    catalogue.games = OURS
    driver = Driver(seed, pace, catalogue)
    driver.settings.game = game
    if game == "dice":  # which asks for no House Rule
        driver.names(players).press("plate")
        driver.quiet(100)
        return driver
    return driver.to_play(players)


def pull(driver):
    """White, until the outcome was said; what came out of it."""
    since = len(driver.log)
    driver.press("mode")
    driver.quiet()
    told = [entry[2] for entry in driver.log[since:] if entry[1] == "outcome"]
    assert len(told) == 1, driver.log[since:]
    return told[0]["outcome"]


def test_launcher_throws_as_often_as_its_round_says():
    """ "a round of twenty launches throws 33 cards" and "mostly few" """
    size = sum(launcher.ROUND)
    firsts = {}
    for seed in range(SEEDS):
        driver = sit("launcher", seed)
        thrown = [int(pull(driver)) for _ in range(2 * size)]
        for half in (thrown[:size], thrown[size:]):
            assert tuple(half.count(cards) for cards in range(8)) == launcher.ROUND
        assert "0" * (launcher.LUCK_MOST + 1) not in "".join(str(cards) for cards in thrown)
        firsts[thrown[0]] = firsts.get(thrown[0], 0) + 1
    if MICROPYTHON:
        return
    for cards, times in enumerate(launcher.ROUND):  # within four standard deviations
        wanted = SEEDS * times / size
        assert abs(firsts.get(cards, 0) - wanted) < 4 * wanted**0.5 + 1, firsts


def test_the_wheel_stops_everywhere_before_it_stops_anywhere_again():
    """ "all of a round before the next one begins", "over sleep and power-off, too" """
    firsts = {}
    for seed in range(SEEDS):
        driver = sit("wheel", seed)
        stops = [pull(driver) for _ in range(5)]
        firsts[stops[0]] = firsts.get(stops[0], 0) + 1
        again = sit("wheel", seed + 1000)
        again.game.surprises.go_on_with(driver.bags)
        stops += [pull(again) for _ in range(7)]
        assert len(set(stops)) == 12, stops
        assert len(set([pull(again) for _ in range(12)])) == 12
    if not MICROPYTHON:
        even(firsts, 12, SEEDS)


def even(counts, n, total):
    """n things came about equally often: within four standard deviations."""
    wanted = total / n
    assert len(counts) == n and max(abs(c - wanted) for c in counts.values()) < 4 * wanted**0.5


def test_dares_come_list_by_list():
    """ "Of three dares running from the first one each is of another list" and "A gentle table has
    those of the table alone." """
    for seed in range(SEEDS):
        driver = sit("dare", seed)
        told = dares(driver, 12)
        for at in range(0, 12, 3):
            assert len(set([head for head, _ in told[at : at + 3]])) == 3
        assert len(set(told)) == 12
        driver.settings.gentle = True
        assert set([head for head, _ in dares(driver, 8)]) == set(dare.LISTS[: dare.GENTLE])


def dares(driver, n):
    """So many dares, each as its list and its name."""
    found = []
    for _ in range(n):
        pull(driver)
        found.append(tuple(driver.log[-1][2].parts[0][1].split(".")))
    return found


def test_the_jackpot_pays_as_often_as_its_round_says():
    """ "of twenty spins seven show nothing alike, ten two, three three" """
    size = sum(jackpot.ROUND)
    twos = {}
    for seed in range(SEEDS):
        driver = sit("jackpot", seed)
        counts = [0, 0, 0]
        for _ in range(size):
            shown = pull(driver).split(" ")
            ids = [part[1] for part in driver.log[-1][2].parts]
            assert ids[:3] == ["jackpot_reel." + name for name in shown]
            most = max([shown.count(name) for name in shown])
            counts[most - 1] += 1
            if most == 1:
                assert ids[3].startswith("jackpot.nothing.")
            else:
                alike = [name for name in shown if shown.count(name) == most][0]
                assert ids[3] == ("jackpot_two.", "jackpot_three.")[most - 2] + alike
                if most == 2:
                    place = [shown.count(name) for name in shown].index(1)
                    twos[place] = twos.get(place, 0) + 1
        assert tuple(counts) == jackpot.ROUND
    if not MICROPYTHON:
        even(twos, 3, 10 * SEEDS)


def test_the_world_turns_over_and_back():
    """ "after six to twelve counted presses", "after four to eight" and "pace calm doubles that,
    wild halves it" """
    for pace, times in (("normal", 1), ("calm", 2), ("wild", 0.5)):
        seen = {"dark": set(), "bright": set()}
        for seed in range(SEEDS // 10):
            driver = sit("flip", seed, pace=pace)
            driver.game.surprises.come_rarer(1000)  # no command comes between
            presses = 0
            for _ in range(400):
                since = len(driver.log)
                driver.press("plate")
                presses += 1
                for entry in driver.log[since:]:
                    if entry[1] == "outcome":
                        seen[entry[2]["outcome"]].add(presses)
                        presses = 0
                driver.quiet()
                if not presses:
                    driver.wait(10001)
        for side, (first, last) in (("dark", flip.BRIGHT), ("bright", flip.DARK)):
            wanted = set([-int(-n * times // 1) for n in range(first, last + 1)])
            assert seen[side] <= wanted, (pace, side, seen[side])
            assert MICROPYTHON or seen[side] == wanted


def rolled(driver, stop_at=2):
    """One turn of dice by somebody who stops at so many; the outcomes of its rolls."""
    found = []
    while True:
        since = len(driver.log)
        driver.press("mode")
        told = [entry[2] for entry in driver.log[since:] if entry[1] == "outcome"]
        driver.quiet()
        found += told
        if not told[0]["fits"] or driver.state == "won":
            return found
        if len(found) == stop_at or told[0]["left"] < 1:
            driver.press("plate")
            driver.quiet()
            return found


def test_dice_is_a_whole_game():
    """ "Everybody begins with five", "who has none left has won", "the next one clockwise" """
    winners = {}
    turns = []
    fits = rolls = wilds = 0
    for seed in range(SEEDS):
        driver = sit("dice", seed, 4)
        left = [dice.START] * 4
        before = None
        n = 0
        while driver.state == "play":
            turn = rolled(driver)
            n += 1
            player = turn[0]["player"]
            assert before is None or player == (before + 1) % 4
            before = player
            for at, roll in enumerate(turn):
                assert roll["player"] == player
                assert roll["left"] == (left[player] - at - 1 if roll["fits"] else left[player])
                rolls += 1
                fits += roll["fits"]
                wilds += roll["outcome"] == "wild"
            if turn[-1]["fits"]:
                left[player] -= len(turn)
        assert left[before] == 0 and min(left) == 0 and left.count(0) == 1
        winners[before] = winners.get(before, 0) + 1
        assert driver.game.victories[before] == 1
        turns.append(n)
    # A sixth is wild; of the others two in five fit: one in two in all.
    assert abs(wilds / rolls - 1 / 6) < 0.02 and abs(fits / rolls - 1 / 2) < 0.03
    if not MICROPYTHON:
        even(winners, 4, SEEDS)
        assert 15 < sum(turns) / SEEDS < 60


def test_what_was_laid_and_not_kept_comes_back():
    """ "what does not fit ends the turn, and all that was laid in it comes back" """
    for seed in range(30):
        driver = sit("dice", seed, 2)
        turn = rolled(driver, stop_at=9)
        if len(turn) > 1 and not turn[-1]["fits"]:
            assert turn[-1]["left"] == dice.START
            return
    raise AssertionError("no such turn")


def test_a_game_is_loaded_when_chosen_and_unloaded_after():
    driver = Driver(1).to_play(3)
    assert driver.unloaded == [] and driver.game.state.rules() is None
    for game in OURS:
        driver = sit(game)
        assert driver.game.state.rules().name == game
        driver.settings.game = "roboto"
        driver.press("mode")
        assert driver.game.state.rules() is None
        assert driver.unloaded == ["games." + game, "games"]


def test_a_voice_without_it_plays_as_ever():
    for game in OURS:
        driver = Driver(1)
        driver.settings.game = game
        driver.to_play(3)
        plain = Driver(1).to_play(3)
        for either in (driver, plain):
            either.surprises(6)
        assert texts(driver) == texts(plain)


def texts(driver):
    """What was said, and when."""
    return [(entry[0], entry[2].text) for entry in driver.log if entry[1] == "say"]


def test_nothing_leaves_a_game_stuck():
    dice = Rng(7)
    for round in range(len(OURS) * (3 if MICROPYTHON else 30)):
        driver = sit(OURS[round % len(OURS)], round, 2 + round % 9, "wild")
        for _ in range(3):
            shake(driver, dice, 80)
            if not driver.asleep:
                driver.settings.game = GAMES[dice.below(len(GAMES))]
        answers(driver)
