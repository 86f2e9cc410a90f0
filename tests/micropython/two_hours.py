"""Two hours at the table in virtual time: micropython tests/micropython/two_hours.py PACK FOLDER

The whole firmware on stand-ins for the chip's modules: time passes when it sleeps, and the inner
loops of sound compute nothing. Prints after each game how many bytes of the heap are in use.
"""

import gc
import sys

sys.path.insert(0, "firmware")
sys.path.insert(0, ".")

from tests.micropython.stand_ins import Quick, World, install

HOURS = 2
_CARDS = 25
PINS = {"record": 2, "replay": 3, "volume": 4, "win": 5, "mode": 6, "plate": 7}


class Table:
    def __init__(self, pack, folder):
        from roboto.app import App
        from roboto.board import Board
        from roboto.sound import kernels
        from roboto.start import RECORDING_BYTES
        from roboto.storage.volume import Volume

        kernels.use(Quick)
        board = Board()
        self.state = None
        self.said = self.faults = 0
        volume = Volume(folder, board.guard)
        buffer = bytearray(RECORDING_BYTES)
        self.app = App(board, volume, {"en": pack}, buffer, 1, self.notify)

    def notify(self, event, fields):
        if event == "state":
            self.state = fields["state"]
        elif event == "say":
            self.said += 1
        elif event == "fault":
            self.faults += 1
            print("fault", fields["what"])

    def wait(self, ms):
        until_ms = World.now_ms + ms
        while World.now_ms < until_ms:
            self.app.step()
            self.app.rest()

    def quiet(self):
        app = self.app
        self.wait(100)
        while app.mixer.busy or app.speech.waiting or app.board.speaker.is_open or app.saver.busy:
            self.wait(50)

    def press(self, control, ms=100):
        World.levels ^= 1 << PINS[control]
        self.wait(ms)
        World.levels ^= 1 << PINS[control]
        self.quiet()

    def game(self):
        """House Rule, cards, a win, and back to the House Rule."""
        self.press("record", 3000)
        for card in range(_CARDS):
            self.press("plate")
            if self.state == "nickname":
                self.press("record", 1500)
            if card % 8 == 3:
                self.press("replay")
                self.press("volume")
            self.wait(8000)
        self.press("win")
        self.press("plate")
        assert self.state == "house_rule", self.state


def used_bytes():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()


def main(pack, folder):
    install()
    table = Table(pack, folder)
    table.quiet()
    for _ in range(4):
        table.press("record", 1300)
    table.press("plate")
    while World.now_ms < HOURS * 3600 * 1000:
        table.game()
        print("used", used_bytes(), "at", World.now_ms // 1000, "s")
    print("said", table.said, "faults", table.faults)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
