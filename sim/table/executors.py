"""Where the parts of a run are played: here, in processes of this machine, or on a Dask cluster.

All three are a concurrent.futures.Executor, so a run does not know which it has.
"""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

LOCAL = "local"
CONNECT_S = 10  # to reach a scheduler, and for its first worker to appear
ALONE_S = 60  # a cluster without a single worker for so long will not come back
_ROOT = Path(__file__).resolve().parents[2]


class WorkersError(ValueError):
    """The parts cannot be played where they should be; the message says why and what to do."""


@dataclass
class Workers:
    """Something that plays parts."""

    executor: Executor
    width: int  # how many parts it should have in hand
    check: Callable[[], None] = lambda: None  # raises WorkersError when it has stopped to work
    result: Callable[[Future[Any]], Any] = Future.result  # of one that is done


def cores() -> int:
    """Return how many processes of this machine can really run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def workers(jobs: int = 1, on: str | None = None) -> Iterator[Workers]:
    """Provide Workers: this process itself, `jobs` processes, or the cluster of a scheduler.

    on: the address of a Dask scheduler; "local" or None for this machine. Whatever goes wrong with
    them, in here or in what uses them, becomes a WorkersError; nothing is left running.
    """
    if on not in (None, LOCAL):
        with _cluster(on) as them:
            yield them
    elif jobs > 1:
        with _processes(jobs) as them:
            yield them
    else:
        yield Workers(_Here(), 1)


class _Here(Executor):
    """Does what it is given at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def _processes(jobs: int) -> Iterator[Workers]:
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, initializer=_begin_as_child)
    try:
        yield Workers(pool, 2 * jobs)
        pool.shutdown()
    except BaseException as error:
        # Nobody waits for what is half played: it is not kept, and will be played again.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        if isinstance(error, BrokenExecutor):
            raise WorkersError("a process was ended from outside while it played") from None
        raise


def _begin_as_child() -> None:
    """Leave signals to the parent, and end when it does, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise WorkersError(
            f"--on {address}: dask.distributed is not installed; "
            "pip install 'roboto[cluster]', or: pip install distributed"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # told below, in one line
    _knock(address)
    client = _within(
        2 * CONNECT_S,
        lambda: Client(address, timeout=CONNECT_S, set_as_default=False),
        f"--on {address}: no scheduler answers there",
    )

    def result(future: Future[Any]) -> Any:
        try:
            return future.result()
        except KilledWorker:
            why = "a part has ended several workers"
        except CancelledError:
            why = "the scheduler has gone"
        except ImportError as error:
            why = str(error)
        except RuntimeError as error:
            if "deserializ" not in str(error):
                raise
            why = "scheduler or workers do not know this code"
        raise WorkersError(
            f"--on {address}: {why}; start scheduler and workers in this clone, with its .venv"
        )

    try:
        _wait_for_a_worker(client, address)
        width = 2 * max(1, sum(client.nthreads().values()))
        them = _OfThisCode(client.get_executor(pure=False))
        yield Workers(them, width, _Alone(client, address), result)
    finally:
        client.close(timeout=2)


def _within(seconds: float, make: Callable[[], Any], otherwise: str) -> Any:
    """Return what `make` makes. WorkersError, beginning with `otherwise`, when it fails or takes
    longer: a Client waits for ever for whoever accepts a connection and says nothing."""
    made: Future[Any] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except Exception as error:
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return made.result(seconds)
    except Exception as error:
        line = " ".join(str(error).split())[:200] or f"not within {seconds:g} s"
        raise WorkersError(f"{otherwise}: {line}") from None


def _knock(address: str) -> None:
    """Raise WorkersError when nobody listens at an address; Dask itself would take its time."""
    form = re.fullmatch(r"(?:(?:tcp|tls)://)?([^:/\[\]\s]+|\[[^\[\]\s]+\]):(\d{1,5})", address)
    if form is None:
        raise WorkersError(
            f"--on {address[:60]}: say the address of a scheduler, tcp://host:8786, or local"
        )
    host, port = form[1].strip("[]"), int(form[2])
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (OSError, OverflowError, ValueError) as error:
        raise WorkersError(f"--on {address}: no scheduler answers there: {error}") from None


def _wait_for_a_worker(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
    except (OSError, TimeoutError):
        raise WorkersError(
            f"--on {address}: the scheduler has no worker; start some in this clone: "
            f".venv/bin/dask worker {address}"
        ) from None


class _Alone:
    """Raises WorkersError, when called, once a cluster has had no worker for too long."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._since_s: float | None = None

    def __call__(self) -> None:
        now_s = time.monotonic()
        if self._client.scheduler_info(n_workers=-1)["workers"]:
            self._since_s = None
            return
        self._since_s = self._since_s or now_s
        if now_s - self._since_s > ALONE_S:
            raise WorkersError(f"--on {self._address}: all workers have gone")


class _OfThisCode(Executor):
    """An executor whose workers refuse to play when their code is not ours."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._inner.submit(_only_with, code_digest(), fn, *args, **kwargs)


def _only_with(digest: str, fn: Callable[..., Any], *args: Any) -> Any:
    if code_digest() != digest:
        raise WorkersError("a worker has other code than this clone; start it anew from here")
    return fn(*args)


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of whatever decides how games go: the code, the words and the rules."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for room in ("firmware", "host_tools", "sim"):
        for path in sorted((_ROOT / room).rglob("*")):
            if path.suffix in (".py", ".toml", ".txt") and path.is_file():
                digest.update(path.relative_to(_ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
