"""Nothing that a player can do leaves the game stuck (SPEC section 2). Runs under CPython and
MicroPython."""

from roboto.game.rng import Rng

from tests.game.driver import Driver
from tests.portable import MICROPYTHON

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
RESULTS = (("stored", 700), ("stored", 3000), ("too_short", 0), ("silent", 0))
TROUBLES = ("sorry", "low_battery", "flash_full", "deaf")
EVENTS = 20000 if MICROPYTHON else 100000


def shake(driver, dice, events, until_ms=20000):
    """Random events, most of them quick after one another."""
    for _ in range(events):
        if driver.asleep:
            return
        at = dice.below(100)
        driver.result = RESULTS[dice.below(len(RESULTS))]
        if at < 45:
            driver.send("press", CONTROLS[dice.below(6)])
        elif at < 80:
            driver.send("release", CONTROLS[dice.below(6)])
        elif at < 90:
            driver.wait(dice.below(500))
        elif at < 97:
            driver.wait(dice.below(until_ms))
        elif at < 98:
            driver.wait(dice.below(4 * until_ms))
        elif at < 99:
            driver.send("trouble", TROUBLES[dice.below(4)])
            driver.send("tick")
        elif dice.below(4) == 0:
            driver.send("switch", ("on", "try-me")[dice.below(2)])


def answers(driver):
    """The robot answers as SPEC says: whatever came before, in a little while it is as good as
    new."""
    driver.result = ("stored", 900)
    for control in CONTROLS:
        driver.send("release", control)
    driver.wait(25000)  # whoever waits sees every patience end: the menu's, the nickname's
    if driver.asleep:
        return "asleep"
    driver.send("press", "plate")
    driver.send("release", "plate")
    driver.wait(100)
    for control in ("plate", "replay", "volume", "record", "win"):
        state = driver.state
        since = len(driver.log)
        driver.press(control, 900)
        if control == "volume":
            assert ("tone", "volume") in [entry[1:] for entry in driver.log[since:]]
        answered = [entry for entry in driver.log[since:] if entry[1] in ("tone", "say", "listen")]
        assert answered, (state, control)
        driver.wait(4000)
    return driver.state


def test_100000_random_events():
    dice = Rng(99)
    visited = {}
    rounds = 0
    events = 0
    while events < EVENTS:
        driver = Driver(rounds, "wild", position="try-me" if rounds % 7 == 6 else "on")
        if rounds % 3 == 0 and rounds % 7 != 6:
            driver.to_play(2 + rounds % 9, rule=rounds % 2 == 0)
        shake(driver, dice, 250, 20000 if rounds % 4 else 500)
        answers(driver)
        for entry in driver.log:
            if entry[1] == "state":
                visited[entry[2]] = visited.get(entry[2], 0) + 1
        rounds += 1
        events += 250
    for state in ("names", "house_rule", "play", "nickname", "won", "demo", "asleep"):
        assert visited.get(state), (state, visited)


def test_red_records_in_names_whatever_came_before():
    dice = Rng(4)
    for seed in range(20):
        driver = Driver(seed)
        shake(driver, dice, 100, 300)
        driver.send("switch", "on")
        driver.result = ("stored", 900)
        since = len(driver.log)
        driver.press("record", 900)
        assert ("record", "name", 0, 900, "stored") in [entry[1:] for entry in driver.log[since:]]


def test_every_sequence_of_three_presses_in_every_state():
    """6 x 6 x 6 overlapping presses, each let go in another order."""
    for name in ("names", "house_rule", "play", "nickname", "won", "demo", "resume"):
        for number in range(216):
            driver = reach(name)
            order = (number % 6, number // 6 % 6, number // 36)
            for i in order:
                driver.send("press", CONTROLS[i])
                driver.wait(30)
            for i in (order[1], order[2], order[0]):
                driver.send("release", CONTROLS[i])
                driver.wait(30)
            assert answers(driver) != "asleep"


def reach(name):
    """A driver in this state."""
    if name == "demo":
        return Driver(1, position="try-me")
    if name == "names":
        return Driver(1)
    if name == "resume":
        driver = Driver(1).to_play(2)
        return Driver(2, saved=driver.saved, clips=driver.clips)
    driver = Driver(1, "wild")
    if name == "house_rule":
        driver.names(2).press("plate")
    else:
        driver.to_play(3)
    if name == "won":
        driver.press("win")
    tries = 0
    while name == "nickname" and driver.state != "nickname":
        driver.press("plate")
        driver.quiet(11000)
        tries += 1
        assert tries < 2000
    assert driver.state == name
    return driver


def test_the_menu_opens_in_every_state_and_changes_what_it_says():
    for name in ("names", "house_rule", "play", "nickname", "won", "demo", "resume"):
        driver = reach(name)
        driver.quiet()
        driver.press("mode", 2100)
        assert driver.game.menu.is_open, name
        seen = []
        for _ in range(4):
            since = len(driver.log)
            driver.press("record")
            seen += [entry[2:] for entry in driver.log[since:] if entry[1] == "setting"]
            driver.press("mode")
        assert [key for key, _ in seen] == ["language", "pace", "names_voice", "keep_game"], name
        assert seen[0][1] == "es" and seen[2][1] == "plain" and seen[3][1] is True
        driver.press("mode", 2100)
        assert not driver.game.menu.is_open
        driver.quiet()


def test_a_menu_that_nobody_uses_closes():
    driver = Driver(1)
    driver.press("mode", 2100)
    driver.wait(21000)
    assert not driver.game.menu.is_open


def test_every_plate_press_in_play_beeps_once_even_at_20_a_second():
    driver = Driver(8, "wild").to_play(4)
    for _ in range(3000):
        if driver.state != "play":
            driver.wait(60000 if driver.state == "nickname" else 0)
            break
        since = len(driver.log)
        driver.press("plate", 25)
        driver.wait(25)
        assert [entry[1:] for entry in driver.log[since:]].count(("tone", "plate")) == 1


def test_an_eleventh_player_finds_the_table_full():
    driver = Driver(1).names(10)
    since = len(driver.log)
    driver.press("record", 900)
    said = [entry[2].parts[0][1] for entry in driver.log[since:] if entry[1] == "say"]
    assert said == ["names.full"]
    assert not [entry for entry in driver.log[since:] if entry[1] == "listen"]
    driver.press("plate")
    assert driver.state == "house_rule" and driver.game.players == 10


def test_a_game_goes_on_without_a_question_wherever_a_hang_has_met_it():
    for name in ("names", "house_rule", "play", "nickname", "won"):
        before = reach(name)
        if name == "names":
            before.names(2)
        driver = Driver(3, saved=before.saved, clips=before.clips, ask=False)
        assert driver.state == ("play" if name == "nickname" else name)
        assert driver.game.players == before.game.players >= 2
        assert answers(driver) != "asleep"
