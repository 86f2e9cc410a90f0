"""What can be part of an utterance: clips of IMA ADPCM, and pauses."""

from roboto.sound import kernels
from roboto.sound.format import RATE_HZ


class Clip:
    """Where IMA ADPCM lies and how it is to be played. Holds no samples.

    blob: has read_at(position_bytes, buffer) -> bytes read, allocating nothing.
    start_byte: where in the blob the first two samples lie; n_samples: how many to play.
    rate_hz: 16000 or 8000. In each byte the high nibble comes first (DVI/IMA reference order).
    predictor, index: the decoder's state at the first sample.
    gain_q12: 4096 leaves the loudness as it is. Applied at play, up to 31.9 times.
    """

    def __init__(
        self, blob, start_byte, n_samples, rate_hz=RATE_HZ, predictor=0, index=0, gain_q12=4096
    ):
        self.blob = blob
        self.start_byte = start_byte
        self.n_samples = n_samples
        self.rate_hz = rate_hz
        self.predictor = predictor
        self.index = index
        self.gain_q12 = gain_q12

    @property
    def ms(self):
        """Length as recorded, in milliseconds."""
        return self.n_samples * 1000 // self.rate_hz


class RamBlob:
    """A blob over a buffer."""

    def __init__(self, buffer):
        self.buffer = buffer
        self._view = memoryview(buffer)

    def read_at(self, position_bytes, buffer):
        """Fill buffer from position_bytes on; returns how many bytes there were."""
        n = min(len(buffer), len(self._view) - position_bytes)
        if n <= 0:
            return 0
        kernels.copy(self._view, position_bytes, buffer, n)
        return n


class Pause:
    """Silence that the text asks for."""

    def __init__(self, ms):
        self.ms = ms
