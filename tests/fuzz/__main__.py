"""`python -m tests.fuzz [SURFACE ...] [--seconds N | --count N] [--seed N]`: see __init__.py."""

from __future__ import annotations

import argparse
import sys
import time

from . import _run


def main() -> int:
    """Run the surfaces, print the table, and return 1 when an input ended as none may."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("surfaces", nargs="*", metavar="SURFACE", help="else all of them")
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument("--seconds", type=float, help="for all surfaces together")
    how_long.add_argument("--count", type=int, help="inputs of each surface")
    how_long.add_argument("--hours", type=int, help="of virtual time, in one go: soak alone")
    parser.add_argument("--micropython", action="store_true", help="with --hours: in its heap")
    parser.add_argument("--seed", type=int, help="else another one each time")
    options = parser.parse_args()
    known = _run.surfaces()
    for name in options.surfaces:
        if name not in known:
            parser.error(f"no surface {name}: there are {', '.join(known)}")
    if options.hours and options.surfaces != ["soak"]:
        parser.error("only soak has hours")
    seed = int(time.time()) if options.seed is None else options.seed
    if options.hours:
        from . import soak

        print(f"seed {seed}", flush=True)
        run = soak.run_hours_under_micropython if options.micropython else soak.run_hours
        return 1 if run(options.hours, seed) else 0
    names = options.surfaces or known
    print(f"seed {seed}\n{_run.HEADING}")
    failures: list[str] = []
    bad = 0
    for name in names:
        seconds = options.seconds / len(names) if options.seconds is not None else None
        counted = _run.run(name, seed, options.count, seconds, keep=True)
        print(counted.row(), flush=True)
        failures += counted.failures
        bad += counted.bad
    for told in failures:
        print("\n" + told, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.path.insert(0, "firmware")
    sys.exit(main())
