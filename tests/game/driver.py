"""Carries out what the game asks for, without sound, files or time: the app's stand-in for tests
of the pure game.

Runs under CPython and MicroPython. Every action is checked as it comes: no utterance over
another, no recording
over another, nothing unknown.
"""

from roboto.game.game import Game
from roboto.game.kinds import GAMES, KINDS, names_in
from roboto.game.rng import Rng

KINDS_THAT_RACE = ("duel", "house_rule", "everyone")
COUNTS = {kind: 3 for kind, _, _, _ in KINDS}
COUNTS.update({"order": 18, "swap": 6, "everyone": 10, "duel": 24})
OUTCOMES = {"wheel_stops": 12, "dare_table": 4, "dare_body": 4, "dare_show": 4}
CHOICES = {
    "game": GAMES,
    "pace": ("calm", "normal", "wild"),
    "volume": (1, 2, 3),
    "names_voice": ("squeaky", "plain"),
    "keep_game": (False, True),
    "gentle": (False, True),
}
ONE_NAME = (
    "names.hello",
    "rule.ask",
    "nick.heard",
    "win.noted",
    "demo.hello",
    "go_on",
    "first",
    "demo.sample",
)
VARIANTS = {
    "attention": 5,
    "go_on": 4,
    "first": 3,
    "duel_end": 3,
    "veto": 3,
    "won": 3,
    "demo.sample": 3,
    "demo.sample_you": 3,
}


class Phrase:
    def __init__(self, phrase_id, slots):
        self.id = phrase_id
        self.text = phrase_id + "".join(" {%d}" % slot for slot in range(slots))
        self.parts = [0] + [-1 - slot for slot in range(slots)]


class Catalogue:
    """A voice pack without sound. `counts`: commands of each kind."""

    def __init__(self, counts=COUNTS):
        self.counts = counts

    games = ()  # those that it can say

    def kinds(self, kind):
        return (
            len(self.games) if kind == "+games" else self.counts.get(kind, OUTCOMES.get(kind, 0))
        )

    def command(self, kind, i):
        assert 0 <= i < self.kinds(kind)
        if kind == "+games":
            return "menu.value." + self.games[i]
        return "%s.%d" % (kind, i + 1)

    stamp = "en 1 99"
    # name -> kinds, or (kind, number) of single commands
    traits = {"race": KINDS_THAT_RACE, "stopwatch": (("duel", 3),)}
    traits.update({"verdict": (("duel", 5),), "potato": (("everyone", 2),)})
    traits["mess"] = (("everyone", 4),)
    want_more = {}  # (kind, number) -> players_min
    rough = ()  # (kind, number)

    def unfit(self, players, gentle, acts=()):
        found = {one for one, least in self.want_more.items() if least > players}
        for act in acts:
            found |= set(self.traits.get(act, ()))
        return found | set(self.rough if gentle else ())

    def fitting(self, kind, unfit):
        return [i for i in range(self.kinds(kind)) if (kind, i) not in unfit]

    def trait(self, name, kind, i):
        having = self.traits.get(name, ())
        return kind in having or (kind, i) in having

    def variants(self, prefix):
        return VARIANTS.get(prefix, 0)

    def phrase(self, phrase_id):
        head = phrase_id.rsplit(".", 1)[0]
        one = phrase_id in ONE_NAME or head in ONE_NAME
        return Phrase(phrase_id, names_in(head) or (1 if one else 0))


class Settings:
    def __init__(self, pace="normal", keep_game=False):
        self.language = "en"
        self.game = "roboto"
        self.pace = pace
        self.volume = 2
        self.names_voice = "squeaky"
        self.keep_game = keep_game
        self.gentle = False
        self.sleep_s = 60

    def choices(self, key):
        return CHOICES[key]

    def after(self, key):
        choices = CHOICES[key]
        return choices[(choices.index(getattr(self, key)) + 1) % len(choices)]

    def set(self, key, value):
        assert hasattr(self, key)
        setattr(self, key, value)


