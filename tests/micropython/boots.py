"""Starts the robot from folders that are its flash: `micropython .../boots.py FOLDER ...`

Each is switched on as main.py does it, runs for some virtual seconds, and must speak, or beep in
place of a word. Prints a line for each.
"""

import os
import sys

ROOT = os.getcwd()
sys.path.insert(0, ROOT + "/firmware")
sys.path.insert(0, ROOT)

from tests.micropython.stand_ins import Quick, World, install  # noqa: E402

_RUN_MS = 4000


class Off(BaseException):
    """The power goes."""


def start(folder):
    """Switch on; return what the robot told."""
    os.chdir(folder)
    from roboto import start as begin
    from roboto import switch_in
    from roboto.sound import kernels

    kernels.use(Quick)
    begin._wrong = lambda: None
    events = []
    until_ms = World.now_ms + _RUN_MS

    def told(event, fields):
        events.append(event)
        if event == "fault" and ".py:" in fields["what"]:
            raise AssertionError(fields["what"])

    def sleep_ms(self, ms):
        World.now_ms += ms
        if World.now_ms >= until_ms:
            raise Off

    type(sys.modules["time"]).sleep_ms = sleep_ms
    switch_in.ready()
    try:
        begin.run(told, seed=1)
    except Off:
        pass
    return events


def main(folders):
    install()
    for folder in folders:
        events = start(folder)
        assert "say" in events, (folder, events)
        print("started", folder, events.count("fault"), "faults")


main(sys.argv[1:])
