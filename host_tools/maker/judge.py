"""What `roboto doctor` makes of what it saw.

A judge is a plain function from what was measured to a finding, so that every fault can be tested
without a board. The pins that it names are the firmware's.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import log10
from typing import Any

from roboto.board import pins
from roboto.switch_in import COMMIT, UNFIT

from host_tools.places import VERSION

# What USB gives at VSYS, behind the Pico's diode: 4.3 to 5.2 V less 0.3.
_USB_MV = (3900, 5300)
# Three fresh cells have 4.5 V, less D1's diode. The robot itself says that they run low at
# board/power.py's WARN_MV; who checks it before a party wants cells that last through it, and with
# a full NiMH cell's 1.2 V there are hours left.
_CELLS_WANTED_MV = 3300
_CELLS_MOST_MV = 5000  # three fresh lithium cells of AA size (1.8 V) have more, and are not meant
_NO_BATTERY_MV = 1000  # with less nothing would answer: what is measured is not the battery
_LEAST_FREE_BYTES = 32 * 1024
_FULL_SCALE = 1 << 23
_MOST_MIXING_US = 3000  # of the 8 ms that it has; the emulated board takes a tenth of them
_MUCH_SLOWER = 1.5
PRESS_TIMEOUT_MS = 20_000

CONTROLS = {
    "record": "the red button",
    "replay": "the green button",
    "volume": "the yellow button",
    "win": "the blue button",
    "mode": "the white button",
    "plate": "the tray",
    "try_me": "the slide switch",
}


def at(name: str) -> str:
    """Return how people call the pin of that name in board/pins.py: "GP7" for "plate"."""
    return f"GP{getattr(pins, name.upper())}"


@dataclass(frozen=True)
class Finding:
    """What was found about one part. status: good, warning, fault or skipped; name: of the fault,
    for scripts."""

    part: str
    status: str
    what: str
    name: str = ""


def judge_firmware(
    wanted: Mapping[str, bytes],
    tree: Mapping[str, int],
    digests: Mapping[str, str],
    version: str = "",
) -> Finding:
    """Compare the firmware on the board with this one. version: what the board says of its own,
    "" when it says nothing."""
    other = [
        path
        for path, data in wanted.items()
        if digests.get(path) != hashlib.sha256(data).hexdigest()
    ]
    if UNFIT in tree or COMMIT in tree:
        return Finding(
            "firmware",
            "fault",
            "an update was interrupted: run `roboto flash` again",
            "half-flashed",
        )
    loose = [
        path
        for path in tree
        if path.startswith("roboto/") and path.endswith((".py", ".mpy")) and path not in wanted
    ]
    if loose and not other:
        return Finding(
            "firmware",
            "fault",
            f"{loose[0]} lies beside the bundle and takes a module's place: run `roboto flash`, "
            "or leave it while you work on it",
            "old-firmware",
        )
    if other:
        return Finding(
            "firmware",
            "fault",
            f"the robot has {version or 'another version'}, this checkout {VERSION}: "
            f"{len(other)} of {len(wanted)} files differ ({other[0]} …): run `roboto flash`",
            "old-firmware",
        )
    return Finding("firmware", "good", f"{VERSION}, {len(wanted)} files")


def judge_storage(free_bytes: int, all_bytes: int, where: str = "") -> Finding:
    text = f"{free_bytes // 1024} KB free of {all_bytes // 1024}{where}"
    if free_bytes < _LEAST_FREE_BYTES:
        return Finding(
            "storage",
            "fault",
            f"full: {text}: `roboto clips wipe`, or flash fewer languages",
            "flash-full",
        )
    return Finding("storage", "good", text)


def judge_viper(wrong: list[str], identity: str) -> Finding:
    if wrong:
        return Finding(
            "viper",
            "fault",
            f"{identity} computes {', '.join(wrong)} wrongly: a MicroPython with a fault "
            "of its compiler: take "
            "1.28 or newer, and flash again",
            "viper-fault",
        )
    return Finding("viper", "good", "fast sound code computes the same as the plain one")


def judge_battery(mv: int) -> Finding:
    if mv < _NO_BATTERY_MV:
        return Finding(
            "battery", "fault", f"{mv} mV cannot be: the board lives; is {at('BATTERY')} used for "
            "something else?",
            "battery-sense",
        )  # fmt: skip
    if not _USB_MV[0] <= mv <= _USB_MV[1]:
        return Finding(
            "battery", "fault", f"{mv / 1000:.2f} V at VSYS with the cable in, not about 4.7: "
            "another cable or port; is VSYS shorted, or C3 the wrong way round?",
            "battery-low" if mv < _USB_MV[0] else "battery-high",
        )  # fmt: skip
    return Finding("battery", "good", f"{mv / 1000:.2f} V at VSYS, from USB; cells: see there")


def judge_cells(mv: int | None, asked: bool) -> Finding:
    """Judge the way from the cells to the Pico by what the robot noted when it last ran on them.

    mv: at VSYS, None when it has never noted any. asked: somebody has just let it run so.
    """
    if mv is None and not asked:
        return Finding(
            "cells", "skipped", "it has not run on its cells yet: switch it on without the cable"
        )
    if mv is None:
        return Finding(
            "cells", "fault", "it did not start on its cells: their springs, F1, the slide "
            "switch SW7, and which way round D1 and the holder's wires are",
            "cells-dead",
        )  # fmt: skip
    volts = f"{mv / 1000:.2f} V at VSYS on its cells"
    if mv > _CELLS_MOST_MV:
        return Finding(
            "cells", "fault", f"{volts}: more than three AA cells of 1.5 V give: take those out",
            "cells-high",
        )  # fmt: skip
    if mv < _CELLS_WANTED_MV:
        return Finding(
            "cells", "fault", f"{volts}: three fresh ones; with fresh ones in: is F1 or D1 the "
            "right part?",
            "cells-low",
        )  # fmt: skip
    return Finding("cells", "good", volts)


def judge_press(control: str, what: str, gpio: str, changed: list[str]) -> Finding:
    others = [other for other in changed if other != control and other in CONTROLS]
    if control not in changed:
        if others:
            thing, pin = CONTROLS[others[0]], at(others[0])
            return Finding(
                what,
                "fault",
                f"answers as {thing}: its wire is at {pin}, it belongs at {gpio}",
                "swapped",
            )
        kind = {"plate": "tray-open", "try_me": "switch-open"}.get(control, "button-open")
        return Finding(
            what,
            "fault",
            f"nothing came in {PRESS_TIMEOUT_MS // 1000} s: is its wire at {gpio}, its other "
            "side at ground?",
            kind,
        )
    if others:
        return Finding(
            what,
            "fault",
            f"closes {CONTROLS[others[0]]}, too: {gpio} and {at(others[0])} touch",
            "bridged",
        )
    return Finding(what, "good", "comes through")


def judge_led(what: str, gpio: str, lit: bool | None, dark: bool) -> Finding:
    if lit is None:
        return Finding(what, "skipped", "nobody could look")
    if not lit:
        return Finding(
            what,
            "fault",
            f"stays dark: which way round is the LED, and is its resistor at {gpio}?",
            "led-dark",
        )
    if not dark:
        return Finding(what, "fault", f"stays lit: is it at {gpio}, or at 3.3 V?", "led-lit")
    return Finding(what, "good", "lights and goes out")


def judge_microphone(seen: dict[str, Any]) -> Finding:
    """Judge the microphone. seen: as selftest.microphone() gives it. Samples are 24 bits, full
    scale 2**23."""
    left, right = seen["left"], seen["right"]
    if not left["n"]:
        return Finding("microphone", "fault", "no samples at all: I2S does not start", "i2s-dead")

    def silent(slot: dict[str, Any]) -> bool:
        return slot["changes"] == 0

    def level(slot: dict[str, Any]) -> str:
        return f"{20 * log10(max(slot['rms'], 1e-3) / _FULL_SCALE):.0f} dBFS"

    if silent(left) and not silent(right):
        return Finding(
            "microphone",
            "fault",
            "speaks in the right channel: tie its L/R (SEL) pin to ground",
            "microphone-other-channel",
        )
    if silent(left):
        stuck = {0: "zeros", -1: "ones"}.get(left["low"], f"always {left['low']}")
        return Finding(
            "microphone",
            "fault",
            f"only {stuck} come: is its VDD at {at('MIC_POWER')}, ground at ground, SCK "
            f"{at('MIC_SCK')}, WS {at('MIC_WS')}, SD {at('MIC_SD')}?",
            "microphone-unpowered",
        )
    if left["rms"] > _FULL_SCALE / 4:
        return Finding(
            "microphone",
            "fault",
            f"noise at {level(left)} in a quiet room: SD ({at('MIC_SD')}) floats, or "
            "SCK and WS are swapped",
            "microphone-noise",
        )
    if left["rms"] < 32:
        return Finding(
            "microphone",
            "fault",
            f"very quiet ({level(left)}): its port is covered (the foil on it?), or it is damaged",
            "microphone-quiet",
        )
    if abs(left["mean"]) > _FULL_SCALE / 4:
        return Finding(
            "microphone",
            "warning",
            f"a large offset ({left['mean'] / _FULL_SCALE:.2f} of full scale)",
            "offset",
        )
    return Finding(
        "microphone", "good", f"awake after {seen['woke_ms']} ms, noise floor {level(left)}"
    )


def _amplifier_pins() -> str:
    return (
        f"SD at {at('AMP_SHUTDOWN')}, BCLK {at('AMP_SCK')}, LRC {at('AMP_WS')}, DIN {at('AMP_SD')}"
    )


def judge_speaker(heard: bool | None) -> Finding:
    if heard is None:
        return Finding("speaker", "skipped", "nobody could listen; see loop")
    if not heard:
        return Finding(
            "speaker",
            "fault",
            f"no tone: is the amplifier's VIN at 5 V or VSYS, {_amplifier_pins()}?",
            "amplifier-silent",
        )
    return Finding("speaker", "good", "a tone was heard")


def judge_loop(quiet: float, tone: float) -> Finding:
    """Amplitudes of 1 kHz at the microphone, 24 bits, without and with the tone."""
    if tone < 4 * quiet or tone < 200:
        return Finding(
            "loop",
            "fault",
            "the microphone does not hear the loudspeaker: amplifier silent? VIN at VSYS, "
            f"{_amplifier_pins()}, both wires of the loudspeaker",
            "amplifier-silent",
        )
    return Finding(
        "loop",
        "good",
        f"the tone is {min(tone / max(quiet, 1), 999):.0f} times as strong as the room at 1 kHz",
    )


def judge_spi_flash(seen: dict[str, Any]) -> Finding:
    if "error" in seen:
        answer = seen["error"]
        if "answers ff ff ff" in answer or "answers 00 00 00" in answer:
            return Finding(
                "spi flash", "skipped", "none is fitted (nothing answers); with one: CS "
                f"{at('FLASH_CS')}, SCK {at('FLASH_SCK')}, MOSI {at('FLASH_MOSI')}, MISO "
                f"{at('FLASH_MISO')}", "no-spi-chip",
            )  # fmt: skip
        return Finding("spi flash", "fault", answer, "wrong-spi-chip")
    if not seen["id"].startswith("ef 40"):
        return Finding(
            "spi flash",
            "fault",
            f"answers {seen['id']}: not a W25Q; it may need other commands",
            "wrong-spi-chip",
        )
    if seen["failed"] or not seen["same"]:
        return Finding(
            "spi flash", "fault", "does not keep what is written: shorten its wires, check WP and "
            "HOLD at 3.3 V",
            "spi-write",
        )  # fmt: skip
    return Finding("spi flash", "good", f"W25Q, {seen['blocks'] // 256} MB, written and read")


def judge_speed(copied_us: int, in_place_us: int) -> Finding:
    """Judge how long the mixer takes for 8 ms of a tone, its bytecode in RAM and in flash."""
    if not in_place_us:
        return Finding("speed", "good", f"8 ms of sound take {copied_us / 1000:.1f} ms; from RAM")
    told = f"8 ms of sound take {in_place_us / 1000:.1f} ms from flash, {copied_us / 1000:.1f} RAM"
    if in_place_us > _MOST_MIXING_US or in_place_us > _MUCH_SLOWER * copied_us:
        return Finding("speed", "fault", f"{told}: run `roboto flash --in-ram`", "flash-slow")
    return Finding("speed", "good", told)


def judge_sleep(slept: bool | None) -> Finding:
    if slept is None:
        return Finding(
            "sleep",
            "fault",
            f"did not wake: is the tray's switch at {at('plate')}? Unplug it and plug it in again",
            "no-wake",
        )
    if not slept:
        return Finding("sleep", "fault", "restarted, but had not slept", "no-sleep")
    return Finding("sleep", "good", "slept, and the tray woke it")
