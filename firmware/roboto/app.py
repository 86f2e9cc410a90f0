"""The one loop: reads the inputs, feeds the game, carries out its actions, keeps the sound going.

Nothing here waits: what takes long (recording, speaking, saving) goes on a bit in every step. A
step comes every 8 ms where there is work to do, every 16 while sound is only to be played or
heard; but always within 8 ms of a press: docs/architecture.md follows one.
"""

import gc
import time

from .actions import carry_out
from .game import game as game_module
from .game.rng import Rng
from .recordings import Recordings
from .sound.mixer import Mixer
from .speech import Speech
from .storage import game_save
from .storage.broken import FULL
from .storage.log import Log
from .storage.saver import Saver
from .storage.settings import Settings
from .unload import unload
from .version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .aloud import Aloud
    from .board import Board
    from .doze import Doze
    from .recovery import NoGame, Recovery
    from .shapes import Action, Event, Mixing, Notify
    from .storage.pack import Pack
    from .storage.silent_pack import SilentPack
    from .storage.volume import Job, Volume

STEP_MS = 8
_SOUND_MS = 16  # half of what the loudspeaker's ring holds, and the microphone's
_EVENTS_A_COLLECTION = 32  # each leaves about a kilobyte of garbage
_IDLE_MS = 1000  # while nothing happens, a whole step is done this seldom
_BATTERY_EVERY_MS = 30000


