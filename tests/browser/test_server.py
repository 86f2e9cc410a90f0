"""What a hostile page or a broken client sends is refused, and the robot plays on. No browser
needed."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from roboto.version import VERSION

from tests.conftest import need

from . import tools


@pytest.fixture(scope="module")
def robot() -> Iterator[tools.RobotServer]:
    need("aiohttp", "pip install aiohttp")
    server = tools.RobotServer()
    yield server
    server.stop()


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own: the browser's tests may have left a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def _origin(robot: tools.RobotServer) -> str:
    return f"http://127.0.0.1:{robot.port}"


def _talk(robot: tools.RobotServer, what: Callable[[Any], Awaitable[None]]) -> None:
    """Runs `what` with a connection that plays."""
    import aiohttp

    async def main() -> None:
        async with aiohttp.ClientSession() as session:
            url = f"{_origin(robot)}/ws?token={robot.token}"
            async with session.ws_connect(url, origin=_origin(robot)) as connection:
                hello = await _next(connection, "hello")
                assert hello["plays"] and hello["version"] == VERSION
                await what(connection)

    _run(main())


async def _next(connection: Any, what: str) -> dict[str, Any]:
    while True:
        message = await connection.receive(timeout=10)
        assert message.type.name in ("TEXT", "BINARY"), message
        if message.type.name == "TEXT":
            data = json.loads(message.data)
            if data["t"] == what:
                return data


async def _plays_on(connection: Any) -> None:
    """A press is still seen."""
    await connection.send_json({"t": "press", "control": "plate", "down": True})
    await connection.send_json({"t": "press", "control": "plate", "down": False})
    while (await _next(connection, "event"))["event"] != "release":
        pass


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ({}, "", 403),  # no Origin
        ({"Origin": "http://evil.example"}, "", 403),
        ({"Origin": "null"}, "", 403),
        ({"Origin": "{origin}", "Host": "evil.example"}, "", 403),
        ({"Origin": "{origin}"}, "x", 403),  # another token
        ({"Origin": "{origin}"}, "", 101),
    ],
)
def test_who_may_open_the_websocket(
    robot: tools.RobotServer, headers: dict[str, str], query: str, status: int
) -> None:
    import aiohttp

    async def main() -> int:
        filled = {k: v.replace("{origin}", _origin(robot)) for k, v in headers.items()}
        url = f"{_origin(robot)}/ws?token={robot.token}{query}"
        async with aiohttp.ClientSession() as session:
            try:
                connection = await session.ws_connect(url, headers=filled)
            except aiohttp.WSServerHandshakeError as error:
                return error.status
            await connection.close()
            return 101

    assert _run(main()) == status


def _ask(robot: tools.RobotServer, request: str) -> str:
    """The status line and headers that a raw request gets."""
    with socket.create_connection(("127.0.0.1", robot.port), timeout=10) as connection:
        connection.sendall(request.encode())
        return connection.recv(65536).decode(errors="replace")


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/", "127.0.0.1:{port}", 200),
        ("/", "localhost:{port}", 200),
        ("/", "evil.example", 403),
        ("/", "127.0.0.1", 403),
        ("/static/../server.py", "127.0.0.1:{port}", 404),
        ("/static/%2e%2e/server.py", "127.0.0.1:{port}", 404),
        ("/static//etc/passwd", "127.0.0.1:{port}", 404),
        ("/session/trace.jsonl", "127.0.0.1:{port}", 403),
        ("/session/trace.jsonl?token=%ff%00", "127.0.0.1:{port}", 403),
        ("/session/scenario.zip?token=wrong", "127.0.0.1:{port}", 403),
    ],
)
def test_what_is_served(robot: tools.RobotServer, path: str, host: str, status: int) -> None:
    host = host.replace("{port}", str(robot.port))
    answer = _ask(robot, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert answer.startswith(f"HTTP/1.1 {status} "), answer[:200]
    if status == 200:
        assert "frame-ancestors 'none'" in answer and "nosniff" in answer


def test_only_on_the_loopback(robot: tools.RobotServer) -> None:
    with open("/proc/net/tcp", encoding="ascii") as table:
        bound = [line.split()[1] for line in table if f":{robot.port:04X} " in line]
    assert bound and all(address.startswith("0100007F:") for address in bound)


@pytest.mark.parametrize(
    "nonsense",
    [
        "", "x", "[]", "null", "1", '"press"', "{}", '{"t": 1}', '{"t": "press"}',
        '{"t": "press", "control": "PLATE", "down": true}',
        '{"t": "press", "control": "plate", "down": 1}',
        '{"t": "press", "control": ["plate"], "down": true}',
        '{"t": "press", "control": {}, "down": true}',
        '{"t": "switch", "position": "sideways"}', '{"t": "switch", "position": []}',
        '{"t": "played"}', '{"t": "played", "frames": -1}', '{"t": "played", "frames": true}',
        '{"t": "played", "frames": 1e9}', '{"t": "played", "frames": "1"}',
        '{"t": "end"}', '{"t": "call"}', "[" * 5000, b"\x00",
    ],
)  # fmt: skip
def test_nonsense_is_refused(robot: tools.RobotServer, nonsense: str | bytes) -> None:
    async def what(connection: Any) -> None:
        if isinstance(nonsense, bytes):
            await connection.send_bytes(nonsense)
        else:
            await connection.send_str(nonsense)
        assert (await _next(connection, "refused"))["why"]
        await _plays_on(connection)

    _talk(robot, what)


def test_a_count_beyond_all_bounds(robot: tools.RobotServer) -> None:
    async def what(connection: Any) -> None:
        await connection.send_json({"t": "listen"})
        await connection.send_str('{"t": "played", "frames": ' + "9" * 4000 + "}")
        await _plays_on(connection)

    _talk(robot, what)


@pytest.mark.parametrize("size", [20_000, 2_000_000])
def test_a_message_too_large_ends_the_connection(robot: tools.RobotServer, size: int) -> None:
    async def what(connection: Any) -> None:
        await connection.send_bytes(bytes(size))
        while (message := await connection.receive(timeout=10)).type.name in ("TEXT", "BINARY"):
            pass
        assert message.type.name in ("CLOSE", "CLOSED", "ERROR")

    _talk(robot, what)
    _talk(robot, _plays_on)


def test_a_flood_ends_the_connection(robot: tools.RobotServer) -> None:
    async def what(connection: Any) -> None:
        try:
            for _ in range(5000):
                await connection.send_json({"t": "press", "control": "win", "down": True})
        except ConnectionError:
            return
        while (message := await connection.receive(timeout=10)).type.name in ("TEXT", "BINARY"):
            pass
        assert message.type.name in ("CLOSE", "CLOSED", "ERROR")

    _talk(robot, what)
    _talk(robot, _plays_on)


def test_an_upload_needs_token_origin_and_the_page_that_plays(robot: tools.RobotServer) -> None:
    import aiohttp

    wav = (tools.DEMO / "hugo.wav").read_bytes()

    async def main() -> list[int]:
        base = _origin(robot)
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(f"{base}/ws?token={robot.token}", origin=base) as socket:
                page = (await _next(socket, "hello"))["page"]
                statuses = []
                for token, number, origin, body in [
                    ("wrong", page, base, wav),
                    (robot.token, page, "http://evil.example", wav),
                    (robot.token, page + 1, base, wav),
                    (robot.token, page, base, b"RIFF"),
                    (robot.token, page, base, bytes(21_000_000)),
                    (robot.token, page, base, wav),
                ]:
                    url = f"{base}/say?token={token}&page={number}"
                    answer = await session.post(url, data=body, headers={"Origin": origin})
                    statuses.append(answer.status)
                return statuses

    assert _run(main()) == [403, 403, 409, 422, 413, 200]


def test_a_port_in_use_is_one_line(robot: tools.RobotServer) -> None:
    import subprocess
    import sys

    for arguments, says in [
        ([f"--port={robot.port}"], "in use"),
        (["--port=99999"], "65535"),
        (["--token=short"], "16"),
        (["--lang=xx"], "no language"),
        (["--trace=/nowhere/x.jsonl"], "no folder"),
    ]:
        command = [sys.executable, "-m", "sim", "play", "--no-open", *arguments]
        ended = subprocess.run(command, cwd=tools.ROOT, capture_output=True, text=True)
        assert ended.returncode == 2
        assert says in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr
