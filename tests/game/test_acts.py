"""What commands do after they were said (SPEC section 3, "Acts"). Runs under CPython and
MicroPython."""

from roboto.game import tuning
from roboto.game.kinds import ACTS

from tests.game.driver import Catalogue, Driver

OF_KIND = {name: kind for name, kind, _, _ in ACTS}


def table(act, seed=1, players=3, pace="wild"):
    """A driver at whose table all commands of the act's kind have the act, and no other does."""
    catalogue = Catalogue()
    kind = OF_KIND[act]
    racing = Catalogue.traits["race"]
    catalogue.traits = {"race": [one for one in racing if act != "mess" or one != kind]}
    catalogue.traits[act] = [(kind, n) for n in range(catalogue.kinds(kind))]
    return Driver(seed, pace, catalogue).to_play(players)


def drawn(driver, act):
    """Play on until a command with the act was drawn; return its utterance, said to its end."""
    for _ in range(300):
        _, utterance, _ = one_surprise(driver)
        if utterance.act == act:
            driver.quiet(0)
            return utterance
        settle(driver, utterance)
    raise AssertionError("no " + act)


def one_surprise(driver):
    since = len(driver.log)
    for _ in range(50):
        driver.press("plate")
        for entry in driver.log[since:]:
            if entry[1] == "say" and entry[2].kind:
                return entry[2].kind, entry[2], len(driver.log)
        driver.wait(2000)
    raise AssertionError("no surprise")


def settle(driver, utterance):
    driver.quiet(100)
    if utterance.race:
        driver.press("plate")
        driver.quiet(100)
    if driver.state == "nickname":
        driver.wait(3000)
        driver.press("plate")
        driver.quiet(100)
    driver.wait(11000)


def told(driver, act):
    return [entry[2] for entry in driver.log if entry[1] == "act" and entry[2]["act"] == act]


def test_every_act_names_its_players_no_oftener_than_the_bound_allows():
    """ "within one game, how often any two players have been named differs by at most 2": with
    nothing but acts, whoever loses."""
    for act in OF_KIND:
        for players in (2, 3, 4, 10):
            driver = table(act, 7, players)
            at = [entry[1:] for entry in driver.log].index(("state", "house_rule"))
            named = [0] * players
            acts = 0
            for n in range(120):
                _, utterance, _ = one_surprise(driver)
                acts += utterance.act == act
                driver.quiet(100)
                driver.wait((n * 997) % 21000 if utterance.race else 0)
                settle(driver, utterance)
                for entry in driver.log[at:]:
                    if entry[1] == "say":
                        for player in entry[2].players:
                            named[player] += 1
                        assert max(named) - min(named) <= 2, (act, players, named)
                at = len(driver.log)
            assert acts > 5, act


def test_a_command_with_an_act_keeps_to_the_bags():
    """ "no command comes again until all of its kind have been used": one that has to wait until
    somebody may be named so often is waited for."""
    for act, kind in OF_KIND.items():
        catalogue = Catalogue()
        catalogue.traits = {"race": Catalogue.traits["race"], act: ((kind, 1), (kind, 2))}
        driver = Driver(4, "wild", catalogue).to_play(5)
        size = catalogue.kinds(kind)
        used = [u.command for k, u, _ in driver.surprises(400) if k == kind]
        assert len(used) > 2 * size
        for start in range(0, len(used) - size + 1, size):
            assert len(set(used[start : start + size])) == size


def test_the_module_of_an_act_goes_when_it_is_over():
    for act in OF_KIND:
        driver = table(act)
        utterance = drawn(driver, act)
        driver.press("mode")  # taken back
        assert driver.unloaded[-1] == "acts." + act, utterance
        assert driver.game.state._act is None


# ---- stopwatch


def pressed_after(ms, seed=1):
    driver = table("stopwatch", seed)
    utterance = drawn(driver, "stopwatch")
    driver.wait(driver.said_ms + ms - driver.now_ms)
    since = len(driver.log)
    driver.press("plate")
    says = [entry[2] for entry in driver.log[since:] if entry[1] == "say"]
    return driver, utterance, says


def assert_loser(say, utterance, which):
    """The verdict names the loser, who goes on; or, where that player has been named too often,
    tells which of the two it is, and somebody is called."""
    phrases = [part[1] for part in say.parts if part[0] == "phrase"]
    assert len(say.players) == 1
    if "go_on.loses" in phrases:
        assert say.players == [utterance.players[which]]
    else:
        assert phrases[1] == ("act.first_loses", "act.second_loses")[which]
        assert phrases[-1].startswith("go_on.")


def test_the_clock_says_who_has_lost():
    """ "the first of the two wins when the tray is pressed within a second of ten seconds after
    the last word, else the second" """
    off = tuning.STOPWATCH_OFF_MS
    for ms, phrase, loser in (
        (100, "act.early", 0),
        (tuning.STOPWATCH_MS - off - 1, "act.early", 0),
        (tuning.STOPWATCH_MS - off, "act.on_time", 1),
        (tuning.STOPWATCH_MS, "act.on_time", 1),
        (tuning.STOPWATCH_MS + off, "act.on_time", 1),
        (tuning.STOPWATCH_MS + off + 1, "act.late", 0),
        (29000, "act.late", 0),
    ):
        driver, utterance, says = pressed_after(ms)
        assert len(says) == 1 and says[0].parts[0][1] == phrase, ms
        assert_loser(says[0], utterance, loser)
        assert says[0].kind is None and says[0].commands
        fields = told(driver, "stopwatch")[-1]
        assert fields["ms"] == ms and fields["loser"] == utterance.players[loser]


