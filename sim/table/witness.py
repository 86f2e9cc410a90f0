"""What people at a table see and hear of the robot, and what of it is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from roboto.game import tuning
from roboto.game.kinds import names_in

from ..robot import Robot
from ..trace import Event


class Stuck(Exception):
    """The robot did not do what it has to; the message says what was waited for."""


@dataclass
class Seen:
    """What of a game is counted on the robot's side."""

    presses: int = 0
    lost_presses: int = 0
    interruptions: int = 0
    cards_moved: int = 0
    unknown_effects: int = 0
    sleeps: int = 0
    sleep_warnings: int = 0
    vetoes: int = 0
    races: int = 0
    races_forgotten: int = 0  # nobody said that they were over
    races_cut: int = 0  # somebody said so too soon
    refused: int = 0  # nicknames
    named_winner: int = 0  # whether the robot was told
    early: int = 0  # surprises that came before SPEC.md allows one
    silence_ms: int = 0  # the longest, in play
    talk_ms: int = 0  # all that the robot talked, in play
    beep_ms: int = 0  # the slowest beep after a press of the tray
    light_ms: int = 0  # the slowest light after a press of red
    won_on_command: bool = False
    winner: int | None = None  # the person, by the order of the names
    kinds: dict[str, int] = field(default_factory=dict)
    acts: dict[str, int] = field(
        default_factory=dict
    )  # commands that went on after they were said
    pulled: dict[str, int] = field(default_factory=dict)  # what came of white, by game and outcome
    ordered: list[int] = field(default_factory=list)  # how often named in commands, by person
    named: list[int] = field(default_factory=list)  # and how often in all that was said
    faults: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # what SPEC.md says otherwise
    began_ms: int = 0
    ended_ms: int = 0


