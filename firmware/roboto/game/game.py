"""The game as a pure machine: events in, actions out. No clock, no files, no sound in here.

Events are tuples:

    ("press", control)            a debounced contact: record replay volume win mode plate
    ("release", control)
    ("switch", position)          the slide switch was moved to "on" or "try-me"
    ("full",)                     a recording has reached its limit
    ("recorded", result, ms)      it was judged: "stored", "too_short", "silent"; its kept length
    ("spoken",)                   the utterance was said to its end (not when the game cut it)
    ("trouble", phrase id)        something failed; the players hear of it as soon as it is quiet
    ("catalogue", pack, language) answers a change of language; the old pack if that failed
    ("tick",)                     deadline_ms has come

Actions are tuples:

    ("state", name)
    ("say", Utterance)            ("hush",) cuts it
    ("tone", name)
    ("listen", what, player, limit_ms)   a recording begins; ("finish",) ends, ("cancel",) drops it
    ("recorded", what, player, ms, result)
    ("keep", key, lasting)        the last recording gets this key; lasting: it is saved to flash
    ("forget", keys)              these clips are deleted; None: all of them
    ("ready", flag)               whether the microphone is to be kept warm
    ("setting", key, value)       a setting changes at once and is saved
    ("save_game", dict)
    ("sleep",)   ("restart", position)
"""

from . import kept, tuning
from .demo import Demo
from .house_rule import HouseRule
from .idle import Idle
from .menu import Menu
from .names import Names
from .nickname import Nickname
from .play import Play
from .resume import Resume
from .surprise import Surprises
from .utterance import Utterance
from .won import Won


