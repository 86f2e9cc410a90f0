"""The game as a pure machine: events in, actions out. No clock, no files, no sound in here.

Events are tuples:

    ("press", control)            a debounced contact: record replay volume win mode plate
    ("release", control)
    ("switch", position)          the slide switch was moved to "on" or "try-me"
    ("full",)                     a recording has reached its limit
    ("recorded", result, ms)      it was judged: "stored", "too_short", "silent"; its kept length
    ("spoken",)                   the utterance was said to its end (not when the game cut it)
    ("trouble", phrase id)        something failed; the players hear of it as soon as it is quiet
    ("catalogue", pack, language) answers a change of language; the old pack if that failed
    ("tick",)                     deadline_ms has come

Actions are tuples:

    ("state", name)
    ("say", Utterance)            ("hush",) cuts it
    ("tone", name)                ("sound", name): one that answers nothing, and is no event
    ("listen", what, player, limit_ms)   a recording begins; ("finish",) ends, ("cancel",) drops it
    ("recorded", what, player, ms, result)
    ("keep", key, lasting)        the last recording gets this key; lasting: it is saved to flash
    ("forget", keys)              these clips are deleted; None: all of them
    ("ready", flag)               whether the microphone is to be kept warm
    ("setting", key, value)       a setting changes at once and is saved
    ("save_game", dict)           ("save_bags", dict): which commands have not been used yet
    ("victory", player, number)   somebody said who won; the player's victories since switching on
    ("tell", event, fields)       something for the trace that no other action tells
    ("unload", module)            a module of this package has done its work
    ("tones", dict)               these tones, as in sound/tones.py, can be played from now on
    ("sleep",)   ("restart", position)
"""
