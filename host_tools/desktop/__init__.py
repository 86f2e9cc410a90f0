"""The firmware on a desktop: the one way to import it, and quick inner loops for its sound.

The simulator and the other tools stand on this room; it imports the firmware and nothing of
theirs. Importing its modules changes nothing for the rest of the process.
"""
