"""How the people round the robot are: what they do, how often, how fast."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Habits:
    """Shares are for each occasion, times in seconds."""

    think_median_s: float = 4.0  # for a turn; log-normal
    think_spread: float = 0.55
    brisk: float = 0.2  # records a name before the one before has been said back
    forgets_press: float = 0.02  # lays a card without pressing the tray
    presses_twice: float = 0.03  # the tray, within a second
    wrong_press: float = 0.05  # presses for a card laid on command, too
    early_press: float = 0.10  # presses while the robot gives a command
    asks_again: float = 0.04  # green after a command
    turns_volume: float = 0.01  # yellow in a turn
    vetoes: float = 0.04  # white after a command
    red_in_play: float = 0.01  # red, for nothing
    records_rule: float = 0.5  # a House Rule, else the tray
    forgets_race: float = 0.15  # does not say that a race is over
    records_nickname: float = 0.8  # else half press the tray, half do nothing
    refuses_nickname: float = 0.15  # white, soon after it was said back
    names_winner: float = 0.3  # blue again, when the robot has congratulated
    knows_winner: float = 0.85  # and blue after that name; else lets all names pass
    wanders_off: float = 0.002  # the table rests for WALK_S: in a turn, before a name or a rule
    walk_s: tuple[float, float] = (50.0, 120.0)
    hears_warning: float = 0.97  # presses the tray when the robot warns of sleep


USUAL = Habits()
