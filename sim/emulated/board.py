"""The board under test: the emulated chip with all that hardware/board.toml wires to it.

    board = EmulatedBoard(robot_files())
    board.power_on()
    board.press("plate", 60)
    board.run(200)
    assert board.amplifier.first_sound_ms() is not None

Times are emulated milliseconds; see chip.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from roboto.board import pins

from host_tools.image import make_filesystem, read_filesystem, read_stock

from . import install
from .chip import Chip
from .parts import Amplifier, Led, Microphone, SpiFlash, Switch

_ADC_FULL_MV = 3300
_VSYS_DIVIDER = 3
CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")


class EmulatedBoard(Chip):
    """A robot's electronics. It starts without power.

    files        what lies in its littlefs, path -> contents; or its image, see files_dump()
    microphone   "INMP441" or "ICS-43434", None where a jig is in its place; dead_microphone: it
                 sends zeros only
    spi_flash    contents of a W25Q128 on SPI, None when none is fitted
    position     of the slide switch: "on" or "try-me"
    """

    def __init__(
        self,
        files: Mapping[str, bytes] | bytes | None = None,
        *,
        microphone: str | None = "ICS-43434",
        dead_microphone: bool = False,
        spi_flash: bytes | None = None,
        position: str = "on",
        usb: bool = False,
        console: bool = False,
        flash_times: bool = True,
        image: Path | None = None,
    ) -> None:
        image = image or install.image()
        self.layout = read_stock(image.read_bytes()).layout
        if isinstance(files, Mapping):
            files = make_filesystem(files, self.layout)
        super().__init__(
            image,
            files,
            files_at=self.layout.start_byte,
            usb=usb,
            console=console,
            flash_times=flash_times,
        )
        self.amplifier = Amplifier(
            self, pins.AMP_SCK, pins.AMP_WS, pins.AMP_SD, shutdown=pins.AMP_SHUTDOWN
        )
        if microphone:
            self.microphone = Microphone(
                self,
                pins.MIC_SCK,
                pins.MIC_WS,
                pins.MIC_SD,
                pins.MIC_POWER,
                kind=microphone,
                dead=dead_microphone,
            )
        self.record_led = Led(self, pins.RECORD_LED)
        self.talk_led = Led(self, pins.TALK_LED)
        self.switches = {
            name: Switch(self, getattr(pins, name.upper())) for name in (*CONTROLS, "try_me")
        }
        self.set_position(position)
        self.spi_flash = (
            None if spi_flash is None else SpiFlash(self, pins.FLASH_SPI, pins.FLASH_CS, spi_flash)
        )
        self.set_battery(4500)

    def press(
        self, control: str, ms: float = 100.0, in_ms: float = 0.0, bounce: bool = True
    ) -> float:
        """Press a button or the tray for `ms`, beginning `in_ms` from now. Returns when, in `ms`
        time."""
        self.hold(control, in_ms, bounce)
        self.release(control, in_ms + ms, bounce)
        return self.ms + in_ms

    def hold(self, control: str, in_ms: float = 0.0, bounce: bool = True) -> None:
        """Press and keep pressing."""
        self.switches[control].close(in_ms, bounce)

    def release(self, control: str, in_ms: float = 0.0, bounce: bool = True) -> None:
        """Let go."""
        self.switches[control].open(in_ms, bounce)

    def set_position(self, position: str) -> None:
        """Move the slide switch to "on" or "try-me"."""
        if position == "try-me":
            self.switches["try_me"].close(bounce=False)
        else:
            self.switches["try_me"].open(bounce=False)

    def set_battery(self, millivolts: float) -> None:
        """Set the voltage at VSYS."""
        share = millivolts / _VSYS_DIVIDER / _ADC_FULL_MV
        self.mcu.adc.channel_values[pins.BATTERY - 26] = min(4095, round(share * 4095))

    def silent_for(self, ms: float, limit_ms: float = 30_000.0) -> None:
        """Let time pass until the amplifier has been off for `ms` from now on."""
        began = self.ms

        def silent() -> bool:
            switched = self.amplifier.switched
            since = max(began, switched[-1][0]) if switched else began
            return not self.amplifier.on and self.ms - since >= ms

        self.until(silent, limit_ms, step_ms=5)

    def files(self) -> dict[str, bytes]:
        """Return the files in its littlefs, read from the flash as it is now."""
        return read_filesystem(self.files_dump(), self.layout)

    def files_dump(self) -> bytes:
        """Return the part of the flash that holds them."""
        return self.dump(self.layout.start_byte, 4096 * self.layout.n_blocks)
