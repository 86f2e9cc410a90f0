"""Connections that say nothing, or nonsense: they are closed in time, and cost one line of the
log."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any

from aiohttp import web

REQUEST_S = 15  # from one request to the next, or to the first; a WebSocket is one request
_CONNECTIONS_MOST = 200


class Patience:
    """Serves an application's connections on a socket, and closes those without a request."""

    def __init__(self) -> None:
        self._waiting: dict[Any, asyncio.TimerHandle] = {}
        self._server: asyncio.Server | None = None

    async def serve(self, runner: web.AppRunner, listener: socket.socket) -> None:
        """Begin to answer."""
        loop = asyncio.get_running_loop()

        def connected() -> asyncio.BaseProtocol:
            protocol: Any = runner.server()  # type: ignore[misc]
            if len(self._waiting) >= _CONNECTIONS_MOST:  # a flood: the oldest has waited longest
                oldest = next(iter(self._waiting))
                self._waiting.pop(oldest).cancel()
                _close(oldest)
            self._wait(protocol)
            return protocol

        self._server = await loop.create_server(connected, sock=listener)

    async def end(self) -> None:
        """Take no more connections."""
        if self._server is not None:
            self._server.close()
        for timer in self._waiting.values():
            timer.cancel()

    def begin(self, protocol: Any) -> None:
        """Note that a whole request has come."""
        timer = self._waiting.pop(protocol, None)
        if timer is not None:
            timer.cancel()

    def done(self, protocol: Any) -> None:
        """Note that it was answered: another may come."""
        self._wait(protocol)

    def _wait(self, protocol: Any) -> None:
        def late() -> None:
            if self._waiting.pop(protocol, None) is not None:
                _close(protocol)

        self.begin(protocol)
        self._waiting[protocol] = asyncio.get_running_loop().call_later(REQUEST_S, late)


def _close(protocol: Any) -> None:
    if protocol.transport is not None:
        protocol.transport.abort()


def one_line_logger() -> logging.Logger:
    """Return a logger that tells an exception in one line on the standard error."""
    logger = logging.getLogger("roboto.web")
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logger.handlers = [handler]
    return logger


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            line += f": {type(error).__name__}: {error}"
        line = " ".join(line.split())
        return f"roboto: {line[:300]}"
