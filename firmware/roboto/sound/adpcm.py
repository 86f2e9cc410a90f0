"""A clip of IMA ADPCM, from its bytes to samples."""

from . import kernels
from .format import HALF_RATE_HZ, RATE_HZ
from .tables import codec_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shapes import Blob, Buffer
    from .clip import Clip

_READ_BYTES = 512  # serves eight chunks at 16 kHz


class Decoder:
    """Plays one clip at a time, from its beginning on.

    last: where it stands when a clip breaks off: the last sample that it gave.
    """

    def __init__(self) -> None:
        self.last = 0
        self._blob: Blob | None = None
        self._codec = codec_state()  # its third item is the place in _bytes
        self._bytes = bytearray(_READ_BYTES)
        self._bytes_end = 0
        self._read_at = 0

    def begin(self, clip: "Clip") -> None:
        """Take up a clip. Raise ValueError when it cannot be one."""
        # two comparisons: a tuple of imported numbers would be made anew each time
        if clip.rate_hz != RATE_HZ and clip.rate_hz != HALF_RATE_HZ:
            raise ValueError
        if not 0 <= clip.index <= 88:
            raise ValueError
        self._blob = clip.blob
        self._codec[0] = clip.predictor
        self._codec[1] = clip.index
        self._read_at = clip.start_byte
        self._codec[2] = self._bytes_end = 0

    def take(self, out: "Buffer", at: int, n: int) -> bool:
        """Put the next n samples (an even number) into out from sample `at` on. Return False when
        the clip breaks off; what was put there then is of no use."""
        codec = self._codec
        codec[3] = at
        if 2 * (self._bytes_end - codec[2]) >= n:
            kernels.decode(self._bytes, out, n, codec)
            return True
        return self._across(out, n)

    def _across(self, out: "Buffer", n: int) -> bool:
        """Do the same from the bytes at hand and those to be read."""
        codec = self._codec
        self.last = codec[0]
        while True:
            at_hand = 2 * (self._bytes_end - codec[2])
            if at_hand >= n:
                kernels.decode(self._bytes, out, n, codec)
                return True
            if at_hand:
                kernels.decode(self._bytes, out, at_hand, codec)
                n -= at_hand
            if not self._read():
                codec[0] = self.last
                return False

    def _read(self) -> bool:
        try:
            n = self._blob.read_at(self._read_at, self._bytes) if self._blob else 0
        except Exception:  # a file system may raise anything
            return False
        self._read_at += n
        self._codec[2] = 0
        self._bytes_end = n
        return n > 0
