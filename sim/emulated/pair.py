"""Two emulated boards in one process, wired pin to pin: a robot and its jig (hardware/jig.md).

The robot leads. Whenever one of its wired pins moves, the jig is first brought to that very
moment, then sees the new level, and then goes on for a quarter of the microphone's bit clock: so
its PIO has answered before the robot's looks. What the jig does at its pins reaches the robot at
once, which is at most SLICE_US away while nothing moves. Each has its own power, clock and USB.
"""

from __future__ import annotations

from collections.abc import Callable

from roboto.board import pins
from rp2040py.gpio_pin import GPIOPinState

from .chip import Chip, Stuck, is_high

SLICE_US = 50
_ANSWER_US = 0.24
CUT_PIN = 28  # of the jig: high takes the robot's supply away
_TO_ROBOT = (
    pins.RECORD, pins.REPLAY, pins.VOLUME, pins.WIN, pins.MODE, pins.PLATE, pins.TRY_ME,
    pins.MIC_SD,
)  # fmt: skip
_TO_JIG = (
    pins.TALK_LED, pins.RECORD_LED, pins.MIC_SCK, pins.MIC_WS, pins.MIC_POWER, pins.AMP_SHUTDOWN,
    pins.AMP_SCK, pins.AMP_WS, pins.AMP_SD,
)  # fmt: skip
_QUICK = (pins.MIC_SCK,)
_DRIVEN = (GPIOPinState.LOW, GPIOPinState.HIGH)


class Pair:
    """`run(ms)` lets both live. to_robot: which pin of the robot each pin of the jig goes to, as
    to_jig the other way; None: the wire is off."""

    def __init__(self, robot: Chip, jig: Chip) -> None:
        self.robot, self.jig = robot, jig
        self._start_ms = robot.ms - jig.ms
        self._cut: bool | None = None  # what the jig does to the supply, at the slice's end
        self.error_us = 0.0  # the most that a level came to the jig beside its time
        self.to_jig: dict[int, int | None] = {pin: pin for pin in _TO_JIG}
        self.to_robot: dict[int, int | None] = {pin: pin for pin in _TO_ROBOT}
        for pin in _TO_JIG:
            self._wire_out(pin)
        for pin in _TO_ROBOT:
            self._wire_in(pin)
        jig.listen(CUT_PIN, self._supply)

    def _wire_out(self, pin: int) -> None:
        """From the robot to the jig."""
        goes_to, gpio, quick = self.to_jig, self.jig.mcu.gpio, pin in _QUICK
        gpio[pin].set_input_value(False)

        def moved(new: GPIOPinState, _old: GPIOPinState) -> None:
            self._follow()
            high = is_high(new)
            jig_pin = goes_to[pin]
            if jig_pin is not None:
                gpio[jig_pin].set_input_value(high)
            if quick and not high:
                self._follow(_ANSWER_US)

        self.robot.listen(pin, moved)

    def _wire_in(self, pin: int) -> None:
        """From the jig to the robot: driven, or let go."""
        goes_to, gpio = self.to_robot, self.robot.mcu.gpio
        gpio[pin].release_input()

        def moved(new: GPIOPinState, _old: GPIOPinState) -> None:
            robot_pin = goes_to[pin]
            if robot_pin is None:
                return
            if new in _DRIVEN:
                gpio[robot_pin].set_input_value(is_high(new))
            else:
                gpio[robot_pin].release_input()

        self.jig.listen(pin, moved)

    def _supply(self, new: GPIOPinState, _old: GPIOPinState) -> None:
        if new in _DRIVEN:
            self._cut = is_high(new)

    def _follow(self, further_us: float = 0.0) -> None:
        """Bring the jig to the robot's time."""
        behind_ms = self.robot.ms - self._start_ms - self.jig.ms + further_us / 1000
        if behind_ms > 1e-6:
            self.jig.run(behind_ms)
        else:
            self.error_us = max(self.error_us, -behind_ms * 1000)

    def run(self, ms: float) -> None:
        """Let so much time pass for both."""
        end_ms = self.robot.ms + ms
        while self.robot.ms < end_ms - 1e-6:
            self.robot.run(min(SLICE_US / 1000, end_ms - self.robot.ms))
            self._follow()
            if self._cut is not None:
                if self._cut and self.robot.powered:
                    self.robot.power_cut()
                elif not self._cut and not self.robot.powered:
                    self.robot.power_on()
                self._cut = None

    def until(
        self, happened: Callable[[], object], limit_ms: float, step_ms: float = 1.0
    ) -> float:
        """Let time pass until happened() is true; return the milliseconds it took. Raise Stuck
        after limit_ms."""
        start_ms = self.robot.ms
        while not happened():
            if self.robot.ms - start_ms >= limit_ms:
                said = bytes(self.jig.console[-300:])
                raise Stuck(f"not in {limit_ms:.0f} ms; the jig says {said!r}")
            self.run(step_ms)
        return self.robot.ms - start_ms
