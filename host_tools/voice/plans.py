"""How much voice fits which board, and what a pack gives up to fit."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from roboto.game import tuning

from . import catalogue
from .catalogue import COMMANDS, Phrase
from .commands import Commands

BLOCK_BYTES = 4096
FIRMWARE_BYTES = 40 * BLOCK_BYTES  # its modules in a bundle, and what finds them
UPDATE_BYTES = 40 * BLOCK_BYTES  # a new bundle beside the old one
SYSTEM_BYTES = 8 * BLOCK_BYTES  # settings, log, directories, a temporary file's last blocks
ADPCM_BITS = 4


def clips_bytes(names_hz: int) -> int:
    """Return what the longest names, nicknames and House Rule take, names recorded at that rate:
    a voice pack says at which; the rule always has 8 kHz."""
    name_bytes = _clip_bytes(tuning.NAME_LIMIT_MS, names_hz)
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

    def pack_bytes(self, names_hz: int) -> int:
        """Return what is left for packs when all recordings are as long as can be, names at that
        rate."""
        room = self.external_bytes or self.internal_bytes - FIRMWARE_BYTES - UPDATE_BYTES
        return room - SYSTEM_BYTES - clips_bytes(names_hz)


PLANS = {
    "pico": Plan("Pico as it comes, 2 MB", 1408 * 1024),
    "pico-4mb": Plan("Pico clone, 4 MB", 3456 * 1024),
    "pico-16mb": Plan("Pico clone, 16 MB", 15744 * 1024),
    "w25q128": Plan("Pico and a W25Q128, 16 MB", 1408 * 1024, 16384 * 1024),
}


@dataclass(frozen=True)
class Diet:
    """One way to make a pack smaller."""

    codec: str
    rate_hz: int
    names_hz: int  # of the names that the robot records beside it
    whole: bool  # all phrases, or as few as a game needs

    @property
    def sparing(self) -> bool:
        """Return whether names have less than the voice."""
        return self.names_hz < self.rate_hz

    def told(self) -> str:
        """Return what the voice is like, in words."""
        voice = f"{self.codec}, {self.rate_hz // 1000} kHz"
        return voice + (f", names at {self.names_hz // 1000} kHz" if self.sparing else "")


_KIND_LEAST = 1  # command of a kind in the smallest pack
_TWINS = "demo.sample_you."

# From the best to the smallest.
DIETS = (
    Diet("adpcm", 16000, 16000, True),
    Diet("mdct", 16000, 16000, True),
    Diet("mdct-dense", 16000, 16000, True),
    Diet("mdct-dense", 16000, 8000, True),
    Diet("mdct-dense", 16000, 8000, False),
    Diet("adpcm", 8000, 8000, True),
    Diet("adpcm", 8000, 8000, False),
)


def diets(codec: str, rate_hz: int) -> list[Diet]:
    """Return the diets of a pack from the one that was asked for on; of 8 kHz only where that
    was asked for, since what is denser is also clearer."""
    rates = [diet for diet in DIETS if diet.rate_hz == rate_hz]
    return rates[[diet.codec for diet in rates].index(codec) :]


def unheard(phrases: dict[str, Phrase], lang: str, alone: bool) -> list[str]:
    """Return what a robot never says, or says in the demonstration alone.

    The menu names the language it speaks, and none where `alone`, the pack has no other beside it.
    Of the demonstration's variants, the sentences for somebody whose name it has not heard, one is
    enough.
    """
    names = [
        id
        for id in phrases
        if catalogue.names_another_language(id, lang)
        or (alone and id in ("menu.language", f"menu.value.{lang}"))
    ]
    return names + [id for id in phrases if id.startswith(_TWINS) and not id.endswith(".1")]


def spare(phrases: dict[str, Phrase], commands: Commands) -> list[str]:
    """Return what a pack can leave out, in the order in which it goes: remarks; the games of
    `keep_games` from its back, each with its name first, so that no menu offers half of one; then
    `keep` from its back.

    Of commands there stay COMMANDS_AT_LEAST in all, and of each kind as many as
    catalogue.COMMANDS says; where that is too much, one of each mechanic; and at last one of each
    kind, and what `keep` does not name.
    """
    order = [id for id in reversed(commands.keep) if id in phrases]
    left = [phrase.id for phrase in phrases.values() if phrase.kind]
    kinds = Counter(phrases[id].kind for id in left)
    mechanics = Counter(commands.mechanic(id) for id in left)

    def of_many(id: str) -> bool:
        kind = phrases[id].kind
        return kinds.total() > catalogue.COMMANDS_AT_LEAST and (
            kinds[kind] > catalogue.COMMANDS[kind][1]
        )

    def not_alone(id: str) -> bool:
        return mechanics[commands.mechanic(id)] > 1

    def not_last(id: str) -> bool:
        return kinds[phrases[id].kind] > _KIND_LEAST

    gone = [id for id in catalogue.REMARKS if id in phrases]
    for game in reversed(commands.keep_games):
        gone += sorted(
            (id for id in phrases if catalogue.game_of(id) == game),
            key=lambda id: not id.startswith("menu."),
        )
    gone += [id for id in ("menu.game", "menu.value.roboto") if id in phrases]
    for may_go in (lambda id: of_many(id) and not_alone(id), not_alone, not_last):
        for id in order:
            is_command = bool(phrases[id].kind)
            if id in gone or (is_command and not may_go(id)):
                continue
            gone.append(id)
            if is_command:
                gone += _of_act(commands, id, [i for i in phrases if i not in gone])
                kinds[phrases[id].kind] -= 1
                mechanics[commands.mechanic(id)] -= 1
    return gone


def _of_act(commands: Commands, id: str, left: list[str]) -> list[str]:
    """Return the phrases of a command's act that nothing says any more; left: what is there."""
    mine = catalogue.OF_ACTS.get(commands.traits(id).act, {})
    acts = {commands.traits(other).act for other in left if other.partition(".")[0] in COMMANDS}
    needed = {phrase for act in acts for phrase in catalogue.OF_ACTS.get(act, {})}
    return [phrase for phrase in mine if phrase in left and phrase not in needed]


def left_out(
    phrases: dict[str, Phrase],
    n_bytes: Callable[[dict[str, Phrase]], int],
    limit: int,
    free: list[str],
    dear: list[str],
) -> list[str]:
    """Return what has to go so that a pack has at most `limit` bytes: the least that will do.

    n_bytes: the size of a pack of these phrases. free: what nobody misses, which goes at once;
    dear: what goes one by one after it. All of both where even that is not enough.
    """
    gone: list[str] = []
    for more in ([], free, *([id] for id in dear)):
        gone += more
        if n_bytes({id: p for id, p in phrases.items() if id not in gone}) <= limit:
            break
    return gone
