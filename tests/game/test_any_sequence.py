"""Any sequence of events that hypothesis can think of leaves the game answering; a failing one is
made short."""

import pytest  # noqa: F401 - this file is for CPython alone
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.game.driver import Driver
from tests.game.test_games import OURS, sit
from tests.game.test_robust import CONTROLS, RESULTS, TROUBLES, answers, reach

EVENTS = st.one_of(
    st.tuples(st.sampled_from(("press", "release")), st.sampled_from(CONTROLS)),
    st.tuples(st.just("tap"), st.sampled_from(CONTROLS)),
    st.tuples(
        st.just("wait"),
        st.sampled_from((0, 1, 30, 300, 2000, 3000, 3100, 9999, 20001, 59999, 60001)),
    ),
    st.tuples(st.just("result"), st.sampled_from(RESULTS)),
    st.tuples(st.just("switch"), st.sampled_from(("on", "try-me"))),
    st.tuples(st.just("trouble"), st.sampled_from(TROUBLES)),
    st.just(("tick",)),
)

TURN_BY_THEMSELVES = ("flip",)  # games in which the robot draws without being asked


def do(driver, event):
    if driver.asleep:
        return
    if event[0] == "wait":
        driver.wait(event[1])
    elif event[0] == "tap":
        driver.press(event[1], 50)
    elif event[0] == "result":
        driver.result = event[1]
    else:
        driver.send(*event)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.sampled_from(("names", "house_rule", "play", "nickname", "won", "demo", "resume")),
    st.lists(EVENTS, max_size=40),
)
def test_the_robot_answers_after_any_sequence(state, events):
    driver = reach(state)
    for event in events:
        do(driver, event)
        if not driver.asleep and driver.game.deadline_ms is None:
            assert driver.saying is not None or driver.listening is not None, (
                "nothing would ever wake it"
            )
    if not driver.asleep:
        answers(driver)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(2, 10), st.lists(EVENTS, max_size=30))
def test_left_alone_it_sleeps(players, events):
    """ "60 s without activity": whatever was done before, the robot sleeps within 60 + 10 s of
    its last word."""
    driver = Driver(players).to_play(players)
    for event in events:
        do(driver, event)
    driver.wait(25000)  # patiences end, the limit of a recording comes, all has been said
    driver.wait(25000)
    driver.wait(72000)
    assert driver.asleep


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(OURS), st.integers(2, 10), st.lists(EVENTS, max_size=40))
def test_any_game_answers_after_any_sequence_and_draws_only_by_white(game, players, events):
    driver = sit(game, players=players)
    for event in events:
        since = len(driver.log)
        do(driver, event)
        drawn = [entry for entry in driver.log[since:] if entry[1] == "outcome"]
        by_white = event in (("tap", "mode"), ("release", "mode"))
        assert len(drawn) <= by_white or game in TURN_BY_THEMSELVES
    if not driver.asleep:
        answers(driver)