class Game:
    """`catalogue`: the voice pack. `settings`: fields as storage/settings.py has them.
    `languages`: packs at hand."""

    def __init__(self, catalogue, settings, rng, languages=()):
        self.catalogue = catalogue
        self.settings = settings
        self.languages = languages
        self.surprises = Surprises(rng, catalogue)
        self.states = {
            "names": Names(self),
            "house_rule": HouseRule(self),
            "play": Play(self),
            "nickname": Nickname(self),
            "won": Won(self),
            "demo": Demo(self),
            "resume": Resume(self),
        }
        self.menu = Menu(self)
        self.state = None
        self.asleep = False
        self.saved = None
        self.players = 0
        self.nicknames = set()
        self.has_rule = False
        self.capturing = None  # (what, player) while a recording runs or is being judged
        self.speaking = None
        self.last_said = None
        self.now_ms = 0
        self.deadline_ms = None  # when ("tick",) is wanted if nothing happens before; None: never
        self._idle = Idle()
        self._mode_since_ms = None
        self._trouble = None
        self._actions = []

    # ---- the two doors

    def start(self, position, now_ms, saved=None, ask=True):
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

    def handle(self, event, now_ms):
        """Answers one event with a list of actions."""
        self.now_ms = now_ms
        what = event[0]
        if self.asleep:
            pass
        elif what == "press":
            self._touch()
            self._press(event[1])
        elif what == "release":
            self._release(event[1])
        elif what == "spoken":
            self._spoken()
        elif what == "full":
            if self.capturing:
                self.tone("limit")
                self._act("finish")
        elif what == "recorded":
            self._recorded(event[1], event[2])
        elif what == "catalogue":
            self._change_catalogue(event[1], event[2])
        elif what == "switch":
            self._drop_capture()
            self.hush()
            self._act("restart", event[1])
            return self._take_actions()  # this game is over: nothing of it may come after
        elif what == "trouble":
            self._trouble = event[1]
        self._pass_time()
        return self._take_actions()

    # ---- controls

    def _press(self, control):
        if control == "mode":
            self._mode_since_ms = self.now_ms
        elif control == "volume":
            self.change_setting("volume", self.settings.after("volume"))
            self.tone("volume")
            if not self.capturing and not self.menu.is_open:
                self.state.volume()
        elif self.capturing:
            # Whoever records is left in peace; but nobody has to wait for a recording to win.
            if control == "win" and self.state.may_leave_recording:
                self._drop_capture()
                self.state.win()
        elif control == "replay":
            self._replay()
        elif control == "record":
            if self.menu.is_open:
                self.menu.change()
                self.menu.touched()
            else:
                self.state.red()
        else:
            if self.menu.is_open:
                self.menu.close()
                self.hush()
            if control == "plate":
                self.state.plate()
            else:
                self.state.win()

    def _release(self, control):
        if control == "record":
            if self.capturing:
                self._act("finish")
        elif control == "mode" and self._mode_since_ms is not None:
            self._mode_since_ms = None
            if self.menu.is_open:
                self.menu.next()
                self.menu.touched()
            elif self.capturing:
                if self.state.may_leave_recording:
                    self._drop_capture()
                    self.state.veto()
            else:
                self.state.veto()

    def _replay(self):
        if not self.menu.is_open and self.state.replay():
            return
        if self.last_said is None:
            self.not_now()
        else:
            self.speak(self.last_said)

    # ---- time

    def _touch(self):
        self._idle.touch(self.now_ms)
        if self.menu.is_open:
            self.menu.touched()

    def _busy(self):
        return self.speaking is not None or self.capturing is not None

    def _soonest_ms(self):
        if self.asleep or self.state is None:
            return None
        soonest = self._idle_deadline_ms()
        for ms in (self.state.deadline_ms, self.menu.deadline_ms, self._menu_opens_ms()):
            if ms is not None and (soonest is None or ms < soonest):
                soonest = ms
        return soonest

    def _idle_deadline_ms(self):
        if self._busy():
            return None
        return self._idle.deadline_ms(self.settings.sleep_s)

    def _menu_opens_ms(self):
        if self._mode_since_ms is None or self.capturing:
            return None
        return self._mode_since_ms + tuning.MENU_HOLD_MS

    def _pass_time(self):
        """Does what is due by now: the menu, the state's patience, the sleep warning, sleep."""
        now_ms = self.now_ms
        opens_ms = self._menu_opens_ms()
        if opens_ms is not None and now_ms >= opens_ms:
            self._mode_since_ms = None
            if self.menu.is_open:
                self.menu.close(aloud=True)
            else:
                self.menu.open()
                self.menu.touched()
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
                self.menu.close()
                self._act("state", "asleep")
                self._act("sleep")

    # ---- recording

    def listen(self, what, player, limit_ms):
        """Falls silent and records for at most limit_ms."""
        self.capturing = (what, player)
        self.hush()
        self._act("listen", what, player, limit_ms)

    def _recorded(self, result, ms):
        if not self.capturing:
            return
        what, player = self.capturing
        self.capturing = None
        self._idle.touch(self.now_ms)
        self._act("recorded", what, player, ms, result)
        self.state.recorded(result)

    def _drop_capture(self):
        if self.capturing:
            self._act("cancel")
            self._recorded("cancelled", 0)

    def keep(self, key, lasting=True):
        self._act("keep", key, lasting)

    # ---- speech

    def utterance(self, kind=None, command=None):
        return Utterance(self.catalogue, kind, command)

    def add(self, utterance, phrase_id, players):
        """Adds a phrase that names players, each by nickname where there is one."""
        clips = [("nickname/%d" if p in self.nicknames else "name/%d") % p for p in players]
        return utterance.phrase(phrase_id, players, clips)

    def say(self, phrase_id, players=()):
        self.speak(self.add(self.utterance(), phrase_id, players))

    def speak(self, utterance):
        """Says it now, in place of what is being said."""
        self.hush()
        self.speaking = self.last_said = utterance
        if utterance.commands:
            self.surprises.command_begins()
        self._act("say", utterance)

    def hush(self):
        """Cuts what is being said."""
        if self.speaking is not None:
            self._act("hush")
            self._spoken()

    def _spoken(self):
        utterance = self.speaking
        if utterance is None:
            return
        self.speaking = None
        self._idle.touch(self.now_ms)
        if utterance.commands:
            self.surprises.command_ends(self.now_ms)
        self.state.spoken(utterance)

    def tone(self, name):
        self._act("tone", name)

    def not_now(self):
        self.tone("not_now")

    # ---- the course of a game

    def go(self, name, quietly=False):
        """Changes the state; quietly: without its opening words."""
        self.menu.close()
        self.hush()
        self.state = self.states[name]
        self.state.deadline_ms = None
        self._act("ready", self.state.records)
        self._act("state", self.state.phase)
        self.save()
        if not quietly:
            self.state.enter()

    def new_game(self):
        """The same players; nicknames and House Rule are dropped, and a new rule is asked for."""
        keys = [f"nickname/{player}" for player in sorted(self.nicknames)]
        if self.has_rule:
            keys.append("house_rule")
        if keys:
            self._act("forget", keys)
        self.nicknames = set()
        self.has_rule = False
        self.surprises.new_game(self.players, self.settings.pace)
        self.go("house_rule")

    def forget_all(self):
        self.players = 0
        self.nicknames = set()
        self.has_rule = False
        self.saved = None
        self._act("forget", None)

    def save(self):
        """A game is saved whenever it has changed, for keep_game and for a hung loop's restart.

        Never anything of the demo.
        """
        if self.players and self.state.saved:
            self._act("save_game", kept.snapshot(self))

    # ---- settings

    def change_setting(self, key, value):
        self.settings.set(key, value)
        self._act("setting", key, value)

    def _change_catalogue(self, catalogue, language):
        self.settings.set("language", language)
        if catalogue is not self.catalogue:
            self.catalogue = catalogue
            self.surprises.change_catalogue(catalogue)
        if self.menu.is_open:
            self.menu.tell()

    # ---- actions

    def _act(self, *action):
        self._actions.append(action)

    def _take_actions(self):
        self.deadline_ms = self._soonest_ms()
        actions = self._actions
        self._actions = []
        return actions
