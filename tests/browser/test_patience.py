"""Connections that stay half-open, names of thousands of letters, nonsense instead of HTTP."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from aiohttp import web

from sim.web import patience

from . import tools


@pytest.fixture(scope="module")
def robot():
    server = tools.RobotServer()
    yield server
    server.stop()


@pytest.mark.parametrize(
    "path",
    [
        "/static/" + "x" * 5000,
        "/static/%00",
        "/static/.",
        "/static/%2e%2e%2fserver.py",
        "/static/",
    ],
)
def test_a_name_that_is_none_is_not_found(robot, path: str) -> None:
    with socket.create_connection(("127.0.0.1", robot.port), timeout=10) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{robot.port}\r\n\r\n"
        connection.sendall(request.encode())
        assert connection.recv(4096).split()[1] == b"404"


def served(test: Callable[[int], Awaitable[None]]) -> None:
    """Run a test against an application whose patience is short."""

    async def hello(request: web.Request) -> web.Response:
        if request.path == "/fault":
            raise ValueError("two\nlines")
        return web.Response(text="hello")

    async def main() -> None:
        patient = patience.Patience()

        @web.middleware
        async def guard(request, handler):
            patient.begin(request.protocol)
            try:
                return await handler(request)
            finally:
                patient.done(request.protocol)

        app = web.Application(middlewares=[guard])
        app.router.add_get("/{name:.*}", hello)
        runner = web.AppRunner(app, access_log=None, logger=patience.one_line_logger())
        await runner.setup()
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        await patient.serve(runner, listener)
        try:
            await asyncio.wait_for(test(listener.getsockname()[1]), 20)
        finally:
            await patient.end()
            await runner.cleanup()

    with ThreadPoolExecutor(1) as pool:  # a browser's own loop may run in this thread
        pool.submit(asyncio.run, main()).result()


async def _answer(port: int, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    answer = b""
    try:
        answer = await reader.read(4096)
    except ConnectionError:
        pass
    writer.close()
    return answer


GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_half_open_connections_are_closed(monkeypatch) -> None:
    """Those that say nothing, half a request, or nothing more after an answer."""
    monkeypatch.setattr(patience, "REQUEST_S", 0.3)

    async def test(port: int) -> None:
        for data in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"):
            assert await _answer(port, data) == b""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET)
        await asyncio.sleep(0)
        answer = b""
        try:
            while more := await reader.read(4096):  # until it is closed
                answer += more
        except ConnectionError:
            pass
        writer.close()
        assert answer.endswith(b"hello")

    served(test)


def test_a_flood_of_connections_leaves_room(monkeypatch) -> None:
    monkeypatch.setattr(patience, "_CONNECTIONS_MOST", 20)

    async def test(port: int) -> None:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(60)]
        assert (await _answer(port, GET)).endswith(b"hello")
        for _, writer in idle:
            writer.close()

    served(test)


def test_nonsense_costs_a_line_at_most(capfd) -> None:
    rng = random.Random(7)

    async def test(port: int) -> None:
        for n in range(40):
            data = bytearray(
                b"GET /%s HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n" % (b"a" * n)
            )
            for _ in range(rng.randint(1, 6)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            await _answer(port, bytes(data) + b"\r\n\r\n")
        await _answer(port, b"GET /fault HTTP/1.1\r\nHost: x\r\n\r\n")
        await _answer(port, b"\x16\x03\x01" + bytes(200))

    served(test)
    told = capfd.readouterr().err.splitlines()
    assert any("ValueError: two lines" in line for line in told)
    assert len(told) <= 42 and not any("Traceback" in line for line in told)
    assert all(line.startswith("roboto: ") for line in told)
