"""How much voice fits which board, and what a pack gives up to fit."""

from dataclasses import dataclass

from roboto.game import tuning

from . import catalogue
from .catalogue import Phrase

BLOCK_BYTES = 4096
FIRMWARE_BYTES = 32 * BLOCK_BYTES  # its modules in a bundle, and what finds them
UPDATE_BYTES = 32 * BLOCK_BYTES  # a new bundle beside the old one
SYSTEM_BYTES = 8 * BLOCK_BYTES  # settings, log, directories, a temporary file's last blocks
ADPCM_BITS = 4


def clips_bytes(rate_hz: int) -> int:
    """What the longest names, nicknames and House Rule take beside a voice of that rate: the
    robot records names at the rate of its voice, the rule always at 8 kHz."""
    name_bytes = _clip_bytes(tuning.NAME_LIMIT_MS, rate_hz)
    return 2 * tuning.PLAYERS_MAX * name_bytes + _clip_bytes(tuning.RULE_LIMIT_MS, 8000)


def _clip_bytes(ms: int, rate_hz: int) -> int:
    n_bytes = ms * rate_hz * ADPCM_BITS // 8000 + 32  # and its headers
    return -(-n_bytes // BLOCK_BYTES) * BLOCK_BYTES


@dataclass(frozen=True)
class Plan:
    """Where packs lie on a board."""

    name: str
    internal_bytes: int  # file system in the Pico's own flash
    external_bytes: int = 0  # file system in a flash chip added, for packs and recordings

    def pack_bytes(self, rate_hz: int) -> int:
        """What is left for packs of that rate when all recordings are as long as can be."""
        room = self.external_bytes or self.internal_bytes - FIRMWARE_BYTES - UPDATE_BYTES
        return room - SYSTEM_BYTES - clips_bytes(rate_hz)

    def seconds(self, rate_hz: int) -> float:
        return self.pack_bytes(rate_hz) * 8 / ADPCM_BITS / rate_hz


PLANS = {
    "pico": Plan("Pico as it comes, 2 MB", 1408 * 1024),
    "pico-4mb": Plan("Pico clone, 4 MB", 3456 * 1024),
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


def never_said_alone(phrases: dict[str, Phrase]) -> list[str]:
    """Return what a robot with one voice pack never says: the choice of a language. A pack that
    has to leave something out is alone on its board."""
    languages = {f"menu.value.{code}" for code in catalogue.languages()}
    return [id for id in phrases if id == "menu.language" or id in languages]


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
