"""An emulated robot on a test bench, as a process of its own: its USB port is a socket.

    python -m tests.hil.bench --files robot.img --port 4321        then, in another window:
    roboto doctor --port socket://127.0.0.1:4321

Its first line of output is JSON: {"port": ..., "control": ...}. On the control port each line is a
request, {"call": "press", "args": ["plate", 60]}, and is answered by {"ok": ...} or {"error":
...}; the calls are the methods of `Bench` without an underscore. `EmulatedRobot` in robot.py is
the other end.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import select
import socket
import sys
import time
from pathlib import Path

from host_tools.image import SECTOR_BYTES, Layout, read_filesystem, read_uf2
from sim.emulated import board as emulated
from sim.emulated import parts
from sim.emulated.board import EmulatedBoard
from sim.emulated.chip import USB_PACKET_BYTES

from .faults import OTHER_CHANNEL, apply_fault

_PACKET_MS = 0.2  # 64 bytes in 0.2 ms: 320 KB/s, what USB full speed carries to a Pico
_STEP_MS = 1.0
# The file system on the SPI flash, as board/flash.py mounts it.
CHIP = Layout(0, 4096)
_COUPLING = 4  # how much of the loudspeaker's word reaches the microphone: a quarter


class Bench:
    """The emulated board, what its user does to it, and its USB port as a TCP server."""

    def __init__(self, board: EmulatedBoard, port: int, control: int, pace: float) -> None:
        self.board = board
        self._pace = pace
        self._usb = socket.create_server(("127.0.0.1", port))
        self._control = socket.create_server(("127.0.0.1", control))
        self.ports = self._usb.getsockname()[1], self._control.getsockname()[1]
        self._computer: socket.socket | None = None
        self._tester: socket.socket | None = None
        self._request = b""
        self._to_board = bytearray()
        self._to_computer = bytearray()
        self._sent = 0  # of what the board has printed
        self._stopped = False
        self._unplug_after: int | None = None
        self.received = 0  # bytes that the board has taken since power-on of the bench

    # ---- what a test may ask for

    def press(self, control: str, ms: float = 100.0, in_ms: float = 0.0) -> float:
        """Press a button or the tray; returns the emulated time of the press."""
        return self.board.press(control, ms, in_ms)

    def hold(self, control: str) -> None:
        self.board.hold(control)

    def release(self, control: str) -> None:
        self.board.release(control)

    def position(self, position: str) -> None:
        """Move the slide switch."""
        self.board.set_position(position)

    def ms(self) -> float:
        """Emulated milliseconds."""
        return self.board.ms

    def leds(self) -> dict[str, bool]:
        """Which LEDs are lit; the talk LED counts as lit when it was so at any time in the last 5
        ms."""
        now = self.board.ms
        talk = self.board.talk_led
        lit = now > 5 and talk.share_on(now - 5, now) > 0
        return {"record": self.board.record_led.on, "talk": lit}

    def resets(self) -> list[tuple[float, str]]:
        return self.board.resets

    def dormant(self) -> bool:
        return self.board.dormant

    def power(self, on: bool) -> None:
        """Take the battery and USB out, or put them in."""
        self.board.power_on() if on else self.board.power_cut()

    def taken(self) -> int:
        """How many bytes the board has taken from the computer so far."""
        return self.received

    def unplug(self, after_bytes: int = 0) -> None:
        """Pull the USB plug, of a robot without batteries, once the board has taken so many bytes
        more."""
        self._unplug_after = self.received + after_bytes

    def files(self) -> dict[str, str]:
        """Path -> hexadecimal contents, as the flash holds them now."""
        data = read_filesystem(self.board.files_dump(), self.board.layout)
        return {path: contents.hex() for path, contents in data.items()}

    def chip_writes(self) -> int:
        """How often the SPI flash was erased or programmed so far."""
        chip = self.board.spi_flash
        return chip.erases + chip.programs if chip else 0

    def chip_files(self) -> dict[str, str]:
        """As files(), of the SPI flash."""
        chip = self.board.spi_flash
        memory = bytes(chip.memory) if chip else b""
        data = read_filesystem(memory, CHIP)
        return {path: contents.hex() for path, contents in data.items()}

    def save(self, path: str) -> None:
        """Write the file system's image to a file."""
        Path(path).write_bytes(self.board.files_dump())

    def heard(self, path: str, start_ms: float = 0.0) -> float | None:
        """Write what the loudspeaker played to a WAV; returns when it began, None for silence."""
        self.board.amplifier.write_wav(Path(path), start_ms)
        return self.board.amplifier.first_sound_ms(start_ms)

    def fault(self, name: str) -> None:
        """Break something; see faults.py."""
        apply_fault(self.board, name)

    def stop(self) -> None:
        self._stopped = True

    # ---- the loop

    def run(self) -> None:
        """Until stop() is asked for, or whoever started this goes away."""
        started, start_ms = time.monotonic(), self.board.ms
        while not self._stopped:
            ahead_s = (self.board.ms - start_ms) / 1000 / self._pace - (time.monotonic() - started)
            if self._to_board or ahead_s < 0:
                if ahead_s < -0.1:  # what was lost is not made up for: a press would come too soon
                    started, start_ms = time.monotonic(), self.board.ms
                ahead_s = 0
            self._serve(min(ahead_s, 0.05))
            if self._to_board and self.board.can_type():
                packet = bytes(self._to_board[:USB_PACKET_BYTES])
                del self._to_board[:USB_PACKET_BYTES]
                self.board.type(packet)
                self.received += len(packet)
            if self._unplug_after is not None and self.received >= self._unplug_after:
                self._unplug_after = None
                self._pull_plug()
            self.board.run(_PACKET_MS if self._to_board else _STEP_MS)
            self._print()

    def _serve(self, wait_s: float) -> None:
        listening = [self._usb, self._control, self._computer, self._tester]
        readable, _, _ = select.select([s for s in listening if s], [], [], wait_s)
        if self._usb in readable:
            newcomer = self._usb.accept()[0]
            if self._computer:  # a serial port has one owner
                newcomer.close()
            else:
                newcomer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._computer = newcomer
        if self._control in readable:
            self._tester = self._control.accept()[0]
            self._tester.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._computer and self._computer in readable:
            data = _receive(self._computer)
            if data:
                self._to_board += data
            else:
                self._computer.close()
                self._computer = None
                self._to_board.clear()
        if self._tester and self._tester in readable:
            data = _receive(self._tester)
            if not data:
                self._tester = None
                self._stopped = True
            self._request += data
            while b"\n" in self._request:
                line, _, self._request = self._request.partition(b"\n")
                self._answer(line)

    def _answer(self, line: bytes) -> None:
        request = json.loads(line)
        try:
            name = request["call"]
            if name.startswith("_") or name == "run":
                raise ValueError(f"no call {name!r}")
            answer = {"ok": getattr(self, name)(*request.get("args", []))}
        except Exception as error:  # whatever it is, the test is to see it
            answer = {"error": f"{type(error).__name__}: {error}"}
        assert self._tester
        self._tester.sendall(json.dumps(answer).encode() + b"\n")

    def _print(self) -> None:
        console = self.board.console
        if self._computer and console:
            with contextlib.suppress(OSError):
                self._computer.sendall(console)
        console.clear()

    def _pull_plug(self) -> None:
        if self._computer:
            self._computer.close()
            self._computer = None
        self._to_board.clear()
        self.board.power_cut()
        self.board.run(100)
        self.board.power_on()


