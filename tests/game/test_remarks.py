"""What the robot remarks (SPEC section 3, "Remarks"). Runs under CPython and MicroPython."""

from roboto.game import tuning

from tests.game.driver import Driver

ATTENTIONS = ["attention.duck", "attention.duck_again", "attention.many", "attention.ending"]
CALLS = ["go_on.duck", "go_on.slow", "go_on.fast", "go_on.again", "go_on.forgotten"]
REMARKS = ATTENTIONS + CALLS + ["first.champion", "first.twice"]


def remarks(driver, since=0):
    """[(cards laid before, the remark's id, its utterance)]"""
    found = []
    cards = 0
    for entry in driver.log[since:]:
        cards += entry[1:] == ("tone", "plate")
        if entry[1] == "say":
            for part in entry[2].parts:
                if part[1] in REMARKS and (not found or found[-1][2] is not entry[2]):
                    found.append((cards, part[1], entry[2]))
    return found


def play_on(driver, cards, pause_ms=4000):
    """Lay so many cards; end races, and let nicknames be."""
    for _ in range(cards):
        driver.press("plate")
        utterance = driver.saying
        if utterance is not None and utterance.kind:
            driver.quiet(100)
            if utterance.race:
                driver.press("plate")
            if driver.state == "nickname":
                driver.wait(3100)
                driver.press("plate")
            driver.quiet(3100)
        driver.wait(pause_ms)
    return driver


def test_each_comes_once_a_game_and_not_too_often():
    """ "each at most once a game, and at most one in six counted presses" (twelve at calm)"""
    for pace, apart in (("normal", 6), ("calm", 12), ("wild", 6)):
        seen = {}
        for seed in range(12):
            driver = Driver(seed, pace).to_play(2 + seed % 7)
            play_on(driver, 120)
            found = remarks(driver)
            ids = [id for _, id, _ in found]
            assert len(ids) == len(set(ids)), ids
            cards = [at for at, _, _ in found]
            for before, after in zip(cards, cards[1:]):
                assert after - before >= apart
            told = [id for id in ids if id in ATTENTIONS]
            assert told == ATTENTIONS[: len(told)]
            for id in ids:
                seen[id] = seen.get(id, 0) + 1
        assert set(ATTENTIONS) <= set(seen) and "go_on.duck" in seen, (pace, seen)


def test_a_gentle_table_hears_none():
    driver = Driver(3, "wild")
    driver.settings.gentle = True
    driver.to_play(4)
    play_on(driver, 100)
    assert remarks(driver) == []


def test_a_voice_without_them_says_the_usual():
    driver = Driver(3, "wild")
    phrase = driver.catalogue.phrase

    def lacking(id):
        if id in REMARKS:
            raise KeyError(id)
        return phrase(id)

    driver.catalogue.phrase = lacking
    driver.to_play(4)
    play_on(driver, 100)
    assert remarks(driver) == []


def test_a_remark_takes_the_place_of_other_words():
    """ "in place of an attention call, or of the words that call a player": nothing is said that
    would not be said without it, and nobody is named who would not be."""
    for seed in range(10):
        driver = play_on(Driver(seed).to_play(5), 90)
        for _, id, say in remarks(driver):
            ids = [part[1] for part in say.parts]
            assert [one.partition(".")[0] for one in ids].count(id.partition(".")[0]) == 1
            if id in ATTENTIONS:
                assert ids[0] == id and say.kind
            else:
                assert ids[-2:] == [id, "name/%d" % say.players[-1]]


def test_a_remark_changes_nothing_of_chance():
    """The same game without remarks has the same commands, names and calls."""

    def course(gentle):
        driver = Driver(8, "normal")
        driver.settings.gentle = gentle
        driver.to_play(5)
        says = [e[2] for e in play_on(driver, 90).log if e[1] == "say"]
        return [(say.kind, say.command, say.players, len(say.parts)) for say in says]

    assert course(False) == course(True)


def test_slow_and_fast_are_told_at_the_next_call():
    """ "who laid the first card more than 12 s after being called", or less than 2 s"""
    for pause_ms, id in ((tuning.SLOW_MS + 1000, "go_on.slow"), (500, "go_on.fast")):
        found = 0
        for seed in range(10):
            driver = Driver(seed, "wild").to_play(2)
            driver.quiet(0)
            play_on(driver, 40, pause_ms)
            found += id in [one for _, one, _ in remarks(driver)]
        assert found >= 2, id
    driver = Driver(1, "wild").to_play(2)
    driver.wait(3000)
    play_on(driver, 60, 5000)
    assert not {"go_on.slow", "go_on.fast"} & {id for _, id, _ in remarks(driver)}


def test_whoever_won_is_warned_of_and_two_in_a_row_are_told():
    told = [0, 0]
    for seed in range(12):
        driver = Driver(seed).to_play(2)
        for game in range(2):
            play_on(driver, 8)
            driver.press("win")
            driver.quiet()
            driver.press("win")
            while driver.saying is None or driver.saying.players != [1]:
                driver.wait(50)
            driver.quiet(200)
            driver.press("win")
            driver.quiet()
            since = len(driver.log)
            driver.press("plate")
            driver.wait(1600)
            driver.press("plate")
            driver.quiet()
            for _, id, say in remarks(driver, since):
                assert id == ("first.champion", "first.twice")[game] and say.players == [1]
                told[game] += 1
    assert min(told) > 2, told
