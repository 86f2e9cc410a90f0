"""An emulated RP2040 with a MicroPython image in its flash, run step by step in emulated time.

`Chip` drives rp2040py without asyncio: `run(ms)` lets so much emulated time pass and returns,
`at(ms, action)` plans something for a moment on the way. Nothing here looks at the wall clock, so
a run is the same every time.

Where rp2040py is kinder than the real chip, or unkinder, it is put right here:

* Its USB host completes an empty transfer every 10 us, which keeps the CPU from ever sleeping;
  ours answers "not now" until it has something to send, as hosts do.
* While the CPU sleeps, its PIO gets one instruction per jump from alarm to alarm, so I2S stutters.
  The rebuilt emulator (fast_emulator.sh) paces it inside; otherwise an alarm of ours does, slowly.
* Its flash erases and programs in no time. Here it takes what the data sheet says, and the CPU,
  which waits in the boot ROM with interrupts off, is held meanwhile; PIO and DMA run on.
* Its raw pin interrupts know no pull-ups, so that an open contact reads as pressed.
* Its dormant CPU never wakes. Here it does when a pin fulfils what DORMANT_WAKE_INTE asks for.
  Its watchdog goes on counting meanwhile; here, as on the chip, it does not bite.

What stays untrue: flash is read without cache misses, so code in flash runs a little too fast;
there is no second core and no UART.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.peripherals import ssi
from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

CYCLES_PER_MS = 125_000
_CYCLE_NS = 8.0
HIGH = GPIOPinState.HIGH  # a pin driven high, as listeners get it
USB_PACKET_BYTES = 64
_TICK_BATCH = 1  # instructions between looks at the clock
_VBUS_PIN = 24

# Typical times of the Pico's W25Q16JV (data sheet, table "AC electrical characteristics").
ERASE_SECTOR_MS = 45.0
ERASE_BLOCK_MS = 150.0
PROGRAM_PAGE_MS = 0.4

_IO_BANK0 = 0x40014
_INTR = 0xF0
_DORMANT_WAKE_INTE = 0x160
_EDGES = 0xCCCCCCCC
_LEVEL_LOW, _LEVEL_HIGH, _EDGE_LOW, _EDGE_HIGH = 1, 2, 4, 8
_XOSC_DORMANT = 0x08
_XOSC_DORMANT_VALUE = 0x636F6D61


class Stuck(AssertionError):
    """What was waited for did not happen in the emulated time allowed."""


class Chip:
    """One RP2040 on a Pico. It starts without power: `power_on()`.

    image        path of a UF2 with MicroPython
    files        bytes of a littlefs image for the flash from `files_at` on, or None for blank
    flash
    usb          whether a computer is plugged in: 5 V on USB, and a terminal in `console`
    console      the terminal alone, for looking on while the firmware believes it runs on
    batteries
    flash_times  False for a flash as quick as rp2040py's own
    """

    def __init__(
        self,
        image: Path,
        files: bytes | None = None,
        *,
        files_at: int = 0xA0000,
        usb: bool = False,
        console: bool = False,
        flash_times: bool = True,
    ) -> None:
        self.simulator = Simulator(rp2040=RP2040())
        self.mcu = self.simulator.rp2040
        self.clock = self.mcu.clock
        self.mcu.load_bootrom(BOOTROM_B1)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self.mcu.flash[:] = b"\xff" * len(self.mcu.flash)
        load_uf2(image, self.mcu)
        if files is not None:
            self.mcu.flash[files_at : files_at + len(files)] = files
        self.powered = False
        self.dormant = False
        self.console = bytearray()
        self.flash_log: list[tuple[float, str, int]] = []  # (ms, "erase" or "program", address)
        self.resets: list[tuple[float, str]] = []  # (ms, "power" or "watchdog")
        self._flash_times = flash_times
        self._end = self.clock.create_alarm(self._stop_batch)
        self._on_power: list[Callable[[bool], None]] = []
        self._listeners: list[Callable[[GPIOPinState, GPIOPinState], None]] = []
        self._wake_enable = [0, 0, 0, 0]
        self.mcu.watchdog.on_watchdog_trigger = self._watchdog
        self._hook_dormant()
        self._apply_flash_command = self.mcu.ssi._apply_command
        self.mcu.ssi._apply_command = self._flash_command
        self._cdc: USBCDC | None = None
        self._held_out_transfer: tuple[int, int] | None = None
        self._reads = True
        self._unread_transfers: list[int] = []
        self._terminal = usb or console
        self.mcu.gpio[_VBUS_PIN].set_input_value(usb)
        self._connect_usb()
        if not getattr(_native_loop(), "PACES_PIO", False):
            self._pace_pio()

    # time ---------------------------------------------------------------------------------------

    @property
    def ms(self) -> float:
        """Emulated milliseconds since the emulator began; power cuts do not stop them."""
        return self.clock.nanos / 1e6

    @property
    def cycles(self) -> int:
        """Return the same in CPU cycles of 8 ns."""
        return round(self.clock.nanos / _CYCLE_NS)

    def run(self, ms: float) -> None:
        """Let `ms` of emulated time pass."""
        end = self.clock.nanos + ms * 1e6
        self._end.schedule(ms * 1e6)
        while self.clock.nanos < end - 1:
            if self.powered and not self.dormant:
                self.simulator.stopped = False
                execute_batch(self.simulator, _TICK_BATCH)
            else:
                self.clock.tick(self.clock.nanos_to_next_alarm)
                if self.dormant and self._wake_asked_for():
                    self._wake()

    def until(
        self, happened: Callable[[], object], limit_ms: float = 5000.0, step_ms: float = 1.0
    ) -> float:
        """Let time pass until `happened()` is true; return the milliseconds it took.

        Looks every `step_ms`. Raises Stuck after `limit_ms`.
        """
        start = self.ms
        while not happened():
            if self.ms - start >= limit_ms:
                raise Stuck(
                    f"not in {limit_ms:.0f} ms; console ends with "
                    + repr(bytes(self.console[-300:]).decode(errors="replace"))
                )
            self.run(step_ms)
        return self.ms - start

    def at(self, ms: float, action: Callable[[], None]) -> None:
        """Plan `action` for `ms` emulated milliseconds from now."""
        self.clock.create_alarm(action).schedule(ms * 1e6)

    def busy_share(self, ms: float, every_us: float = 37.0) -> float:
        """Let `ms` of time pass; return the part of it in which the CPU was awake, by sampling."""
        seen = [0, 0]

        def sample() -> None:
            seen[0] += 1
            seen[1] += not self.mcu.core.waiting
            alarm.schedule(every_us * 1e3)

        alarm = self.clock.create_alarm(sample)
        alarm.schedule(0)
        self.run(ms)
        alarm.cancel()
        return seen[1] / seen[0]

    def _stop_batch(self) -> None:
        self.simulator.stopped = True

    # power --------------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Put the battery in (or back)."""
        self._enter_reset()
        self.mcu.watchdog.reset()
        self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        self.mcu.sram[:] = bytes(len(self.mcu.sram))
        self.mcu.leave_reset()
        self.powered, self.dormant = True, False
        self.resets.append((self.ms, "power"))
        for tell in self._on_power:
            tell(True)

    def power_cut(self) -> None:
        """Take the battery out at this instant: pins let go, RAM is lost, flash stays."""
        self.powered = self.dormant = False
        self._stop_batch()
        self._enter_reset()
        for tell in self._on_power:
            tell(False)

    def on_power(self, tell: Callable[[bool], None]) -> None:
        """Call `tell(on)` whenever power comes or goes."""
        self._on_power.append(tell)

    def _enter_reset(self, from_watchdog: bool = False) -> None:
        self._wake_enable = [0, 0, 0, 0]
        self.mcu.enter_reset(from_watchdog=from_watchdog)
        for listener in self._listeners:
            listener(GPIOPinState.INPUT, GPIOPinState.INPUT)  # a reset lets go of every pin

    def _watchdog(self) -> None:
        if self.dormant:
            return  # on the real chip its clock stands still, too
        self.resets.append((self.ms, "watchdog"))
        self._enter_reset(from_watchdog=True)
        self.mcu.leave_reset()

    def listen(self, pin: int, listener: Callable[[GPIOPinState, GPIOPinState], None]) -> None:
        """Call `listener(new, old)` when the chip drives a pin otherwise, or lets go of it."""
        self._listeners.append(listener)
        self.mcu.gpio[pin].add_listener(listener)

    # sleep --------------------------------------------------------------------------------------

    def _hook_dormant(self) -> None:
        xosc = self.mcu.xosc
        write_xosc = xosc.write_uint32

        def write(offset: int, value: int) -> None:
            write_xosc(offset, value)
            if offset == _XOSC_DORMANT and value == _XOSC_DORMANT_VALUE:
                self.dormant = True
                self._stop_batch()

        xosc.write_uint32 = write
        bank = self.mcu.peripherals[_IO_BANK0]
        read_bank, write_bank = bank.read_uint32, bank.write_uint32

        def is_wake_enable(offset: int) -> bool:
            return _DORMANT_WAKE_INTE <= offset < _DORMANT_WAKE_INTE + 16

        def read_io(offset: int) -> int:
            if is_wake_enable(offset):
                return self._wake_enable[(offset - _DORMANT_WAKE_INTE) // 4]
            if _INTR <= offset < _INTR + 16:
                return read_bank(offset) & _EDGES | self._levels((offset - _INTR) // 4)
            return read_bank(offset)

        def write_io(offset: int, value: int) -> None:
            if is_wake_enable(offset):
                self._wake_enable[(offset - _DORMANT_WAKE_INTE) // 4] = value & 0xFFFFFFFF
            else:
                write_bank(offset, value)

        bank.read_uint32, bank.write_uint32 = read_io, write_io

    def _levels(self, register: int) -> int:
        """The level bits of one INTR register, as the pins stand: rp2040py's know no pull-ups."""
        bits = 0
        for index, pin in enumerate(self.mcu.gpio[8 * register : 8 * register + 8]):
            bits |= (_LEVEL_HIGH if pin.input_value else _LEVEL_LOW) << 4 * index
        return bits

    def _wake_asked_for(self) -> bool:
        for index, pin in enumerate(self.mcu.gpio):
            wanted = self._wake_enable[index // 8] >> 4 * (index % 8) & 15
            if wanted:
                level = _LEVEL_HIGH if pin.input_value else _LEVEL_LOW
                if wanted & (level | pin.irq_status & (_EDGE_LOW | _EDGE_HIGH)):
                    return True
        return False

    def _wake(self) -> None:
        self.dormant = False
        self.mcu.xosc._is_dormant = False
        self.mcu.xosc._stable = True

    # flash --------------------------------------------------------------------------------------

    def _flash_command(self) -> None:
        """In place of the emulated flash chip's own: the same, in the time it takes."""
        sent = self.mcu.ssi._tx_buffer
        command, enabled = (sent[0] if sent else 0), self.mcu.ssi._write_enabled
        address = int.from_bytes(sent[1:4], "big")
        self._apply_flash_command()
        if not enabled or command not in _FLASH_MS:
            return
        self.flash_log.append(
            (self.ms, "program" if command == ssi.CMD_PAGE_PROGRAM else "erase", address)
        )
        if self._flash_times:
            self._hold(_FLASH_MS[command])

    def _hold(self, ms: float) -> None:
        """Time passes for all but the CPU."""
        end = self.clock.nanos + ms * 1e6
        while self.clock.nanos < end and self.powered:
            step = end - self.clock.nanos
            if self.clock.has_scheduled_alarm:
                step = min(step, self.clock.nanos_to_next_alarm)
            cycles = max(1, round(step / _CYCLE_NS))
            for pio in self.mcu.pio:
                if not pio.stopped:
                    cycles = max(1, min(cycles, pio.next_due_fp - pio.cycle_fp + 255 >> 8))
            self.clock.tick(cycles * _CYCLE_NS)
            for pio in self.mcu.pio:
                if not pio.stopped:
                    pio.advance(cycles)

    def dump(self, start: int, length: int) -> bytes:
        """Return what the flash holds."""
        return bytes(self.mcu.flash[start : start + length])

    # USB ----------------------------------------------------------------------------------------

    def _connect_usb(self) -> None:
        usb = self.mcu.usb_ctrl
        self._cdc = cdc = USBCDC(usb)
        cdc.on_serial_data = self.console.extend
        read, reset, enabled = usb.on_endpoint_read, usb.on_reset, usb.on_usb_enabled
        assert read is not None and reset is not None and enabled is not None

        def on_enabled() -> None:
            if self._terminal:
                enabled()

        def on_read(endpoint: int, size: int) -> None:
            if endpoint == cdc._out_endpoint and cdc.tx_fifo.empty:
                self._held_out_transfer = endpoint, size
            else:
                read(endpoint, size)

        def on_reset() -> None:
            self._held_out_transfer = None
            reset()

        usb.on_usb_enabled, usb.on_endpoint_read, usb.on_reset = on_enabled, on_read, on_reset
        self._answer_out_transfer = read
        indicate = usb._indicate_buffer_ready

        def on_taken(endpoint: int, out: bool) -> None:
            if out or endpoint != cdc._in_endpoint or self._reads:
                indicate(endpoint, out)
            else:
                self._unread_transfers.append(endpoint)

        usb._indicate_buffer_ready = on_taken
        self._indicate_taken = indicate

    def computer_reads(self, reads: bool) -> None:
        """Let the computer stop taking what the board sends it, or begin again."""
        self._reads = reads
        if reads:
            held, self._unread_transfers = self._unread_transfers, []
            for endpoint in held:
                self._indicate_taken(endpoint, False)

    def plug_usb(self) -> None:
        """Plug a computer in: 5 V on USB, and a terminal that the board finds when it starts."""
        self._terminal = True
        self.mcu.gpio[_VBUS_PIN].set_input_value(True)

    def send(self, data: bytes) -> None:
        """Type `data` at the console."""
        cdc = self._cdc
        assert cdc is not None
        for start in range(0, len(data), USB_PACKET_BYTES):
            for byte in data[start : start + USB_PACKET_BYTES]:
                cdc.send_serial_byte(byte)
            if self._held_out_transfer is not None:
                transfer, self._held_out_transfer = self._held_out_transfer, None
                self._answer_out_transfer(*transfer)
            self.until(lambda: cdc.tx_fifo.empty, 1000, 0.2)

    def can_type(self) -> bool:
        """Return whether the board takes a packet from the computer now."""
        return self._held_out_transfer is not None

    def type(self, packet: bytes) -> None:
        """Hand over up to 64 bytes."""
        assert self._cdc is not None and self._held_out_transfer is not None
        for byte in packet:
            self._cdc.send_serial_byte(byte)
        transfer, self._held_out_transfer = self._held_out_transfer, None
        self._answer_out_transfer(*transfer)

    def python(self, code: str, limit_ms: float = 20_000.0) -> str:
        """Interrupt what runs, execute `code` in the raw REPL and return what it printed.

        Raises AssertionError with the traceback when it raised. Needs a terminal.
        """
        if not self.console:
            self.send(b"\r\n")
        self.send(b"\x03\x03")
        self.run(5)
        del self.console[:]
        self.send(b"\x01")
        self.until(lambda: self.console.endswith(b"raw REPL; CTRL-B to exit\r\n>"), 2000)
        del self.console[:]
        self.send(code.encode() + b"\x04")
        self.until(lambda: self.console.endswith(b"\x04>"), limit_ms)
        answer = bytes(self.console)
        self.send(b"\x02")
        output, error = answer[answer.index(b"OK") + 2 : -2].split(b"\x04")
        if error:
            raise AssertionError(error.decode(errors="replace"))
        return output.decode(errors="replace").replace("\r\n", "\n")

    def _pace_pio(self) -> None:
        """Wake the emulator's loop whenever a PIO instruction is due. See the top of this file."""
        late = [False]

        def wake() -> None:
            if late[0]:  # the loop advances the PIO only after the clock: look again a cycle later
                late[0] = False
                alarm.schedule(_CYCLE_NS)
                return
            late[0] = True
            due = [p.next_due_fp - p.cycle_fp for p in self.mcu.pio if not p.stopped]
            wait_ns = min(due, default=1 << 62) / 32 - _CYCLE_NS
            alarm.schedule(max(_CYCLE_NS, min(wait_ns, 20_000.0)))

        alarm = self.clock.create_alarm(wake)
        alarm.schedule(1000.0)


_FLASH_MS = {
    ssi.CMD_SECTOR_ERASE: ERASE_SECTOR_MS,
    ssi.CMD_BLOCK_ERASE: ERASE_BLOCK_MS,
    ssi.CMD_PAGE_PROGRAM: PROGRAM_PAGE_MS,
}


def _native_loop() -> object:
    try:
        from rp2040py.native import _simulator
    except ImportError:
        return None
    return _simulator


def is_high(state: GPIOPinState) -> bool:
    """Return whether a pin's new state, as its listeners get it, is a driven high."""
    return state is HIGH
