"""What people do while a command goes on after it was said (SPEC.md section 3): they press when
the clock in their head says so, and draw what the robot tells them to."""

from __future__ import annotations

from collections.abc import Callable

from .game import Game
from .hands import Hands
from .scene import Scene

# How people hit ten seconds while somebody counts wrongly beside them, in seconds.
_FELT_S, _SPREAD_S = 10.0, 1.4
_LOSER_DRAWS = 2
_POTATO_DRAWS = 2  # the one that went round, and another
_BANG_S = 25.0  # it comes sooner than that


def take_part(act: str, scene: Scene, hands: Hands, game: Game, calls: int) -> None:
    """Do one's part in an act, until the robot has called who goes on, or is about to.

    calls: how many calls there were before the command.
    """
    acts = scene.watch.seen.acts
    acts[act] = acts.get(act, 0) + 1
    _PARTS[act](scene, hands, game, calls)


def _stopwatch(scene: Scene, hands: Hands, game: Game, calls: int) -> None:
    watch = scene.watch
    watch.seen.races += 1
    if watch.calls > calls:
        watch.seen.races_cut += 1
    elif scene.chance(scene.habits.forgets_race):
        watch.seen.races_forgotten += 1
    else:
        scene.wait_for(max(3.0, scene.rng.gauss(_FELT_S, _SPREAD_S)), lambda: watch.calls > calls)
        hands.press("plate")
    scene.expect("a verdict on ten seconds", lambda: watch.acted is not None)
    assert watch.acted is not None
    watch.seen.cards_moved += game.draw(scene.seats[watch.acted["loser"]], _LOSER_DRAWS)


def _verdict(scene: Scene, hands: Hands, game: Game, calls: int) -> None:
    watch = scene.watch
    watch.seen.races += 1
    if watch.calls > calls:
        watch.seen.races_cut += 1
    else:
        scene.wait_for(scene.rng.uniform(4.0, 12.0), lambda: watch.calls > calls)
        hands.press("plate")
    scene.expect("a verdict by lot", lambda: watch.acted is not None)
    assert watch.acted is not None
    watch.seen.cards_moved += game.draw(scene.seats[watch.acted["loser"]], _LOSER_DRAWS)


def _potato(scene: Scene, hands: Hands, game: Game, calls: int) -> None:
    """Whoever holds the card at the bang keeps it, and draws another."""
    watch = scene.watch
    watch.seen.races += 1
    if watch.calls == calls:
        scene.wait_for(_BANG_S, lambda: watch.acted is not None or watch.calls > calls)
    if watch.calls > calls:
        watch.seen.races_cut += 1
        return
    watch.seen.cards_moved += game.draw(scene.rng.randrange(game.n), _POTATO_DRAWS)
    if scene.chance(scene.habits.forgets_race):
        watch.seen.races_forgotten += 1
    else:
        scene.wait(1.0, 4.0)
        hands.press("plate")


def _mess(scene: Scene, hands: Hands, game: Game, calls: int) -> None:
    """Nothing to be done at once: whom the robot calls plays, see party.py."""


_PARTS: dict[str, Callable[[Scene, Hands, Game, int], None]] = {
    "stopwatch": _stopwatch,
    "verdict": _verdict,
    "potato": _potato,
    "mess": _mess,
}
