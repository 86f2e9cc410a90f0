"""Whom the robot names, proved: every state that the tallies can come to, whatever chance brings
and whichever commands follow one another. Runs under CPython and MicroPython."""

from roboto.game.fairness import Fairness
from roboto.game.rng import Rng

from tests.portable import MICROPYTHON


class Script:
    """Chance that follows a script, and notes what it might have been."""

    def __init__(self, script):
        self.script = script
        self.drawn = []  # (what came, out of how many)

    def below(self, n):
        at = len(self.drawn)
        came = self.script[at] if at < len(self.script) else 0
        self.drawn.append((came, n))
        return came


def give(fairness, what):
    """One command of a sort, and the call behind it."""
    but = -1
    if what == "one" or what == "holds":
        (player,) = fairness.command(1)
        but = player if what == "holds" else -1
    elif what == "two":
        first, last = fairness.command(2)
        assert first != last
    elif what == "nickname" and fairness.has_room_for_two():
        fairness.named(fairness.command(2, True)[1])
    assert fairness.call(but) != but


def fair(fairness):
    named, ordered = fairness._named, fairness._ordered
    return max(named) - min(named) <= 2 and max(ordered) - min(ordered) <= 2


def states_after(state, what):
    """All states to which a command may lead from a state, each once or more."""
    scripts = [[]]
    while scripts:
        script = scripts.pop()
        chance = Script(script)
        fairness = Fairness(chance, len(state))
        fairness._named = [both[0] for both in state]
        fairness._ordered = [both[1] for both in state]
        give(fairness, what)
        assert fair(fairness), (state, what, script)
        named, ordered = fairness._named, fairness._ordered
        yield tuple(sorted((a - min(named), b - min(ordered)) for a, b in zip(named, ordered)))
        for at in range(len(script), len(chance.drawn)):
            before = [came for came, _ in chance.drawn[:at]]
            scripts += [before + [other] for other in range(1, chance.drawn[at][1])]


def test_the_bound_of_two_holds_whatever_comes():
    """ "how often any two players have been named differs by at most 2": in all, and inside
    commands."""
    for players in (2, 3) if MICROPYTHON else (2, 3, 4):
        seen = {((0, 0),) * players}
        todo = list(seen)
        while todo:
            state = todo.pop()
            for what in ("one", "holds", "two", "nickname", "none"):
                for after in states_after(state, what):
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
        assert len(seen) > 10


def test_the_bound_of_two_holds_at_larger_tables():
    sorts = ("one", "one", "two", "two", "none", "none", "nickname", "holds")
    for players in range(5, 11):
        for seed in range(10):
            dice = Rng(seed)
            fairness = Fairness(dice, players)
            for _ in range(100):
                give(fairness, sorts[dice.below(len(sorts))])
                assert fair(fairness), (players, seed)


def test_each_of_two_players_is_called_three_times_in_ten_whoever_was_called_before():
    """ "nobody can tell by counting who is next" """
    sorts = ("one", "one", "one", "two", "two", "two", "two", "none", "none", "nickname")
    called = {}  # the last two calls -> how often each was called then
    for seed in range(30):
        dice = Rng(seed)
        fairness = Fairness(dice, 2)
        before = ()
        for _ in range(200):
            what = sorts[dice.below(len(sorts))]
            if what == "one":
                fairness.command(1)
            elif what == "two":
                fairness.command(2)
            elif what == "nickname":
                fairness.named(fairness.command(2, True)[1])
            player = fairness.call()
            counts = called.setdefault(before, [0, 0])
            counts[player] += 1
            before = (before + (player,))[-2:]
    for before, counts in called.items():
        if sum(counts) > 500:
            assert min(counts) >= 0.3 * sum(counts), (before, counts)
    print(called)
