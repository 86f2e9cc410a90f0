"""A serial port on which something answers, not always a robot: a TCP server that speaks the raw
REPL as far as the maker's tools use it before they know whom they talk to."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

GREETING = b"raw REPL; CTRL-B to exit\r\n>"
PICO = "rp2|1.29.0|e661|Raspberry Pi Pico with RP2040"


class FakeRepl:
    """answer: code -> what it prints; an exception's text stands for the board's traceback, and
    None for the plug being pulled."""

    def __init__(self, answer: Callable[[str], str | Exception | None]) -> None:
        self._answer = answer
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = f"socket://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                computer = self._server.accept()[0]
            except OSError:
                return
            with computer, contextlib.suppress(OSError):
                self._talk(computer)

    def _talk(self, computer: socket.socket) -> None:
        code = b""
        while byte := computer.recv(1):
            if byte == b"\x01":
                computer.sendall(GREETING)
            elif byte == b"\x05":  # raw paste: not here
                computer.recv(2)
                computer.sendall(b"R\x00")
            elif byte == b"\x02":
                computer.sendall(b"\r\n>>> ")
            elif byte != b"\x04":
                code = b"" if byte in b"\r\x03" else code + byte
            elif not code.strip():
                computer.sendall(b"OK\r\nMPY: soft reboot\r\n" + GREETING)
            else:
                answer, code = self._answer(code.decode()), b""
                if answer is None:
                    return
                error = f"Traceback:\r\n{answer}\r\n" if isinstance(answer, Exception) else ""
                output = "" if error else str(answer)
                computer.sendall(f"OK{output}\x04{error}\x04>".encode())
