"""What can be broken on the emulated robot, by name: each as a builder or a long party would break
it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.emulated.board import EmulatedBoard


def _microphone_unpowered(board: EmulatedBoard) -> None:
    """Its supply wire is off: it never drives its data pin, which reads low."""
    board.microphone.dead = True


def _microphone_quiet(board: EmulatedBoard) -> None:
    """Its sound port is taped over: a few counts of noise, and nothing else."""
    next_word = board.microphone._next_word
    board.microphone._next_word = lambda now_ns: 1 + (next_word(now_ns) & 3)


def _amplifier_silent(board: EmulatedBoard) -> None:
    """A wire to the loudspeaker is off."""
    board.loudspeaker_wired = False  # type: ignore[attr-defined]


def _button_stuck(board: EmulatedBoard) -> None:
    """The red button is bridged."""
    board.hold("record", bounce=False)


def _tray_open(board: EmulatedBoard) -> None:
    """The wire to the tray's switch is off."""
    board.switches["plate"]._set = lambda closed: None


def _wrong_spi_chip(board: EmulatedBoard) -> None:
    """A chip of 32 MB by another maker, which wants four address bytes."""
    assert board.spi_flash
    board.spi_flash.JEDEC_ID = b"\xc2\x20\x19"


def _no_spi_chip(board: EmulatedBoard) -> None:
    """Nothing answers."""
    assert board.spi_flash
    board.spi_flash.JEDEC_ID = b"\xff\xff\xff"


def _battery_low(board: EmulatedBoard) -> None:
    """Three cells that are nearly empty."""
    board.set_battery(2950)


FAULTS = {
    "microphone-unpowered": _microphone_unpowered,
    "microphone-quiet": _microphone_quiet,
    "amplifier-silent": _amplifier_silent,
    "button-stuck": _button_stuck,
    "tray-open": _tray_open,
    "wrong-spi-chip": _wrong_spi_chip,
    "no-spi-chip": _no_spi_chip,
    "battery-low": _battery_low,
}

# Its L/R pin is tied to 3.3 V, not to ground: that is how the emulated microphone is made.
OTHER_CHANNEL = "microphone-other-channel"


def apply_fault(board: EmulatedBoard, name: str) -> None:
    """Break one thing. Raises KeyError."""
    if name != OTHER_CHANNEL:
        FAULTS[name](board)
