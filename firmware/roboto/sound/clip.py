"""What can be part of an utterance: clips, and pauses."""

from . import kernels
from .format import RATE_HZ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Blob, Buffer


class Clip:
    """Where sound lies and how it is to be played. Holds no samples.

    blob: has read_at(position_bytes, buffer) -> bytes read, allocating nothing.
    start_byte: where in the blob the first two samples lie; n_samples: how many to play.
    mdct_bytes: how many bytes of the speech codec it is, at 16 kHz; 0: it is IMA ADPCM.
    rate_hz: 16000 or 8000. In each byte the high nibble comes first (DVI/IMA reference order).
    predictor, index: the decoder's state at the first sample.
    gain_q12: 4096 leaves the loudness as it is. Applied at play, up to 31.9 times.
    """

    def __init__(
        self,
        blob: "Blob",
        start_byte: int,
        n_samples: int,
        rate_hz: int = RATE_HZ,
        predictor: int = 0,
        index: int = 0,
        gain_q12: int = 4096,
        mdct_bytes: int = 0,
    ) -> None:
        self.blob = blob
        self.start_byte = start_byte
        self.n_samples = n_samples
        self.rate_hz = rate_hz
        self.predictor = predictor
        self.index = index
        self.gain_q12 = gain_q12
        self.mdct_bytes = mdct_bytes

    @property
    def ms(self) -> int:
        """Return its length as recorded, in milliseconds."""
        return self.n_samples * 1000 // self.rate_hz


class RamBlob:
    """A blob over a buffer."""

    def __init__(self, buffer: "Buffer") -> None:
        self.buffer = buffer
        self._view = memoryview(buffer)

    def read_at(self, position_bytes: int, buffer: "Buffer") -> int:
        """Fill buffer from position_bytes on; return how many bytes there were."""
        n = min(len(buffer), len(self._view) - position_bytes)
        if n <= 0:
            return 0
        kernels.copy(self._view, position_bytes, buffer, n)
        return n


class Pause:
    """Silence that the text asks for."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
