"""The form that sound has everywhere in the robot; simulator and host tools import it, too."""

RATE_HZ = 16000  # of the loudspeaker and the microphone: 16 bit, mono
HALF_RATE_HZ = RATE_HZ // 2  # what voice packs and recordings may have instead, to be smaller
SAMPLES_PER_MS = RATE_HZ // 1000
CHUNK_MS = 8  # what the mixer renders at a time
CHUNK_SAMPLES = CHUNK_MS * SAMPLES_PER_MS
CHUNK_BYTES = 2 * CHUNK_SAMPLES


def adpcm_bytes(n_samples: int) -> int:
    """Return how many bytes n samples of IMA ADPCM take: 4 bits each, whole bytes."""
    return (n_samples + 1) // 2


MDCT_FRAME_SAMPLES = 256  # of the speech codec, see docs/voice.md; always at RATE_HZ
MDCT_FRAME_BYTES_MOST = 256  # which its encoder sees to
