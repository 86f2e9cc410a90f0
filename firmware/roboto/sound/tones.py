"""The robot's tones, as data: name -> its notes, one after the other.

A note: wave, pitch in Hz (0 rests), length in ms, loudness at its start and at its end in percent
of full scale at high volume. Lengths are multiples of a chunk, 8 ms, the first and last of which
fade. Told apart with closed eyes by rhythm and direction, not by pitch alone.
"""

TONES = {
    # one short blip: a card was laid
    "plate": (("sine", 1568, 72, 45, 20),),
    # one bell, longer and higher: as loud as speech will be
    "volume": (("sine", 1047, 48, 40, 35), ("sine", 2093, 160, 40, 5)),
    # two falling, equal: the time to speak is over
    "limit": (("sine", 1175, 96, 40, 40), ("sine", 784, 144, 40, 25)),
    # a hoarse double knock, low
    "not_now": (("reed", 311, 80, 35, 30), ("sine", 0, 56, 0, 0), ("reed", 311, 120, 35, 15)),
    # three slow steps down, softer each time
    "sleep_warning": (
        ("sine", 880, 240, 35, 15),
        ("sine", 0, 120, 0, 0),
        ("sine", 698, 240, 28, 12),
        ("sine", 0, 120, 0, 0),
        ("sine", 523, 400, 22, 4),
    ),
    # a rising call, the last note held
    "fanfare": (
        ("reed", 523, 120, 40, 30),
        ("reed", 659, 120, 40, 30),
        ("reed", 784, 120, 40, 30),
        ("reed", 1047, 240, 42, 32),
        ("reed", 784, 120, 40, 30),
        ("reed", 1047, 560, 45, 8),
    ),
    # a flutter: something should have been heard here
    "missing": (
        ("reed", 440, 48, 30, 30),
        ("reed", 587, 48, 30, 30),
        ("reed", 440, 48, 30, 30),
        ("reed", 587, 48, 30, 30),
        ("reed", 440, 48, 30, 15),
    ),
}

# gain of speech and tones at low, medium, high: -18, -9, 0 dB, q10
VOLUMES = (129, 363, 1024)
