"""Every number of the game that can be tuned, and nothing else. Times in milliseconds.

The figures marked [doc] are the rule sheet's (SPEC.md sections 2 and 3); docs/balance.md judges
the others.
"""

PLAYERS_MAX = 10  # [doc]
PLAYERS_MIN = 2  # [doc]
NAME_LIMIT_MS = 3000  # [doc] names and nicknames
RULE_LIMIT_MS = 10000  # [doc]

GAP_MIN = 3  # counted plate presses from one surprise to the next, uniform
GAP_MAX = 8
DEAF_AFTER_COMMAND_MS = 3000  # presses in this time after a command count for nothing
REST_AFTER_COMMAND_MS = 10000  # no surprise within this time of the last one's end

NICKNAME_PATIENCE_MS = 20000
SLEEP_AFTER_WARNING_MS = 10000
MENU_HOLD_MS = 2000
MENU_PATIENCE_MS = 20000

# How often each kind is drawn, relative to the others that are possible at the moment.
KIND_WEIGHTS = (
    ("order", 30),
    ("duel", 30),
    ("everyone", 14),
    ("swap", 12),
    ("nickname", 7),
    ("house_rule", 7),
)
RACES = ("duel", "everyone", "house_rule")  # the player called goes on when they have finished

# The spoken settings menu, in its order: setting, its values in the order of the red button.
MENU = (
    ("language", None),  # the voice packs at hand
    ("pace", ("calm", "normal", "wild")),
    ("names_voice", ("squeaky", "plain")),
    ("keep_game", (False, True)),
)
