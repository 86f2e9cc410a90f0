"""The robot on an emulated board: real MicroPython and the real firmware, pressed and spoken into
at the pins, with the voice packs of the simulator on its SPI flash."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from host_tools.image import Layout, make_filesystem
from host_tools.maker import device_files
from host_tools.maker.door import Door
from host_tools.maker.errors import BoardError
from host_tools.maker.link import Link

from .robot import greeted

_SPI_FLASH = Layout(0, 4096)  # as board/flash.py mounts it
_GET_IT = (
    "the emulated board wants rp2040py: pip install rp2040py (and tests/emulator/"
    "fast_emulator.sh makes it three times as fast)"
)


def board(packs: Mapping[str, Path], settings: Mapping[str, Any], position: str) -> Any:
    """Return an emulated robot that is off, with these voice packs and settings. Raise BoardError
    when there is no emulator, or no MicroPython for it."""
    try:
        from ..emulated import install
        from ..emulated.board import EmulatedBoard
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "rp2040py":
            raise BoardError(_GET_IT) from error
        raise
    values = {**device_files.default_settings(), **settings}
    written = device_files.settings_file(values)
    voices = {f"voice/{language}.pack": path.read_bytes() for language, path in packs.items()}
    chip = {**voices, device_files.SETTINGS: written}
    try:
        return EmulatedBoard(
            install.firmware(),
            spi_flash=make_filesystem(chip, _SPI_FLASH),
            usb=True,
            position="on" if position == "off" else position,
        )
    except install.NoImage as error:
        raise BoardError(str(error)) from error


class PinHands:
    """Presses, speaks and listens at the emulated board's pins."""

    presses = "pins"
    microphone: str | None = "pins"
    hears: str | None = "pins"
    sees_light = has_switch = has_power = True

    def __init__(self, board: Any) -> None:
        self.link: Link | None = None
        self._board = board
        self._edges_seen = 0

    def contact(self, control: str, closed: bool) -> None:
        """Close or open a contact, with its bouncing."""
        if closed:
            self._board.hold(control)
        else:
            self._board.release(control)

    def say(self, samples: array[int]) -> None:
        """Say int16 samples at 16 kHz into the I2S microphone, beginning now."""
        import numpy as np

        self._board.microphone.say(np.array(samples, np.int16))

    def switch(self, position: str) -> None:
        """Move the slide switch."""
        self._board.set_position(position)

    def power(self, on: bool) -> None:
        """Take the battery out, or put it back."""
        if on != self._board.powered:
            self._board.power_on() if on else self._board.power_cut()

    def light(self) -> list[tuple[float, bool]]:
        """Return the record LED's edges since this was last asked."""
        edges = self._board.record_led.edges
        new, self._edges_seen = edges[self._edges_seen :], len(edges)
        return [(ms / 1000, on) for ms, on in new]

    def sound(self, start_s: float, end_s: float) -> bytes:
        """Return what came out of the amplifier."""
        return self._board.amplifier.heard(1000 * start_s, 1000 * end_s).tobytes()

    def close(self) -> None:
        """Hold on to nothing."""


def console(board: Any, wire: Any) -> Link:
    """Return the console of an emulated robot that is on."""
    return greeted(Link(Door(wire, "the emulated board", wire)), wire)
