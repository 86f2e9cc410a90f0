"""The one loop: reads the inputs, feeds the game, carries out its actions, keeps the sound going.

A step is 8 ms, one chunk of sound. Nothing here waits: what takes long (recording, speaking,
saving) goes on a bit in every step. docs/architecture.md follows a press from the contact to the
loudspeaker.
"""

import gc
import time
from array import array

from .board import speaker as speaker_module
from .game import game as game_module
from .game.rng import Rng
from .sound.mixer import Mixer, duration_ms, tone_ms
from .sound.recorder import Recorder, alive
from .storage import game_save
from .storage.broken import Broken
from .storage.clips import Clips
from .storage.log import Log
from .storage.pack import Pack
from .storage.saver import Saver
from .storage.settings import Settings
from .storage.silent_pack import SilentPack

STEP_MS = 8
RECORDING_BYTES = 80000  # the House Rule: 10 s of 4 bits at 16 kHz
_BYTES_A_SECOND = 8000
_WORDS = 128  # microphone words taken at a time: what comes in one step
_IDLE_MS = 1000  # while nothing happens, a whole step is done this seldom
_AFTER_TONE_MS = 150  # the robot takes a breath between a tone and its words
_SAVE_FIRST_MS = (
    300  # speech waits so long for a recording to be saved: a name's six blocks of flash
)
_FADE_MS = 8
_RELEASED_MS = 50  # a level of the tray wakes it: it must have come to rest before
_DEAF_MS = 1000  # a microphone that has sent nothing real for this long is dead
_BATTERY_EVERY_MS = 30000
_LAST_SAVES_MS = 10000  # what cannot be saved by then is lost; sleep comes all the same


