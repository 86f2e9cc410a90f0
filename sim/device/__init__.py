"""A scenario on a board: the same file and the same trace as in the simulator.

robot.py      the robot, as its console and whoever has hands at it tell of it
people.py     plays a scenario to it
emulated.py   the emulated board: hands at its pins
port.py       a board on a port: its settings meanwhile, and presses by wire
jig.py        the jig, by its line protocol; wires.py: whether it is wired as it should be
run.py        `python -m sim run FILE.toml --device …`
"""
