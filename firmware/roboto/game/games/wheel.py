"""wheel: on a card that the table agrees on, white: the wheel ticks, slows down, and says what to
do."""

from . import Rules


class Wheel(Rules):
    name = "wheel"
    tones = {
        # ticks that come ever slower
        "wheel": (
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 40, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 48, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 64, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 88, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 120, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 168, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 240, 0, 0),
            ("sine", 1480, 24, 30, 10),
            ("sine", 0, 360, 0, 0),
            ("sine", 1175, 120, 40, 5),
        ),
    }

    def lever(self) -> None:
        self.draw("wheel", "wheel_stops")
