"""What stands in for a voice pack when there is none: no commands, no phrases."""

from ..sound.format import RATE_HZ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .pack import Phrase


class SilentPack:
    language = ""
    names_hz = RATE_HZ

    def kinds(self, kind: str) -> int:
        return 0

    variants = kinds
    stamp = ""

    def unfit(self, players: int, gentle: bool, acts: "Sequence[str]" = ()) -> "set[int]":
        return set()

    def fitting(self, kind: str, unfit: "set[int]") -> "list[int]":
        return []

    def command(self, kind: str, i: int) -> str:
        raise IndexError(kind)

    def trait(self, name: str, kind: str, i: int) -> "bool | None":
        return None

    def phrase(self, phrase_id: str) -> "Phrase":
        raise KeyError(phrase_id)
