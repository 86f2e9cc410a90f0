"""Surprises over many games: when, which, whom (SPEC section 3). Runs under CPython and
MicroPython."""

from roboto.game.kinds import KINDS

from tests.game.driver import COUNTS, Catalogue, Driver


def test_a_surprise_comes_after_3_to_8_counted_presses():
    for pace, least, most in (("normal", 3, 8), ("calm", 6, 16), ("wild", 2, 4)):
        counts = {}
        for seed in range(6):
            driver = Driver(seed, pace).to_play(4)
            for _, _, presses in driver.surprises(50)[1:]:
                counts[presses] = counts.get(presses, 0) + 1
        gaps = {
            (gap + 1) // 2 if pace == "wild" else gap * 2 if pace == "calm" else gap
            for gap in range(3, 9)
        }
        assert set(counts) == gaps, (pace, counts)
        assert min(counts) == least and max(counts) == most
        total = sum(counts.values())
        share = 3 if pace == "wild" else 6
        for n in counts.values():  # uniform: six standard deviations of a binomial
            expected = total / share
            assert abs(n - expected) < 6 * (expected * (1 - 1 / share)) ** 0.5, (pace, counts)


def test_never_within_10_s_of_the_last_ones_end():
    driver = Driver(3, "wild").to_play(2)
    ended_ms = None
    surprises = 0
    for _ in range(6000):
        since = len(driver.log)
        driver.press("plate", 50)
        driver.wait(450)
        for entry in driver.log[since:]:
            if entry[1] == "say" and entry[2].kind:
                assert ended_ms is None or entry[0] - ended_ms > 10000
                surprises += 1
        if driver.saying is not None:
            command = driver.saying.commands  # or the end of one
            driver.wait(driver.said_ms - driver.now_ms)
            ended_ms = driver.now_ms if command else ended_ms
    assert surprises > 100


def test_presses_while_a_command_is_spoken_and_3_s_after_count_for_nothing():
    def gap(nervous):
        driver = Driver(11).to_play(3)
        driver.surprises(1, pause_ms=0)
        while driver.state == "nickname":
            driver.press("plate")
            driver.quiet(0)
        end_ms = driver.now_ms + 2800
        while nervous and driver.now_ms < end_ms:
            driver.press("plate", 20)
        driver.wait(end_ms + 10000 - driver.now_ms)
        return driver.surprises(1)[0][2]

    assert gap(False) == gap(True)


def test_no_command_comes_again_until_all_of_its_kind_have_been_used():
    driver = Driver(5, "wild").to_play(5, rule=True)
    used = {kind: [] for kind, _, _, _ in KINDS}
    for kind, utterance, _ in driver.surprises(700):
        used[kind].append(utterance.command)
    for kind, commands in used.items():
        size = COUNTS[kind]
        assert len(commands) > size, kind
        for start in range(0, len(commands) - size + 1, size):
            assert len(set(commands[start : start + size])) == size, kind
        for before, after in zip(commands, commands[1:]):
            assert before != after


def test_two_of_a_kind_never_come_three_times_running():
    for seed in range(4):
        driver = Driver(seed, "wild").to_play(3, rule=bool(seed % 2))
        kinds = [kind for kind, _, _ in driver.surprises(300)]
        for i in range(len(kinds) - 2):
            assert not kinds[i] == kinds[i + 1] == kinds[i + 2]
        assert ("house_rule" in kinds) == bool(seed % 2)


def test_no_two_players_are_named_much_more_often_than_each_other():
    """ "how often any two players have been named differs by at most 2", in all that is said; and
    commands alone, to which calls give way, do not leave anybody out either."""
    for seed in range(3):
        for players in range(2, 11):
            driver = Driver(100 * seed + players, "wild").to_play(players, rule=seed == 1)
            named = [0] * players
            inside = [0] * players
            at = [entry[1:] for entry in driver.log].index(("state", "house_rule"))
            for _ in range(60):
                driver.surprises(1, nicknames=True)
                for entry in driver.log[at:]:
                    if entry[1] == "say":
                        count(entry[2], named, inside)
                        assert max(named) - min(named) <= 2, (seed, players, named)
                        assert max(inside) - min(inside) <= 4, (seed, players, inside)
                at = len(driver.log)


def count(utterance, named, inside):
    for player in utterance.players:
        named[player] += 1
    if utterance.kind:
        calls = 0 if utterance.kind == "nickname" or utterance.race else 1
        for player in utterance.players[: len(utterance.players) - calls]:
            inside[player] += 1


def test_duels_and_swaps_name_two_different_players():
    for players in (2, 3, 10):
        driver = Driver(players, "wild").to_play(players)
        seen = set()
        for kind, utterance, _ in driver.surprises(200):
            if kind in ("duel", "swap", "nickname"):
                assert utterance.players[0] != utterance.players[1]
            if kind in ("duel", "swap", "order"):
                seen.add(utterance.players[-1] in utterance.players[:-1])
        assert seen == {True, False}  # "the player who goes on may be anybody"


def test_every_kind_comes():
    driver = Driver(2, "wild").to_play(4, rule=True)
    kinds = {}
    for kind, _, _ in driver.surprises(400):
        kinds[kind] = kinds.get(kind, 0) + 1
    assert set(kinds) == {row[0] for row in KINDS} <= set(COUNTS)
    assert min(kinds.values()) >= 10, kinds


def test_a_pack_without_commands_only_beeps():
    driver = Driver(1, "wild", Catalogue({})).to_play(2)
    for _ in range(50):
        driver.press("plate")
        driver.wait(2000)
    assert not [entry for entry in driver.log if entry[1] == "say" and entry[2].kind]


def test_a_pack_with_one_kind_alone_goes_on():
    driver = Driver(1, "wild", Catalogue({"order": 3})).to_play(2)
    beeps = 0
    for _ in range(300):
        since = len(driver.log)
        driver.press("plate")
        driver.wait(2000)
        beeps += len([entry for entry in driver.log[since:] if entry[1:] == ("tone", "plate")])
    assert beeps == 300


def test_two_seeds_differ_and_one_is_repeatable():
    def course(seed):
        driver = Driver(seed).to_play(4)
        return [(kind, u.command, u.players, n) for kind, u, n in driver.surprises(10)]

    assert course(1) == course(1)
    assert course(1) != course(2)
