"""What the mixer plays: clips, which say where samples lie, and pauses."""


class Clip:
    """Where IMA ADPCM lies and how it is to be played. Holds no samples."""

    def __init__(self, blob, start_byte, n_samples, rate_hz, predictor=0, index=0, gain_q12=4096):
        self.blob = blob
        self.start_byte = start_byte
        self.n_samples = n_samples
        self.rate_hz = rate_hz
        self.predictor = predictor
        self.index = index
        self.gain_q12 = gain_q12

    @property
    def ms(self):
        return self.n_samples * 1000 // self.rate_hz


class RamBlob:
    """A blob over a buffer."""

    def __init__(self, buffer):
        self.buffer = buffer
        self._view = memoryview(buffer)

    def read_at(self, position, buffer):
        n = max(0, min(len(buffer), len(self._view) - position))
        buffer[:n] = self._view[position : position + n]
        return n
