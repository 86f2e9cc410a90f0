"""What stands in for a voice pack when there is none: no commands, no phrases."""

from ..sound.format import RATE_HZ


class SilentPack:
    language = ""
    rate_hz = RATE_HZ

    def kinds(self, kind):
        return 0

    variants = kinds

    def phrase(self, phrase_id):
        raise KeyError(phrase_id)
