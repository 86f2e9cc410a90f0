"""The options of `sim table`, with values that nobody would give."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
from typing import Any

from sim.table import cli

from . import REFUSED, TAKEN

IN_CI = 150

_ODD = (
    "", " ", "0", "1", "2", "-1", "3", "4", "2-10", "10-2", "2,4", "2-", "-", ",", "9" * 5000,
    "1e9", "nan", "٣", "\ud800", "x" * 300, "a,b", "all", "robot", "classic,compact", "/", ".",
    "/dev/null", "a\nb", "\x1b[31m", "winner", "losers", "pairs", "fixed_pairs", "elimination",
    "sheet", "none", "human,random", "sensible", "wild", "es", "xx", "999999999999", "100",
    "tcp://127.0.0.1:1",
)  # fmt: skip
_OPTIONS = (
    "--players", "--rules", "--rules-file", "--games", "--seed", "--who", "--scoring", "--target",
    "--pace", "--lang", "--in-a-row", "--save", "--json", "--transcript", "--jobs", "--on",
)  # fmt: skip


def draw(rng: random.Random) -> list[str]:
    """Return a command line of a few options; it is about plain UNO, and short."""
    words = ["--no-robot"]
    for option in rng.sample(_OPTIONS, rng.randrange(1, 5)):
        words.append(option)
        if option not in ("--json", "--transcript") or rng.random() < 0.05:
            words.append(rng.choice(_ODD))
    if "--games" not in words:
        words += ["--games", "2"]
    return words


def one(given: Any) -> str:
    """Carry it out, in a folder of its own."""
    out, err = io.StringIO(), io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            status = cli.main(list(given))
        except SystemExit as left:
            assert left.code == 2, left.code
            return REFUSED
    if status == 0:
        return TAKEN
    assert status == 2 and not out.getvalue(), (status, out.getvalue()[:200])
    assert err.getvalue().count("\n") == 1, err.getvalue()[:500]
    return REFUSED
