"""What must hold for board.toml, said as one line for each thing that does not.

Sources: RP2040 data sheet, section 2.19.2 (functions of the GPIOs), 2.19.6 (IO_BANK0's registers,
one for eight pins) and 4.5 (PWM slices); Pico data
sheet, section 2.1 (GPIO 23, 24, 25 and 29 stay on the Pico); MicroPython's machine.I2S for rp2 (ws
is the pin after sck).
"""

from collections.abc import Iterator
from typing import Any

from hardware import board

_SPI_PINS = {
    0: {"miso": {0, 4, 16, 20}, "sck": {2, 6, 18, 22}, "mosi": {3, 7, 19, 23}},
    1: {"miso": {8, 12, 24, 28}, "sck": {10, 14, 26}, "mosi": {11, 15, 27}},
}
_INTERNAL = {23, 24, 25, 29}
_ADC = {26, 27, 28, 29}
_LATCHED = ("RECORD", "REPLAY", "VOLUME", "WIN", "MODE", "PLATE")
_BUILDS = ("both", "board", "breadboard", "body")
_PLACES = ("board", "back", "body", "head", "bench")


def complaints(table: dict[str, Any]) -> list[str]:
    """Return all that is wrong with the board, one line each; empty when it may be built."""
    # the nets only make sense once every pin is one that a Pico has
    first = [
        *_gpio(table),
        *_latched(table),
        *_buses(table),
        *_pwm(table),
        *_wake(table),
        *_parts(table),
    ]
    return first or list(_nets(table))


def _gpio(table: dict[str, Any]) -> Iterator[str]:
    taken: dict[int, str] = {}
    for name, pin in table["gpio"].items():
        number = pin["gpio"]
        if number in taken:
            yield f"[gpio] {name}: GPIO {number} is {taken[number]} already; choose another"
        taken[number] = name
        if not 0 <= number <= 29:
            yield f"[gpio] {name}: the RP2040 has GPIO 0 to 29, not {number}"
        elif (number in _INTERNAL) != bool(pin.get("internal")):
            yield f"[gpio] {name}: GPIO 23, 24, 25 and 29 stay inside the Pico, and only these"
        if pin["function"] == "adc" and number not in _ADC:
            yield f"[gpio] {name}: only GPIO 26 to 29 measure a voltage, not {number}"
        button = pin["direction"] == "in" and pin["function"] == "sio" and not pin.get("internal")
        if button and (pin.get("pull"), pin.get("active")) != ("up", "low"):
            yield f"[gpio] {name}: a button joins its pin to ground, so pull up, active low"
        if pin["direction"] == "out" and pin.get("asleep") not in ("low", "high"):
            yield f"[gpio] {name}: say whether it is low or high asleep; it keeps that level"


def _latched(table: dict[str, Any]) -> Iterator[str]:
    """A press that comes and goes while the firmware writes flash is found in its pin's latch;
    firmware/roboto/board/inputs.py reads the latches of one register, GPIO 0 to 7."""
    for name in _LATCHED:
        if not 0 <= table["gpio"][name]["gpio"] <= 7:
            yield f"[gpio] {name}: a button must be GPIO 0 to 7, where its presses are latched"


