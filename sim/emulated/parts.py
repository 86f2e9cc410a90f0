"""What is wired to the emulated chip: amplifier, microphone, LEDs, buttons, SPI flash.

Each part is made for pins of a `Chip` and works at the pins alone: it sees levels and drives
levels.
"""

from __future__ import annotations

import random
import wave
from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np
from roboto.sound.format import RATE_HZ

from .chip import HIGH, Chip, is_high

_STOPPED_CLOCK_NS = 1e6  # a bit clock silent for so long has stopped


class Amplifier:
    """A MAX98357A: plays the left word of each I2S frame while its shutdown pin is high."""

    def __init__(self, chip: Chip, sck: int, ws: int, data: int, shutdown: int) -> None:
        self._chip = chip
        self._ws, self._data = chip.mcu.gpio[ws], chip.mcu.gpio[data]
        self.words = array("h")  # every left word that came, played or not
        self.times_ns = array("d")  # when its last bit came
        self.switched: list[tuple[float, bool]] = []  # (ms, on): the shutdown pin's edges
        chip.listen(sck, self._clocked())
        chip.listen(shutdown, self._switch)

    @property
    def on(self) -> bool:
        return bool(self.switched) and self.switched[-1][1]

    def _switch(self, new, _old) -> None:
        if is_high(new) != self.on:
            self.switched.append((self._chip.ms, is_high(new)))

    def _clocked(self) -> Callable:
        """The bit clock's listener. A closure, since it runs half a million times a second."""
        clock, ws_pin, data_pin = self._chip.clock, self._ws, self._data
        words, times_ns = self.words, self.times_ns
        bits = count = 0
        last_ws: bool | None = None
        last_ns = 0.0

        def clocked(new, _old) -> None:
            nonlocal bits, count, last_ws, last_ns
            if new is not HIGH:
                return
            bits = bits << 1 | data_pin.output_value
            count += 1
            ws = ws_pin.output_value
            if ws == last_ws:
                return
            # Philips I2S: the bit seen with the change of WS is the last of the word before it.
            now_ns = clock.nanos
            if now_ns - last_ns > _STOPPED_CLOCK_NS:
                last_ws = None  # a new stream: what came before is not a whole word
            last_ns = now_ns
            if last_ws is False and count >= 16:
                word = bits >> (count - 16) & 0xFFFF
                words.append(word - 0x10000 if word & 0x8000 else word)
                times_ns.append(now_ns)
            last_ws = ws
            bits = count = 0

        return clocked

    def heard(self, start_ms: float = 0.0, end_ms: float | None = None) -> np.ndarray:
        """Return what came out of the speaker between two times: int16 at 16 kHz, zeros where
        nothing."""
        end_ms = self._chip.ms if end_ms is None else end_ms
        out = np.zeros(max(0, round((end_ms - start_ms) * RATE_HZ / 1000)), np.int16)
        times_ms = np.frombuffer(self.times_ns, np.float64) / 1e6 if self.times_ns else np.zeros(0)
        words = np.frombuffer(self.words, np.int16) if self.words else np.zeros(0, np.int16)
        place = np.floor((times_ms - start_ms) * RATE_HZ / 1000).astype(int)
        edges = [ms for ms, _ in self.switched]
        levels = np.array([False] + [on for _, on in self.switched])
        wanted = (
            (place >= 0) & (place < len(out)) & levels[np.searchsorted(edges, times_ms, "right")]
        )
        out[place[wanted]] = words[wanted]
        return out

    def played(self, after_ms: float) -> np.ndarray:
        """Return every word that came from then on, one after the other: int16."""
        first = int(np.searchsorted(np.frombuffer(self.times_ns, np.float64), after_ms * 1e6))
        return np.frombuffer(self.words, np.int16)[first:].copy()

    def first_sound_ms(self, after_ms: float = 0.0) -> float | None:
        """Return when the first word that is not zero came while the amplifier was on."""
        for ns, word in zip(self.times_ns, self.words, strict=True):
            if word and ns >= after_ms * 1e6 and self._was_on(ns / 1e6):
                return ns / 1e6
        return None

    def _was_on(self, ms: float) -> bool:
        on = False
        for when, state in self.switched:
            if when > ms:
                break
            on = state
        return on

    def write_wav(self, path: Path, start_ms: float = 0.0, end_ms: float | None = None) -> None:
        """Write `heard()` as a WAV."""
        with wave.open(str(path), "wb") as out:
            out.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
            out.writeframes(self.heard(start_ms, end_ms).tobytes())