class Witness:
    """Watches the trace of one robot.

    gap_min: the fewest presses that SPEC.md allows between two surprises; `line(text)`: takes what
    happens, for a log. Attributes that may be set: `warned()` is called when the robot warns of
    sleep, `fell_silent()` when it has said something.
    """

    def __init__(
        self,
        robot: Robot,
        n_players: int,
        gap_min: int,
        line: Callable[[str], None],
    ) -> None:
        self.seen = Seen()  # of the present game
        self.state = "off"
        self.talking = False
        self.says = 0  # utterances so far
        self.last_say: Event | None = None
        self.calls = 0  # utterances so far that call somebody to begin or to go on
        self.acted: Event | None = None  # what came of the last command's act
        self.victory: tuple[int, int] | None = None  # the last that was noted: whose, which one
        self.sound_ends_ms = 0  # of the last tone or utterance
        self.tones: dict[str, int] = {}  # how often each was heard
        self.volumes = 0  # how often it was changed
        self.recorded: Event | None = None
        self.lit = False  # the record LED has been, since somebody last looked
        self.slept = False  # and nobody has noticed yet
        self.warned: Callable[[], None] = lambda: None
        self.fell_silent: Callable[[], None] = lambda: None
        # What the table says of itself.
        self.attentive = False  # it waits for something to be seen or heard
        self.in_play = False
        self.repeating = False  # it has asked for a repeat
        self._robot = robot
        self._n_players = n_players
        self._gap_min = gap_min
        self._line = line
        self._talk_began_ms = 0
        self._plate_ms = 0  # the last press of the tray
        self._counted = 0  # presses of the tray since the last surprise
        self._last_call: Event | None = None
        self._commanding = False  # a command is given, or not over yet
        self._ends_command = False  # what is being said ends it
        self._warned = False  # of sleep, and nothing has happened since
        self._nth = 0  # surprises since the robot began a game
        self._rule_due = False  # a House Rule was recorded and has not come yet
        self._command_began_ms = 0
        self.command_end_ms = -(10**9)
        self._command_before_ms = -(10**9)  # the end of the one before the last
        robot.trace.watchers.append(self._see)

    def leave(self) -> None:
        """See no more: others have the robot now."""
        self._robot.trace.watchers.remove(self._see)

    def plate_pressed(self) -> None:
        """Note that the tray is pressed."""
        self._plate_ms = self._robot.now_ms
        if (
            not self._commanding
            and not self._warned
            and self._plate_ms >= self.command_end_ms + tuning.DEAF_AFTER_COMMAND_MS
        ):
            self._counted += 1  # it brings the next surprise nearer

    def last_kind(self) -> str:
        """Return the kind of the command given last; "" if what was said last was none."""
        return (self.last_say or {}).get("kind") or ""

    def said(self) -> list[int]:
        """Return whom the last utterance names."""
        return (self.last_say or {}).get("players", [])

    @staticmethod
    def has_call(say: Event) -> bool:
        """Return whether an utterance calls somebody to begin or to go on."""
        phrases = [part.get("phrase", "") for part in say["parts"]]
        return any(phrase.startswith(("first.", "go_on.")) for phrase in phrases)

    def called(self) -> int:
        """Return the player who was called last: the last name of that utterance."""
        say = self._last_call
        if not say or not say["players"]:
            raise Stuck("nobody was called to go on")
        return say["players"][-1]

    def note_surprise(self, say: Event, kind: str) -> None:
        """Note that a command was given to the table."""
        self.seen.interruptions += 1
        self.seen.kinds[kind] = self.seen.kinds.get(kind, 0) + 1
        for person in named_in(say, kind):
            self.seen.ordered[person] += 1
        self._nth += 1
        if kind == "house_rule" and self._rule_due:
            self._rule_due = False
            if not tuning.RULE_FIRST_MIN <= self._nth <= tuning.RULE_FIRST_MAX:
                line = f"the recorded House Rule came as surprise {self._nth}"
                self.seen.wrong.append(line)
        elif self._rule_due and self._nth == tuning.RULE_FIRST_MAX:
            self.seen.wrong.append("the recorded House Rule did not come")
        rested_ms = self._command_began_ms - self._command_before_ms
        if self._counted < self._gap_min or rested_ms < tuning.REST_AFTER_COMMAND_MS:
            self.seen.early += 1
        self._counted = 0

    def play_begins(self) -> None:
        """Note that cards are dealt, or taken up again."""
        self.in_play = True
        self._counted = 0
        self.sound_ends_ms = self._robot.now_ms

    def _see(self, event: Event) -> None:  # noqa: C901 - a case an event
        what, t = event["event"], event["t"]
        if self.attentive:
            self._robot.pause()
        if what in ("press", "say", "record"):
            self._warned = False
        if what == "say":
            self._hear(t)
            self.talking = True
            self._talk_began_ms = t
            self.says += 1
            if not self.repeating:
                self.last_say = event
                if self.state in ("house_rule", "play", "nickname"):
                    for person in event["players"]:
                        self.seen.named[person] += 1
            if self.has_call(event):
                self.calls += not self.repeating
                self._last_call = event
            if event["kind"]:
                self._commanding = True
                self.acted = None
                if not self.repeating:
                    self._command_began_ms = t
            self._ends_command = self._commanding and self.has_call(event)
            kind = f" ({event['kind']})" if event["kind"] else ""
            words = event["text"].format(*(f"person {p}" for p in event["players"]))
            self._line(f"the robot{kind}: {words}")
        elif what == "quiet":
            self.talking = False
            self.sound_ends_ms = t
            self.fell_silent()
            if self.in_play:
                self.seen.talk_ms += t - self._talk_began_ms
            if self._ends_command:
                self._command_before_ms = self.command_end_ms
                self.command_end_ms = t
                self._commanding = self._ends_command = False
        elif what == "tone":
            self._hear(t)
            tone = event["tone"]
            if tone == "plate":
                self.seen.beep_ms = max(self.seen.beep_ms, t - self._plate_ms)
            self.tones[tone] = self.tones.get(tone, 0) + 1
            self.sound_ends_ms = max(self.sound_ends_ms, t + self._robot.tone_ms(tone))
            if tone == "sleep_warning":
                self._warned = True
                self.seen.sleep_warnings += 1
                self.warned()
        elif what == "led" and event["led"] == "record" and event["on"]:
            self.lit = True
        elif what == "record":
            self.recorded = event
            if event["what"] == "house_rule" and event["result"] == "stored":
                self._rule_due = True
        elif what == "act":
            self.acted = event
        elif what == "victory":
            self.victory = event["player"], event["victories"]
        elif what == "state":
            self.state = event["state"]
            if self.state == "asleep":
                self.seen.sleeps += 1
                self.slept = True
                self.talking = self._commanding = False
                self._line("the robot sleeps")
            if self.state == "house_rule":
                self._rule_due = False
                self._nth = 0
                if self.seen.ended_ms:
                    self.seen = Seen()
                self.seen.ordered = [0] * self._n_players  # the robot counts anew here
                self.seen.named = [0] * self._n_players
        elif what == "volume":
            self.volumes += 1
        elif what == "fault":
            self.seen.faults.append(event["what"])

    def _hear(self, t: int) -> None:
        if self.in_play and not self.talking:
            self.seen.silence_ms = max(self.seen.silence_ms, t - self.sound_ends_ms)


def named_in(say: Event, kind: str) -> list[int]:
    """Return whom a command concerns: the first names in it."""
    return say["players"][: names_in(kind)]
