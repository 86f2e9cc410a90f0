"""A fixed party on the simulator, under either interpreter: `... party.py PACK FOLDER`.

From the repository's root. Prints each event of the trace, and then the checksum of all that was
heard. FOLDER is the robot's flash. `--unheard` computes no sound.
"""

import sys

if sys.implementation.name == "micropython":
    sys.path[:0] = ["firmware", "."]
    from sim import under_micropython  # noqa: F401
else:
    sys.path.insert(0, ".")

import binascii
from array import array

from sim.robot import Robot

NAMES = ("lucia", "mateo", "hugo")
RULE = "quien_saque_un_siete_baila_la_danza_del_pollo"
_HEADER_BYTES = 44  # of a WAV
_CARD_MS = 4100


class Party:
    """Three players, a House Rule, cards, a win and a second game, at fixed times."""

    def __init__(self, pack, folder, listen=True, language="es", cards=24):
        self.robot = Robot({language: pack}, folder, 3, listen, language)
        self.robot.trace.watchers.append(self._see)
        self._words = []
        self._at_ms = 13000
        for name in NAMES:
            self._say(name, 1400)
            self._at_ms += 5600
        self._click("plate")
        self._at_ms += 12000
        self._say(RULE, 4500)
        self._at_ms += 10000
        for _ in range(2):
            for card in range(cards):
                self._click("plate")
                if card % 7 == 3:
                    self._at_ms += 900
                    self._click("replay")
                self._at_ms += _CARD_MS
            self._click("volume")
            self._click("win")
            self._at_ms += 8000
            self._click("plate")
            self._at_ms += 9000
            self._click("plate")
            self._at_ms += 3000
        self._at(self._at_ms, lambda: self.robot.switch("off"))
        self.end_us = (self._at_ms + 1000) * 1000
        self.robot.switch("on")

    def play(self):
        """Let it take its course; return the events of the trace."""
        self.robot.run_until(self.end_us)
        return self.robot.trace.events

    def heard(self):
        """Return the checksum of all that was heard."""
        return binascii.crc32(self.robot.tape.samples(0, self.end_us))

    def _at(self, ms, act):
        self.robot.chip.at(ms * 1000, act)

    def _contact(self, control, closed):
        self.robot.note("press" if closed else "release", control=control)
        self.robot.contact(control, closed)

    def _click(self, control, ms=120):
        self._at(self._at_ms, lambda: self._contact(control, True))
        self._at(self._at_ms + ms, lambda: self._contact(control, False))
        self._at_ms += ms

    def _say(self, name, ms):
        with open("sim/demo/" + name + ".wav", "rb") as file:
            samples = array("h", file.read()[_HEADER_BYTES:])
        self._at(self._at_ms, lambda: self._words.append(samples))
        self._click("record", ms)

    def _see(self, event):
        """Let whoever waits for the light speak."""
        if event["event"] == "led" and event["led"] == "record" and event["on"] and self._words:
            self.robot.room.say(self.robot.chip.now_us, self._words.pop())


def text(value):
    """Return a value in words, keys sorted: MicroPython's dicts have no order."""
    if isinstance(value, dict):
        return "{" + ", ".join([key + ": " + text(value[key]) for key in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([text(item) for item in value]) + "]"
    return str(value)


def main(pack, folder, *options):
    party = Party(pack, folder, "--unheard" not in options)
    for event in party.play():
        print(text(event))
    if party.robot.tape is not None:
        print("heard", party.heard())


if __name__ == "__main__":
    main(*sys.argv[1:])
