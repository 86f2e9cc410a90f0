"""The games of SPEC.md section 8 at the table: what an outcome does to the cards, and parties."""

import random

import pytest
from roboto.game.kinds import GAMES as ALL

from sim.table import parties, rules
from sim.table.cards import BY_COLOUR, WILD
from sim.table.cli import main
from sim.table.players import seat_players
from sim.table.settings import Settings
from sim.table.shelf import GAMES

ROBOT = rules.named("robot", str(rules.RULES_FILE))


class Said:
    """A lever that says what it is told to."""

    dark = False

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.asked = 0

    def pull(self, game):
        self.asked += 1
        return self.outcomes.pop(0) if self.outcomes else "0"


def deal(game, *outcomes, n=3, seed=1):
    lever = Said(*outcomes)
    people = seat_players(("sensible",), n)
    return GAMES[game](ROBOT, people, random.Random(seed), first=0, lever=lever), lever


def test_every_game_is_at_the_table():
    assert {*GAMES, "dice"} == set(ALL[1:])


def test_the_launcher_says_how_many_cards_are_drawn():
    """ "once where nothing fits, twice for a draw two, four times for a wild draw four" """
    game, lever = deal("launcher", "3")
    before = len(game.hands[0])
    game._draw_one(0)
    assert len(game.hands[0]) == before + 3 and lever.asked == 1
    lever.outcomes = ["0", "7"]
    game.effect = rules.TWO
    game.settle(1)
    assert len(game.hands[1]) == 7 + 7 and lever.asked == 3
    game.draw(2, 2)  # a command, or a missing UNO: by hand
    assert len(game.hands[2]) == 9 and lever.asked == 3


def test_penalties_double_on_the_dark_side():
    """ "draw two is four … a missing UNO four; so do cards that a command has somebody draw" """
    game, lever = deal("flip")
    game.draw(0, 2)
    lever.dark = True
    game.draw(1, 2)
    game.effect = rules.TWO
    game.settle(2)
    assert [len(hand) for hand in game.hands] == [9, 11, 11]


@pytest.mark.parametrize(
    "outcome, left",
    [("discard", 6), ("draw_two", 9), ("keep_two", 2), ("show", 7), ("gift", 6)],
)
def test_what_the_wheel_does_to_the_hand(outcome, left):
    game, _ = deal("wheel")
    game._carry_out(outcome, 0)
    assert len(game.hands[0]) == left
    assert sum(map(len, game.hands)) + len(game.pile) + len(game.discard) == len(ROBOT.deck)


@pytest.mark.parametrize("colour, name", [(0, "red"), (3, "blue")])
def test_until_a_colour_ends_with_it(colour, name):
    from sim.table.cards import COLOURS

    for seed in range(20):
        game, _ = deal("wheel", seed=seed)
        game._carry_out(f"until_{name}", 0)
        drawn = game.hands[0][7:]
        wanted = BY_COLOUR[COLOURS.index(name)]
        assert drawn[-1] in wanted and not [c for c in drawn[:-1] if c in wanted]


def test_every_outcome_of_the_robot_is_known_at_the_table(monkeypatch):
    """What the phrase files offer, the table can do."""
    from host_tools.voice import catalogue

    for lang in catalogue.languages():
        phrases = catalogue.read(catalogue.PHRASES / f"{lang}.txt")
        stops = [id.partition(".")[2] for id in phrases if id.startswith("wheel_stops.")]
        assert len(stops) >= 12
        for outcome in stops:
            game, _ = deal("wheel")
            game._carry_out(outcome, 0)
        for symbol in ("star", "cherry", "bell", "lemon", "seven"):
            for shown in (f"{symbol} {symbol} {symbol}", f"{symbol} other {symbol}"):
                game, _ = deal("jackpot")
                game._carry_out(shown, 0)


def test_two_sevens_and_three(monkeypatch):
    game, _ = deal("jackpot")
    game._carry_out("seven bell seven", 0)
    assert len(game.hands[0]) == 5
    game._carry_out("seven seven seven", 0)
    assert len(game.hands[0]) == 1
    game._carry_out("star bell lemon", 0)
    assert len(game.hands[0]) == 1 and game.winner is None


def test_the_reels_are_started_by_a_wild_laid_in_a_turn_alone():
    game, lever = deal("jackpot", "star bell lemon")
    game.hands[0] = [WILD, WILD, 3, 4]
    game.lay_by_command(0, WILD)
    assert not lever.asked
    game.face = 5
    game.take_turn()
    assert lever.asked == (WILD not in game.hands[0])


@pytest.mark.parametrize("name", ALL[1:])
def test_a_party_is_played_to_its_end(name):
    settings = Settings(games=1, robot=True, lang="en", game=name, seed=3, in_a_row=3)
    results, trouble = parties.play_one(settings, ROBOT, 3, 0)
    assert not trouble and len(results) == 3
    for seen, game in results:
        assert game.winner is not None and not seen.early and not seen.wrong and not seen.faults
    assert sum(sum(seen.pulled.values()) for seen, _ in results) > 0


def test_a_game_needs_the_robot(capsys):
    assert main(["--no-robot", "--game", "wheel", "--games", "1"]) == 2
    assert "--game wheel needs the robot" in capsys.readouterr().err
