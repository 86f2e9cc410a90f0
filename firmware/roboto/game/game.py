"""The game itself: the two doors, the present state, and what the states have in common."""

from . import tuning
from .controls import ClosedMenu, Controls
from .idle import Idle
from .state import State
from .states import States
from .surprise import Surprises
from .utterance import Utterance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..shapes import Action, Catalogue, Event, GameSettings, Setting, StateName
    from .menu import Menu
    from .rng import Rng

_TOLD = {"no_room": "cancelled", "deaf": "silent"}  # a trace has no word for these


class Game:
    """`catalogue`: the voice pack. `settings`: fields as storage/settings.py has them.
    `languages`: packs at hand."""

    def __init__(
        self,
        catalogue: "Catalogue",
        settings: "GameSettings",
        rng: "Rng",
        languages: tuple[str, ...] = (),
    ) -> None:
        self.catalogue = catalogue
        self.settings = settings
        self.languages = languages
        self.surprises = Surprises(rng, catalogue)
        self.states = States(self)
        self.state: State = State(self)  # until start() says where it begins
        self.menu: ClosedMenu | Menu = ClosedMenu()  # until it is first opened
        self.asleep = False
        self.saved: dict | None = None
        self.players = 0
        self.nicknames: set[int] = set()
        self.has_rule = False
        self.victories = [0] * tuning.PLAYERS_MAX  # since switching on
        self.champion = -1  # who won the game before, if somebody said so
        self.twice = False  # and the one before that
        # (what, player) while a recording runs or is being judged
        self.capturing: tuple[str, int | None] | None = None
        self.speaking: Utterance | None = None
        self.last_said: Utterance | None = None
        self.now_ms = 0
        self.pressed_ms = 0  # when white was pressed, whose release is being answered
        # when ("tick",) is wanted if nothing happens before; None: never
        self.deadline_ms: int | None = None
        self._idle = Idle()
        self._controls = Controls(self)
        self._trouble: str | None = None
        self._actions: list[Action] = []

    # ---- the two doors

    def start(
        self, position: str, now_ms: int, saved: dict | None = None, ask: bool = True
    ) -> "list[Action]":
        """Power on, or the switch was moved: the state it points at.

        `saved`: a kept game, or None. It goes on if the players want it to, or at once without
        `ask`.
        """
        self.now_ms = now_ms
        self._idle.touch(now_ms)
        if position == "try-me":
            self.go("demo")
        elif saved and saved.get("players"):
            self.saved = saved
            if ask:
                self.go("resume")
            else:
                self.states["resume"].go_on()
        else:
            self.forget_all()
            self.go("names")
        return self._take_actions()

    def handle(self, event: "Event", now_ms: int) -> "list[Action]":
        """Answers one event with a list of actions."""
        self.now_ms = now_ms
        what = event[0]
        if self.asleep:
            pass
        elif what == "press":
            awake_only = self._idle.warned
            self._touch()
            self._controls.press(event[1], awake_only)
        elif what == "release":
            self._controls.release(event[1])
        elif what == "spoken":
            self._spoken()
        elif what == "full":
            if self.capturing:
                self.tone("limit")
                self.finish()
        elif what == "recorded":
            self._recorded(event[1], event[2])
        elif what == "catalogue":
            self._change_catalogue(event[1], event[2])
        elif what == "switch":
            self.drop_capture()
            self.hush()
            self.ask("restart", event[1])
            return self._take_actions()  # this game is over: nothing of it may come after
        elif what == "trouble":
            self._trouble = event[1]
        self._pass_time()
        return self._take_actions()

    # ---- time

    def _touch(self) -> None:
        self._idle.touch(self.now_ms)
        if self.menu.is_open:
            self.menu.touched()

    def _busy(self) -> bool:
        return self.speaking is not None or self.capturing is not None

    def _soonest_ms(self) -> int | None:
        if self.asleep:
            return None
        soonest = self._idle_deadline_ms()
        for ms in (self.state.deadline_ms, self.menu.deadline_ms, self._controls.menu_ms()):
            if ms is not None and (soonest is None or ms < soonest):
                soonest = ms
        return soonest

    def _idle_deadline_ms(self) -> int | None:
        if self._busy():
            return None
        return self._idle.deadline_ms(self.settings.sleep_s)

    def _pass_time(self) -> None:
        """Does what is due by now: the menu, the state's patience, the sleep warning, sleep."""
        now_ms = self.now_ms
        menu_ms = self._controls.menu_ms()
        if menu_ms is not None and now_ms >= menu_ms:
            self._controls.menu_due()
        if self.menu.deadline_ms is not None and now_ms >= self.menu.deadline_ms:
            self.menu.close()
        state = self.state
        if state.deadline_ms is not None and now_ms >= state.deadline_ms:
            state.deadline_ms = None
            state.tick()
        if self._trouble and not self._busy():
            phrase_id, self._trouble = self._trouble, None
            self.say(phrase_id)
        idle_ms = self._idle_deadline_ms()
        if idle_ms is not None and now_ms >= idle_ms:
            if not self._idle.warned:
                self._idle.warn(now_ms)
                self.tone("sleep_warning")
            else:
                self.asleep = True
                self.menu.close(over=False)
                self.ask("state", "asleep")
                self.ask("sleep")

    # ---- recording

    def listen(self, what: str, player: int | None, limit_ms: int) -> None:
        """Falls silent and records for at most limit_ms."""
        self.capturing = (what, player)
        self.hush()
        self.ask("listen", what, player, limit_ms)

    def _recorded(self, result: str, ms: int) -> None:
        if not self.capturing:
            return
        what, player = self.capturing
        self.capturing = None
        self._idle.touch(self.now_ms)
        self.ask("recorded", what, player, ms, _TOLD.get(result, result))
        self.state.recorded(result)

    def drop_capture(self) -> None:
        """Ends a recording and keeps nothing of it."""
        if self.capturing:
            self.ask("cancel")
            self._recorded("cancelled", 0)

    def finish(self) -> None:
        """Ends the recording that runs; what came of it is told by ("recorded", …)."""
        self.ask("finish")

    def keep(self, key: str, lasting: bool = True) -> None:
        self.ask("keep", key, lasting)

    # ---- speech

    def utterance(self, kind: str | None = None, command: str | None = None) -> Utterance:
        return Utterance(self.catalogue, kind, command)

    def add(self, utterance: Utterance, phrase_id: str, players: "Sequence[int]") -> Utterance:
        """Adds a phrase that names players, each by nickname where there is one."""
        return utterance.phrase(phrase_id, players, [self._clip(p) for p in players])

    def name(self, utterance: Utterance, player: int) -> Utterance:
        """Adds a player's name alone."""
        return utterance.name(player, self._clip(player))

    def _clip(self, player: int) -> str:
        return ("nickname/%d" if player in self.nicknames else "name/%d") % player

    def say(self, phrase_id: str, players: "Sequence[int]" = ()) -> None:
        self.speak(self.add(self.utterance(), phrase_id, players))

    def speak(self, utterance: Utterance) -> None:
        """Says it now, in place of what is being said."""
        self.hush()
        self._idle.touch(self.now_ms)
        self.speaking = self.last_said = utterance
        if utterance.commands:
            self.surprises.command_begins()
        self.ask("say", utterance)

    def hush(self) -> None:
        """Cuts what is being said."""
        if self.speaking is not None:
            self.ask("hush")
            self._spoken()

    def _spoken(self) -> None:
        utterance = self.speaking
        if utterance is None:
            return
        self.speaking = None
        self._idle.touch(self.now_ms)
        if utterance.commands:
            self.surprises.command_ends(self.now_ms)
        self.state.spoken(utterance)

    def tone(self, name: str) -> None:
        self.ask("tone", name)

    def not_now(self) -> None:
        self.tone("not_now")

    # ---- the course of a game

    def go(self, name: "StateName", quietly: bool = False) -> None:
        """Changes the state; quietly: without its opening words."""
        self.menu.close(over=False)
        self.hush()
        if not self.state.comes_again:
            self.states.leave(self.state.name)
        self.state = self.states[name]
        self.state.deadline_ms = None
        self.ask("ready", self.state.records)
        self.ask("state", self.state.phase)
        self.save()
        if not quietly:
            self.state.enter()

    def new_game(self) -> None:
        """Begin anew with the same players; nicknames and House Rule are dropped, and a new rule
        is asked for."""
        keys = [f"nickname/{player}" for player in sorted(self.nicknames)]
        if self.has_rule:
            keys.append("house_rule")
        if keys:
            self.ask("forget", keys)
        self.nicknames = set()
        self.has_rule = False
        self.surprises.new_game(self.players, self.settings.pace)
        self.go("house_rule")

    def drop_nickname(self, player: int) -> None:
        """Give the player the old name again: a nickname was refused."""
        self.nicknames.discard(player)
        self.ask("forget", [f"nickname/{player}"])
        self.save()

    def note_victory(self, player: int) -> None:
        """Have a player's victories saved, which have changed."""
        self.ask("victory", player, self.victories[player])
        self.save()

    def tell(self, event: str, **fields: "Setting") -> None:
        """Put an event of the game's own into the trace."""
        self.ask("tell", event, fields)

    def forget_all(self) -> None:
        self.players = 0
        self.victories = [0] * tuning.PLAYERS_MAX
        self.champion = -1
        self.nicknames = set()
        self.has_rule = False
        self.saved = None
        self.ask("forget", None)

    def save(self) -> None:
        """Save the game, which has changed, for keep_game and for a hung loop's restart.

        Never anything of the demo.
        """
        if self.players and self.state.saved:
            self.ask("save_game", self.snapshot())

    def save_bags(self) -> None:
        """Save which commands have been used: that outlives sleep and power-off."""
        self.ask("save_bags", self.surprises.unused())

    def snapshot(self) -> dict:
        """Return the kept game that this game makes as it stands: see kept.py."""
        return {
            "state": self.state.name,
            "players": self.players,
            "nicknames": sorted(self.nicknames),
            "has_rule": self.has_rule,
            "victories": self.victories[: self.players],
        }

    # ---- settings

    def change_setting(self, key: str, value: "Setting") -> None:
        self.settings.set(key, value)
        self.ask("setting", key, value)

    def _change_catalogue(self, catalogue: "Catalogue", language: str) -> None:
        self.settings.set("language", language)
        if catalogue is not self.catalogue:
            self.catalogue = catalogue
            self.surprises.change_catalogue(catalogue)
        if self.menu.is_open:
            self.menu.tell()

    # ---- actions

    def ask(self, *action: object) -> None:
        """Ask for one of the actions in __init__.py."""
        self._actions.append(action)

    def _take_actions(self) -> "list[Action]":
        self.deadline_ms = self._soonest_ms()
        actions = self._actions
        self._actions = []
        return actions
