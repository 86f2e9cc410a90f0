"""An emulated board in this very process, as a serial port: it runs only while somebody waits for
it, so that a session costs no more than the board's own work. bench.py is the same as a process
with a socket."""

from __future__ import annotations

from mpremote.transport_serial import SerialTransport

from .bench import USB_PACKET_BYTES, BenchBoard

_STEP_MS = 0.2
_LIMIT_MS = 20_000.0


class Wire:
    """What SerialTransport and Board want of a pyserial port. Its plug is pulled with the power,
    before the flash is written for the time pull_at (from 1)."""

    def __init__(self, board: BenchBoard) -> None:
        self.board = board
        self.pull_at: int | None = None
        board.flash_log = _Log(self)

    @property
    def in_waiting(self) -> int:
        if not self.board.console:
            self._run()
        return len(self.board.console)

    def inWaiting(self) -> int:  # noqa: N802 - mpremote asks so
        return self.in_waiting

    def read(self, n: int = 1) -> bytes:
        end = self.board.ms + _LIMIT_MS
        while not self.board.console and self.board.ms < end:
            self._run()
        data = bytes(self.board.console[:n])
        del self.board.console[:n]
        return data

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), USB_PACKET_BYTES):
            end = self.board.ms + _LIMIT_MS
            while not self.board.can_type() and self.board.ms < end:
                self._run()
            self.board.type(data[start : start + USB_PACKET_BYTES])
        return len(data)

    def close(self) -> None:
        self.board.console.clear()

    def _run(self) -> None:
        self.board.run(_STEP_MS)
        if not self.board.powered:
            raise OSError("the plug was pulled")


class _Log(list):
    """The board's record of flash writes, which pulls the plug in the middle of one."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def append(self, entry: tuple[float, str, int]) -> None:
        super().append(entry)
        if len(self) == self._wire.pull_at:
            self._wire.board.at(0.01, self._wire.board.power_cut)


class WireTransport(SerialTransport):
    """mpremote's, on a Wire."""

    def __init__(self, wire: Wire) -> None:
        self.in_raw_repl = self.mounted = self.is_pty = False
        self.use_raw_paste = True
        self.device_name = "the emulated board"
        self.serial = wire
