"""The robot's tones, as data: name -> its notes, one after the other.

A note: wave, pitch in Hz (0 rests), length in ms, loudness at its start and at its end in percent
of full scale at high volume. Lengths are multiples of a chunk, 8 ms, the first and last of which
fade. Told apart with closed eyes by rhythm and direction, not by pitch alone.
"""

from . import kernels
from .format import CHUNK_MS, CHUNK_SAMPLES
from .tables import REED, SINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Buffer

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


def tone_ms(name: str) -> int:
    """Return how long a tone sounds; allocate nothing."""
    total_ms = 0
    for note in TONES[name]:
        total_ms += note[2]
    return total_ms


class Voice:
    """One tone being played. chunks_left is 0 when it is free."""

    def __init__(self) -> None:
        self.chunks_left = 0
        self._notes: tuple[tuple[str, int, int, int, int], ...] = ()
        self._note = 0  # the number of the present one
        self._place = 0  # in the note, in chunks
        self._phase = 0
        self._gain = 0

    def start(self, name: str) -> None:
        self._notes = TONES[name]
        self._note = 0
        self._place = 0
        self._phase = 0
        self._gain = 0
        self.chunks_left = tone_ms(name) // CHUNK_MS

    def mix(self, out: "Buffer", volume: int) -> None:
        """Add the next chunk to out."""
        wave, hz, ms, start, end = self._notes[self._note]
        chunks = ms // CHUNK_MS
        self._place += 1
        place = self._place
        if place == chunks:
            target = 0
            self._note += 1
            self._place = 0
        else:
            start = start * 32767 // 100
            end = end * 32767 // 100
            target = start + (end - start) * (place - 1) // (chunks - 1)
            target = target * volume >> 10
        gain = self._gain
        if gain or target:
            step = (target - gain << 15) // CHUNK_SAMPLES
            wave = REED if wave == "reed" else SINE
            pitch = hz * 4096 // 1000  # 65536ths of a period at each sample
            self._phase = kernels.tone(
                wave, self._phase, pitch, out, CHUNK_SAMPLES, gain << 15, step
            )
        self._gain = target
        self.chunks_left -= 1