class Driver:
    """`log`: what could be seen and heard, as tuples (now_ms, what, ...)."""

    def __init__(
        self,
        seed=1,
        pace="normal",
        catalogue=None,
        position="on",
        saved=None,
        clips=(),
        languages=("en", "es"),
        ask=True,
    ):
        self.settings = Settings(pace)
        self.catalogue = catalogue or Catalogue()
        self.game = Game(self.catalogue, self.settings, Rng(seed), languages)
        self.now_ms = 0
        self.log = []
        self.saying = None
        self.said_ms = 0  # when what is being said will have ended
        self.listening = None  # (what, player, full at)
        self.result = ("stored", 900)  # of the next recording
        self.clips = set(clips)
        self.restarts = 0
        self.tones = {}  # of the game that is played
        self.unloaded = []
        self.asleep = False
        self.saved = saved
        self.bags = None
        self.say_ms = 3000
        self._carry_out(self.game.start(position, 0, saved, ask))

    @property
    def state(self):
        return self.game.state.name

    # ---- events

    def send(self, *event):
        self._carry_out(self.game.handle(event, self.now_ms))

    def press(self, control, held_ms=100):
        self.send("press", control)
        self.wait(held_ms)
        self.send("release", control)

    def wait(self, ms):
        """Lets time pass; the utterance ends, the recording fills up, deadlines come, each at its
        time."""
        end_ms = self.now_ms + ms
        turns = 0
        while True:
            due_ms = end_ms
            what = None
            if self.saying is not None and self.said_ms <= due_ms:
                due_ms, what = self.said_ms, ("spoken",)
            if self.listening is not None and self.listening[2] < due_ms:
                due_ms, what = self.listening[2], ("full",)
            deadline_ms = self.game.deadline_ms
            if deadline_ms is not None and deadline_ms < due_ms:
                due_ms, what = max(deadline_ms, self.now_ms), ("tick",)
            if what is None:
                self.now_ms = end_ms
                return
            self.now_ms = max(due_ms, self.now_ms)
            if what == ("spoken",):
                self.saying = None
            if what == ("full",):
                self.listening = self.listening[:2] + (1 << 60,)
            self.send(*what)
            turns += 1
            assert turns < 1000, "a deadline stays in the past: %r" % (what,)

    def quiet(self, ms=300):
        while self.saying is not None or self.listening is not None:
            self.wait(100)
        self.wait(ms)

    # ---- actions

    def _carry_out(self, actions):
        for action in actions:
            getattr(self, "_" + action[0])(*action[1:])

    def _note(self, *what):
        self.log.append((self.now_ms,) + what)

    def _state(self, name):
        assert name in ("names", "house_rule", "play", "nickname", "won", "demo", "asleep")
        self._note("state", name)

    def _say(self, utterance):
        assert self.saying is None, "two utterances at a time"
        assert self.listening is None, "it talks into a recording"
        assert utterance.parts
        for part in utterance.parts:
            assert part[0] == "phrase" or part[1] in self.clips, part
        for player in utterance.players:
            assert 0 <= player < max(1, self.game.players)
        self.saying = utterance
        self.said_ms = self.now_ms + self.say_ms
        self._note("say", utterance)

    def _hush(self):
        assert self.saying is not None
        self.saying = None
        self._note("hush")

    def _tone(self, name):
        assert name in ("plate", "volume", "limit", "not_now", "sleep_warning", "fanfare") + tuple(
            self.tones
        )
        self._note("tone", name)

    def _listen(self, what, player, limit_ms):
        assert self.listening is None and self.saying is None
        self.listening = (what, player, self.now_ms + limit_ms)
        self._note("listen", what, player)

    def _finish(self):
        assert self.listening is not None
        self.listening = None
        result, ms = self.result
        self.send("recorded", result, ms if result == "stored" else 0)

    def _cancel(self):
        assert self.listening is not None
        self.listening = None

    def _recorded(self, what, player, ms, result):
        self._note("record", what, player, ms, result)

    def _keep(self, key, lasting):
        self.clips.add(key)

    def _forget(self, keys):
        self.clips -= self.clips.copy() if keys is None else set(keys)

    def _ready(self, flag):
        assert flag in (True, False)

    def _setting(self, key, value):
        self._note("setting", key, value)
        if key == "language":
            self.send("catalogue", self.catalogue, value)

    def _tell(self, event, fields):
        self._note(event, fields)

    def _sound(self, name):
        assert name in self.tones
        self._note("sound", name)

    def _tones(self, tones):
        self.tones.update(tones)

    def _unload(self, module):
        self.unloaded.append(module)

    def _save_game(self, snapshot):
        self.saved = snapshot

    def _save_bags(self, bags):
        assert bags["pack"] == self.catalogue.stamp
        self.bags = bags

    def _victory(self, player, number):
        assert number > 0 and 0 <= player < self.game.players
        self._note("victory", player, number)

    def _sleep(self):
        self.asleep = True

    def _restart(self, position):
        self.restarts += 1
        self.saying = None
        self.listening = None
        settings = self.settings
        rng = self.game.surprises._rng
        self.game = Game(self.catalogue, settings, rng, self.game.languages)
        self._carry_out(self.game.start(position, self.now_ms))

    # ---- the course of a game

    def names(self, n):
        for _ in range(n):
            self.press("record", 900)
            self.quiet(100)
        return self

    def to_play(self, players=3, rule=False):
        self.names(players).press("plate")
        self.wait(1600)  # a second press at once would be the same hand
        self.press("record" if rule else "plate", 900)
        assert self.state == "play"
        self.quiet(100)
        return self

    def surprises(self, n, pause_ms=4000, nicknames=False):
        """Plays on, a card every pause_ms, until n surprises have come: [(kind, utterance,
        presses it took)].

        nicknames: whether those that are asked for are recorded.
        """
        found = []
        presses = 0
        while len(found) < n:
            since = len(self.log)
            self.press("plate")
            presses += 1
            assert presses < 200
            race = False
            for entry in self.log[since:]:
                if entry[1] == "say" and entry[2].kind:
                    found.append((entry[2].kind, entry[2], presses))
                    presses = 0
                    race = entry[2].race
            if race:
                self.quiet()
                self.press("plate")  # it is over
            if self.state == "nickname":
                self.quiet(300 if nicknames else 3000)
                self.press("record" if nicknames else "plate", 900)
            if self.saying is not None:
                self.quiet(11000 if pause_ms >= 4000 else 0)
            self.wait(pause_ms)
        return found
