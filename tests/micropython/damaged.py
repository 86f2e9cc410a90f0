"""Starts the robot from flash images whose file system was damaged below its files:
`micropython .../damaged.py IMAGE ...`

Each is mounted as MicroPython's own _boot.py does it, and then the robot runs for some virtual
seconds, in which a button is pressed. Prints a line of JSON for each: what happened; and writes
the flash as it is then to IMAGE.after.
"""

import json
import os
import sys

ROOT = os.getcwd()
sys.path.insert(0, ROOT + "/firmware")
sys.path.insert(0, ROOT)

import vfs  # noqa: E402

from tests.micropython.flash_image import Flash, mounted  # noqa: E402
from tests.micropython.stand_ins import Quick, World, install  # noqa: E402

_RUN_MS = 9000
_PRESS_MS = 4000
_VOLUME = 1 << 4


class Off(BaseException):
    """The power goes."""


def start(flash):
    """Switch on; return what the robot told, and whether there was a file system."""
    made = mounted(flash)
    vfs.mount(vfs.VfsPosix("/"), "/host")
    sys.path[:] = ["/host" + ROOT + "/firmware", "/host" + ROOT]
    for name in [n for n in sys.modules if n == "roboto" or n.startswith("roboto.")]:
        if name != "roboto.board.still":
            del sys.modules[name]
    from roboto import start as begin
    from roboto import switch_in
    from roboto.sound import kernels

    kernels.use(Quick)
    begin._wrong = lambda: None
    events = []
    began_ms = World.now_ms

    def told(event, fields):
        events.append((event, fields.get("what", fields.get("tone"))))

    def sleep_ms(self, ms):
        World.now_ms += ms
        passed_ms = World.now_ms - began_ms
        if passed_ms >= _RUN_MS:
            raise Off
        pressed = _PRESS_MS <= passed_ms < _PRESS_MS + 100
        World.levels = World.levels & ~_VOLUME if pressed else World.levels | _VOLUME

    type(sys.modules["time"]).sleep_ms = sleep_ms
    switch_in.ready()
    try:
        begin.run(told, seed=1)
    except Off:
        pass
    return made, events


def main(paths):
    install()
    data = bytearray(os.stat(paths[0])[6])
    for path in paths:
        with open(path, "rb") as file:
            file.readinto(data)
        flash = Flash(data)
        try:
            made, events = start(flash)
            told = {"formatted": made, "events": events}
        except Exception as error:
            sys.print_exception(error)
            told = {"raised": "%s %s" % (type(error).__name__, error)}
        vfs.umount("/")
        vfs.umount("/host")
        vfs.mount(vfs.VfsPosix("/"), "/")
        sys.path[:] = [ROOT + "/firmware", ROOT]
        with open(path + ".after", "wb") as file:
            file.write(flash.data)
        print(json.dumps(told))


main(sys.argv[1:])
