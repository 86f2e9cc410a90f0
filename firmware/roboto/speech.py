"""One utterance at a time, from the game's word to its last sound at the loudspeaker.

The game hands over an Utterance: names of phrases and clips. Its parts are looked up one a step,
while a tone may still play; then the mixer speaks; and when the loudspeaker has fallen silent the
utterance is over.
"""

from .board.speaker import LATENCY_MS
from .sound.mixer import duration_ms
from .sound.tones import tone_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .board import Board
    from .game.utterance import Utterance
    from .recordings import Recordings
    from .shapes import Mixing, Note, Part
    from .sound.clip import Clip
    from .storage.pack import Pack, Phrase
    from .storage.settings import Settings
    from .storage.silent_pack import SilentPack

_AFTER_TONE_MS = 150  # the robot takes a breath between a tone and its words
# Speech waits so long, at most, for recordings to be saved: two long names' blocks of flash.
_SAVE_FIRST_MS = 800


class Speech:
    """`recordings`: where clips are looked up; `settings`: says whether names are squeaky;
    `tell(event, **fields)` and `fault(line)` hear what happens. `pack`, the voice, is to be set
    before the first say()."""

    pack: "Pack | SilentPack"

    def __init__(
        self,
        board: "Board",
        mixer: "Mixing",
        recordings: "Recordings",
        settings: "Settings",
        tell: "Callable[..., None]",
        fault: "Note",
    ) -> None:
        # the utterance to be said, while its parts are looked up
        self.waiting: Utterance | None = None
        self.parts: list[Clip | None] = []
        self.squeaky: list[bool] = []
        self._speaker = board.speaker
        self._lights = board.lights
        self._mixer = mixer
        self._recordings = recordings
        self._settings = settings
        self._tell = tell
        self._fault = fault
        self._phrase: Phrase | None = None
        self._say_ms = 0
        self._save_first_ms = 0
        self._uttering = False  # from the first sound of an utterance to its last
        # when that last sound will have left the loudspeaker
        self._over_ms: int | None = None
        self._tone_ends_ms = 0
        self._broken = 0

    def tone(self, name: str, now_ms: int) -> None:
        """Play a tone at once, mixed over whatever is being said."""
        self._mixer.tone(name)
        self._tone_ends_ms = max(self._tone_ends_ms, now_ms + tone_ms(name))
        self._tell("tone", tone=name)

    def say(self, utterance: "Utterance", now_ms: int) -> None:
        """Queue an utterance. It starts when its parts are found and the tone before it is
        over."""
        self.waiting = utterance
        self.parts = []
        self.squeaky = []
        self._phrase = None
        self._say_ms = now_ms
        self._save_first_ms = max(now_ms, self._tone_ends_ms) + _SAVE_FIRST_MS
        if self._tone_ends_ms > now_ms:
            self._say_ms = self._tone_ends_ms + _AFTER_TONE_MS

    def hush(self) -> None:
        """Cuts what is said, or drops what was to be said."""
        if self.waiting is not None:
            self.waiting = None
            return
        self._mixer.cut()
        self._end(cut=True)

    def drop(self) -> bool:
        """Forget what is said, or was to be said, after something in it raised. Return whether
        there was anything."""
        spoke = self._uttering
        waited = self.waiting is not None
        self.waiting = None
        self._mixer.drop()
        if spoke:
            self._end(cut=True)
        return spoke or waited

    def prepare(self, now_ms: int) -> bool:
        """Looks up one part, since a part's first use reads it through. True when all are found
        and it is time to begin()."""
        waiting = self.waiting
        if waiting is None:
            return False
        wanted = waiting.parts
        number = len(self.parts)
        if number == len(wanted):
            return now_ms >= self._say_ms and not self.saves_first(now_ms)
        part = wanted[number]
        clip = None
        try:
            clip = self._find(part)
        except (KeyError, IndexError):
            self._fault("missing " + _describe(part))
        except Exception as error:
            self._fault(f"broken {_describe(part)}: {error}")
        self.parts.append(clip)
        raised = part[0] == "clip" and part[1] != "house_rule"
        self.squeaky.append(raised and self._settings.names_voice == "squeaky")
        return False

    def begin(self) -> None:
        """Speaks what prepare() has found."""
        utterance = self.waiting
        if utterance is None:
            return
        self.waiting = None
        self._mixer.say(self.parts, self.squeaky)
        self._broken += self.parts.count(None)  # those are known by now
        self._uttering = True
        self._over_ms = None
        self._tell_say(utterance)

    def saves_first(self, now_ms: int) -> bool:
        """Return whether speech waits a moment for a recording to be saved.

        So the next one finds room in the buffer at once, and what is said back is kept by then.
        """
        return now_ms < self._save_first_ms and self._recordings.pressing()

    def step(self, now_ms: int) -> bool:
        """Feeds the loudspeaker. True when an utterance has just been heard to its end."""
        mixer = self._mixer
        self._speaker.step(mixer)
        self._lights.talk(mixer.level)
        if mixer.broken > self._broken:
            self._broken = mixer.broken
            self._fault("a clip could not be read while it was played")
        if mixer.talking or not self._uttering:
            return False
        if self._over_ms is None:
            self._over_ms = now_ms + LATENCY_MS
        if now_ms < self._over_ms and self._speaker.is_open:  # it closes when all was heard
            return False
        self._end(cut=False)
        return True

    def _end(self, cut: bool) -> None:
        self._uttering = False
        self._broken = self._mixer.broken
        self._tell("quiet", cut=cut)

    def _find(self, part: "Part") -> "Clip":
        """The Clip of a part of an utterance. Raises KeyError, IndexError, Broken, OSError."""
        if part[0] == "clip":
            return self._recordings.load(part[1])
        phrase_id, segment = part[1:]
        if self._phrase is None or self._phrase.id != phrase_id:
            self._phrase = self.pack.phrase(phrase_id)
        return self._phrase.clip(segment)

    def _tell_say(self, utterance: "Utterance") -> None:
        ms = 0
        told = []
        for part, clip, squeaky in zip(utterance.parts, self.parts, self.squeaky):
            part_ms = duration_ms(clip, squeaky)
            ms += part_ms
            if part[0] == "clip":
                told.append({"clip": part[1], "ms": part_ms})
            else:
                told.append({"phrase": part[1], "segment": part[2], "ms": part_ms})
        self._tell(
            "say",
            parts=told,
            text=utterance.text,
            kind=utterance.kind,
            players=utterance.players,
            ms=ms,
            command=utterance.command,
            race=utterance.race,
            act=utterance.act,
        )
        for clip in self.parts:
            if clip is None:
                self._tell("tone", tone="missing")


def _describe(part: "Part") -> str:
    return "clip " + part[1] if part[0] == "clip" else "phrase " + part[1]
