"""The kinds of surprise command, and the paces: the tables that firmware, simulator and tools
share."""

# kind, how often it is drawn relative to the others that are possible at the moment, how many
# players a command of it names, whether people race (a command's own data may say otherwise)
KINDS = (
    ("order", 30, 1, False),
    ("swap", 12, 2, False),
    ("everyone", 14, 0, True),
    ("duel", 30, 2, True),
    ("nickname", 7, 2, False),
    ("house_rule", 7, 0, True),
)

# What a command may do after it was said (acts/): its name, the kind of command that has it,
# whether it is sure to name its last player once more, whether it comes at the pace calm
ACTS = (
    ("stopwatch", "duel", False, True),
    ("verdict", "duel", False, True),
    ("potato", "everyone", False, True),
    ("mess", "everyone", False, True),
)

# How many presses a surprise waits for, by the setting of that name: this share of what was drawn,
# rounded up. [doc]
PACES = (("calm", 2, 1), ("normal", 1, 1), ("wild", 1, 2))

# What can be played at a table: Roboto as its sheet has it, and the games of games/.
GAMES = ("roboto", "launcher", "wheel", "jackpot", "dare", "flip", "dice")


def names_in(kind: str) -> int:
    """Return how many players a command of this kind names; 0 for a kind that is unknown."""
    for name, _, names, _ in KINDS:
        if name == kind:
            return names
    return 0


def races(kind: str) -> bool:
    """Return whether people race at a command of this kind, where it does not say so itself."""
    for name, _, _, race in KINDS:
        if name == kind:
            return race
    return False
