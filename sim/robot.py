"""The robot at the table: the firmware on its chip, with its switch, buttons, lamps, microphone
and loudspeaker.

    robot = Robot(packs={"es": path}, flash=folder, seed=7)
    robot.switch("on")
    robot.run_until(2_000_000)
    robot.contact("plate", True)

run_until() runs the firmware's own loop until the virtual clock has come so far. Whoever steers it
may also schedule actions with robot.chip.at(), which happen at their exact time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roboto.sound.format import CHUNK_MS

from . import firmware
from .costs import Costs
from .flash import Flash
from .machine import modules
from .machine.chip import FAR_US, WATCHDOG, Chip, Dormant, Paused, PowerLost, Reset
from .room import Room, Tape
from .trace import Trace
from .unheard import UnheardMixer

CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
POSITIONS = ("on", "try-me", "off")

# While nobody touches anything, some steps of the firmware's loop are slept through in one go:
# with sound, less than the loudspeaker's ring holds. Nothing can tell but the run's length on the
# wall.
STEPS_TOGETHER_US = 24_000
IDLE_TOGETHER_US = 500_000
# The room gives back what the loudspeaker plays where the robot listens to itself, and there
# alone: no recording of a game is to depend on whether its beeps are computed.
_LISTENS = "self_test"
_ECHO_US = 60_000
_CHUNKS_TOGETHER = STEPS_TOGETHER_US // (1000 * CHUNK_MS)


class Robot:
    """`packs`: language -> path of a voice pack; `flash_folder`: the path of what is its flash;
    `listen`: keep what it plays, else the sound is not even computed. `language`: the one it was
    flashed with; `force_language`: whatever was chosen since. `costs`: the time that its work
    takes, else a board's."""

    def __init__(
        self,
        packs: Mapping[str, Any],
        flash_folder: Any,
        seed: int = 0,
        listen: bool = True,
        language: str = "es",
        force_language: bool = False,
        costs: Costs | None = None,
    ) -> None:
        self._costs = costs or Costs()
        self._firmware = firmware.load()
        self._pins = self._firmware.pins
        firmware.use_quick_kernels(listen)
        self.chip = Chip()
        self.flash = Flash(self.chip, self._firmware.volume.Files(), self._costs)
        self._together_us = self.chip.stretch_us = STEPS_TOGETHER_US
        self.chip.idle_stretch_us = IDLE_TOGETHER_US
        modules.use(self.chip)
        self.trace = Trace()
        self.tape = Tape() if listen else None
        self.chip.speaker = self.tape
        self.room = Room(self.chip, self._pins.MIC_POWER)
        self.chip.microphone = self.room
        self.chip.watchers[self._pins.RECORD_LED] = self._record_led
        self.app: Any = None
        self.position = "off"
        self.powered = False
        self.asleep = False
        self.battery_in = True
        self._packs = {lang: str(path) for lang, path in packs.items()}
        self._games: dict[str, tuple[str, ...]] = {}  # by language
        self._flash_folder = str(flash_folder)
        self._seed = seed
        self._boots = 0
        self._language = language
        self._force_language = force_language
        self._boot_cause: int | None = None
        self._talking = False
        self._until_us = 0
        self._pauses = False
        self._rests = False  # the firmware was left in the middle of a rest
        self._recording = bytearray(self._firmware.start.RECORDING_BYTES)

    # ---- the world's hand

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a button's or the tray's contact."""
        self.chip.contact(getattr(self._pins, control.upper()), closed)
        self._look_awake()

    def switch(self, position: str, quietly: bool = False) -> None:
        """Move the slide switch: "off" cuts the battery. quietly: that is where it stood when all
        began."""
        if position == self.position:
            return
        self.position = position
        self.chip.contact(self._pins.TRY_ME, position == "try-me")
        self._supply(quietly)
        self._look_awake()

    def battery(self, present: bool) -> None:
        """Take the battery out, or put it back in."""
        self.battery_in = present
        self._supply()

    def set(self, key: str, value: Any) -> None:
        """Change a setting as a computer does with `roboto set`, but for language and volume: the
        robot need not be on. Raises ValueError with one line."""
        if self.app is None:
            volume = self._firmware.volume.Volume(self._flash_folder, None, self.flash)
            self._set_on_flash(volume, key, value)
        else:
            self.app.settings.set(key, value)
            self.app.saver.add(self.app.settings.save())
        self.note("set", **{key: value})
        if self.chip.running:
            self.chip.at(self.chip.now_us, self._stir)

    def halt(self) -> None:
        """Stand still until the supply was cut: the firmware has raised what it should not
        have."""
        self.app = None
        self._boot_cause = None
        self.chip.running = False
        self._end_talk(cut=True)
        self.chip.power_off()

    def tone_ms(self, name: str) -> int:
        """Return how long a tone sounds."""
        return self._firmware.mixer.tone_ms(name)

    @property
    def now_ms(self) -> int:
        return self.chip.now_us // 1000

    def note(self, event: str, **fields: Any) -> None:
        """Note an event of the world, such as a press, in the trace."""
        self.trace.add(self.now_ms, event, fields)

    # ---- time

    def step_by_step(self) -> None:
        """Take every step of the firmware's loop on its own from now on, as in real time."""
        self._together_us = self.chip.stretch_us = 0

    def run_until(self, until_us: int) -> None:
        """Runs the firmware until the clock has come there, or a little later: up to the end of a
        loop's rest; after run_in_turns(), up to 8 ms, or
        while it works. Or until pause() is called."""
        modules.use(self.chip)
        chip = self.chip
        self._until_us = until_us
        if self._pauses:
            chip.pause_us = until_us
            chip.at(until_us, _nothing)  # the sleep that ends there looks up
        while chip.now_us < self._until_us:
            try:
                if self._boot_cause is not None:
                    self._boot()
                if self.app is None:
                    chip.advance_to(min(self._until_us, max(chip.next_us, chip.now_us)))
                else:
                    app = self.app
                    step, rest = app.step, app.rest
                    booted_us = chip.booted_us
                    unheard = self.tape is None
                    step_us = self._costs.step_us
                    self.chip.running = self.flash.charging = True
                    while chip.now_us < self._until_us:
                        if self._rests:
                            self._rest(rest)
                            continue
                        step()
                        deadline_ms = app.game.deadline_ms
                        if chip.worked:
                            chip.worked = False
                            chip.horizon_us = 0
                            chip.advance_to(chip.now_us + step_us)
                        elif app.busy:
                            chip.horizon_us = 0
                        elif deadline_ms is None:
                            chip.horizon_us = FAR_US
                        else:
                            chip.horizon_us = booted_us + deadline_ms * 1000
                        if unheard and chip.stretch_us and chip.horizon_us:
                            self._skip_speech(app)
                        self._rest(rest)
            except PowerLost:
                pass  # _supply() has seen to everything else
            except Dormant:
                self.chip.running = False
                self._fall_asleep()
            except Reset as reset:
                self.chip.running = False
                self.app = None
                self._boot_cause = reset.args[0] if reset.args else 1
                chip.power_off()
            finally:  # whatever ends it: from now on it is not the firmware that uses files
                self.chip.running = self.flash.charging = False

    def _rest(self, rest: Callable[[], None]) -> None:
        """Let the firmware rest between two steps; it may be left before it has ended."""
        chip = self.chip
        self._rests = chip.resting = True
        if self._pauses and chip.now_us >= self._until_us:
            chip.at(chip.now_us + 1, _nothing)  # never but in a sleep: there deeds have a time
        try:
            rest()
            self._rests = False
        except Paused:
            pass
        finally:
            chip.resting = False

    def _stir(self) -> None:
        """End a rest: there is more to do than when it began."""
        if self.chip.resting:
            raise Paused

    def run_in_turns(self) -> None:
        """Let run_until() come back in the middle of a rest, too, from now on."""
        self._pauses = True

    def pause(self) -> None:
        """Make it look, to whoever runs the robot, as if the time it was to run until had come."""
        self._until_us = self.chip.now_us

    def _skip_speech(self, app: Any) -> None:
        """Nobody listens, and nothing happens before the utterance ends or the world stirs: as so
        many of the coming steps as would do nothing but fill the loudspeaker's ring again."""
        chip = self.chip
        chunks = app.mixer.chunks_ahead
        if chunks < _CHUNKS_TOGETHER or not app.board.speaker.is_open:
            return
        rest_us = min(chip.next_us - 1, chip.horizon_us, self._until_us) - chip.now_us
        # One is left for rest(), which then takes it whole, as it would have taken each of these.
        strides = min(chunks // _CHUNKS_TOGETHER, rest_us // STEPS_TOGETHER_US - 1)
        if strides > 0:
            app.mixer.skip(strides * _CHUNKS_TOGETHER)
            chip.i2s[self._pins.AMP_I2S].skip(strides * STEPS_TOGETHER_US)
            chip.now_us += strides * STEPS_TOGETHER_US
            app.board.power.feed()

    # ---- power

    def _supply(self, quietly: bool = False) -> None:
        """The battery is connected or not, by its own hand or by the switch."""
        powered = self.battery_in and self.position != "off"
        if powered == self.powered:
            return
        self.powered = powered
        if powered:
            if not quietly:
                self.note("power", on=True)
            self._boot_cause = 1
            return
        self.app = None
        self.asleep = False
        self._boot_cause = None
        self._end_talk(cut=True)
        self.chip.power_off()
        self.note("power", on=False)
        if self.chip.running:
            self.chip.at(self.chip.now_us, _lose_power)  # out of whatever the firmware is doing

    def _boot(self) -> None:
        self.chip.power_on(wake=self.asleep, cause=self._boot_cause or 1)
        self._boot_cause = None
        self.asleep = self._rests = False
        loaded = self._firmware
        board = loaded.Board()
        volume = loaded.volume.Volume(self._flash_folder, board.guard, self.flash)
        self._boots += 1
        if self._boots == 1:
            self._choose_language(volume)
        self.chip.running = True
        seed = self._seed + 1_000_003 * (self._boots - 1)
        self.app = loaded.App(
            board,
            volume,
            self._packs,
            self._recording,
            seed,
            self._told,
            mixer=self._mixer(),
            collect=self._collect,
        )
        self.chip.running = False

    def _mixer(self) -> Any:
        """Return what mixes the sound. Reading what it plays costs no time: see costs.py."""
        if self.tape is None:
            return UnheardMixer(self._firmware.mixer)
        flash = self.flash

        class HeardMixer(self._firmware.mixer.Mixer):  # type: ignore[name-defined, misc]
            def render(self, out: bytearray) -> bool:
                charging, flash.charging = flash.charging, False
                try:
                    return super().render(out)
                finally:
                    flash.charging = charging

        return HeardMixer()

    def _collect(self) -> None:
        """Take the time of a garbage collection. It is left to CPython, where it would walk
        through all that the desktop holds."""
        self.chip.worked = True
        self.chip.advance_to(self.chip.now_us + self._costs.collection_us)

    def _choose_language(self, volume: Any) -> None:
        """Do what flashing does: set the language before the first start, and when it is flashed
        anew."""
        if "settings" not in volume.names() or self._force_language:
            self._set_on_flash(volume, "language", self._language)

    def settings(self) -> Any:
        """Return the firmware's settings, also of a robot that is off; looking takes no time."""
        if self.app is not None:
            return self.app.settings
        return self._settings_on(self._firmware.volume.Volume(self._flash_folder))

    def games(self) -> tuple[str, ...]:
        """Return the games that the robot's voice can say; looking takes no time."""
        from roboto.game.games import offered
        from roboto.storage.pack import Pack
        from roboto.storage.silent_pack import SilentPack

        language = self.settings().language
        if language not in self._games:
            path = self._packs.get(language)
            pack = Pack(path) if path else SilentPack()
            self._games[language] = offered(pack)
            pack.close()
        return self._games[language]

    def _settings_on(self, volume: Any) -> Any:
        from roboto.storage.settings import Settings

        settings = Settings(volume)
        if "settings" in volume.names():
            settings.load()
        else:
            settings.set("language", self._language)
        return settings

    def _set_on_flash(self, volume: Any, key: str, value: Any) -> None:
        """Change a setting of a robot that does not run; it takes no time."""
        settings = self._settings_on(volume)
        settings.set(key, value)
        job = settings.save()
        while not job.step():
            pass

    def _fall_asleep(self) -> None:
        self.app = None
        self.chip.power_off()
        self.asleep = True
        self.note("sleep")
        self._look_awake()

    def _look_awake(self) -> None:
        if self.asleep and self._boot_cause is None and self.chip.wakes():
            self.note("wake")
            self.chip.watchdog_reason = 2
            self._boot_cause = WATCHDOG  # as on rp2, where deepsleep() ends in machine.reset()

    # ---- what can be seen and heard

    def _record_led(self, level: int) -> None:
        self.chip.stretch_us = 0 if level else self._together_us
        self.note("led", led="record", on=bool(level))

    def _told(self, event: str, fields: dict[str, Any]) -> None:
        """The firmware says what it does."""
        if event == "say":
            self._talking = True
            self.trace.add(self.now_ms, event, fields)
            self.note("led", led="talk", on=True)
        elif event == "quiet":
            self._end_talk(**fields)
        else:
            self.trace.add(self.now_ms, event, fields)
            if event == "tone" and self.app is not None and self.app.game.state.phase == _LISTENS:
                self.room.hear(self.chip.now_us + _ECHO_US, self.tone_ms(fields["tone"]))

    def _end_talk(self, cut: bool) -> None:
        if self._talking:
            self._talking = False
            self.note("quiet", cut=cut)
            self.note("led", led="talk", on=False)


def _nothing() -> None:
    """Do nothing."""


def _lose_power() -> None:
    raise PowerLost
