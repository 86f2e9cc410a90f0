"""Helpers for tests that run under CPython and MicroPython from one source.

Such a test file holds plain functions test_...() without arguments, and asserts. It imports the
firmware, tests.*, and what both interpreters have. A file that says "import pytest" is for
CPython alone.
"""

import os
import sys

from roboto.storage.broken import Broken

MICROPYTHON = sys.implementation.name == "micropython"


def raises(kind, call, *args):
    """The exception that call(*args) raises; an AssertionError when it raises none."""
    try:
        call(*args)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


def stored_log(volume):
    """All lines of a robot's log files, the oldest first; a damaged file has none."""
    files = []
    for name in ("log-0", "log-1"):
        try:
            first, _, rest = (volume.read(name) or b"").decode().partition("\n")
            files.append((int(first[2:]), rest.split("\n")[:-1]))
        except (Broken, ValueError):
            continue
    return [line for _, lines in sorted(files) for line in lines]


class Folder:
    """with Folder() as path: an empty folder that is deleted afterwards."""

    def __enter__(self):
        parent = (
            os.getenv("TMPDIR") or "/tmp" if hasattr(os, "getenv") else ""
        )  # a board: its root
        while True:
            number = int.from_bytes(os.urandom(4), "little")
            self.path = f"{parent}/roboto-test-{number}"
            try:
                os.mkdir(self.path)
                return self.path
            except OSError as error:
                if error.errno != 17:  # EEXIST
                    raise

    def __exit__(self, *error):
        _delete(self.path)


def _delete(path):
    if os.stat(path)[0] & 0x4000:
        for name in os.listdir(path):
            _delete(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)