class App:
    """The robot.

    `board`: its hardware; `volume`: its files; `packs`: language -> path of a voice pack;
    `recording`: a buffer of start.RECORDING_BYTES; `notify(event, fields)`: told what happens.
    `mixer`: else a sound.mixer.Mixer; `collect()`: collects garbage.
    """

    game: "game_module.Game | NoGame | Aloud"  # from the first begin() on

    def __init__(
        self,
        board: "Board",
        volume: "Volume",
        packs: dict[str, str],
        recording: bytearray,
        seed: int,
        notify: "Notify | None" = None,
        mixer: "Mixing | None" = None,
        collect: "Callable[[], object]" = gc.collect,
    ) -> None:
        self.board = board
        self.packs = packs
        self.notify = notify
        self.rng = Rng(seed)
        self.now_ms = 0
        self._last_ticks = time.ticks_ms()
        self._looked_ms = 0  # how far into this rest nothing had moved yet
        self.log = Log(volume, lambda: self.now_ms // 1000, "roboto " + VERSION)
        self.volume = volume
        volume.sweep(self.fault)
        self.settings = Settings(volume, self.fault)
        self.settings.load()
        self.saver = Saver(self.fault, self._gave_up)
        self.mixer: Mixing = Mixer() if mixer is None else mixer
        self.collect = collect
        self.mixer.set_volume(self.settings.volume)
        self.recordings = Recordings(board, recording, volume, self.saver, self.fault)
        self.speech = Speech(
            board, self.mixer, self.recordings, self.settings, self.tell, self.fault
        )
        self._recovery: Recovery | None = None
        self._turns = self._turning()
        self._battery_ms = 0
        self._low = -1  # the worst of power.low_battery() so far
        self.background_ms = 0  # before that, nothing is done in silence
        self._events = 0  # handled since the last garbage collection
        self.asked: list[Action] = []  # by the game, and not carried out yet
        self._doing = False
        self.dozing: Doze | None = None  # once the game wants to sleep
        self.take_pack(self.settings.language)
        self.deadline_ms: int | None = None  # the game's, asked for when it may have changed
        hung = board.power.woke_by_watchdog
        if hung:
            self.fault("the loop hung and was restarted")
        try:
            if board.inputs.held_at_power_on("mode"):
                from .aloud import begin  # the self-test: once, by hand

                begin(self)
            else:
                self.begin(board.inputs.position, resumed=hung)
        except Exception as error:
            self.failed(error, "game")

    # ---- the loop

    def step(self) -> None:
        """Take one turn of the loop. Whatever goes wrong in it costs what it was about."""
        next(self._turns)

    def _turning(self) -> "Iterator[None]":
        # A generator: a function that catches would get its frame from the heap at each call.
        while True:
            try:
                self._turn()
            except Exception as error:
                self.failed(error, "step")
            yield

    def failed(self, error: Exception, what: str) -> int:
        """Get over an exception: see recovery.py. Return how many ms to leave the part alone."""
        try:
            self.collect()
            if self._recovery is None:
                from .recovery import Recovery

                self._recovery = Recovery(self)
            return self._recovery.failed(error, what)
        except Exception:
            self.log.note(f"{type(error).__name__} in {what}")
            return _IDLE_MS

    def _turn(self) -> None:
        now_ms = self._advance()
        board = self.board
        if board.inputs.scan(now_ms) and self.dozing is None:
            self._take_inputs()
        if self.dozing is not None:
            self.dozing.step(now_ms)
            board.power.feed()
            return
        recordings = self.recordings
        speech = self.speech
        if recordings.capturing:
            self._capture(now_ms)
        # The ring is fed before anything that takes long: what a press has just asked for is
        # then in it. After a collection inputs are looked at again before it is fed.
        if board.speaker.is_open or self.mixer.busy:
            if speech.step(now_ms):
                self.handle(("spoken",))
            if self._events > _EVENTS_A_COLLECTION and not recordings.capturing:
                self._collect_garbage()
        if speech.waiting is not None and speech.prepare(now_ms):
            self._collect_garbage()
            speech.begin()
        if self.deadline_ms is not None and now_ms >= self.deadline_ms:
            self.handle(("tick",))
        if not (board.speaker.is_open or self.mixer.busy or recordings.capturing) and (
            speech.waiting is None or speech.saves_first(now_ms)
        ):
            self._background(now_ms)
        board.power.feed()

    def _capture(self, now_ms: int) -> None:
        for event in self.recordings.capture(now_ms):
            self.handle(event)

    def _collect_garbage(self) -> None:
        """Here and now, where a full ring outlasts it, and not where the heap runs out."""
        if self.board.speaker.is_open:
            self.board.speaker.step(self.mixer)
        self.collect()
        self._events = 0

    def rest(self) -> None:
        """Wait until the next step is due, or something is pressed; left in a sleep, it goes
        on."""
        if time.ticks_diff(time.ticks_ms(), self._last_ticks) < STEP_MS:
            time.sleep_ms(STEP_MS)
        rest_ms = self._rest_ms()
        inputs = self.board.inputs
        while rest_ms > STEP_MS:
            rested_ms = time.ticks_diff(time.ticks_ms(), self._last_ticks)
            if rested_ms >= rest_ms or inputs.moved():
                break
            self._looked_ms = rested_ms
            time.sleep_ms(min(STEP_MS, rest_ms - rested_ms))
        if self._looked_ms:
            inputs.looked(self.now_ms + self._looked_ms)
            self._looked_ms = 0

    def _rest_ms(self) -> int:
        """How long after the last step the next one is due, if nothing is pressed."""
        if self.recordings.hearing:
            return _SOUND_MS
        if self.board.speaker.is_open and self.speech.waiting is None:
            if not self.recordings.capturing:
                return _SOUND_MS  # whatever waits for silence, such as the saver
        if self.busy or self.mixer.busy:
            return STEP_MS
        deadline_ms = self.deadline_ms
        return _IDLE_MS if deadline_ms is None else min(_IDLE_MS, deadline_ms - self.now_ms)

    @property
    def busy(self) -> bool:
        """Return whether there is work for every step, apart from feeding the loudspeaker."""
        return (
            self.speech.waiting is not None
            or self.recordings.capturing
            or (self.saver.busy and not self.board.speaker.is_open)
            or self.dozing is not None
            or self.board.inputs.unsettled
        )

    def _advance(self) -> int:
        """The clock: milliseconds since boot, which unlike ticks never wrap."""
        ticks = time.ticks_ms()
        self.now_ms += time.ticks_diff(ticks, self._last_ticks)
        self._last_ticks = ticks
        return self.now_ms

    # ---- from inputs to the game and back

    def begin(self, position: str, resumed: bool = False, afresh: bool = False) -> None:
        """Start the state the switch points at, as at power-on. Resumed after something went
        wrong, the kept game goes on at once, with an apology; afresh, none does."""
        goes_on = resumed or self.settings.keep_game or self.board.power.interrupted
        saved = self._saved_game() if goes_on and not afresh else None
        if not resumed:
            self.recordings.drop_unsaved()
        self.game = game_module.Game(
            self.speech.pack, self.settings, self.rng, tuple(sorted(self.packs))
        )
        self.game.surprises.go_on_with(game_save.load(self.volume, game_save.BAGS, self.fault))
        self.board.power.start_watchdog()
        self._do(self.game.start(position, self.now_ms, saved, ask=not resumed))
        self.deadline_ms = self.game.deadline_ms
        if resumed or afresh:
            self.handle(("trouble", "sorry"))

    def _saved_game(self) -> dict | None:
        """The kept game, less what its clips do not bear out."""
        saved = game_save.load(self.volume, game_save.GAME, self.fault)
        try:
            from .game import kept  # seldom needed

            return kept.consistent(saved, self.recordings.on_flash()) if saved else None
        except ValueError as error:
            self.fault(str(error))
            return None

    def _take_inputs(self) -> None:
        event = self.board.inputs.take()
        while event is not None:
            control, pressed = event
            if control == "switch":
                self.handle(("switch", pressed))
            else:
                self.handle(("press" if pressed else "release", control))
            event = self.board.inputs.take()

    def handle(self, event: "Event") -> None:
        """Let the game answer an event, and do what it asks for."""
        self._events += 1
        try:
            actions = self.game.handle(event, self.now_ms)
        except Exception as error:
            self.failed(error, "game")
            return
        self._do(actions)
        self.deadline_ms = self.game.deadline_ms

    def _do(self, actions: "list[Action]") -> None:
        """Carry out what the game asks for, in its order. An event that comes of an action (a
        recording that ends, a pack that is opened) goes to the game at once; what it asks for then
        comes after all that it asked for before."""
        self.asked += actions
        if self._doing:
            return
        self._doing = True
        try:
            while self.asked:
                action = self.asked.pop(0)
                try:
                    carry_out(self, action)
                except Exception as error:
                    self.failed(error, action[0])
        finally:
            self._doing = False

    # ---- in silence

    def _background(self, now_ms: int) -> None:
        """Save, a bite a step; look after the battery."""
        if now_ms < self.background_ms:
            return
        try:
            self.recordings.in_silence()
            if now_ms >= self._battery_ms:
                self._battery_ms = now_ms + _BATTERY_EVERY_MS
                self._check_battery()
                job = self.log.save()
                if job:
                    self.saver.add(job)
        except Exception as error:
            self.failed(error, "background")

    def _check_battery(self) -> None:
        low = self.board.power.low_battery()
        self.board.guard.low_battery = low > 1
        if low > self._low:
            self._low = low
            self.log.note("cells %d mV" % self.board.power.battery_mv())  # doctor looks for it
            if low:
                self.fault("low battery: nothing is saved any more" if low > 1 else "low battery")
                self.handle(("trouble", "low_battery"))

    def _gave_up(self, job: "Job") -> None:
        """A change to flash has failed."""
        self.recordings.let_go()
        if job.failed is FULL and self.dozing is None:
            self.handle(("trouble", "flash_full"))

    # ---- languages, and telling

    def take_pack(self, language: str) -> "Pack | SilentPack":
        from .storage.packs import choose

        language, pack = choose(self.packs, language, self.fault, self.volume.files.open)
        unload("roboto.storage.packs")
        self.settings.set("language", language)
        self.speech.pack = pack
        self.recordings.names_hz = pack.names_hz
        return pack

    def fault(self, line: str) -> None:
        """Note that something failed; the game goes on."""
        self.log.note(line)
        self.tell("fault", what=line)

    def tell(self, event: str, **fields: object) -> None:
        """Tell whoever listens that something happened that can be seen or heard."""
        if self.notify:
            self.notify(event, fields)
