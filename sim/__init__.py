"""The robot on a desktop: a chip made of Python, people at a table, a browser page."""

import sys

if sys.implementation.name != "micropython":  # there the firmware's folder is on the path
    import host_tools  # noqa: F401 - it makes the firmware importable