def test_nobody_presses():
    """ "after 30 s it calls without being told": then it is late."""
    driver = table("stopwatch")
    utterance = drawn(driver, "stopwatch")
    driver.wait(tuning.RACE_PATIENCE_MS + 100)
    say = [entry[2] for entry in driver.log if entry[1] == "say"][-1]
    assert say.parts[0][1] == "act.late"
    assert_loser(say, utterance, 0)


def test_said_again_the_clock_runs_anew():
    driver = table("stopwatch")
    drawn(driver, "stopwatch")
    driver.wait(8000)
    driver.press("replay")
    driver.wait(driver.said_ms - driver.now_ms + 10000)
    driver.press("plate")
    assert told(driver, "stopwatch")[-1]["ms"] == 10000


def test_the_loser_is_named_as_a_rule():
    named = 0
    for seed in range(60):
        _, _, says = pressed_after(5000, seed)
        named += says[0].parts[1][1] == "go_on.loses"
    assert named > 30, named


# ---- verdict


def test_a_verdict_draws_lots():
    """ "it draws lots": each of the two loses about as often as the other."""
    first = 0
    for seed in range(100):
        driver = table("verdict", seed)
        utterance = drawn(driver, "verdict")
        driver.wait(4000)
        driver.press("plate")
        say = [entry[2] for entry in driver.log if entry[1] == "say"][-1]
        loser = told(driver, "verdict")[-1]["loser"]
        which = utterance.players.index(loser)
        assert say.parts[0][1] == "act.sensors"
        assert_loser(say, utterance, which)
        first += which == 0
    assert 30 < first < 70, first


# ---- potato


def test_a_potato_ticks_faster_and_bangs_once():
    """ "for 6 to 20 s ... faster and faster, then it bangs"; "the tray, or 30 s, as ever" """
    lengths = []
    for seed in range(40):
        driver = table("potato", seed)
        drawn(driver, "potato")
        said_ms = driver.said_ms
        since = len(driver.log)
        driver.wait(25000 + driver.said_ms - driver.now_ms)
        sounds = [entry for entry in driver.log if entry[1] == "sound" and entry[0] > said_ms]
        assert [entry[2] for entry in sounds].count("bang") == 1
        assert sounds[-1][2] == "bang"
        times = [entry[0] for entry in sounds]
        gaps = [after - before for before, after in zip(times, times[1:])]
        assert gaps[:-1] == sorted(gaps[:-1], reverse=True)
        ms = sounds[-1][0] - said_ms
        assert tuning.POTATO_LEAST_MS <= ms <= tuning.POTATO_MOST_MS
        assert told(driver, "potato")[-1]["ms"] == ms
        lengths.append(ms)
        assert not [entry for entry in driver.log[since:] if entry[1] == "say"]
        driver.wait(5100)  # 30 s
        assert [e[2].players for e in driver.log[since:] if e[1] == "say"][0]
    assert min(lengths) < 10000 and max(lengths) > 16000


def test_a_potato_that_is_taken_back_or_ended_is_silent():
    for control in ("mode", "plate", "win"):
        driver = table("potato", 3)
        drawn(driver, "potato")
        driver.wait(3000 + driver.said_ms - driver.now_ms)
        driver.press(control)
        since = len(driver.log)
        driver.wait(30000)
        assert not [entry for entry in driver.log[since:] if entry[1] == "sound"], control


# ---- mess


def test_in_a_mess_the_robot_says_who_plays_each_of_five_cards():
    """ "after each of the next five counted presses that bring no command it calls a player, the
    last time with the word that the mess is over" """
    for seed in range(12):
        driver = table("mess", seed, 4, "calm")
        drawn(driver, "mess")
        driver.wait(11000)
        calls = []
        for _ in range(12):
            since = len(driver.log)
            driver.press("plate")
            says = [entry[2] for entry in driver.log[since:] if entry[1] == "say"]
            assert len(says) <= 1
            if says and says[0].kind:
                settle(driver, says[0])
                continue
            calls += says
            driver.wait(4000)
        assert len(calls) == tuning.MESS_CARDS
        for say in calls:
            assert len(say.players) == 1 and not say.commands
            assert say.parts[-1][1] == "name/%d" % say.players[0]
        assert [say.parts[0][1] for say in calls].count("act.order") == 1
        assert calls[-1].parts[0][1] == "act.order"
        assert driver.unloaded[-1] == "acts.mess"


def test_a_mess_changes_nothing_of_when_surprises_come():
    """ "a surprise comes after 3 to 8 counted plate presses", in a mess as well."""
    driver = table("mess", 5, 5, "normal")
    gaps = [presses for _, _, presses in driver.surprises(150)[1:]]
    assert min(gaps) == 3 and max(gaps) == 8
