"""Starts the robot. docs/flashing.md tells of the safe window."""

# By their full names: what is imported so leaves nothing in here that would stay in the heap.
import roboto.switch_in

roboto.switch_in.ready()

import roboto.board.safe_window  # noqa: E402 - not before its files are those they should be

if not roboto.board.safe_window.wanted():
    import roboto.start

    roboto.start.run()
