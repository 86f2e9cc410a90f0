"""How much voice fits which board, and what a pack gives up to fit."""

from dataclasses import dataclass

from . import catalogue
from .catalogue import Phrase

BLOCK_BYTES = 4096
FIRMWARE_BYTES = 96 * 1024  # the firmware's files as .mpy, with room to grow
SYSTEM_BYTES = 8 * BLOCK_BYTES  # settings, log, directories, a temporary file's last blocks
NAME_BYTES = 6 * BLOCK_BYTES  # 3 s at 16 kHz: 24000 bytes and a header
HOUSE_RULE_BYTES = 10 * BLOCK_BYTES  # 10 s at 8 kHz: 40000 bytes and a header
PLAYERS = 10
CLIPS_BYTES = 2 * PLAYERS * NAME_BYTES + HOUSE_RULE_BYTES  # names, nicknames, the House Rule
ADPCM_BITS = 4


@dataclass(frozen=True)
class Plan:
    """Where packs lie on a board."""

    name: str
    internal_bytes: int  # file system in the Pico's own flash
    external_bytes: int = 0  # file system in a flash chip added, for packs alone

    @property
    def pack_bytes(self) -> int:
        """What is left for packs when everybody has said the longest name and nickname."""
        if self.external_bytes:
            return self.external_bytes - SYSTEM_BYTES
        return self.internal_bytes - FIRMWARE_BYTES - SYSTEM_BYTES - CLIPS_BYTES

    def seconds(self, rate_hz: int) -> float:
        return self.pack_bytes * 8 / ADPCM_BITS / rate_hz


PLANS = {
    "pico": Plan("Pico as it comes, 2 MB", 1408 * 1024),
    "pico-4mb": Plan("Pico 2 or clone, 4 MB", 3456 * 1024),
    "pico-16mb": Plan("Pico clone, 16 MB", 15744 * 1024),
    "w25q128": Plan("Pico and a W25Q128, 16 MB", 1408 * 1024, 16384 * 1024),
}


@dataclass(frozen=True)
class Diet:
    """One way to make a pack smaller."""

    rate_hz: int
    speed: float  # factor on the preset's own
    whole: bool  # all commands, or as few as a game needs

    def told(self) -> str:
        """What it costs, in words."""
        words = [f"{self.rate_hz // 1000} kHz"]
        if self.rate_hz == 8000:
            words.append("duller, half the bytes of 16 kHz")
        if self.speed != 1:
            words.append(f"spoken {round(100 * self.speed - 100)} % faster")
        return ", ".join(words)


# From the best to the smallest.
DIETS = (
    Diet(16000, 1.0, True),
    Diet(8000, 1.0, True),
    Diet(8000, 1.0, False),
    Diet(8000, 1.15, False),
    Diet(8000, 1.3, False),  # the Italian voice takes its time
)


def spare(phrases: dict[str, Phrase], n_bytes: dict[str, int]) -> list[str]:
    """Commands of ours that a game can do without, those first that save most.

    n_bytes: what each phrase takes. What a game needs stays: COMMANDS_AT_LEAST in all,
    and of each kind as many as catalogue.COMMANDS says.
    """
    left = {kind: sum(p.kind == kind for p in phrases.values()) for kind in catalogue.COMMANDS}
    spared = []
    for id in sorted(phrases, key=lambda id: (-n_bytes[id], id)):
        phrase = phrases[id]
        if not phrase.kind or phrase.mark == "original" or phrase.prefix:
            continue
        if sum(left.values()) <= catalogue.COMMANDS_AT_LEAST:
            break
        if left[phrase.kind] > catalogue.COMMANDS[phrase.kind][1]:
            left[phrase.kind] -= 1
            spared.append(id)
    return spared
