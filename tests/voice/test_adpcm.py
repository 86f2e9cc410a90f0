"""The encoders: the reference, and the search that makes less noise of the same bytes."""

import numpy as np
import pytest

from host_tools.voice import adpcm
from tests.voice.conftest import tone


def speechlike(seconds: float, seed: int) -> np.ndarray:
    """Noise and a buzz, with the loudness of syllables."""
    rng = np.random.default_rng(seed)
    n = round(16000 * seconds)
    t = np.arange(n) / 16000
    buzz = sum(np.sin(2 * np.pi * 140 * k * t) / k for k in range(1, 20))
    x = (buzz + 0.2 * rng.normal(0, 1, n)) * (0.1 + np.abs(np.sin(2 * np.pi * 2 * t)))
    return np.round(9000 * x / np.abs(x).max()).astype(np.int16)


def noise_db(wanted: np.ndarray, got: np.ndarray) -> float:
    """Signal to noise."""
    error = wanted.astype(float) - got
    return float(10 * np.log10((wanted.astype(float) ** 2).sum() / (error**2).sum()))


def decoded_by_the_book(data: bytes, n_samples: int) -> np.ndarray:
    """The IMA's decoder, written out once more: high nibble first."""
    predictor, index, out = 0, 0, []
    for byte in data:
        for nibble in (byte >> 4, byte & 15):
            step = STEPS[index]
            delta = step >> 3
            for bit, part in ((4, step), (2, step >> 1), (1, step >> 2)):
                delta += part if nibble & bit else 0
            predictor += -delta if nibble & 8 else delta
            predictor = max(-32768, min(32767, predictor))
            index = max(0, min(88, index + (-1, -1, -1, -1, 2, 4, 6, 8)[nibble & 7]))
            out.append(predictor)
    return np.array(out[:n_samples], np.int16)


# The step sizes grow by a tenth each, as the IMA's table has them.
# fmt: off
STEPS = [int(word) for word in (
    "7 8 9 10 11 12 13 14 16 17 19 21 23 25 28 31 34 37 41 45 50 55 60 66 73 80 88 97 107 118 "
    "130 143 157 173 190 209 230 253 279 307 337 371 408 449 494 544 598 658 724 796 876 963 1060 "
    "1166 1282 1411 1552 1707 1878 2066 2272 2499 2749 3024 3327 3660 4026 4428 4871 5358 5894 "
    "6484 7132 7845 8630 9493 10442 11487 12635 13899 15289 16818 18500 20350 22385 24623 27086 "
    "29794 32767"
).split()]
# fmt: on


@pytest.mark.parametrize("n", [1, 2, 3, 127, 128, 4001])
def test_what_is_encoded_is_decoded_by_the_book(n):
    x = speechlike(0.3, 1)[:n]
    for data in (adpcm.encode(x), adpcm.search([x])[0]):
        assert len(data) == (n + 1) // 2
        assert np.array_equal(decoded_by_the_book(data, n), adpcm.decode(data, n))


def test_search_makes_less_noise_at_the_same_size():
    pieces = [speechlike(0.4 + 0.1 * k, k) for k in range(4)]
    found = adpcm.search(pieces)
    for x, data in zip(pieces, found):
        plain = adpcm.encode(x)
        assert len(data) == len(plain)
        gain_db = noise_db(x, adpcm.decode(data, len(x))) - noise_db(
            x, adpcm.decode(plain, len(x))
        )
        assert gain_db > 0.8


def test_search_does_not_depend_on_what_else_is_encoded():
    one, other = speechlike(0.2, 5), tone(700, 0.3)
    assert adpcm.search([one])[0] == adpcm.search([other, one])[1]


def test_search_survives_the_extremes():
    for x in (
        np.zeros(100),
        np.full(100, 32767),
        np.full(100, -32768),
        np.tile([32767, -32768], 50),
    ):
        x = x.astype(np.int16)
        data = adpcm.search([x])[0]
        assert np.array_equal(decoded_by_the_book(data, len(x)), adpcm.decode(data, len(x)))
