"""What stands in for a voice pack when there is none: no commands, no phrases."""


class SilentPack:
    language = ""

    def kinds(self, kind):
        return 0

    variants = kinds

    def phrase(self, phrase_id):
        raise KeyError(phrase_id)
