"""How soon a family hears the same commands again: the robot's own bags, over many evenings.

    python tests/bench/bench_sameness.py [--commands N]

An evening is three games at the normal pace; what the bags still have is kept from one to the
next, as settings keep it. How many commands a game has is in docs/balance.md.
"""

import argparse
import io
import random
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from host_tools.desktop import firmware

firmware.make_importable()
from roboto.game.rng import Rng  # noqa: E402
from roboto.game.surprise import Surprises  # noqa: E402
from roboto.storage.pack import Pack  # noqa: E402

from host_tools.voice import catalogue, packfile, plans  # noqa: E402
from host_tools.voice.catalogue import Phrase  # noqa: E402
from host_tools.voice.commands import Commands  # noqa: E402

PER_GAME = {2: 5.7, 4: 7.5, 6: 9.9, 10: 13.6}  # commands a game, by players: docs/balance.md
GAMES = 3
EVENINGS = 5


def pack_of(phrases: dict[str, Phrase]) -> Pack:
    """Return a pack of these phrases without sound."""
    silent = {
        id: [packfile.Segment(b"", 0) for _ in phrase.segments()] for id, phrase in phrases.items()
    }
    data = packfile.pack_bytes("xx", 16000, 1, phrases, silent, Commands().traits)
    return Pack(io.BytesIO(data))


def evenings(pack: Pack, players: int, seed: int, lasting: bool = True) -> Iterator[list[str]]:
    """Yield the commands of one evening after the other, by their ids, without end.

    lasting: whether the bags go on where the evening before has left them.
    """
    dice = random.Random(seed)
    kept = None
    while True:
        surprises = Surprises(Rng(dice.randrange(1, 2**31)), pack)
        if lasting:
            surprises.go_on_with(kept)
        heard = []
        for _ in range(GAMES):
            surprises.new_game(players, "normal")
            for _ in range(round(PER_GAME[players] + dice.uniform(-2, 2))):
                command = surprises.draw(house_rule=True, gentle=False)
                if command:
                    heard.append(command.phrase)
        kept = surprises.unused()
        yield heard


def heard_again(pack: Pack, players: int, seeds: int = 100, lasting: bool = True) -> list[float]:
    """Return which share of the first evening's commands is heard on the second, and then, for
    the second evening and on, which share of its commands was heard before."""
    first: list[float] = []
    shares: list[list[float]] = [[] for _ in range(EVENINGS - 1)]
    for seed in range(1, seeds + 1):
        coming = evenings(pack, players, seed, lasting)
        before = next(coming)
        one = set(before)
        for n in range(EVENINGS - 1):
            tonight = next(coming)
            if n == 0:
                first.append(len(one & set(tonight)) / len(one))
            shares[n].append(sum(id in before for id in tonight) / len(tonight))
            before = before + tonight
    return [statistics.mean(first)] + [statistics.mean(share) for share in shares]


def until_again(pack: Pack, players: int, seeds: int = 100) -> int:
    """Return after how many commands the first one is heard again: the median."""
    found = []
    for seed in range(1, seeds + 1):
        seen: set[str] = set()
        for n, id in enumerate(id for evening in evenings(pack, players, seed) for id in evening):
            if id in seen:
                found.append(n + 1)
                break
            seen.add(id)
            if n > 500:
                break
    return round(statistics.median(found))


def kept_of(lang: str, commands: int) -> dict[str, Phrase]:
    """Return the phrases of a language with so many commands left, by the order of `keep`."""
    phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
    total = sum(bool(phrase.kind) for phrase in phrases.values())
    spared = [id for id in plans.spare(phrases, Commands()) if phrases[id].kind]
    gone = spared[: max(total - commands, 0)]
    return {id: phrase for id, phrase in phrases.items() if id not in gone}


def main() -> None:
    """Print the table of docs/voice.md."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--commands", type=int, default=999, help="left in the pack (all)")
    wanted = parser.parse_args()
    phrases = kept_of("es", wanted.commands)
    print(sum(bool(phrase.kind) for phrase in phrases.values()), "commands")
    pack = pack_of(phrases)
    print("| players | first again after | of evening 1 on 2 | heard before: 2 | 3 | 4 | 5 |")
    for players in PER_GAME:
        shares = " | ".join(f"{100 * share:.0f} %" for share in heard_again(pack, players))
        print(f"| {players} | {until_again(pack, players)} | {shares} |")


if __name__ == "__main__":
    main()
