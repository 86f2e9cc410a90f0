"""Starts the robot; docs/flashing.md tells of the safe window."""

from roboto import switch_in

if switch_in.ready():
    from roboto.board import safe_window

    if not safe_window.wanted():
        from roboto import start

        start.run()
