"""`python -m sim play`: the robot in the browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import secrets
import signal
import socket
import tempfile
import webbrowser
from pathlib import Path

from host_tools.plain_file import write_whole

from ..flash_folder import taken

HOST = "127.0.0.1"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")


class Wrong(Exception):
    """One line for the user."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", help="language of the voice (default: the flash's, else es)")
    parser.add_argument(
        "--port", type=int, default=0, help="port on 127.0.0.1 (default 0: a free one)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--flash", type=Path, metavar="DIR", help="keep the robot's flash here between runs"
    )
    parser.add_argument(
        "--trace", type=Path, metavar="OUT.jsonl", help="write the trace here at the end"
    )
    parser.add_argument("--seed", type=int, help="makes chance repeatable (default: chance)")
    parser.add_argument(
        "--token", help="the secret in the address, to keep it over a restart (default: a new one)"
    )


def run(args: argparse.Namespace, packs: dict[str, Path]) -> int:
    """Serves until it is interrupted. `packs`: language -> voice pack. Raises Wrong."""
    try:
        import aiohttp  # noqa: F401
    except ImportError:
        raise Wrong("aiohttp is missing: pip install aiohttp") from None
    if args.token is not None and not _TOKEN.fullmatch(args.token):
        raise Wrong("--token: give 16 to 128 letters, digits, - or _")
    if not 0 <= args.port <= 65535:
        raise Wrong(f"--port is {args.port}: give 0 to 65535")
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, args.port))
    except OSError as error:
        raise Wrong(f"--port {args.port}: cannot be used ({error.strerror})") from None
    with (
        listener,
        tempfile.TemporaryDirectory(prefix="roboto-", ignore_cleanup_errors=True) as temporary,
        taken(args.flash or Path(temporary) / "flash") as flash,
    ):
        folder = Path(temporary)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(args, packs, listener, flash, folder))
        if args.trace:
            write_whole(args.trace, (folder / "trace.jsonl").read_bytes())
    return 0


async def _serve(
    args: argparse.Namespace,
    packs: dict[str, Path],
    listener: socket.socket,
    flash: Path,
    folder: Path,
) -> None:
    from aiohttp import web

    from .live import LiveRobot
    from .patience import one_line_logger
    from .server import Server

    token = args.token or secrets.token_urlsafe(16)
    lang = args.lang or "es"
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4), "little")
    server = Server(
        lambda tell: LiveRobot(packs, flash, folder, seed, lang, tell, args.lang is not None),
        token,
    )
    server.port = listener.getsockname()[1]
    runner = web.AppRunner(
        server.app(), access_log=None, shutdown_timeout=1.0, logger=one_line_logger()
    )
    await runner.setup()
    await server.patience.serve(runner, listener)
    address = f"http://{HOST}:{server.port}/#{token}"
    print(f"Roboto stands at {address}   (Ctrl-C puts it away)", flush=True)
    if not args.no_open:
        await asyncio.to_thread(webbrowser.open, address)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    try:
        await ended.wait()
    finally:
        await server.patience.end()
        await runner.cleanup()