def _buses(table: dict[str, Any]) -> Iterator[str]:
    gpio = table["gpio"]
    ids: dict[tuple[str, int], str] = {}
    users: dict[str, str] = {}
    for name, bus in table["bus"].items():
        kind, number = bus["kind"], bus["id"]
        if number not in (0, 1):
            yield f"[bus] {name}: {kind} has numbers 0 and 1, not {number}"
        if (kind, number) in ids:
            yield f"[bus] {name}: {kind} {number} is {ids[kind, number]} already"
        ids[kind, number] = name
        for role, pin in bus.items():
            if role in ("kind", "id"):
                continue
            if pin not in gpio:
                yield f"[bus] {name}: {role} = {pin} is not in [gpio]"
                return
            if pin in users:
                yield f"[bus] {name}: {pin} belongs to {users[pin]}; each bus drives its own clocks"  # noqa: E501
            users[pin] = name
            if gpio[pin]["function"] != kind:
                yield f"[gpio] {pin}: function must be {kind}, as {name} uses it"
            if kind == "spi" and gpio[pin]["gpio"] not in _SPI_PINS[number][role]:
                allowed = sorted(_SPI_PINS[number][role])
                yield f"[gpio] {pin}: {role} of SPI {number} can only be GPIO {allowed}"
        if kind == "i2s" and gpio[bus["ws"]]["gpio"] != gpio[bus["sck"]]["gpio"] + 1:
            yield f"[bus] {name}: ws must be the GPIO after sck"


def _pwm(table: dict[str, Any]) -> Iterator[str]:
    """Two pins of one slice share a frequency, and stopping one stops the other: MicroPython
    restores neither."""
    slices: dict[int, str] = {}
    users = {n: p for n, p in table["gpio"].items() if p["function"] == "pwm" or p.get("pwm_hold")}
    for name, pin in users.items():
        number = pin["gpio"] // 2 % 8
        other = slices.setdefault(number, name)
        if other != name:
            yield f"[gpio] {name}: shares PWM slice {number} with {other}; choose another pin"


def _wake(table: dict[str, Any]) -> Iterator[str]:
    wakers = [name for name, pin in table["gpio"].items() if pin.get("wake")]
    if wakers != ["PLATE"]:
        yield f"[gpio]: the plate wakes the robot, and nothing else; wake is set on {wakers}"
    for name in wakers:
        pin = table["gpio"][name]
        if pin.get("internal") or pin["direction"] != "in" or pin.get("pull") != "up":
            yield f"[gpio] {name}: a pin that wakes must be an input with a pull-up"


def _parts(table: dict[str, Any]) -> Iterator[str]:
    seen: set[str] = set()
    width, height = table["board"]["size_mm"]
    for one in table["part"]:
        ref = one.get("ref", "?")
        if ref in seen:
            yield f"[[part]] {ref}: there are two of that name"
        seen.add(ref)
        pad = one.get("bought") is False
        for field in ("name", "es", "what", "for", "where"):
            if not one.get(field):
                yield f"[[part]] {ref}: {field} is missing"
        if ("alternatives" in one) != ("alternatives_es" in one):
            yield f"[[part]] {ref}: alternatives must stand there in both languages"
        if not pad and not isinstance(one.get("price"), float) or one.get("price", 1.0) <= 0:
            yield f"[[part]] {ref}: price must be what one costs in euro, as 0.50"
        if one.get("for") not in _BUILDS or one.get("where") not in _PLACES:
            yield f"[[part]] {ref}: for must be one of {_BUILDS}, where one of {_PLACES}"
        if ("pins" in one) != ("symbol" in one):
            yield f"[[part]] {ref}: a part with pins needs a symbol, and the other way round"
        if "current_ma" in one and not ("rail" in one and one.get("source")):
            yield f"[[part]] {ref}: a current needs its rail and its source"
        if "footprint" in one:
            place = one.get("at") or one.get("centre")
            if not place or not (0 <= place[0] <= width and 0 <= place[1] <= height):
                yield f"[[part]] {ref}: at (or centre) must lie on the board"


def _nets(table: dict[str, Any]) -> Iterator[str]:
    known = set(table["net"]) | {n for n, p in table["gpio"].items() if not p.get("internal")}
    found = board.nets(table)
    for net in sorted(known - set(found)):
        yield f"net {net}: no part is on it"
    for net, nodes in sorted(found.items()):
        if net not in known:
            yield f"net {net}: not declared in [net] or [gpio]; used by {min(nodes)}"
        if len(nodes) < 2:
            yield f"net {net}: only {min(nodes)} is on it; a net joins at least two pins"
