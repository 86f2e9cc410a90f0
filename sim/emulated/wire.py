"""An emulated board in this very process, as a serial port: it runs only while somebody waits for
it, so that a session costs no more than the board's own work. tests/hil/bench.py is the same as a
process with a socket."""

from __future__ import annotations

from .chip import USB_PACKET_BYTES, Chip

_STEP_MS = 0.2
_LIMIT_MS = 20_000.0


class Wire:
    """What SerialTransport and Board want of a pyserial port."""

    def __init__(self, board: Chip) -> None:
        self.board = board

    @property
    def in_waiting(self) -> int:
        if not self.board.console:
            self.board.run(_STEP_MS)
        return len(self.board.console)

    def inWaiting(self) -> int:  # mpremote asks so
        return self.in_waiting

    def read(self, n: int = 1) -> bytes:
        end = self.board.ms + _LIMIT_MS
        while not self.board.console and self.board.ms < end:
            self.board.run(_STEP_MS)
        data = bytes(self.board.console[:n])
        del self.board.console[:n]
        return data

    # the time of the emulated board, for Door

    def now(self) -> float:
        return self.board.ms / 1000

    def sleep(self, seconds: float) -> None:
        self.board.run(1000 * seconds)

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), USB_PACKET_BYTES):
            end = self.board.ms + _LIMIT_MS
            while not self.board.can_type() and self.board.ms < end:
                self.board.run(_STEP_MS)
            self.board.type(data[start : start + USB_PACKET_BYTES])
        return len(data)

    def close(self) -> None:
        self.board.console.clear()