class Microphone:
    """An I2S microphone, 24 bits left-justified in a 32-bit slot, powered by a pin.

    kind "INMP441" starts after 2**18 clocks (256 ms at 16 kHz), "ICS-43434" after 20 ms. Until
    then, and in the other channel's slot, it sends zeros; without power it sends nothing. A
    stopped clock or lost power starts it anew.
    """

    START_CLOCKS = {"INMP441": 1 << 18, "ICS-43434": 20_480}

    def __init__(
        self,
        chip: Chip,
        sck: int,
        ws: int,
        data: int,
        power: int | None = None,
        *,
        kind: str = "INMP441",
        channel: int = 0,
        dead: bool = False,
    ) -> None:
        self._chip = chip
        self._ws, self._out = chip.mcu.gpio[ws], chip.mcu.gpio[data]
        self._start_clocks = self.START_CLOCKS[kind]
        self._channel = bool(channel)
        self.dead = dead
        self.powered = power is None
        self.powered_log: list[tuple[float, bool]] = []
        self.sent = array("i")  # 24-bit words sent while it was running
        self.first_word_ms: float | None = None  # since it last started
        self._speech = np.zeros(0, np.int32)
        self._speech_start_ms = 0.0
        self._clocks = 0  # while powered, since the clock last stopped
        self._level: bool | None = None
        self._noise = random.Random(1)
        chip.listen(sck, self._clocked())
        if power is not None:
            chip.listen(power, self._switch)

    @property
    def running(self) -> bool:
        return self.powered and self._clocks >= self._start_clocks

    def say(self, samples: np.ndarray, in_ms: float = 0.0) -> None:
        """Speak int16 samples at 16 kHz into it, beginning `in_ms` from now."""
        self._speech = samples.astype(np.int32) << 8
        self._speech_start_ms = self._chip.ms + in_ms

    def _switch(self, new, _old) -> None:
        if is_high(new) != self.powered:
            self.powered = is_high(new)
            self.powered_log.append((self._chip.ms, self.powered))
            self._clocks = 0
            if not self.powered:
                self._out.release_input()
                self._level = None

    def _clocked(self) -> Callable:
        """The listener of the bit clock. A closure, since it runs two million times a second."""
        clock, ws_pin, drive = self._chip.clock, self._ws, self._out.set_input_value
        latched: bool | None = None
        slot: bool | None = None
        word, mask = 0, 0
        last_ns = 0.0
        channel = self._channel

        def clocked(new, _old) -> None:
            nonlocal latched, slot, word, mask, last_ns
            if new is HIGH:
                latched = ws_pin.output_value
                return
            self._clocks += 1
            if latched != slot:
                now_ns = clock.nanos
                if now_ns - last_ns > _STOPPED_CLOCK_NS or not self.powered:
                    self._clocks = 0
                    self.first_word_ms = None
                last_ns = now_ns
                slot = latched
                word = self._next_word(now_ns) if slot == channel else 0
                mask = 1 << 23
            level = word & mask != 0
            mask >>= 1
            if level != self._level and self.powered:
                self._level = level
                drive(level)

        return clocked

    def _next_word(self, now_ns: float) -> int:
        if self.dead or self._clocks < self._start_clocks:
            return 0
        if self.first_word_ms is None:
            self.first_word_ms = now_ns / 1e6
        word = self._noise.randrange(-400, 400)  # a quiet room
        index = int((now_ns / 1e6 - self._speech_start_ms) * RATE_HZ / 1000)
        if 0 <= index < len(self._speech):
            word += int(self._speech[index])
        self.sent.append(word)
        return word & 0xFFFFFF


class Led:
    """Records when a pin was driven high or low."""

    def __init__(self, chip: Chip, pin: int) -> None:
        self._chip = chip
        self.edges: list[tuple[float, bool]] = []
        chip.listen(pin, self._changed)

    @property
    def on(self) -> bool:
        return bool(self.edges) and self.edges[-1][1]

    def _changed(self, new, _old) -> None:
        if is_high(new) != self.on:
            self.edges.append((self._chip.ms, is_high(new)))

    def share_on(self, start_ms: float, end_ms: float) -> float:
        """Return the part of a time span in which it was lit: the brightness, 0 to 1."""
        lit, on, since = 0.0, False, start_ms
        for ms, state in [*self.edges, (end_ms, False)]:
            if ms > end_ms:
                break
            if ms > start_ms:
                lit += (ms - since) * on
                since = ms
            on = state
        return lit / (end_ms - start_ms)


