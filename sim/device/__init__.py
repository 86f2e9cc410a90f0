"""A scenario on a board: the same file and the same trace as in the simulator.

robot.py      the robot, as its console and whoever has hands at it tell of it
people.py     plays a scenario to it
emulated.py   the emulated board: hands at its pins
port.py       a board on a port: its settings meanwhile, and presses by wire
run.py        `python -m sim run FILE.toml --device …`
"""