class App:
    """The robot. `board`: its hardware; `volume`: its files; `packs`: language -> path of a voice
    pack;
    `recording`: a buffer of RECORDING_BYTES; `notify(event, fields)`: told what happens, for
    traces and consoles."""

    def __init__(self, board, volume, packs, recording, seed, notify=None):
        self.board = board
        self.packs = packs
        self._notify = notify
        self._rng = Rng(seed)
        self.now_ms = 0
        self._last_ticks = time.ticks_ms()
        self.log = Log(volume, self._uptime_s)
        self._volume = volume
        volume.sweep()
        self.settings = Settings(volume, self.fault)
        self.settings.load()
        self.clips = Clips(volume)
        self.saver = Saver(self._save_failed)
        self.mixer = Mixer()
        self.mixer.set_volume(self.settings.volume)
        self._recording = recording
        self._recorder = Recorder(recording)
        self._words = array("i", bytes(4 * _WORDS))
        self._unsaved = []  # (job, key, clip): recordings that still lie in RAM only
        self._unread = []  # keys of clips on flash that have not been read through yet
        self._in_ram = {}  # key -> clip: recordings that never go to flash
        self._capture_ms = None  # when capture may begin: the loudspeaker is quiet by then
        self._capturing = False  # real samples arrive
        self._room_made = True  # the buffer has room for what is to be recorded
        self._limit_ms = 0
        self._last_clip = None
        self._ready = False
        self._say = None  # the utterance to be said, while its parts are looked up
        self._parts = []
        self._squeaky = []
        self._say_ms = 0
        self._save_first_ms = 0
        self._uttering = False  # from the first sound of an utterance to its last
        self._spoken_ms = None  # when that last sound will have left the loudspeaker
        self._tone_ends_ms = 0
        self._battery_ms = 0
        self._broken = 0
        self._asleep = False
        self._dozing_ms = self._plate_up_ms = 0
        self.pack = self._open_pack(self.settings.language)
        self.game = None
        self._deadline_ms = None  # the game's; asked for only when it may have changed
        self._begin(board.inputs.position, board.power.woke_by_watchdog)

    # ---- the loop

    def run(self):
        while True:
            self.step()
            self.rest()

    def step(self):
        """One turn of the loop."""
        now_ms = self._advance()
        board = self.board
        inputs = board.inputs
        inputs.scan(now_ms)
        if self._asleep:
            self._doze(now_ms)
            board.power.feed()
            return
        event = inputs.take()
        while event is not None:
            self._input(event)
            event = inputs.take()
        if self._capture_ms is not None:
            self._capture(now_ms)
        if self._say is not None:
            self._prepare(now_ms)
        if self.mixer.busy or board.speaker.is_open:
            self._sound(now_ms)
        if self._deadline_ms is not None and now_ms >= self._deadline_ms:
            self._handle(("tick",))
        if (
            not board.speaker.is_open
            and self._capture_ms is None
            and (self._say is None or self._save_first(now_ms))
        ):
            self._background(now_ms)
        board.power.feed()

    def rest(self):
        """Until the next step; longer while nothing happens at all."""
        time.sleep_ms(STEP_MS)
        if self.busy or self.board.speaker.is_open or self.mixer.busy:
            return
        moved = self.board.inputs.moved
        idle_ms = _IDLE_MS
        if self._deadline_ms is not None:
            idle_ms = min(idle_ms, self._deadline_ms - self.now_ms - STEP_MS)
        since = self._last_ticks
        while time.ticks_diff(time.ticks_ms(), since) < idle_ms and not moved():
            time.sleep_ms(STEP_MS)

    @property
    def busy(self):
        """Whether there is work for every step, apart from feeding the loudspeaker."""
        return (
            self._say is not None
            or self._capture_ms is not None
            or (self.saver.busy and not self.board.speaker.is_open)
            or self._asleep
            or self.board.inputs.unsettled
        )

    def _advance(self):
        """The clock: milliseconds since boot, which unlike ticks never wrap."""
        ticks = time.ticks_ms()
        self.now_ms += time.ticks_diff(ticks, self._last_ticks)
        self._last_ticks = ticks
        return self.now_ms

    def _uptime_s(self):
        return self.now_ms // 1000

    # ---- from inputs to the game and back

    def _begin(self, position, after_hang=False):
        """Starts the state the switch points at, as at power-on."""
        saved = None
        if self.settings.keep_game or after_hang or self.board.power.interrupted:
            saved = self._saved_game()
        self._in_ram = {}
        self.game = game_module.Game(
            self.pack, self.settings, self._rng, tuple(sorted(self.packs))
        )
        self.board.power.start_watchdog()
        if after_hang:
            self.fault("the loop hung and was restarted")
        self._do(self.game.start(position, self.now_ms, saved, ask=not after_hang))
        self._deadline_ms = self.game.deadline_ms
        if after_hang:
            self._handle(("trouble", "sorry"))

    def _saved_game(self):
        """The kept game, less what its clips do not bear out."""
        saved = game_save.load(self._volume, self.fault)
        if not saved:
            return None
        keys = self.clips.keys()
        try:
            self._unread = list(keys)
            players = 0
            while players < saved["players"] and f"name/{players}" in keys:
                players += 1
            return {
                "state": saved["state"] if players >= 2 else "names",
                "players": players,
                "nicknames": [
                    p for p in saved["nicknames"] if p < players and f"nickname/{p}" in keys
                ],
                "has_rule": saved["has_rule"] and "house_rule" in keys,
            }
        except (KeyError, TypeError):
            self.fault("the saved game is damaged")
            return None

    def _input(self, event):
        control, pressed = event
        if control == "switch":
            self._handle(("switch", pressed))
        else:
            self._handle(("press" if pressed else "release", control))

    def _handle(self, event):
        self._do(self.game.handle(event, self.now_ms))
        self._deadline_ms = self.game.deadline_ms

    def _do(self, actions):
        for action in actions:
            getattr(self, "_do_" + action[0])(*action[1:])

    def _do_state(self, name):
        self._tell("state", state=name)

    def _do_tone(self, name):
        self.mixer.tone(name)
        self._tone_ends_ms = max(self._tone_ends_ms, self.now_ms + tone_ms(name))
        self._tell("tone", tone=name)

    def _do_setting(self, key, value):
        if key == "volume":
            self.mixer.set_volume(value)
            self._tell("volume", level=value)
        if key == "language":
            pack = self._open_pack(value)
            self.saver.add(self.settings.save())
            self._handle(("catalogue", pack, self.settings.language))
        else:
            self.saver.add(self.settings.save())

    def _do_forget(self, keys):
        for key in self.clips.keys() if keys is None else keys:
            self.saver.add(self.clips.forget(key))
        if keys is None and "game" in self._volume.names():
            self.saver.add(game_save.forget(self._volume))

    def _do_save_game(self, snapshot):
        self.saver.add(game_save.save(self._volume, snapshot))

    def _do_restart(self, position):
        self._begin(position)

    def _do_sleep(self):
        self._silence()
        self._asleep = True
        self._dozing_ms = self._plate_up_ms = self.now_ms

    def _silence(self):
        """Everything off that could be heard, seen or felt in the battery."""
        board = self.board
        self.mixer.cut()
        board.speaker.close()
        board.microphone.warm(False)
        self._ready = False
        board.lights.record(False)
        board.lights.talk(0)

    def _doze(self, now_ms):
        """Asleep, and the processor not yet stopped: what is unsaved comes first, cards that lie
        on the tray must be taken off, and while USB is plugged in it never stops. All is off, and
        tray and switch wake it as they should."""
        board = self.board
        event = board.inputs.take()
        while event is not None:
            if event[0] == "switch" or event == ("plate", True):
                board.power.restart()
            event = board.inputs.take()
        if board.inputs.held("plate"):
            self._plate_up_ms = now_ms
        worth_waiting = not board.guard.low_battery and now_ms - self._dozing_ms < _LAST_SAVES_MS
        if self.saver.busy and worth_waiting:
            self.saver.step()
        elif now_ms - self._plate_up_ms >= _RELEASED_MS and board.power.may_sleep():
            board.power.sleep()

    # ---- speaking

    def _do_say(self, utterance):
        self._say = utterance
        self._parts = []
        self._squeaky = []
        self._phrase = None
        self._say_ms = self.now_ms
        self._save_first_ms = max(self.now_ms, self._tone_ends_ms) + _SAVE_FIRST_MS
        if self._tone_ends_ms > self.now_ms:
            self._say_ms = self._tone_ends_ms + _AFTER_TONE_MS

    def _do_hush(self):
        if self._say is not None:
            self._say = None  # it had not begun
            return
        self.mixer.cut()
        self._end_speech(cut=True)

    def _prepare(self, now_ms):
        """Looks up one part a step, since a part's first use reads it through; then speaks when it
        is time."""
        utterance = self._say
        if len(self._parts) < len(utterance.parts):
            part = utterance.parts[len(self._parts)]
            try:
                clip = self._find(part)
            except (KeyError, IndexError):
                self.fault("missing " + _describe(part))
                clip = None
            except (Broken, OSError) as error:
                self.fault(f"broken {_describe(part)}: {error}")
                clip = None
            self._parts.append(clip)
            raised = part[0] == "clip" and part[1] != "house_rule"
            self._squeaky.append(raised and self.settings.names_voice == "squeaky")
        elif now_ms >= self._say_ms and not self._save_first(now_ms):
            self._say = None
            gc.collect()
            self.mixer.say(self._parts, self._squeaky)
            self._broken += self._parts.count(None)  # those are known by now
            self._uttering = True
            self._spoken_ms = None
            if self._notify:
                self._tell_say(utterance)

    def _save_first(self, now_ms):
        """Whether speech waits a moment for a recording to be saved.

        So the next one finds room in the buffer at once, and what is said back is kept by then.
        """
        return (
            now_ms < self._save_first_ms
            and self._ready  # somebody may record in the next moment
            and bool(self._unsaved)
            and self.saver.busy
            and not self.board.guard.low_battery
        )

    def _find(self, part):
        """The Clip of a part of an utterance. Raises KeyError, IndexError, Broken, OSError."""
        if part[0] == "clip":
            key = part[1]
            return self._in_ram[key] if key in self._in_ram else self.clips.load(key)
        phrase_id, segment = part[1:]
        if self._phrase is None or self._phrase.id != phrase_id:
            self._phrase = self.pack.phrase(phrase_id)
        return self._phrase.clip(segment)

    def _sound(self, now_ms):
        """Feeds the loudspeaker, and notices when the utterance has been heard."""
        mixer = self.mixer
        self.board.speaker.step(mixer)
        self.board.lights.talk(mixer.level)
        if mixer.broken > self._broken:
            self._broken = mixer.broken
            self.fault("a clip could not be read while it was played")
        if mixer.talking or not self._uttering:
            return
        if self._spoken_ms is None:
            self._spoken_ms = now_ms + speaker_module.LATENCY_MS
        if now_ms >= self._spoken_ms:
            self._end_speech(cut=False)
            self._handle(("spoken",))

    def _end_speech(self, cut):
        self._uttering = False
        self._broken = self.mixer.broken
        self._tell("quiet", cut=cut)

    # ---- recording

    def _do_ready(self, flag):
        self._ready = flag
        if not flag:
            self.board.microphone.warm(False)
        elif not self.saver.busy:
            self.board.microphone.warm(True)

    def _do_listen(self, what, player, limit_ms):
        self._limit_ms = limit_ms
        self._capture_ms = self.now_ms
        if self.board.speaker.is_open:
            self._capture_ms += _FADE_MS + speaker_module.LATENCY_MS
        self._capturing = False
        self._room_made = False
        self._make_room()

    def _make_room(self):
        """Begins to record where the buffer has room for all of it: as a rule, at once.

        Otherwise recordings that still wait for flash are saved first, a bite a step.
        """
        self._forget_saved()
        start, end = self._gap(self._limit_ms * _BYTES_A_SECOND // 1000)
        room_ms = (end - start) * 1000 // _BYTES_A_SECOND
        if room_ms < self._limit_ms and self._unsaved and not self.board.guard.low_battery:
            if not self.board.speaker.is_open:
                self.board.microphone.hold()
                self.saver.step()
            elif not self.mixer.busy and self.now_ms >= self._capture_ms:
                self.board.speaker.close()
            return
        self._room_made = True
        self._capture_ms = max(self._capture_ms, self.now_ms)
        self._recorder.start(min(self._limit_ms, room_ms), start)
        self.board.microphone.warm(True)

    def _capture(self, now_ms):
        """Takes what the microphone has sent. What came before the loudspeaker fell silent is
        thrown away."""
        if not self._room_made:
            self._make_room()
            return
        microphone = self.board.microphone
        words = self._words
        n = microphone.read(words)
        if now_ms < self._capture_ms:
            while n:
                n = microphone.read(words)
            return
        if not self._capturing:
            while n and not alive(words, n):
                n = microphone.read(words)
            if not n:
                if now_ms - self._capture_ms > _DEAF_MS:
                    self._capture_ms = None
                    self.fault("dead microphone: it sends nothing")
                    self._handle(("recorded", "silent", 0))
                    self._handle(("trouble", "deaf"))
                return
            self._capturing = True
            self.board.lights.record(True)
        while n and not self._recorder.full:
            self._recorder.feed(words, n)
            n = microphone.read(words)
        if self._recorder.full:
            self._handle(("full",))

    def _do_finish(self):
        self.board.lights.record(False)
        self._capture_ms = None
        if self._capturing:
            self._capturing = False
            result, clip = self._recorder.finish()
        else:
            result, clip = "too_short", None
        self._last_clip = clip
        self._handle(("recorded", result, clip.ms if clip else 0))

    def _do_cancel(self):
        self.board.lights.record(False)
        self._capture_ms = None
        self._capturing = False

    def _do_recorded(self, what, player, ms, result):
        self._tell("record", what=what, player=player, ms=ms, result=result)

    def _do_keep(self, key, lasting):
        clip = self._last_clip
        if lasting:
            job = self.clips.save(key, clip)
            self._unsaved.append((job, key, clip))
            self.saver.add(job)
        else:
            self._in_ram[key] = clip

    def _forget_saved(self):
        """Lets go of recordings that are on flash by now; one that found no room stays in RAM."""
        for job, key, clip in self._unsaved:
            if job.failed:
                self._in_ram[key] = clip
            elif job.done:
                self._unread.append(key)
        self._unsaved = [
            entry for entry in self._unsaved if not (entry[0].done or entry[0].failed)
        ]

    def _gap(self, n_bytes):
        """(start, end) of a stretch of the buffer that is free: the first of n_bytes, else the
        longest.

        Taken are the recordings that are nowhere else.
        """
        taken = [entry[2] for entry in self._unsaved] + list(self._in_ram.values())
        taken = sorted(
            [(clip.start_byte, clip.start_byte + (clip.n_samples + 1) // 2) for clip in taken]
        )
        best = (0, 0)
        at = 0
        for start, end in taken + [(RECORDING_BYTES, RECORDING_BYTES)]:
            if start - at > best[1] - best[0]:
                best = (at, start)
            if start - at >= n_bytes:
                break
            at = max(at, end + (end & 1))
        return best

    # ---- in silence

    def _background(self, now_ms):
        """Saves, a bite a step; looks after the battery."""
        microphone = self.board.microphone
        if self.saver.busy:
            microphone.hold()
            self.saver.step()
            if not self.saver.busy:
                self._forget_saved()
        elif self._unread:
            self._read_through(self._unread.pop())
        elif self._ready and not microphone.is_open:
            microphone.warm(True)
        if now_ms >= self._battery_ms:
            self._battery_ms = now_ms + _BATTERY_EVERY_MS
            self._check_battery()
            job = self.log.save()
            if job:
                self.saver.add(job)

    def _read_through(self, key):
        """A clip's first use checks its CRC, up to 0.1 s for a House Rule: done while nothing
        plays."""
        try:
            self.clips.load(key)
        except KeyError:
            pass  # forgotten since
        except Broken as error:
            self.fault(f"broken clip {key}: {error}")

    def _check_battery(self):
        low = self.board.power.low_battery()
        if low and not self.board.guard.low_battery:
            self.fault("low battery: nothing is saved any more")
            self._handle(("trouble", "low_battery"))
        self.board.guard.low_battery = low

    def _save_failed(self, line):
        self.fault(line)
        self._forget_saved()
        if "flash full" in line:
            self._handle(("trouble", "flash_full"))

    # ---- languages

    def _open_pack(self, language):
        """The voice pack of a language, or of another one, or none: then tones must do."""
        wanted = [language] + [other for other in sorted(self.packs) if other != language]
        for candidate in wanted:
            if candidate not in self.packs:
                continue
            try:
                pack = Pack(self.packs[candidate])
            except Broken as error:
                self.fault(f"voice pack {candidate}: {error}")
                continue
            self.settings.set("language", candidate)
            return pack
        self.fault("no voice pack: the robot can only beep")
        return SilentPack()

    # ---- telling

    def fault(self, line):
        """Something failed; the game goes on."""
        self.log.note(line)
        self._tell("fault", what=line)

    def _tell(self, event, **fields):
        if self._notify:
            self._notify(event, fields)

    def _tell_say(self, utterance):
        ms = 0
        parts = []
        for part, clip, squeaky in zip(utterance.parts, self._parts, self._squeaky):
            part_ms = duration_ms(clip, squeaky)
            ms += part_ms
            if part[0] == "clip":
                parts.append({"clip": part[1], "ms": part_ms})
            else:
                parts.append({"phrase": part[1], "segment": part[2], "ms": part_ms})
        self._tell(
            "say",
            parts=parts,
            text=utterance.text,
            kind=utterance.kind,
            players=utterance.players,
            ms=ms,
            command=utterance.command,
        )
        for clip in self._parts:
            if clip is None:
                self._tell("tone", tone="missing")


def _describe(part):
    return "clip " + part[1] if part[0] == "clip" else "phrase " + part[1]
