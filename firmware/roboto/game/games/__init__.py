"""Games that the same cards can be played by: a module each, loaded when it is chosen and unloaded
after. White is their lever; SPEC.md section 8 says what is heard and what it means.

Which there are is in kinds.py; which of them a voice can say, the voice pack knows: its group
"+games" has their names, as the menu says them.
"""

from ..kinds import GAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shapes import Catalogue
    from ..play import Play
    from ..utterance import Utterance

RARER = 2  # surprises wait for so many times as many presses as in Roboto's own game
_NAME = "menu.value."  # and the game's: what the menu calls it


class Rules:
    """One of these games while it is played: Play asks it, and it acts through `self.game`.

    `name`: as the setting has it; `tones`: sounds of its own, as sound/tones.py has them.
    """

    name = ""
    tones: dict = {}
    attention = "attention"  # what a surprise command begins with, as variants
    has_house_rule = True  # whether one is asked for

    def __init__(self, play: "Play") -> None:
        self.play = play
        self.game = play.game
        self.explained = False  # its rules were said since it was chosen

    def explain(self, utterance: "Utterance") -> "Utterance":
        """Add the rules in a sentence, the first time since the game was chosen."""
        if not self.explained:
            self.explained = True
            utterance.phrase(self.name + ".rules")
        return utterance

    def begins(self, utterance: "Utterance") -> bool:
        """Begin a game. Return whether a player was called here, and with it was said what the
        utterance has so far."""
        return False

    def goes_on(self, utterance: "Utterance") -> bool:
        """Go on with a game after a veto, or where it was kept. Return as begins() does."""
        return False

    def lever(self) -> None:
        """White was pressed, and there is nothing to take back."""

    def tray(self) -> bool:
        """Take a press of the tray. Return whether it is for this game, and counts no card."""
        return False

    def card(self) -> None:
        """Answer a tray press that has counted, with no command due."""

    def draw(self, tone: str, group: str) -> None:
        """Let the tone sound, and say the next phrase of a group: as a command is drawn, all of
        them before any again, over sleep and power-off, too."""
        phrase_id = self.game.surprises.outcome(group)
        self.game.save_bags()
        self.tell(tone, phrase_id[phrase_id.find(".") + 1 :], [phrase_id])

    def tell(self, tone: str, outcome: str, phrase_ids: "list[str]") -> None:
        """Let the tone sound, and then say what came of it. It is said like a command: tray
        presses meanwhile count for nothing, and it comes again when the menu cuts it."""
        game = self.game
        game.tell("outcome", game=self.name, outcome=outcome)
        utterance = game.utterance()
        utterance.commands = True
        for phrase_id in phrase_ids:
            utterance.phrase(phrase_id)
        game.hush()
        game.tone(tone)
        game.speak(utterance)


def offered(catalogue: "Catalogue") -> "tuple[str, ...]":
    """Return the games that a voice can say, in the menu's order."""
    group = "+games"
    said = [catalogue.command(group, i) for i in range(catalogue.kinds(group))]
    return tuple([name for name in GAMES if name == GAMES[0] or _NAME + name in said])


def choose(play: "Play", name: str, before: "Rules | None") -> "Rules | None":
    """Put the game before away and return the rules of the one of that name; None: Roboto as ever,
    which is played as well where the voice lacks the other."""
    game = play.game
    rules = None
    if name in offered(game.catalogue)[1:]:
        rules = _class_of(name)(play)
        game.ask("tones", rules.tones)
    if before is not None and (rules is None or rules.name != before.name):
        game.ask("unload", "games." + before.name)
    if rules is None:
        game.ask("unload", "games")
    game.surprises.come_rarer(1 if rules is None else RARER)
    return rules


def _class_of(name: str) -> "type[Rules]":
    if name == "launcher":
        from .launcher import Launcher as found
    elif name == "wheel":
        from .wheel import Wheel as found
    elif name == "jackpot":
        from .jackpot import Jackpot as found
    elif name == "dare":
        from .dare import Dare as found
    elif name == "flip":
        from .flip import Flip as found
    elif name == "dice":
        from .dice import Dice as found
    else:
        raise KeyError(name)
    return found
