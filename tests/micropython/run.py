"""Runs the tests of one portable file: `micropython tests/micropython/run.py FILE [NAME ...]`.

From the repository's root, under MicroPython or CPython. Prints a line a test; the exit status
is 1 when one failed.
"""

import sys

sys.path.insert(0, "firmware")
sys.path.insert(0, ".")


def load(path):
    """The module of a file in this repository, imported by its path."""
    name = path[: -len(".py")].replace("/", ".")
    __import__(name)
    return sys.modules[name]


def run(path, names):
    module = load(path)
    failed = 0
    for name in names or sorted(n for n in dir(module) if n.startswith("test_")):
        try:
            getattr(module, name)()
            print("ok", name)
        except Exception as error:  # a failed test must not stop the others
            failed += 1
            print("FAILED", name)
            show = getattr(sys, "print_exception", None)  # MicroPython's
            if show is None:
                import traceback

                show = traceback.print_exception
            show(error)
    return failed


if __name__ == "__main__":
    sys.exit(1 if run(sys.argv[1], sys.argv[2:]) else 0)
