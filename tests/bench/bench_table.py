"""Games a second on one core: our plain table and RLCard's UNO, taken in turns in one run.

    python -m tests.bench.bench_table [SECONDS]

Both play by RLCard's rules with random agents. RLCard is measured twice: as its users run it
(`env.run()` with its RandomAgent) and as its bare game object, without observations for learning.
Time is CPU time of this process.
"""

import random
import sys
import time

import numpy
import rlcard
from rlcard.agents import RandomAgent
from rlcard.games.uno import Game as RlcardGame

from sim.table.game import Game
from sim.table.players import seat_players
from sim.table.rules import named
from tests.table.rlcard_rules import play_ours, play_theirs


def measure(seconds=10.0, n_players=4):
    """Games a second of each, as a dict: env, bare, ours, sensible. They take turns of 0.2 s."""
    env = rlcard.make("uno", config={"seed": 1})
    env.game.num_players = env.num_players = n_players
    env.set_agents([RandomAgent(61) for _ in range(n_players)])
    numpy.random.seed(1)
    bare = RlcardGame(num_players=n_players)
    rng = random.Random(1)
    rules, people = named("robot"), seat_players(["sensible"], n_players)

    contestants = {
        "env": env.run,
        "bare": lambda: play_theirs(bare, rng),
        "ours": lambda: play_ours(n_players, rng),
        "sensible": lambda: Game(rules, people, rng).play(),
    }
    games = dict.fromkeys(contestants, 0)
    spent = dict.fromkeys(contestants, 0.0)
    while sum(spent.values()) < seconds:
        for name, play in contestants.items():
            began = time.process_time()
            while (used := time.process_time() - began) < 0.2:
                for _ in range(5):
                    play()
                games[name] += 5
            spent[name] += used
    return {name: games[name] / spent[name] for name in contestants}


def main():
    """Print the figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    for n_players in (2, 4):
        rate = measure(seconds, n_players)
        print(
            f"{n_players} players: ours {rate['ours']:.0f} games/s "
            f"(sensible players {rate['sensible']:.0f}); "
            f"RLCard env.run {rate['env']:.0f}, bare game {rate['bare']:.0f}: "
            f"{rate['ours'] / rate['env']:.1f} times env.run, "
            f"{rate['ours'] / rate['bare']:.1f} times the bare game"
        )


if __name__ == "__main__":
    main()
