"""An utterance: what the robot says in one breath, as a list of parts."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..shapes import Catalogue, Part


class Utterance:
    """Parts are ("phrase", id, segment) or ("clip", key); `text` has the names as {0}, {1} …,
    which index `players`.

    `kind` and `command` are set when it is a surprise command, else None. `commands`: it is a
    command or the end of one (the call after a nickname or a veto), while which plate presses
    count for nothing.
    """

    def __init__(
        self, catalogue: "Catalogue", kind: str | None = None, command: str | None = None
    ) -> None:
        self._catalogue = catalogue
        self.kind = kind
        self.command = command
        self.commands = kind is not None
        self.act: str | None = None  # what the command does after it was said, see acts/
        self.race = False  # the robot waits for people to race
        self.parts: list[Part] = []
        self.text = ""
        self.players: list[int] = []

    def phrase(
        self, phrase_id: str, players: "Sequence[int]" = (), clips: "Sequence[str]" = ()
    ) -> "Utterance":
        """Adds a phrase with its names in place: `clips` are the keys of the clips of `players`.

        A phrase that the voice pack lacks stays in as one part, so that a tone is heard in its
        place.
        """
        try:
            phrase = self._catalogue.phrase(phrase_id)
            text, parts = phrase.text, phrase.parts
        except KeyError:
            text, parts = phrase_id, (0,)
        for part in parts:
            if part >= 0:
                self.parts.append(("phrase", phrase_id, part))
            elif -1 - part < len(clips):
                self.parts.append(("clip", clips[-1 - part]))
        first = len(self.players)
        if first:
            for slot in range(len(players) - 1, -1, -1):
                text = text.replace(f"{{{slot}}}", f"{{{first + slot}}}")
        self.players += players
        self._add_text(text)
        return self

    def clip(self, key: str, text: str) -> "Utterance":
        """Adds a recording that is not a name, such as the House Rule."""
        self.parts.append(("clip", key))
        self._add_text(text)
        return self

    def name(self, player: int, clip: str) -> "Utterance":
        """Add a name alone; clip: the key of its recording."""
        self.parts.append(("clip", clip))
        self._add_text("{%d}" % len(self.players))
        self.players.append(player)
        return self

    def _add_text(self, text: str) -> None:
        self.text = self.text + " " + text if self.text else text