class Switch:
    """A contact that pulls a pin to ground while it is closed, and bounces."""

    BOUNCES_MS = (0.3, 0.5, 1.1, 1.2, 2.6, 2.7)  # open, closed, open ... after the first contact

    def __init__(self, chip: Chip, pin: int) -> None:
        self._chip = chip
        self._pin = chip.mcu.gpio[pin]
        self.closed = False
        self._pin.release_input()

    def _set(self, closed: bool) -> None:
        self.closed = closed
        if closed:
            self._pin.set_input_value(False)
        else:
            self._pin.release_input()

    def close(self, in_ms: float = 0.0, bounce: bool = True) -> None:
        """Close it `in_ms` from now."""
        self._move(in_ms, True, bounce)

    def open(self, in_ms: float = 0.0, bounce: bool = True) -> None:
        """Open it `in_ms` from now."""
        self._move(in_ms, False, bounce)

    def _move(self, in_ms: float, closed: bool, bounce: bool) -> None:
        self._chip.at(in_ms, lambda: self._set(closed))
        for index, later_ms in enumerate(self.BOUNCES_MS if bounce else ()):
            state = closed if index % 2 else not closed
            self._chip.at(in_ms + later_ms, lambda state=state: self._set(state))


class SpiFlash:
    """A W25Q128 on one of the chip's SPI blocks, chip select on a pin; with its write times."""

    SIZE = 16 << 20
    JEDEC_ID = b"\xef\x40\x18"
    PROGRAM_MS, ERASE_MS, BLOCK_ERASE_MS, RELEASE_MS = 0.7, 45.0, 150.0, 0.003

    def __init__(self, chip: Chip, spi: int, cs: int, contents: bytes = b"") -> None:
        self._chip = chip
        self._spi = chip.mcu.spi[spi]
        self.memory = bytearray(b"\xff" * self.SIZE)
        self.memory[: len(contents)] = contents
        self.asleep = False
        self.faults: list[str] = []  # what a data sheet forbids
        self.erases = self.programs = 0
        self._busy_until_ms = 0.0
        self._write_enabled = False
        self._selected = False
        self._sent = bytearray()
        self._answer = 0xFF
        self._byte_done = chip.clock.create_alarm(self._complete)
        self._spi.on_transmit = self._transmit
        chip.listen(cs, self._select)
        chip.on_power(self._power)

    @property
    def busy(self) -> bool:
        return self._chip.ms < self._busy_until_ms

    def _power(self, on: bool) -> None:
        self.asleep = self._write_enabled = self._selected = False
        self._busy_until_ms = 0.0

    def _transmit(self, value: int) -> None:
        self._answer = self._exchange(value & 0xFF) if self._selected else 0xFF
        if self._spi.clock_frequency:
            self._byte_done.schedule(8e9 / self._spi.clock_frequency)
        else:
            self._complete()

    def _complete(self) -> None:
        self._spi.complete_transmit(self._answer)

    def _select(self, new, _old) -> None:
        selected = not is_high(new)
        if self._selected and not selected and self._sent:
            self._finish()
        self._selected = selected
        self._sent.clear()

    def _address(self) -> int:
        return int.from_bytes(self._sent[1:4], "big")

    def _exchange(self, value: int) -> int:
        self._sent.append(value)
        command, position = self._sent[0], len(self._sent) - 1
        if position == 0:
            if self.asleep and command != 0xAB:
                self.faults.append(f"command {command:02x} in deep power-down")
            elif self.busy and command != 0x05:
                self.faults.append(f"command {command:02x} while busy")
            return 0xFF
        if command == 0x05:
            return self.busy | self._write_enabled << 1
        if self.asleep or self.busy:
            return 0xFF
        if command == 0x9F:
            return self.JEDEC_ID[(position - 1) % 3]
        if command == 0x03 and position >= 4:
            return self.memory[(self._address() + position - 4) % self.SIZE]
        if command == 0x0B and position >= 5:
            return self.memory[(self._address() + position - 5) % self.SIZE]
        return 0xFF

    def _finish(self) -> None:
        command = self._sent[0]
        if command == 0xAB:
            self.asleep = False
            self._busy_until_ms = self._chip.ms + self.RELEASE_MS
        if self.asleep or self.busy:
            return
        if command == 0xB9:
            self.asleep = True
        elif command == 0x06:
            self._write_enabled = True
        elif command == 0x04:
            self._write_enabled = False
        elif command in (0x02, 0x20, 0xD8):
            if not self._write_enabled:
                self.faults.append(f"command {command:02x} without write enable")
                return
            self._write_enabled = False
            self._program() if command == 0x02 else self._erase(command)

    def _program(self) -> None:
        page, first = self._address() & ~0xFF, self._address() & 0xFF
        for index, value in enumerate(self._sent[4:]):
            self.memory[page | (first + index) & 0xFF] &= value
        self.programs += 1
        self._busy_until_ms = self._chip.ms + self.PROGRAM_MS

    def _erase(self, command: int) -> None:
        size = 4096 if command == 0x20 else 65536
        start = self._address() & ~(size - 1)
        self.memory[start : start + size] = b"\xff" * size
        self.erases += 1
        self._busy_until_ms = self._chip.ms + (
            self.ERASE_MS if size == 4096 else self.BLOCK_ERASE_MS
        )
