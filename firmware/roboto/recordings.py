"""What the players say: from the microphone into the big buffer, and from there to flash.

A recording is played, kept and saved from where it lies in the buffer. What is on flash gives its
room back; so does what the game drops.
"""

from .board.speaker import LATENCY_MS
from .game.tuning import RULE_LIMIT_MS
from .sound.format import HALF_RATE_HZ, RATE_HZ, adpcm_bytes
from .sound.recorder import Recorder, alive, bytes_for, rate_for
from .storage.broken import Broken
from .storage.clips import Clips

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import Board
    from .shapes import Event, Note
    from .sound.clip import Clip
    from .storage.saver import Saver
    from .storage.volume import Job, Volume

_FADE_MS = 8
_DEAF_MS = 1000  # a microphone that has sent nothing real for this long is dead
# What capture() answers, as events for the game.
_NOTHING = ()
_FULL = (("full",),)
_DEAF = (("recorded", "deaf", 0),)
_NO_ROOM = (("recorded", "no_room", 0),)
_LEAST_MS = 1000  # for less there is no room
_AWAKE_MS = 300  # SPEC has light 150 ms after a press: by then a microphone is long awake
_FAINT_MOST = 3  # recordings without any noise, and the microphone's line is loose


class Recordings:
    """`buffer`: where they are made; `volume`: its files; `saver`: writes them while all is quiet;
    `fault(line)` hears what went wrong."""

    def __init__(
        self, board: "Board", buffer: bytearray, volume: "Volume", saver: "Saver", fault: "Note"
    ) -> None:
        self.clips = Clips(volume)
        self.capturing = False  # from listen() to finish() or cancel()
        self.hearing = False  # real samples arrive
        self.names_hz = RATE_HZ  # at most; the voice pack says so
        self._ready = False
        self._board = board
        self._buffer = buffer
        self._saver = saver
        self._fault = fault
        self._recorder = Recorder(buffer, RULE_LIMIT_MS)
        self._begin_ms = 0  # when capture may begin: the loudspeaker is quiet by then
        self._room_made = True  # the buffer has room for what is to be recorded, or will have none
        self._no_room = False
        self._waited_ms = 0  # for the microphone's first word
        self._faint = 0  # recordings in a row without a microphone's own noise
        self._limit_ms = 0
        self._last: Clip | None = None  # the clip that keep() means
        # recordings that still lie in RAM only, with their keys
        self._unsaved: list[tuple[Job, str, Clip]] = []
        # keys of clips on flash that have not been read through yet
        self._unread: list[str] = []
        # recordings that never go to flash, by their keys
        self._in_ram: dict[str, Clip] = {}

    def in_use(self) -> tuple[int, int]:
        """Return (bytes of the buffer that hold what is nowhere else, its size)."""
        return sum([end - start for start, end in self._taken()]), len(self._buffer)

    # ---- clips by their keys

    def load(self, key: str) -> "Clip":
        """Return the Clip of a key. Raises KeyError, Broken."""
        return self._in_ram[key] if key in self._in_ram else self.clips.load(key)

    def on_flash(self) -> list[str]:
        """Return the keys of what a restart finds. Each is read through as soon as all is
        quiet."""
        keys = self.clips.keys()
        self._unread = list(keys)
        return keys

    def drop_unsaved(self) -> None:
        """Forgets what was never to be saved."""
        self._in_ram = {}

    def forget(self, keys: list[str] | None) -> None:
        """Deletes clips from flash; None: all of them."""
        for key in self.clips.keys() + list(self._in_ram) if keys is None else keys:
            self._in_ram.pop(key, None)
            self._saver.add(self.clips.forget(key))

    def keep(self, key: str, lasting: bool) -> None:
        """Gives the last recording its key; a lasting one is saved."""
        clip = self._last
        if clip is None:
            return
        self._in_ram.pop(key, None)
        if lasting:
            job = self.clips.save(key, clip)
            self._unsaved.append((job, key, clip))
            self._saver.add(job)
        else:
            self._in_ram[key] = clip

    # ---- the microphone

    def ready(self, flag: bool) -> None:
        """Keep the microphone warm while somebody may record in the next moment."""
        self._ready = flag
        if not flag:
            self._board.microphone.warm(False)
        elif not self._saver.busy:
            self._board.microphone.warm(True)

    def listen(self, limit_ms: int, now_ms: int) -> None:
        """Begins a recording as soon as the loudspeaker is silent and there is room for it."""
        self._limit_ms = limit_ms
        self._waited_ms = 0
        self._begin_ms = now_ms
        if self._board.speaker.is_open:
            self._begin_ms += _FADE_MS + LATENCY_MS
        self.capturing = True
        self.hearing = False
        self._room_made = False
        self._make_room(now_ms)

    def capture(self, now_ms: int) -> "tuple[Event, ...]":
        """Takes what the microphone has sent; what came before the loudspeaker fell silent is
        thrown away. Returns events for the game."""
        if not self._room_made:
            self._make_room(now_ms)
            return _NOTHING
        if self._no_room:
            self.capturing = False
            self._fault("no room for a recording")
            return _NO_ROOM
        source = self._board.microphone.source
        words = source.words
        n = source.read()
        if now_ms < self._begin_ms:
            while n:
                n = source.read()
            return _NOTHING
        if not self.hearing:
            while n and not alive(words, n, source.at):
                n = source.read()
            if not n:
                self._waited_ms = now_ms - self._begin_ms
                if self._waited_ms <= _DEAF_MS:
                    return _NOTHING
                self.capturing = False
                self._fault("dead microphone: it sends nothing")
                return _DEAF
            self.hearing = True
            self._board.lights.record(True)
        recorder = self._recorder
        while n and not recorder.full:
            recorder.feed(words, n, source.at)
            n = source.read()
        return _FULL if recorder.full else _NOTHING

    def finish(self) -> tuple[str, int]:
        """Ends the recording: (result, its length in ms)."""
        hearing = self.hearing
        self.cancel()
        result, clip = self._recorder.finish() if hearing else ("too_short", None)
        self._last = clip
        dead = not hearing and self._waited_ms >= _AWAKE_MS  # red was let go of before _DEAF_MS
        if dead or result == "silent" and self._recorder.faint:
            self._faint += 1
            if self._faint == _FAINT_MOST:
                self._faint = 0
                self._fault("dead microphone: not even noise comes; is its data line loose?")
                return "deaf", 0
        elif hearing:
            self._faint = 0
        return result, clip.ms if clip else 0

    def cancel(self) -> None:
        """Drops the recording."""
        self._board.lights.record(False)
        self.capturing = self.hearing = False

    # ---- room in the buffer, and flash

    def _make_room(self, now_ms: int) -> None:
        """Begins to record where the buffer has room for all of it: as a rule, at once.

        Otherwise recordings that still wait for flash are saved first, a bite a step.
        """
        board = self._board
        self.let_go()
        limit_ms = self._limit_ms
        start, end = self._gap()
        short = end - start < bytes_for(limit_ms, HALF_RATE_HZ)
        if short and self._unsaved and not board.guard.low_battery:
            if not board.speaker.is_open:
                board.microphone.hold()
                self._saver.step()
            elif board.speaker.silent and now_ms >= self._begin_ms:
                board.speaker.close()
            return
        self._room_made = True
        self._no_room = end - start < bytes_for(min(limit_ms, _LEAST_MS), HALF_RATE_HZ)
        self._begin_ms = max(self._begin_ms, now_ms)
        # what will stay in RAM had better be small
        stays = board.guard.low_battery or self._in_ram
        names_hz = HALF_RATE_HZ if stays else self.names_hz
        self._recorder.start(limit_ms, rate_for(limit_ms, end - start, names_hz), start, end)
        board.microphone.warm(True)

    def _taken(self) -> list[tuple[int, int]]:
        """(start, end) in the buffer of the recordings that are nowhere else, in order."""
        clips = [entry[2] for entry in self._unsaved] + list(self._in_ram.values())
        return sorted(
            [(clip.start_byte, clip.start_byte + adpcm_bytes(clip.n_samples)) for clip in clips]
        )

    def _gap(self) -> tuple[int, int]:
        """(start, end) of the longest stretch of the buffer that is free."""
        size = len(self._buffer)
        best = (0, 0)
        at = 0
        for start, end in self._taken() + [(size, size)]:
            if start - at > best[1] - best[0]:
                best = (at, start)
            at = max(at, end + (end & 1))
        return best

    def let_go(self) -> None:
        """Frees the room of recordings that are on flash by now; one that found no room there
        stays in RAM."""
        for job, key, clip in self._unsaved:
            if job.failed:
                self._in_ram[key] = clip
            elif job.done:
                self._unread.append(key)
        self._unsaved = [
            entry for entry in self._unsaved if not (entry[0].done or entry[0].failed)
        ]

    def pressing(self) -> bool:
        """Return whether a recording waits for flash while the next one may be asked for at
        once."""
        return (
            self._ready
            and bool(self._unsaved)
            and self._saver.busy
            and not self._board.guard.low_battery
        )

    def in_silence(self) -> None:
        """Do one bite of what must not be done while there is sound: whatever the saver has to
        write, then reading through what is new on flash, then warming the microphone."""
        microphone = self._board.microphone
        if self._saver.busy:
            microphone.hold()
            self._saver.step()
            if not self._saver.busy:
                self.let_go()
        elif self._unread:
            self._read_through(self._unread.pop())
        elif self._ready and not microphone.is_open:
            microphone.warm(True)

    def _read_through(self, key: str) -> None:
        """A clip's first use checks its CRC, up to 0.1 s for a House Rule."""
        try:
            self.clips.load(key)
        except KeyError:
            pass  # forgotten since
        except Broken as error:
            self._fault(f"broken clip {key}: {error}")
