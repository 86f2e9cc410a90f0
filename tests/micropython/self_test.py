"""The self-test aloud, on stand-ins: micropython tests/micropython/self_test.py PACK FOLDER

Prints the phrases that are said, and whether the module stayed in memory.
"""

import sys

sys.path.insert(0, ".")

from tests.micropython.stand_ins import World, install
from tests.micropython.two_hours import PINS, Table


class Listener(Table):
    """Keeps what phrases are said."""

    def notify(self, event, fields):
        Table.notify(self, event, fields)
        if event == "say":
            heard.extend([part["phrase"] for part in fields["parts"] if "phrase" in part])


heard = []


def main(pack, folder):
    install()
    World.levels ^= 1 << PINS["mode"]
    table = Listener(pack, folder)
    table.quiet()
    World.levels ^= 1 << PINS["mode"]
    table.quiet()
    for control in PINS:
        table.press(control)
    for _ in range(100):
        if table.state == "names":
            break
        table.wait(100)
    table.quiet()
    print(" ".join(heard))
    print("loaded" if "roboto.aloud" in sys.modules else "unloaded")


main(sys.argv[1], sys.argv[2])
