"""What stands in for a voice pack when there is none: no commands, no phrases."""


class SilentPack:
    language = ""
    rate_hz = 16000

    def kinds(self, kind):
        return 0

    variants = kinds

    def phrase(self, phrase_id):
        raise KeyError(phrase_id)
