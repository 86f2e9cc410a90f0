"""Draws the wiring with WireViz, from board.toml: one picture for each step on the breadboard, one
for the carrier.

On a breadboard every signal starts at the Pico, every supply at a rail. On the carrier every wire
starts at a header.
"""

import pathlib
from typing import Any

from hardware import board

FOLDER = board.HERE / "wiring"
RAILS = ("GND", "3V3", "VSYS")
_RAIL_NAMES = {"GND": "blue rails", "3V3": "red rail", "VSYS": "other red rail"}
_EITHER_WAY = {"1": "one end", "2": "other end"}
_BUTTON = {"1": "a leg", "2": "the leg 5 mm beside it"}
_LEG_NAMES = {
    "Device:R": _EITHER_WAY,
    "Device:C": _EITHER_WAY,
    "Device:Polyfuse": _EITHER_WAY,
    "Switch:SW_Push": _BUTTON,
}
_WIDEST_PX = 1800
_SHADES = {"head": "#FFF3D0", "body": "#FBE3E1", "board": "#E3F1E3", "back": "#E3F1E3"}
_IGNORED_ON_BREADBOARD = ("-", "FLASH_WP", "FLASH_HOLD")


def colour(table: dict[str, Any], net: str) -> str:
    return (table["net"].get(net) or table["gpio"][net])["colour"]


def _pins(table: dict[str, Any], ref: str) -> dict[str, str]:
    """Pin -> net. Of a flash module on a breadboard only the six pins that it has."""
    return {
        pin: net
        for pin, net in board.pins_of(table, ref).items()
        if net not in _IGNORED_ON_BREADBOARD
    }


def _label(part: dict[str, Any], pin: str) -> str:
    """As printed on the thing, with what else it may be called."""
    if "silk" in part:
        return part["silk"][int(pin) - 1]
    if part["symbol"] in _LEG_NAMES:
        return _LEG_NAMES[part["symbol"]][pin]
    if part["symbol"] == "Switch:SW_DP3T":
        return f"leg {pin}"
    other = part.get("labels", {}).get(pin, "")
    if pin.isdigit() and other:
        return other
    return f"{pin} ({other})" if other not in ("", pin) else pin


def _pico_label(table: dict[str, Any], net: str) -> str:
    number = table["gpio"][net]["gpio"]
    return f"GP{number} (pin {board.PICO_PIN[number]})"


Node = tuple[str, str]  # "Pico", a rail's net or a reference; its pin ("" for a rail)


def ends(table: dict[str, Any], step: dict[str, Any]) -> list[tuple[Node, Node, str]]:
    """Return the wires of a step on the breadboard: from, to, net."""
    found: list[tuple[Node, Node, str]] = []
    reached: dict[str, Node] = {}
    if step["name"] == "1-pico":
        for net in reversed(RAILS):
            found.append((("Pico", str(board.PICO_POWER_PINS[net][-1])), (net, ""), net))
    for ref in step["parts"]:
        for pin, net in _pins(table, ref).items():
            here = (ref, pin)
            if net in reached:
                found.append((reached[net], here, net))
            elif net in RAILS:
                found.append(((net, ""), here, net))
            elif net in table["gpio"]:
                number = board.PICO_PIN[table["gpio"][net]["gpio"]]
                found.append((("Pico", str(number)), here, net))
            else:
                reached[net] = here
    return found


