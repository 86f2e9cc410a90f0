"""IMA ADPCM as DVI laid it down, high nibble first, each stretch from predictor 0, index 0."""

import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import audioop  # in Python itself up to 3.12; the package audioop-lts brings it to later ones


def encode(samples: np.ndarray) -> bytes:
    """The reference encoder: int16 samples to half as many bytes (rounded up)."""
    even = np.pad(samples, (0, len(samples) % 2)).astype("<i2")
    return audioop.lin2adpcm(even.tobytes(), 2, None)[0]


def decode(data: bytes, n_samples: int) -> np.ndarray:
    """int16 samples, as every player of the format hears them."""
    return np.frombuffer(audioop.adpcm2lin(data, 2, None)[0], "<i2")[:n_samples].astype(np.int16)