class BenchBoard(EmulatedBoard):
    """An emulated board whose loudspeaker its microphone hears."""

    def __init__(self, *args, spi_id: bytes = parts.SpiFlash.JEDEC_ID, **options) -> None:
        super().__init__(*args, **options)
        self.loudspeaker_wired = True
        if self.spi_flash:
            self.spi_flash.JEDEC_ID = spi_id
        next_word = self.microphone._next_word

        def word_with_echo(now_ns: float) -> int:
            word = next_word(now_ns)
            if word and self.loudspeaker_wired and self.amplifier.on and self.amplifier.words:
                word += (self.amplifier.words[-1] << 8) // _COUPLING
            return word & 0xFFFFFF

        self.microphone._next_word = word_with_echo


def _receive(source: socket.socket) -> bytes:
    try:
        data = source.recv(65536)
        if hasattr(socket, "TCP_QUICKACK"):  # else the computer's next packet waits for 40 ms
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return data
    except OSError:
        return b""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=Path, help="a littlefs image; default: a blank flash")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--control", type=int, default=0)
    parser.add_argument(
        "--pace", type=float, default=1.0, help="at most so many times as fast as a real board"
    )
    parser.add_argument("--fault", action="append", default=[], help="see faults.py")
    parser.add_argument(
        "--drop", type=Path, help="a UF2 that is dropped onto the board's drive first"
    )
    arguments = parser.parse_args()
    if OTHER_CHANNEL in arguments.fault:
        emulated.Microphone = functools.partial(parts.Microphone, channel=1)
    board = BenchBoard(
        arguments.files.read_bytes() if arguments.files else None,
        usb=True,
        spi_flash=b"",
    )
    if arguments.drop:
        for number, sector in read_uf2(arguments.drop.read_bytes()).items():
            board.mcu.flash[number * SECTOR_BYTES : (number + 1) * SECTOR_BYTES] = sector
    for name in arguments.fault:
        apply_fault(board, name)
    board.power_on()
    bench = Bench(board, arguments.port, arguments.control, arguments.pace)
    port, control = bench.ports
    print(json.dumps({"port": port, "control": control}), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        bench.run()


if __name__ == "__main__":
    sys.exit(main())