def links(table: dict[str, Any], step: dict[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """Return the wires of a step: (from, its pin's label, to, its pin's label, net).

    From is "Pico", a rail's net, or a reference; pins are labelled as printed.
    """

    def label(node: Node, net: str) -> str:
        if node[0] in RAILS:
            return _RAIL_NAMES[net]
        if node[0] != "Pico":
            return _label(board.part(table, node[0]), node[1])
        return _pico_label(table, net) if net in table["gpio"] else f"{net} (pin {node[1]})"

    return [(a[0], label(a, net), b[0], label(b, net), net) for a, b, net in ends(table, step)]


def _carrier_links(table: dict[str, Any], step: dict[str, Any]) -> list[Any]:
    """From each header to what hangs on it; a net that several headers carry is taken from the
    nearest before."""
    found: list[tuple[str, str, str, str, str]] = []
    reached: dict[str, tuple[str, str]] = {}
    grounds: list[tuple[str, str]] = []  # of the header that was met last
    for ref in step["parts"]:
        part = board.part(table, ref)
        header = "footprint" in part
        for pin, net in _pins(table, ref).items():
            label = _label(part, pin)
            if header or (ref == "U2" and net.startswith("SPK")):
                reached[net] = (ref, label)
                if net == "GND":
                    grounds = [one for one in grounds if one[0] == ref] + [(ref, label)]
            elif ref != "U2" and net in reached:
                same = [g for g in grounds if net == "GND" and _says(label, g[1])]
                found.append((*(same[0] if same else reached[net]), ref, label, net))
    return found


def _says(label: str, short: str) -> bool:
    """Return whether a header's short label means a module's pin, which may have several names."""
    words = label.replace("(", " ").replace(")", " ").replace("/", "").split()
    return any(word.startswith(short) for word in words)


def _connector(table: dict[str, Any], ref: str, labels: list[str]) -> dict[str, Any]:
    if ref == "Pico":
        name, shade = "Raspberry Pi Pico", "#DFEBFB"
    elif ref in RAILS:
        name, shade = "breadboard", "#EEEEEE"
    else:
        part = board.part(table, ref)
        name, shade = part["name"].split(",")[0], _SHADES.get(part["where"], "#FFFFFF")
        labels = part.get("silk", labels)
    return {"type": name, "pins": labels, "bgcolor": shade, "show_pincount": False}


def wires(table: dict[str, Any], step: dict[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """Return all wires of a step, breadboard or carrier; as links() has them."""
    return _carrier_links(table, step) if step.get("carrier") else links(table, step)


def harness(table: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    """Return a step as WireViz wants it."""
    labels: dict[str, list[str]] = {}
    bundles: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for a, a_label, b, b_label, net in wires(table, step):
        key = (f"rail {a}" if a in RAILS else a, f"rail {b}" if b in RAILS else b)
        for ref, label in zip(key, (a_label, b_label)):
            if label not in labels.setdefault(ref, []):
                labels[ref].append(label)
        bundles.setdefault(key, []).append((a_label, b_label, net))
    connectors = {ref: _connector(table, ref.removeprefix("rail "), labels[ref]) for ref in labels}
    cables, connections = {}, []
    for i, ((a, b), pairs) in enumerate(bundles.items()):
        name = f"W{i + 1}"
        cables[name] = {
            "wirecount": len(pairs),
            "colors": [colour(table, net) for _, _, net in pairs],
            "wirelabels": [net for _, _, net in pairs],
            "show_wirecount": False,
            "show_wirenumbers": False,
            "show_name": False,
        }
        connections.append(
            [
                {a: [p[0] for p in pairs]},
                {name: list(range(1, len(pairs) + 1))},
                {b: [p[1] for p in pairs]},
            ]
        )
    title = {"title": f"{step['name']}: {step['title']}"}
    options = {"fontname": "DejaVu Sans", "color_mode": "FULL"}
    return {
        "metadata": title,
        "options": options,
        "connectors": connectors,
        "cables": cables,
        "connections": connections,
    }


def text(table: dict[str, Any], step: dict[str, Any]) -> str:
    """Return a step as a WireViz file."""
    import yaml

    data = yaml.safe_dump(harness(table, step), sort_keys=False, allow_unicode=True, width=120)
    return "# Generated from board.toml by hardware/wiring.py\n" + data


def draw(table: dict[str, Any], step: dict[str, Any], folder: pathlib.Path = FOLDER) -> None:
    """Writes NAME.yml and NAME.png. Needs wireviz from pip and graphviz from the system."""
    from PIL import Image
    from wireviz.wireviz import parse

    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{step['name']}.yml").write_text(text(table, step), encoding="utf-8")
    parse(
        harness(table, step), output_formats=("png",), output_dir=folder, output_name=step["name"]
    )
    path = folder / f"{step['name']}.png"
    image = Image.open(path).convert("RGB")
    if image.width > _WIDEST_PX:
        size = (_WIDEST_PX, round(image.height * _WIDEST_PX / image.width))
        image = image.resize(size, Image.Resampling.LANCZOS)
    image.quantize(128).save(path, optimize=True)
