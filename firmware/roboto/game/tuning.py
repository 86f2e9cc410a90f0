"""Every number of the game that can be tuned, and nothing else. Times in milliseconds.

How often each kind of command comes, and the paces, are in kinds.py: numbers alone are folded into
the code that uses them, so that this file takes nothing of the board's heap.

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

NAMED_APART = 2  # how often any two players have been named in a game differs by at most this

RULE_FIRST_MIN = 2  # a recorded House Rule comes first as one of these surprises of its game
RULE_FIRST_MAX = 5

RACE_PATIENCE_MS = 30000  # nobody says that a race is over: the next player is called all the same
BOUNCE_MS = 1500  # a tray press so soon after one that changed the state is the same hand
NICKNAME_PATIENCE_MS = 20000
STOPWATCH_MS = 10000  # to be guessed by whoever presses the tray
STOPWATCH_OFF_MS = 1000  # so far off is still in time
POTATO_LEAST_MS = 6000  # so long it ticks before it bangs, uniform
POTATO_MOST_MS = 20000
POTATO_SLOW_MS = 900  # from tick to tick at first
POTATO_FAST_MS = 200  # and at last
REMARK_CARDS = (
    6  # a remark comes at most once in so many counted presses; at calm in twice as many
)
SLOW_MS = 12000  # whoever is called and lays no card for so long is told so at the next call
FAST_MS = 2000
FORGOTTEN_CALLS = 9  # whoever was not named for so many calls
DUCK_CARDS = 10  # counted presses of a game
DUCK_AGAIN_CARDS = 25
MANY_CARDS = 40
ENDING_CARDS = 55
MESS_CARDS = 5  # of which the robot says who plays
REFUSE_MS = 10000  # a nickname may be refused for so long after it was said back
WINNER_MS = 1200  # blue within this time of a name's end means that player
TOO_EARLY_MS = 80  # blue before a name can have been heard means the name before
COUNTED_UP_TO = 10  # victories beyond are "many"
SLEEP_AFTER_WARNING_MS = 10000
MENU_HOLD_MS = 2000
MENU_PATIENCE_MS = 20000
