"""x"""


def play_into(tally, settings, rules, n_players, index):
    raise NotImplementedError


def play_one(settings, rules, n_players, index, log=None):
    raise NotImplementedError
