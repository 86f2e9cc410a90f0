"""Whether each wire between a robot and its jig goes where hardware/jig.md has it go, looked at
before a scenario is played: a wire that is missing, or changed places with another, has its name
in the one line of the error."""

from __future__ import annotations

from collections.abc import Callable

from roboto.board import pins

from host_tools.maker.errors import BoardError

from .jig import Jig

_CONTROLS = ("record", "replay", "volume", "win", "mode", "plate", "try_me")
_LIGHTS = ("TALK_LED", "RECORD_LED", "AMP_SHUTDOWN", "MIC_POWER")
_CLOCKS = ("MIC_SCK", "MIC_WS", "AMP_SCK", "AMP_WS", "AMP_SD")
_FIRST = 2  # the jig's `levels` begin with GP2
_READ = (
    "from machine import Pin\n"
    "for n in {outputs}: Pin(n, Pin.OUT, value=0)\n"
    "print(''.join(str(Pin(n, Pin.IN, Pin.PULL_UP).value()) for n in {inputs}))"
)
_DRIVE = "from machine import Pin\nfor n in {outputs}: Pin(n, Pin.OUT, value=int(n == {high}))"


def check(run: Callable[[str], str], jig: Jig) -> None:
    """Raise BoardError where a wire is wrong. run: what code prints in the robot's session."""
    wrong = _inputs(run, jig) + _outputs(run, jig)
    if wrong:
        raise BoardError(f"the jig's wires: {'; '.join(wrong)}: see hardware/jig.md")


def _inputs(run: Callable[[str], str], jig: Jig) -> list[str]:
    """Each contact, closed by the jig alone, is what the robot sees closed."""
    inputs = {name: getattr(pins, name.upper()) for name in _CONTROLS}
    outputs = [getattr(pins, name) for name in (*_LIGHTS, *_CLOCKS)]
    read = _READ.format(outputs=outputs, inputs=list(inputs.values()))

    def closed() -> list[str]:
        levels = run(read).strip()
        return [name.upper() for name, level in zip(inputs, levels, strict=True) if level == "0"]

    jig.ask("release")
    pressed = closed()
    if pressed:
        return [f"{' '.join(pressed)} closed though nobody presses"]
    wrong = []
    for name in inputs:
        jig.ask(f"close {name}")
        wrong += _told(name.upper(), closed(), "the jig's", "the robot's")
        jig.ask(f"open {name}")
    return wrong


def _outputs(run: Callable[[str], str], jig: Jig) -> list[str]:
    """Each of the robot's outputs, high alone, is what the jig sees high."""
    outputs = {name: getattr(pins, name) for name in (*_LIGHTS, *_CLOCKS)}
    wrong = []
    for name, number in outputs.items():
        run(_DRIVE.format(outputs=list(outputs.values()), high=number))
        levels = jig.ask("levels")[0]
        high = [other for other, gpio in outputs.items() if levels[gpio - _FIRST] == "1"]
        wrong += _told(name, high, "the robot's", "the jig's")
    run(_DRIVE.format(outputs=list(outputs.values()), high=-1))
    return wrong


def _told(name: str, seen: list[str], whose: str, others: str) -> list[str]:
    if seen == [name]:
        return []
    if not seen:
        return [f"{whose} {name} goes nowhere"]
    return [f"{whose} {name} goes to {others} {' and '.join(seen)}"]
