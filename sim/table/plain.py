"""Plain UNO without a robot: whole games or matches into a tally."""

from .scoring import play_match


def play_into(tally, rules, players, rng, scoring, target, log=None):
    """Play one match (a single game where scoring is "none") and add it to the tally."""
    match = play_match(rules, players, rng, scoring, target, log)
    tally.add("matches")
    for who in range(len(players)):
        tally.add(f"won/{who}", int(match.winners == [who]))
    tally.add("shared", int(len(match.winners) > 1))
    if any(match.points):
        tally.see("match_games", len(match.games))
        for points in match.points:
            tally.see("points", points)
    for game in match.games:
        note_game(tally, game)
    return match


def note_game(tally, game):
    """Add one finished game to the tally."""
    tally.add("games")
    tally.see("turns", game.turns)
    tally.see("drawn", game.drawn)
    tally.see("laid", game.laid)
    tally.add("blocked", int(game.blocked))
    for name, n in game.counts.items():
        tally.add(name, n)
